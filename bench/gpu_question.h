/* What the questions about GPUs share. */
#ifndef BENCH_GPU_QUESTION_H
#define BENCH_GPU_QUESTION_H

#include "bench/bench.h"

enum { GPU_ELEMENTS = 128 };

static inline int gpu_left_out(const char *what, const char *why) {
  printf("# no device: %s: %s\n", what, why);
  return 77;
}

static inline void gpu_must(int failed, const char *what) {
  if (!failed) return;
  fprintf(stderr, "%s failed (%d)\n", what, failed);
  exit(1);
}

/* A file's bytes with a NUL behind them, which *size does not count; NULL: there is no such file.
 */
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
