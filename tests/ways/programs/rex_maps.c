/* A program in the form of the REX compiler with invalid map arrays: rex_maps NUMBER. 0: the arrays
 * are valid. */
#include "rex_kmp.h"
#include <stdio.h>
char OUT__1__main__7__id__ = 0;
struct __tgt_offload_entry OUT__1__main__7__omp_offload_entry__
    __attribute__((section("omp_offloading_entries"), used)) = {
        (void *)&OUT__1__main__7__id__, "OUT__1__main__7__kernel__", 0, 0, 0};
static double x[100], y[100];
int main(int argc, char **argv) {
  int what = argc > 1 ? argv[1][0] - '0' : 0;
  rex_offload_init();
  double factor = 3;
  void *args[] = {x, y, rex_pack_literal_arg_bytes(&factor, sizeof factor), (void *)100};
  int64_t sizes[] = {sizeof x, sizeof y, sizeof factor, 8};
  int64_t types[] = {33, 35, 800, 800};
  struct __tgt_kernel_arguments packet = {3, 4,   args, args,      sizes,      types, 0,
                                          0, 100, 0,    {8, 0, 0}, {64, 0, 0}, 0};
  if (what == 1) sizes[1] = -8;
  if (what == 2) packet.ArgTypes = 0;
  if (what == 3) packet.NumArgs = -3;
  if (what == 4) packet.Version = 99;
  if (what == 5) args[0] = (void *)-8;
  if (what == 6) packet.ArgSizes = 0;
  if (what == 7) {
    void *m[] = {x};
    int64_t s[] = {16}, t[] = {1};
    __tgt_target_data_begin(0, 1, m, m, s, t);
  }
  int r = __tgt_target_kernel(0, 8, 64, &OUT__1__main__7__id__, &packet);
  printf("%d\n", r);
  return r != 0;
}
