/* Device code of test_program.c: imitates a cubin of Clang 19 for the simulated device (abi-facts
 * 7). */
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

typedef unsigned long long u64;

typedef struct kernel_environment {
  unsigned char state_machine, nested, mode, reserved;
  int min_threads, max_threads, min_teams, max_teams;
#ifdef LATER_THAN_22 /* LLVM's main branch: 40 bytes, without the length of the reduction buffer */
#define REDUCTION(bytes, length) bytes
  int reduction_bytes;
#else
#define REDUCTION(bytes, length) bytes, length
  int reduction_bytes, reduction_length;
#endif
  void *ident, *dynamic;
} kernel_environment;

typedef struct launch_environment {
  unsigned count, iteration;
  char *buffer;
} launch_environment;

#define GENERIC 1
#define SPMD    2
#define ENVIRONMENT(kernel, mode, threads, bytes, length)                                          \
  SIM_DATA kernel_environment kernel##_kernel_environment = {                                      \
      0, 0, mode, 0, 1, threads, 1, -1, REDUCTION(bytes, length), 0, 0};

#ifdef ASKS_HOST /* the variable through which LLVM's device runtime calls the host; its name and LOCKS depend on the version */
SIM_DATA struct {
  unsigned ports;
  void *inbox, *outbox, *header, *packet;
  unsigned lock[LOCKS];
} ASKS_HOST = {1, 0, 0, 0, 0, {0}};
#endif

/* The host writes this variable at the load of the image. */
SIM_DATA u64 __omp_rtl_device_environment[6] = {1, 1, 1, 1, 1, 1};

SIM_DATA int counter = 5;
SIM_DATA int *big_decl_tgt_ref_ptr;

ENVIRONMENT(saxpy, SPMD, 128, 0, 0)
SIM_KERNEL void saxpy(void *launch, float *y, float *x, u64 n, u64 a) {
  (void)launch;
  for (u64 i = sim_index(); i < n; i += sim_count()) y[i] += (float)a * x[i];
}

ENVIRONMENT(touch, SPMD, 128, 0, 0)
SIM_KERNEL void touch(void *launch, int *x) {
  (void)launch;
  if (sim_index() == 0) x[0]++;
}

/* out: teams, threads, environment, counter, order of constructors, launch environment. */
static int constructed[2], constructed_count;
ENVIRONMENT(look, GENERIC, 0, 0, 0)
SIM_KERNEL void look(void *launch, u64 *out) {
  (void)launch;
  if (sim_index() != 0) return;
  out[0] = sim_thread.blocks[0];
  out[1] = sim_thread.threads[0];
  for (int i = 0; i < 6; i++) out[2 + i] = __omp_rtl_device_environment[i];
  out[8] = (u64)counter;
  out[9] = (u64)(constructed[0] * 10 + constructed[1]);
  out[10] = (u64)launch;
  counter++;
}

/* Reads the address of the reduction buffer from the launch environment. */
ENVIRONMENT(reduce, SPMD, 128, 8, 1024)
SIM_KERNEL void reduce(launch_environment *launch, u64 *out) {
  if (sim_index() == 0) {
    out[0] = launch->count;
    out[1] = launch->iteration;
    out[2] = launch->buffer >= (char *)(launch + 1);
    launch->buffer[0] = launch->buffer[8 * 1024 - 1] = 1; /* the whole buffer is writable */
  }
  if (sim_index() == sim_count() - 1) launch->count = 77;
}

ENVIRONMENT(linked, SPMD, 128, 0, 0)
SIM_KERNEL void linked(void *launch, u64 *out) {
  (void)launch;
  if (sim_index() == 0) out[0] = (u64)big_decl_tgt_ref_ptr[1];
}

/* The device global of an indirect function's entry contains the function's device address. */
static int add_seven(int x) {
  return x + 7;
}
SIM_DATA int (*indirect_l9)(int) = add_seven;
ENVIRONMENT(indirect, SPMD, 128, 0, 0)
SIM_KERNEL void indirect(void *launch, u64 host_function, u64 *out) {
  const u64 *table = (const u64 *)__omp_rtl_device_environment[3];
  (void)launch;
  if (sim_index() != 0) return;
  out[0] = __omp_rtl_device_environment[4];
  for (u64 i = 0; i < __omp_rtl_device_environment[4]; i++)
    if (table[2 * i] == host_function) out[1] = (u64)((int (*)(int))table[2 * i + 1])(35);
}

ENVIRONMENT(crash, SPMD, 128, 0, 0)
SIM_KERNEL void crash(void *launch) {
  (void)launch;
  *(volatile int *)8 = 1;
}

/* The priorities of the constructors are opposite to the order of their names. */
static void construct_a(void) {
  constructed[constructed_count++] = 1;
}
static void construct_b(void) {
  constructed[constructed_count++] = 2;
}
SIM_DATA void (*__init_array_object_a_abc_200)(void) = construct_a;
SIM_DATA void (*__init_array_object_b_abc_101)(void) = construct_b;
SIM_DATA void (**__init_array_start)(void);
SIM_DATA void (**__init_array_end)(void);
SIM_KERNEL void init(void) __asm__("nvptx$device$init");
void init(void) {
  for (void (**f)(void) = __init_array_start; f < __init_array_end; f++) (*f)();
}
