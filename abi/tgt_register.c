/* Registers binary descriptors before main, and calls no heap, environment or driver function. */
#include "abi/ompt.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "abi/tgt_upgrade.h"
#include "runtime/base/log.h"
#include "runtime/device/devices.h"
#include "runtime/device/exit_watch.h"
#include "runtime/device/fork.h"
#include "runtime/host_threads.h"
#include "runtime/trace/info.h"
#include <link.h>
#include <stdio.h>
#include <sys/auxv.h>

void __tgt_register_lib(tgt_bin_desc *descriptor) {
  solo_fork_devices(); /* installs the fork handlers before other threads can fork */
  solo_library_source source;
  if (&solo_host_threads && &solo_second_runtime) solo_second_runtime.warn_once();
  solo_status status = tgt_read_descriptor(descriptor, &source);
  if (status == SOLO_OK) status = solo_registry_add(&source);
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, NULL);
}

static int is_in_program(const void *address) {
  /* without PT_PHDR, assumes that the program is at its link address */
  const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR);
  uintptr_t bias = 0, at = (uintptr_t)address;
  size_t count = headers ? getauxval(AT_PHNUM) : 0;
  for (size_t i = 0; i < count; i++)
    if (headers[i].p_type == PT_PHDR) bias = (uintptr_t)headers - headers[i].p_vaddr;
  for (size_t i = 0; i < count; i++)
    if (headers[i].p_type == PT_LOAD && at - bias - headers[i].p_vaddr < headers[i].p_memsz)
      return 1;
  return 0;
}

/* At exit, other threads and destructors may execute regions, so the program's libraries stay
 * registered. */
void __tgt_unregister_lib(tgt_bin_desc *descriptor) {
  if (solo_exit_has_begun() && is_in_program(descriptor)) {
    tgt_fix_default_device();
    solo_device_run_destructors(descriptor);
    return;
  }
  solo_library *library = solo_registry_remove(descriptor);
  if (library) solo_device_unload_library(library);
}

void __tgt_register_requires(int64_t flags) {
  if (flags & SOLO_REQUIRES_UNIFIED_SHARED_MEMORY)
    solo_warn("requires clauses registered by an old compiler are not supported: recompile with "
              "Clang 19 or later");
}

void __tgt_init_all_rtls(void) {}
void __tgt_rtl_init(void) {}
void __tgt_rtl_deinit(void) {}

void __tgt_set_info_flag(uint32_t bits) {
  tgt_policy_print(bits);
}

/* libomp calls this function before it starts the tool. tgt_is_disabled() would then record that no tool exists. */
int __tgt_get_num_devices(void) {
  int disabled =
      ompt_libomp_connect ? solo_settings()->offload == SOLO_OFFLOAD_DISABLED : tgt_is_disabled();
  return disabled ? 0 : solo_device_count();
}

int __tgt_print_device_info(int64_t number) {
  solo_device *device;
  if (solo_device_get(number, &device) != SOLO_OK) return 0;
  const solo_device_info *i = solo_device_describe(device);
  printf("    Device Number: %d\n    Device Name: %s\n    Backend: %s\n    Architecture: %s\n"
         "    Memory: %llu bytes\n    Compute Units: %u\n    Warp Size: %u\n"
         "    Max Threads per Team: %u\n    Default Threads: %u\n    Default Teams: %u\n"
         "    Max Teams: %u\n    Dynamic Shared Memory: %u bytes\n    Unified Memory: %s\n"
         "    UID: %s\n",
         device->number, i->name, device->backend->name, i->arch,
         (unsigned long long)i->memory_bytes, i->compute_units, i->warp_size, i->max_threads,
         i->default_threads, i->default_teams, i->max_teams, i->max_shared_bytes,
         device->unified ? "yes" : "no", i->uid);
  return 1;
}
