/* Function-pointer tables (fptr.h). Device code on the CPU calls through host addresses of its own
 * copies; the tables for other devices are built by the function-pointer issue. */
#include "runtime/fptr.h"

solo_status solo_fptr_library_loaded(solo_device *device, solo_module *module) {
  (void)device;
  (void)module;
  return SOLO_OK;
}

void solo_fptr_library_leaving(solo_device *device, solo_module *module) {
  (void)device;
  (void)module;
}
