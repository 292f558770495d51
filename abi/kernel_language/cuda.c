#include "abi/kernel_language/kl.h"

#define KL(name) cuda##name
#define KL_NAME  "cuda"
enum { KL_VERSION = 12000 };
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "abi/kernel_language/runtime.h"

KL_EXPORT cudaHostAlloc(void **address, size_t bytes, unsigned flags) {
  (void)flags;
  return solo_kl_alloc_host(address, bytes);
}
KL_EXPORT cudaFreeHost(void *address) {
  return solo_kl_free(address);
}
KL_EXPORT cudaThreadSynchronize(void) {
  return solo_kl_device_sync();
}
/* 1032: size of cudaDeviceProp of CUDA 12 */
KL_EXPORT cudaGetDeviceProperties(void *out, int device) {
  return solo_kl_properties(out, 1032, NULL, device);
}
KL_EXPORT cudaGetDeviceProperties_v2(void *out, int device) {
  return solo_kl_properties(out, 1032, NULL, device);
}

SOLO_EXPORT void **__cudaRegisterFatBinary(const void *wrapper) {
  return (void **)(void *)solo_kl_register(wrapper, 0x466243b1);
}
SOLO_EXPORT void __cudaRegisterFatBinaryEnd(void **handle) {
  (void)handle;
}
SOLO_EXPORT void __cudaUnregisterFatBinary(void **handle) {
  solo_kl_unregister((kl_module *)(void *)handle);
}
SOLO_EXPORT void __cudaRegisterFunction(void **handle, const char *host, char *device_function,
                                        const char *name, int thread_limit, void *tid, void *bid,
                                        void *block, void *grid, int *warp_size) {
  (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid;
  (void)warp_size;
  solo_kl_register_symbol((kl_module *)(void *)handle, host, name, 0);
}
SOLO_EXPORT void __cudaRegisterVar(void **handle, char *host, char *host_name, const char *name,
                                   int external, size_t bytes, int constant, int global) {
  (void)host_name, (void)external, (void)constant, (void)global;
  solo_kl_register_symbol((kl_module *)(void *)handle, host, name, bytes);
}
SOLO_EXPORT void __cudaRegisterManagedVar(void *handle, void **pointer, void *initial,
                                          const char *name, size_t bytes, unsigned align) {
  (void)align;
  solo_kl_register_managed(handle, pointer, initial, name, bytes);
}
SOLO_EXPORT unsigned __cudaPushCallConfiguration(kl_dim3 grid, kl_dim3 block, size_t shared_bytes,
                                                 void *stream) {
  return (unsigned)solo_kl_push(grid, block, shared_bytes, stream);
}
SOLO_EXPORT int __cudaPopCallConfiguration(kl_dim3 *grid, kl_dim3 *block, size_t *shared_bytes,
                                           void *stream) {
  return solo_kl_pop(grid, block, shared_bytes, stream);
}
