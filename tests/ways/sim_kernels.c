/* Kernels of examples/by_hand.c and of these tests, for the simulated devices. */
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

SIM_KERNEL void scale(double *data, long factor, long count) {
  if (sim_index() != 0) return;
  for (long i = 0; i < count; i++) data[i] *= (double)factor;
}

typedef struct entry {
  void *address;
  const char *name;
  unsigned long size;
  int flags, reserved;
} entry;

static long twice(long x) {
  return 2 * x;
}

static long minus(long x) {
  return -x;
}

SIM_DATA entry entry_of_twice __asm__(".omp_offloading.entry.twice") = {(void *)twice, "twice", 0,
                                                                        8, 0};
SIM_DATA entry entry_of_minus __asm__(".omp_offloading.entry.minus") = {(void *)minus, "minus", 0,
                                                                        8, 0};

typedef struct pair {
  long host, target;
} pair;
SIM_DATA pair *__omp_offloading_fptr_map_p = 0;
SIM_DATA unsigned long __omp_offloading_fptr_map_size = 0;

SIM_KERNEL void apply(long function, long x, long *out) {
  if (sim_index() != 0) return;
  for (unsigned long i = 0; i < __omp_offloading_fptr_map_size; i++)
    if (__omp_offloading_fptr_map_p[i].host == function)
      function = __omp_offloading_fptr_map_p[i].target;
  *out = ((long (*)(long))function)(x);
}
