/* The same work as offload.c with calls of the simulated CUDA driver, which is the lower limit for both
 * libraries. Usage: offload_driver CUBIN ROUNDS. Prints nanoseconds. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned u;
int cuInit(u flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuStreamCreate(void **stream, u flags);
int cuModuleLoadDataEx(void **module, const void *image, u count, int *options, void **values);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuLaunchKernel(void *function, u gx, u gy, u gz, u bx, u by, u bz, u shared, void *stream,
                   void **parameters, void **extra);
int cuStreamSynchronize(void *stream);

enum { MOST = 100000 };
static double times[MOST];
static void *stream, *function;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int launch(void) {
  unsigned long environment = 0;
  size_t bytes = sizeof environment;
  void *extra[] = {(void *)1, &environment, (void *)2, &bytes, NULL}; /* buffer and its size */
  int result = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra);
  return result ? result : cuStreamSynchronize(stream);
}

int main(int argc, char **argv) {
  static char image[1 << 18];
  void *context, *module;
  int rounds = argc > 2 ? atoi(argv[2]) : 0;
  FILE *f = rounds > 0 && rounds <= MOST ? fopen(argv[1], "rb") : NULL;
  if (!f || fread(image, 1, sizeof image, f) == 0) return 2;
  fclose(f);
  double start = now();
  if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) ||
      cuStreamCreate(&stream, 1) || cuModuleLoadDataEx(&module, image, 0, NULL, NULL) ||
      cuModuleGetFunction(&function, module, "conf_empty") || launch())
    return 1;
  printf("first_kernel %.0f\n", now() - start);
  for (int i = 0; i < rounds; i++) {
    double t = now();
    if (launch()) return 1;
    times[i] = now() - t;
  }
  qsort(times, (size_t)rounds, sizeof *times, compare);
  printf("launch_sync %.0f\n", times[rounds / 2]);
  return 0;
}
