/* Registration of GCC's device code, which solo cannot load. The host executes the target regions
 * (target.c). */
#include "abi/gomp/internal.h"
#include "abi/gomp/presence.h"

enum { TARGET_NVIDIA = 5, TARGET_AMD = 8 };

static void report(int target) {
  static _Atomic int32_t reported;
  const char *name = target == TARGET_NVIDIA ? "nvptx"
                     : target == TARGET_AMD  ? "amdgcn"
                                             : "a device";
  /* relaxed: only the first message is printed */
  if (solo_add_relaxed(&reported, 1)) return;
  solo_kmp_warn(
      "device code that GCC made for %s is not used; the host executes the target regions "
      "of GCC's objects\n  hint: compile them with solo-cc",
      name);
}

SOLO_EXPORT void GOMP_offload_register(const void *table, int target, const void *image) {
  (void)table, (void)image;
  report(target);
}

SOLO_EXPORT void GOMP_offload_register_ver(unsigned version, const void *table, int target,
                                           const void *image) {
  (void)version;
  GOMP_offload_register(table, target, image);
}

SOLO_EXPORT void GOMP_offload_unregister(const void *table, int target, const void *image) {
  (void)table, (void)target, (void)image;
}

SOLO_EXPORT void GOMP_offload_unregister_ver(unsigned version, const void *table, int target,
                                             const void *image) {
  (void)version, (void)table, (void)target, (void)image;
}
