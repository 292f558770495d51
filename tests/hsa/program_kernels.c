/* Device code of test_program.c as an amdgcn code object: the kernels of
 * tests/cuda/program_kernels.c, the heap, and constructors as kernels (abi-facts 8.1). */
#include "tests/cuda/program_kernels.c"

/* The heap of the device runtime's malloc: next free byte, and limit. */
SIM_DATA struct { u64 next, size; } __omp_rtl_device_memory_pool = {1, 1};

/* Allocates as LLVM's device runtime does: the limit is the address of the variable plus the size,
 * not the address of the heap plus the size. Returns 0 if the heap is full. */
static void *device_malloc(u64 bytes) {
  u64 at = __omp_rtl_device_memory_pool.next, after = at + ((bytes + 15) & ~15ull);
  if (after > (u64)&__omp_rtl_device_memory_pool + __omp_rtl_device_memory_pool.size) return 0;
  __omp_rtl_device_memory_pool.next = after;
  return (void *)at;
}

/* out: the heap's address, the address of the variable, the size; then the results of four
 * allocations: all but 64 bytes, 80, 64 and 1 bytes. */
ENVIRONMENT(heap, SPMD, 128, 0, 0)
SIM_KERNEL void heap(void *launch, u64 *out, u64 bytes) {
  (void)launch;
  if (sim_index() != 0) return;
  out[0] = __omp_rtl_device_memory_pool.next;
  out[1] = (u64)&__omp_rtl_device_memory_pool;
  out[2] = __omp_rtl_device_memory_pool.size;
  char *block = device_malloc(bytes - 64);
  out[3] = block != 0;
  if (block) block[0] = block[bytes - 65] = 1;
  out[4] = device_malloc(80) != 0;
  out[5] = device_malloc(64) != 0;
  out[6] = device_malloc(1) != 0;
}

/* a and b are private data that the kernel only reads, as in Clang's kernels. out: two sums, and
 * the alignment of b. */
ENVIRONMENT(carry, SPMD, 128, 0, 0)
SIM_KERNEL void carry(void *launch, u64 *out, const u64 *a, u64 words, const unsigned char *b,
                      u64 bytes) {
  (void)launch;
  if (sim_index() != 0) return;
  out[0] = out[1] = 0;
  for (u64 i = 0; i < words; i++) out[0] += a[i];
  for (u64 i = 0; i < bytes; i++) out[1] += b[i];
  out[2] = (u64)b % 16;
}

SIM_KERNEL void amd_init(void) __asm__("amdgcn.device.init");
void amd_init(void) {
  construct_b();
  construct_a();
}

/* The destructor writes to host memory. */
SIM_DATA u64 *farewell;
SIM_KERNEL void amd_fini(void) __asm__("amdgcn.device.fini");
void amd_fini(void) {
  if (farewell) *farewell = 4711;
}
