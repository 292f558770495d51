/* The common part of the GPU questions. For the contestant `limit`, the question defines
 * gpu_launch, gpu_present, gpu_enter and gpu_copy; for solo, gpu_regions.h does. */
#ifndef BENCH_GPU_QUESTION_H
#define BENCH_GPU_QUESTION_H

#include "bench/bench.h"

enum { GPU_ELEMENTS = 128 };
static char *gpu_device, *gpu_pinned, *gpu_pageable; /* memory of the copy cases */

static void gpu_copy(long n, char *to, char *from, long bytes, int to_device);

static inline void pinned_in(long n, long bytes) {
  gpu_copy(n, gpu_device, gpu_pinned, bytes, 1);
}
static inline void pinned_out(long n, long bytes) {
  gpu_copy(n, gpu_pinned, gpu_device, bytes, 0);
}
static inline void pageable_in(long n, long bytes) {
  gpu_copy(n, gpu_device, gpu_pageable, bytes, 1);
}
static inline void pageable_out(long n, long bytes) {
  gpu_copy(n, gpu_pageable, gpu_device, bytes, 0);
}

/* A copy case, in ns per KiB. */
#define GPU_COPY(question, kind, size, bytes, in)                                                  \
  {                                                                                                \
    .name = question "/" #kind "_" size, .loop = kind, .argument = bytes,                          \
    .scale = 1024. / (bytes), .when = in                                                           \
  }

static inline int gpu_report_missing(const char *what, const char *why) {
  printf("# no device: %s: %s\n", what, why);
  return 77;
}

static inline void gpu_check(int failed, const char *what) {
  if (!failed) return;
  fprintf(stderr, "%s failed (%d)\n", what, failed);
  exit(1);
}

/* Touches all pages so that no copy causes a page fault. */
static inline void gpu_touch(size_t most) {
  gpu_pageable = malloc(most);
  gpu_check(!gpu_pageable, "malloc");
  memset(gpu_pageable, 1, most);
  memset(gpu_pinned, 1, most);
}

/* Returns the contents of a file with a final NUL, which *size excludes, or NULL. */
static inline char *gpu_read_file(const char *path, size_t *size) {
  FILE *f = path ? fopen(path, "rb") : NULL;
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  long length = ftell(f);
  rewind(f);
  char *bytes = length > 0 ? calloc(1, (size_t)length + 1) : NULL;
  *size = bytes ? fread(bytes, 1, (size_t)length, f) : 0;
  fclose(f);
  return bytes;
}

#endif
