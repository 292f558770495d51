/* Test kernels of all simulated vendors. The first parameter is the launch environment. */
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

typedef unsigned long long u64;

SIM_KERNEL void sim_nothing(void *environment) {
  (void)environment;
}

SIM_KERNEL void sim_add(void *environment, int *x, u64 n, u64 add) {
  (void)environment;
  for (u64 i = sim_index(); i < n; i += sim_count()) x[i] += (int)add;
}

SIM_KERNEL void sim_saxpy(void *environment, float *y, const float *x, u64 n, u64 a) {
  (void)environment;
  for (u64 i = sim_index(); i < n; i += sim_count()) y[i] += (float)a * x[i];
}

/* Accesses an arbitrary address. */
SIM_KERNEL void sim_poke(void *environment, volatile int *at) {
  (void)environment;
  *at = *at + 1;
}

SIM_KERNEL void sim_trap(void *environment) {
  (void)environment;
  __builtin_trap();
}

SIM_KERNEL void sim_forever(void *environment) {
  (void)environment;
  for (volatile int i = 0;; i++) {
  }
}

/* out[0..8]: blocks, threads, number of calls, dynamic shared bytes. */
SIM_KERNEL void sim_shape(void *environment, u64 *out) {
  (void)environment;
  for (int i = 0; i < 3; i++) out[i] = sim_thread.blocks[i], out[3 + i] = sim_thread.threads[i];
  __atomic_fetch_add(&out[6], 1, __ATOMIC_RELAXED);
  out[7] = sim_thread.shared_bytes;
  for (u64 i = 0; i < sim_thread.shared_bytes; i++) ((volatile char *)sim_thread.shared)[i] = 1;
}

/* Copies the arguments to out, to check their order and width. */
SIM_KERNEL void sim_arguments(void *environment, u64 *out, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f,
                              u64 g, u64 h, u64 i, u64 j, u64 k, u64 l, u64 m, u64 n, u64 o, u64 p,
                              u64 q, u64 r) {
  const u64 all[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r};
  out[0] = (u64)environment;
  for (int at = 0; at < 18; at++) out[1 + at] = all[at];
}

SIM_DATA int sim_global = 42;
SIM_DATA int *sim_global_pointer = &sim_global; /* needs a relocation */

SIM_KERNEL void sim_global_add(void *environment, u64 add) {
  (void)environment;
  __atomic_fetch_add(sim_global_pointer, (int)add, __ATOMIC_RELAXED);
}
