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
        "no image is registered yet: either the program was linked without its device "
        "code (link with -fopenmp -fopenmp-targets, or solo-cc), or what registers one "
        "(__tgt_register_lib, rex_offload_init) was not called before the region");
  if (!entries)
    return solo_fail(
        SOLO_NOT_FOUND,
        "no entry came with the %zu registered image%s: section omp_offloading_entries "
        "is empty, or was stripped",
        libraries, libraries == 1 ? "" : "s");
  return solo_fail(SOLO_NOT_FOUND,
                   "no registered image has an entry for the region with key %p: was the program "
                   "linked without its device code (solo-link, or clang's linker wrapper)?",
                   key);
}

const char *solo_entries_mismatch(const solo_image *image) {
  return image->kind == SOLO_IMAGE_LINKED
             ? "it is what was linked in, and no image was registered for it"
             : "were host and device parts of the program compiled from the same sources?";
}
