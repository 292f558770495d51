/* Device code of test_fptr.c: functions, the variables with their addresses, and three ways to look
 * up a host function: solo's way (abi/device), the way of the design documents (docs/abi-facts.md,
 * 12; called "the seed" here), and the way of Clang's device runtime. Compiled to images for the
 * simulated devices; with TEST_FPTR_CPU part of the test. */
typedef unsigned long long u64;
typedef int function(int);

#ifdef TEST_FPTR_CPU
#define SIM_KERNEL  static
#define SIM_DATA    static
#define sim_index() 0
#define sim_count() 1
#else
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

#include "abi/device/fptr.c"
#define SOLO_INDIRECT_DEVICE 1
#include "abi/include/solo_indirect.h"

typedef struct kernel_environment {
  unsigned char state_machine, nested, mode, reserved;
  int min_threads, max_threads, min_teams, max_teams;
  int reduction_bytes, reduction_length;
  void *ident, *dynamic;
} kernel_environment;
SIM_DATA kernel_environment lookup_kernel_environment = {.mode = 2, .max_threads = 32};
SIM_DATA kernel_environment members_kernel_environment = {.mode = 2, .max_threads = 1};
#endif

#define FUNCTION(k)                                                                                \
  SIM_DATA int device_##k(int x) {                                                                 \
    return x * 10 + k;                                                                             \
  }                                                                                                \
  SIM_DATA function *device_l##k = device_##k;
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
FUNCTION(6)
FUNCTION(7)

/* Variables of the seed on the CPU. On GPUs, abi/device defines them. */
typedef struct fptr_map_ty {
  long long host_ptr, tgt_ptr;
} fptr_map_ty;
#ifdef TEST_FPTR_CPU
static const fptr_map_ty *__omp_offloading_fptr_map_p;
static u64 __omp_offloading_fptr_map_size;
#endif
SIM_DATA u64 __omp_rtl_device_environment[6];

static u64 search(const fptr_map_ty *map, u64 size, u64 key) {
  u64 low = 0, high = size;
  while (low < high) {
    u64 middle = low + (high - low) / 2;
    if ((u64)map[middle].host_ptr == key) return (u64)map[middle].tgt_ptr;
    if ((u64)map[middle].host_ptr < key)
      low = middle + 1;
    else
      high = middle;
  }
  return key;
}

enum { SOLO, SEED, CLANG, WAYS, UNCHANGED = -1 };

static u64 translate(u64 way, u64 host) {
  if (way == SEED)
    return search((const fptr_map_ty *)__omp_offloading_fptr_map_p, __omp_offloading_fptr_map_size,
                  host);
  if (way == CLANG)
    return search((const fptr_map_ty *)__omp_rtl_device_environment[3],
                  __omp_rtl_device_environment[4], host);
  return (u64)__kmpc_target_translate_fptr((void *)host);
}

/* out: for each host address the result of the device function, or UNCHANGED if no function has the
 * address. */
SIM_KERNEL void lookup(void *launch, int *out, const u64 *hosts, u64 n, u64 way, u64 x) {
  (void)launch;
  for (u64 i = sim_index(); i < n; i += sim_count()) {
    u64 at = translate(way, hosts[i]);
    out[i] = at == hosts[i] ? UNCHANGED : ((function *)at)((int)x);
  }
}

/* A struct with pointers, an array of pointers, and virtual calls (shapes.cc). */
typedef struct methods {
  function *first;
  function *list[2];
  const void *shape;
  void *named;
} methods;
int device_area(const void *shape);
long device_name(void *named, long x);

SIM_KERNEL void members(void *launch, long *out, const methods *m, u64 shape, u64 named) {
  (void)launch;
  if (sim_index() != 0) return;
  out[0] = solo_call_indirect(m->first, 5);
  out[1] = solo_call_indirect(m->list[0], 6) + solo_call_indirect(m->list[1], 7);
  out[2] = device_area((const void *)shape);
  out[3] = device_name((void *)named, 4);
}
