/* Description: regions in the form that Clang emits run on the CUDA backend. Argument 1: the cubin
 * of program_kernels.c; argument 2: "all", "indirect" or "crash" (one more check), or "survive"
 * (driver calls fail). */
#define _GNU_SOURCE
#include "abi/include/omp.h"
#include "abi/tgt.h"
#include "tests/sim/libcuda/cuda_sim.h"
#include "tests/unit/test.h"

#ifndef PROGRAM_WARP /* set by tests/hsa/test_program.c, which includes this file */
#define PROGRAM_WARP  32
#define PROGRAM_CLOCK 1000000000 /* Hz */
#endif

enum { TO = 1, FROM = 2, PARAM = 0x20, LITERAL = 0x100, N = 1000 };

static char key_saxpy, key_touch, key_look, key_reduce, key_linked, key_indirect, key_crash;
static int counter = 5, big[4] = {1, 2, 3, 4}, *big_ref = big;

static int add_seven_host(int x) {
  return x + 7;
}

static tgt_entry_19 entries[] = {
    {&key_saxpy, "saxpy", 0, 0, 0},
    {&key_touch, "touch", 0, 0, 0},
    {&key_look, "look", 0, 0, 0},
    {&key_reduce, "reduce", 0, 0, 0},
    {&key_linked, "linked", 0, 0, 0},
    {&key_indirect, "indirect", 0, 0, 0},
    {&key_crash, "crash", 0, 0, 0},
    {&counter, "counter", sizeof counter, 0, 0},
    {&big_ref, "big_decl_tgt_ref_ptr", sizeof big_ref, 1, 0},
    {(void *)(uintptr_t)add_seven_host, "indirect_l9", 8, 8, 0},
};
static tgt_device_image image = {.entries_begin = entries, .entries_end = entries + 10};
static tgt_bin_desc descriptor = {1, &image, entries, entries + 10};

static void register_image(const char *path) {
  FILE *f = fopen(path, "rb");
  static char bytes[1 << 18];
  size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
  if (!size) exit(2);
  fclose(f);
  image.image_start = bytes;
  image.image_end = bytes + size;
  __tgt_register_lib(&descriptor);
}

typedef struct arguments {
  void *bases[8];
  int64_t sizes[8], types[8];
  uint32_t count;
  int32_t teams, threads;
  uint64_t trip_count;
} arguments;

static void map(arguments *a, void *base, int64_t size, int64_t type) {
  a->bases[a->count] = base;
  a->sizes[a->count] = size;
  a->types[a->count++] = type | PARAM;
}

static void literal(arguments *a, uint64_t value) {
  map(a, (void *)(uintptr_t)value, 8, LITERAL);
}

static int region(void *key, arguments *a) {
  tgt_kernel_args args = {.version = 3,
                          .count = a->count,
                          .bases = a->bases,
                          .begins = a->bases,
                          .sizes = a->sizes,
                          .types = a->types,
                          .trip_count = a->trip_count,
                          .num_teams = {(uint32_t)a->teams, 0, 0},
                          .thread_limit = {(uint32_t)a->threads, 0, 0}};
  return __tgt_target_kernel(NULL, -1, a->teams, a->threads, key, &args);
}

static float x[N], y[N];

static int saxpy(void) {
  arguments a = {.trip_count = N};
  map(&a, y, sizeof y, TO | FROM);
  map(&a, x, sizeof x, TO);
  literal(&a, N);
  literal(&a, 2);
  return region(&key_saxpy, &a);
}

static void fill(void) {
  for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = 1;
}

static int wrong(void) {
  int count = 0;
  for (int i = 0; i < N; i++) count += y[i] != 1 + 2 * (float)i;
  return count;
}

static int touch(int *cell) {
  arguments a = {.teams = 1, .threads = 1};
  map(&a, cell, sizeof *cell, TO | FROM);
  return region(&key_touch, &a);
}

static unsigned calls_without_waits(void) {
  return cuda_sim_calls(NULL) - cuda_sim_wait_calls();
}

/* A wait polls, and then sleeps at most once on an event. */
static void check_one_wait(void) {
  unsigned sleeps = cuda_sim_calls("cuEventSynchronize");
  CHECK(sleeps <= 1 && cuda_sim_calls("cuStreamSynchronize") <= 1);
  CHECK_INT(cuda_sim_calls("cuEventRecord"), sleeps);
  CHECK(cuda_sim_calls("cuEventCreate") <= sleeps);
}

static void check_calls(void) {
  int cell = 0;
  if (!cuda_sim_calls) return;
  CHECK_INT(touch(&cell), 0); /* fills the pool, so that the counted region allocates nothing */
  cuda_sim_reset_calls();
  CHECK_INT(touch(&cell), 0);
  CHECK_INT(cell, 2);
  CHECK_INT(cuda_sim_calls("cuMemcpyHtoDAsync_v2"), 1);
  CHECK_INT(cuda_sim_calls("cuMemcpyDtoHAsync_v2"), 1);
  CHECK_INT(cuda_sim_calls("cuLaunchKernel"), 1);
  CHECK_INT(calls_without_waits(), 3);
  check_one_wait();
  CHECK(cuda_sim_calls("cuStreamQuery") + cuda_sim_calls("cuStreamSynchronize") >= 1);
  if (test_failures) cuda_sim_print_calls();

  void *bases[] = {&cell};
  int64_t sizes[] = {sizeof cell}, types[] = {TO | FROM};
  __tgt_target_data_begin_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(touch(&cell), 0);
  cuda_sim_reset_calls();
  CHECK_INT(touch(&cell), 0);
  CHECK_INT(cuda_sim_calls("cuLaunchKernel"), 1);
  CHECK_INT(calls_without_waits(), 1);
  check_one_wait();
  CHECK_INT(cell, 2);
  __tgt_target_data_end_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(cell, 4);
}

static void check_environment(void) {
  uint64_t out[11] = {0};
  arguments a = {.teams = 3, .threads = 40};
  map(&a, out, sizeof out, TO | FROM);
  CHECK_INT(region(&key_look, &a), 0);
  CHECK_INT(out[0], 3);
  /* a generic kernel's main thread has a separate warp */
  CHECK_INT(out[1], 40 + PROGRAM_WARP);
  CHECK_INT(out[2] & 0xffffffff, 0);
  CHECK_INT(out[2] >> 32, omp_get_num_devices());
  CHECK_INT(out[3] & 0xffffffff, 0);
  CHECK_INT(out[4], PROGRAM_CLOCK);
  CHECK(out[7] > 0);
  CHECK_INT(out[8], 5);
  CHECK_INT(out[9], 21); /* both constructors ran in the order of their priorities: b, then a */
  CHECK_INT(out[10], -1);
  void *bases[] = {&counter};
  int64_t sizes[] = {sizeof counter}, types[] = {FROM};
  __tgt_target_data_update_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(counter, 6);
}

static void check_runtime_features(void) {
  uint64_t out[3] = {9, 9, 9};
  /* the second launch fails if the first launch did not reset its counters */
  for (int round = 0; round < 2; round++) {
    arguments a = {.trip_count = 100};
    map(&a, out, sizeof out, TO | FROM);
    CHECK_INT(region(&key_reduce, &a), 0);
    CHECK(out[0] == 0 && out[1] == 0 && out[2] == 1);
  }
  arguments l = {.teams = 1};
  map(&l, out, sizeof out, TO | FROM);
  l.bases[1] = &big_ref; /* declare target link: not a parameter */
  l.sizes[1] = sizeof big;
  l.types[1] = 0x213;
  l.count = 2;
  void *begins[] = {out, big};
  tgt_kernel_args args = {.version = 3,
                          .count = 2,
                          .bases = l.bases,
                          .begins = begins,
                          .sizes = l.sizes,
                          .types = l.types,
                          .num_teams = {1, 0, 0}};
  CHECK_INT(__tgt_target_kernel(NULL, -1, 1, 0, &key_linked, &args), 0);
  CHECK_INT(out[0], 2);
}

static void check_indirect(void) {
  uint64_t out[3] = {0};
  arguments i = {.teams = 1};
  literal(&i, (uint64_t)(uintptr_t)add_seven_host);
  map(&i, out, sizeof out, TO | FROM);
  CHECK_INT(region(&key_indirect, &i), 0);
  CHECK_INT(out[0], 1);
  CHECK_INT(out[1], 42);
}

static void check_api(void) {
  int value[16], back[16] = {0};
  for (int i = 0; i < 16; i++) value[i] = i;
  void *at = omp_target_alloc(sizeof value, 0);
  CHECK(at);
  CHECK_INT(omp_target_memcpy(at, value, sizeof value, 0, 0, 0, omp_get_initial_device()), 0);
  const size_t volume[2] = {2, 3}, from[2] = {1, 1}, to[2] = {0, 0}, dimensions[2] = {4, 4};
  CHECK_INT(omp_target_memcpy_rect(back, at, sizeof(int), 2, volume, to, from, dimensions,
                                   dimensions, omp_get_initial_device(), 0),
            0);
  CHECK(back[0] == 5 && back[2] == 7 && back[3] == 0 && back[4] == 9 && back[6] == 11);
  omp_target_free(at, 0);
}

/* The result must be correct, on the device or the host. */
static int survive(void) {
  fill();
  if (saxpy() != 0)
    for (int i = 0; i < N; i++) y[i] += 2 * x[i];
  CHECK_INT(wrong(), 0);
  int cell = 0;
  if (touch(&cell) != 0) cell++;
  CHECK_INT(cell, 1);
  return TEST_RESULT();
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  register_image(argv[1]);
  if (strcmp(argv[2], "survive") == 0) return survive();
  if (omp_get_num_devices() == 0) TEST_SKIP("no CUDA device");
  fill();
  CHECK_INT(saxpy(), 0);
  CHECK_INT(wrong(), 0);
  check_environment();
  check_calls();
  check_runtime_features();
  check_api();
  if (strcmp(argv[2], "indirect") == 0) check_indirect();
  if (strcmp(argv[2], "crash") == 0) {
    arguments none = {.teams = 1};
    CHECK(region(&key_crash, &none) != 0);
    CHECK(saxpy() != 0);
  }
  __tgt_unregister_lib(&descriptor);
  return TEST_RESULT();
}
