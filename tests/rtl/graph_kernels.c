/* The kernels of test_rtl_graph.c for simulated devices. */
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

typedef unsigned long long u64;

typedef struct kernel_environment {
  unsigned char state_machine, nested, mode, reserved;
  int min_threads, max_threads, min_teams, max_teams;
  int reduction_bytes, reduction_length;
  void *ident, *dynamic;
} kernel_environment;

SIM_DATA kernel_environment mix_kernel_environment = {0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0};

SIM_KERNEL void mix(void *launch, u64 *out, u64 seed, u64 *a, u64 *b, u64 *c) {
  (void)launch;
  if (sim_index() != 0) return;
  u64 x = seed * 0x9e3779b97f4a7c15ull + (a ? *a : 0);
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull + (b ? *b : 0);
  *out = (x ^ x >> 32) * 0x94d049bb133111ebull + (c ? *c : 0);
}
