#include "runtime/device/entries.h"

int solo_entries_are_shared(solo_library *library) {
  int sharers = 0;
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l))
    sharers += l->source.entries == library->source.entries;
  return sharers > 1;
}

solo_status solo_entries_missing(const void *key) {
  size_t libraries = 0, entries = 0;
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l)) {
    libraries++;
    entries += l->source.entry_count;
  }
  if (!libraries)
    return solo_fail(
        SOLO_NOT_FOUND,
        "no image is registered yet\n  hint: link with -fopenmp -fopenmp-targets or "
        "with solo-cc, and call __tgt_register_lib or rex_offload_init before the region" SOLO_SEE(
            "missing-fopenmp"));
  if (!entries)
    return solo_fail(
        SOLO_NOT_FOUND,
        "the %zu registered image%s no entries: section omp_offloading_entries is empty or was "
        "removed by strip",
        libraries, libraries == 1 ? " has" : "s have");
  return solo_fail(SOLO_NOT_FOUND,
                   "no registered image has an entry for the region with key %p\n  hint: was the "
                   "program linked without its device code (solo-link, or clang's linker wrapper)?",
                   key);
}

const char *solo_entries_mismatch(const solo_image *image) {
  return image->kind == SOLO_IMAGE_LINKED
             ? "the image is linked into the program, and no other image is registered"
             : "were host and device parts of the program compiled from the same sources?";
}
