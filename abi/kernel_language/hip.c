#include "abi/kernel_language/kl.h"

#define KL(name) hip##name
#define KL_NAME  "hip"
enum { KL_VERSION = 60000000 };
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "abi/kernel_language/runtime.h"

KL_EXPORT hipHostMalloc(void **address, size_t bytes, unsigned flags) {
  (void)flags;
  return solo_kl_alloc_host(address, bytes);
}
KL_EXPORT hipHostFree(void *address) {
  return solo_kl_free(address);
}
KL_EXPORT hipGetDevicePropertiesR0600(void *out, int device) {
  enum { BYTES = 1032, ARCH_AT = 1032 };
  char arch[64];
  int error = solo_kl_properties(out, BYTES, arch, device);
  for (int i = 0; !error && i < (int)sizeof arch; i++) ((char *)out)[ARCH_AT + i] = arch[i];
  return error;
}

SOLO_EXPORT void **__hipRegisterFatBinary(const void *wrapper) {
  return (void **)(void *)solo_kl_register(wrapper, 0x48495046);
}
SOLO_EXPORT void __hipUnregisterFatBinary(void **handle) {
  solo_kl_unregister((kl_module *)(void *)handle);
}
SOLO_EXPORT void __hipRegisterFunction(void **handle, const void *host, char *device_function,
                                       const char *name, unsigned thread_limit, void *tid,
                                       void *bid, void *block, void *grid, int *warp_size) {
  (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid;
  (void)warp_size;
  solo_kl_register_symbol((kl_module *)(void *)handle, host, name, 0);
}
SOLO_EXPORT void __hipRegisterVar(void **handle, void *host, char *host_name, const char *name,
                                  int external, size_t bytes, int constant, int global) {
  (void)host_name, (void)external, (void)constant, (void)global;
  solo_kl_register_symbol((kl_module *)(void *)handle, host, name, bytes);
}
SOLO_EXPORT void __hipRegisterManagedVar(void *handle, void **pointer, void *initial,
                                         const char *name, size_t bytes, unsigned align) {
  (void)align;
  solo_kl_register_managed(handle, pointer, initial, name, bytes);
}
SOLO_EXPORT int __hipPushCallConfiguration(kl_dim3 grid, kl_dim3 block, size_t shared_bytes,
                                           void *stream) {
  return solo_kl_push(grid, block, shared_bytes, stream);
}
SOLO_EXPORT int __hipPopCallConfiguration(kl_dim3 *grid, kl_dim3 *block, size_t *shared_bytes,
                                          void **stream) {
  return solo_kl_pop(grid, block, shared_bytes, stream);
}
