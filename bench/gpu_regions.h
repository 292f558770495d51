/* The solo side of a GPU question: starts regions and copies through the interface of compiled
 * code. The images define:
 *   sim_nothing (launch)           does nothing
 *   sim_add     (launch, x, n, k)  x[i] += k for i < n, 32 bits each
 */
#ifndef BENCH_GPU_REGIONS_H
#define BENCH_GPU_REGIONS_H

#include "abi/tgt.h"
#include "bench/gpu_question.h"

void *llvm_omp_target_alloc_host(size_t, int);

enum { GPU_IMAGES = 16 };

static char key_launch, key_add;
static int gpu_words[GPU_ELEMENTS];
static tgt_entry_19 gpu_entries[] = {{&key_launch, (char *)"sim_nothing", 0, 0, 0},
                                     {&key_add, (char *)"sim_add", 0, 0, 0}};
static tgt_device_image gpu_images[GPU_IMAGES];
static tgt_bin_desc gpu_descriptor = {0, gpu_images, gpu_entries, gpu_entries + 2};

/* Adds an image; the runtime selects a compatible one. */
static inline void gpu_add_image(void *bytes, size_t size) {
  if (gpu_descriptor.image_count == GPU_IMAGES) return;
  gpu_images[gpu_descriptor.image_count++] =
      (tgt_device_image){bytes, (char *)bytes + size, gpu_entries, gpu_entries + 2};
}

static void gpu_launch(long n, long unused) {
  (void)unused;
  tgt_kernel_args args = {.version = 3, .num_teams = {1}, .thread_limit = {1}};
  for (long i = 0; i < n; i++)
    gpu_check(__tgt_target_kernel(NULL, -1, 1, 1, &key_launch, &args), "launch");
}

static void gpu_present(long n, long unused) {
  (void)unused;
  enum { TO = 1, FROM = 2, PARAM = 0x20, LITERAL = 0x100 };
  void *values[] = {gpu_words, (void *)GPU_ELEMENTS, (void *)1};
  int64_t sizes[] = {sizeof gpu_words, 8, 8};
  int64_t types[] = {TO | FROM | PARAM, LITERAL | PARAM, LITERAL | PARAM};
  tgt_kernel_args args = {.version = 3,
                          .count = 3,
                          .bases = values,
                          .begins = values,
                          .sizes = sizes,
                          .types = types,
                          .num_teams = {1},
                          .thread_limit = {GPU_ELEMENTS}};
  for (long i = 0; i < n; i++)
    gpu_check(__tgt_target_kernel(NULL, -1, 1, GPU_ELEMENTS, &key_add, &args), "launch");
}

static void gpu_enter(long unused) {
  (void)unused;
  void *values[] = {gpu_words};
  int64_t sizes[] = {sizeof gpu_words}, types[] = {1};
  __tgt_target_data_begin_mapper(NULL, -1, 1, values, values, sizes, types, NULL, NULL);
}

static void gpu_copy(long n, char *to, char *from, long bytes, int to_device) {
  int host = omp_get_initial_device();
  for (long i = 0; i < n; i++)
    gpu_check(omp_target_memcpy(to, from, (size_t)bytes, 0, 0, to_device ? 0 : host,
                                to_device ? host : 0),
              "copy");
}

/* Allocates device and pinned memory. Prints a message and returns nonzero if there is no device. */
static inline int gpu_open(size_t most) {
  setenv("OMP_TARGET_OFFLOAD", "mandatory", 0);
  __tgt_register_lib(&gpu_descriptor);
  if (omp_get_num_devices() == 0) return gpu_report_missing("solo", "run solo-info for the reason");
  gpu_device = omp_target_alloc(most, 0);
  gpu_pinned = llvm_omp_target_alloc_host(most, 0);
  gpu_check(!gpu_device || !gpu_pinned, "memory");
  return 0;
}

#endif
