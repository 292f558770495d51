/* A program in the form that the REX compiler emits: the address of a char variable identifies a
 * kernel, and the device code is in a file.
 *
 * Modes: `unsafe` and `none` omit rex_offload_init(); `threads` registers in 8 threads; `retry`
 * first registers a missing file; `twice` initialises twice; `fini` launches after
 * rex_offload_fini(). */
#include "rex_kmp.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

char OUT__1__main__7__id__ = 0, OUT__2__main__9__id__ = 0;
#ifndef NO_ENTRIES
struct __tgt_offload_entry OUT__1__main__7__omp_offload_entry__
    __attribute__((section("omp_offloading_entries"), used)) = {
        (void *)&OUT__1__main__7__id__, "OUT__1__main__7__kernel__", 0, 0, 0};
struct __tgt_offload_entry OUT__2__main__9__omp_offload_entry__
    __attribute__((section("omp_offloading_entries"), used)) = {(void *)&OUT__2__main__9__id__,
                                                                SECOND_KERNEL, 0, 0, 0};
#endif

static double x[N], y[N];

static int launch(void *key, int safe) {
  double factor = 3;
  void *args[] = {x, y, rex_pack_literal_arg_bytes(&factor, sizeof factor), (void *)N};
  int64_t sizes[] = {sizeof x, sizeof y, sizeof factor, 8};
  int64_t types[] = {33, 35, 800, 800};
  struct __tgt_kernel_arguments packet = {3, 4, args, args,      sizes,      types, 0,
                                          0, N, 0,    {8, 0, 0}, {64, 0, 0}, 0};
  return safe ? rex___tgt_target_kernel(0, 8, 64, key, &packet)
              : __tgt_target_kernel(0, 8, 64, key, &packet);
}

static void *from_thread(void *result) {
  struct __tgt_bin_desc *descriptor = register_cubin(NULL);
  *(struct __tgt_bin_desc **)result = descriptor;
  return NULL;
}

static int by_threads(void) {
  pthread_t thread[8];
  struct __tgt_bin_desc *got[8] = {0};
  for (int i = 0; i < 8; i++) pthread_create(&thread[i], NULL, from_thread, &got[i]);
  for (int i = 0; i < 8; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 8; i++)
    if (!got[i] || got[i] != got[0] || got[i]->NumDeviceImages != 1) return 1;
  return 0;
}

static int right(double rounds) {
  for (int i = 0; i < N; i++)
    if (y[i] != 1 + rounds * 3 * i) {
      printf("y[%d] is %g\n", i, y[i]);
      return 0;
    }
  return 1;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int safe = !strcmp(mode, "unsafe");
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
  if (!strcmp(mode, "none")) return launch(&OUT__1__main__7__id__, 0) ? 7 : 0;
  if (!strcmp(mode, "threads") && by_threads()) return 2;
  if (!strcmp(mode, "retry")) {
    if (register_cubin("no such file.cubin") || register_cubin("no such file.cubin")) return 3;
  }
  if (!safe) rex_offload_init();
  if (!strcmp(mode, "twice")) {
    struct __tgt_bin_desc *before = __cubin_desc;
    rex_offload_init();
    if (__cubin_desc != before || register_cubin(NULL) != before) return 4;
  }
  void *maps[] = {x, y};
  int64_t sizes[] = {sizeof x, sizeof y}, types[] = {1, 3};
  if (safe)
    rex___tgt_target_data_begin(0, 2, maps, maps, sizes, types);
  else
    __tgt_target_data_begin(0, 2, maps, maps, sizes, types);
  for (int i = 0; i < 3; i++)
    if (launch(&OUT__1__main__7__id__, safe)) return 5;
  if (launch(&OUT__2__main__9__id__, safe)) return 6;
  __tgt_target_data_end(0, 2, maps, maps, sizes, types);
  if (!strcmp(mode, "fini")) {
    rex_offload_fini();
    if (launch(&OUT__1__main__7__id__, 0) == 0) return 8;
    rex_offload_init();
    if (launch(&OUT__1__main__7__id__, 0)) return 9;
    return !right(5);
  }
  if (!right(4)) return 1;
  puts("right");
  return 0;
}
