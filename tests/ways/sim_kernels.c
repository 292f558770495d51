/* Kernels of examples/by_hand.c and of the tests here, for the simulated devices. */
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

SIM_KERNEL void scale(double *data, long factor, long count) {
  if (sim_index() != 0) return;
  for (long i = 0; i < count; i++) data[i] *= (double)factor;
}
