/* Device code of programs/rex_axpy.c for the simulated devices. */
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

static void axpy(const double *x, double *y, unsigned long long factor, long n) {
  union {
    unsigned long long word;
    double number;
  } f = {factor};
  unsigned long long i = sim_index(),
                     step = (unsigned long long)sim_thread.blocks[0] * sim_thread.threads[0];
  for (; i < (unsigned long long)n; i += step) y[i] += f.number * x[i];
}

SIM_KERNEL void OUT__1__main__7__kernel__(void *environment, const double *x, double *y,
                                          unsigned long long factor, long n) {
  (void)environment;
  axpy(x, y, factor, n);
}

SIM_KERNEL void OUT__2__main__9__kernel__(void *environment, const double *x, double *y,
                                          unsigned long long factor, long n) {
  (void)environment;
  axpy(x, y, factor, n);
}
