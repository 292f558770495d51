/* Replaces entries.c, exit_watch.c and solo_module_unload_failed() in programs with linked images,
 * in which libraries share no entries and images are never unloaded. */
#include "runtime/device/entries.h"
#include "runtime/device/exit_watch.h"
#include "runtime/device/load.h"

int solo_entries_are_shared(solo_library *library) {
  (void)library;
  return 0;
}

solo_status solo_module_unload_failed(solo_device *device, solo_module *module,
                                      solo_status status) {
  (void)device, (void)module;
  return status;
}

solo_status solo_entries_missing(const void *key) {
  return solo_fail(
      SOLO_NOT_FOUND,
      "no linked image has an entry for the region with key %p\n  hint: was the program linked "
      "without its device code (solo-link)?",
      key);
}

const char *solo_entries_mismatch(const solo_image *image) {
  (void)image;
  return "were host and device parts of the program compiled from the same sources?";
}

void solo_exit_watch(void) {}

_Atomic int solo_exit_begun;
