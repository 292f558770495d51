/* The kernels of the conformance suite (ports/conformance/kernels.h) for simulated devices. */
#define SIM_KERNEL_SOURCE
#include "ports/conformance/kernels.h"
#include "tests/sim/device/kernel.h"

typedef unsigned long long u64;

SIM_DATA u64 conf_global[4] = {CONF_GLOBAL_0, CONF_GLOBAL_1};

SIM_KERNEL void conf_empty(u64 env) {
  (void)env;
}

SIM_KERNEL void conf_affine(u64 env, u64 *x, u64 mul, u64 add) {
  (void)env;
  *x = *x * mul + add;
}

/* Sleeps on a simulated device, because spinning would occupy a processor that the tests need. */
static void sleep_ns(u64 ns) {
#if defined(__NVPTX__)
  u64 start, now;
  __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < ns);
#elif defined(__AMDGCN__)
  u64 start = __builtin_amdgcn_s_memrealtime();
  while ((__builtin_amdgcn_s_memrealtime() - start) * 10 < ns) __builtin_amdgcn_s_sleep(1);
#else
  const long pause[2] = {(long)(ns / 1000000000), (long)(ns % 1000000000)};
  long result = 35;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(pause), "S"(0), "m"(pause)
                   : "rcx", "r11", "memory");
#endif
}

SIM_KERNEL void conf_slow(u64 env, u64 *x, u64 ns, u64 value) {
  (void)env;
  sleep_ns(ns);
  *x = value;
}

SIM_KERNEL void conf_many(u64 env, u64 *out, u64 a2, u64 a3, u64 a4, u64 a5, u64 a6, u64 a7, u64 a8,
                          u64 a9, u64 a10, u64 a11, u64 a12, u64 a13, u64 a14, u64 a15, u64 a16,
                          u64 a17, u64 a18, u64 a19, u64 a20, u64 a21, u64 a22, u64 a23, u64 a24) {
  (void)env;
  *out = 2 * a2 + 3 * a3 + 4 * a4 + 5 * a5 + 6 * a6 + 7 * a7 + 8 * a8 + 9 * a9 + 10 * a10 +
         11 * a11 + 12 * a12 + 13 * a13 + 14 * a14 + 15 * a15 + 16 * a16 + 17 * a17 + 18 * a18 +
         19 * a19 + 20 * a20 + 21 * a21 + 22 * a22 + 23 * a23 + 24 * a24;
}

SIM_KERNEL void conf_grid(u64 env, u64 *out) {
  (void)env;
  u64 team = sim_team_3d(), thread = sim_index_3d() % sim_threads_3d();
  out[team * sim_threads_3d() + thread] = team * 65536 + thread + 1;
}

SIM_KERNEL void conf_read(u64 env, u64 *out) {
  (void)env;
  *out = conf_global[1];
}

SIM_KERNEL void conf_write(u64 env, u64 value) {
  (void)env;
  conf_global[1] = value;
}

SIM_KERNEL void conf_fault(u64 env) {
  (void)env;
  *(volatile u64 *)0;
}
