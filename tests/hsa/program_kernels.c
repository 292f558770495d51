/* The device code of test_program.c as an amdgcn code object: that of tests/cuda with what Clang 19
 * adds for AMD GPUs (abi-facts 8.1): the heap's variable, constructors as kernels. */
#include "tests/cuda/program_kernels.c"

/* What the device runtime's malloc is cut from: next free byte, and its odd bound. */
SIM_DATA struct { u64 next, size; } __omp_rtl_device_memory_pool = {1, 1};

/* As the device runtime compares: with the address of the variable, not of the pool. 0: no room. */
static void *device_malloc(u64 bytes) {
  u64 at = __omp_rtl_device_memory_pool.next, after = at + ((bytes + 15) & ~15ull);
  if (after > (u64)&__omp_rtl_device_memory_pool + __omp_rtl_device_memory_pool.size) return 0;
  __omp_rtl_device_memory_pool.next = after;
  return (void *)at;
}

/* out: pool, variable's address, size; then whether a block of all_but bytes less than the heap
 * fits, is there to its last byte, and what is left behind it fits exactly, and no byte more. */
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

/* a and b are private: read only, as Clang's kernels do. out: sum of each, alignment of b. */
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

/* The destructor tells a host that reaches its memory: through the seat it was given. */
SIM_DATA u64 *farewell;
SIM_KERNEL void amd_fini(void) __asm__("amdgcn.device.fini");
void amd_fini(void) {
  if (farewell) *farewell = 4711;
}
