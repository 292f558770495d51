/* Measures the phases of the start of a process that launches one kernel on an NVIDIA GPU.
 *
 *   start COUNT IMAGE     runs COUNT processes; prints the median of each phase
 *   start once IMAGE      one such process; prints its phases in us
 *   start hold            holds a context until standard input ends
 */
#include "backends/cuda/cuda_api.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PHASES = 9, MOST = 101 };
static const char *const phase_name[PHASES] = {"load",          "init",         "context",
                                               "module",        "first_launch", "synchronize",
                                               "second_launch", "exit",         "total"};

/* Defined by calls.c: begins a phase of its log. */
void latency_mark(const char *name) __attribute__((weak));
static void mark(const char *name) {
  if (latency_mark) latency_mark(name);
}

static uint64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000;
}
static void check(int status, const char *call) {
  if (!status) return;
  fprintf(stderr, "start: error: %s failed: %d\n", call, status);
  exit(status == CUDA_ERROR_NO_DEVICE || status == CUDA_ERROR_STUB_LIBRARY ? 77 : 1);
}
#define DO(call) check(call, #call)

static CUcontext open_context(CUdevice *device) {
  CUcontext context;
  DO(cuDeviceGet(device, 0));
  DO(cuDevicePrimaryCtxRetain(&context, *device));
  DO(cuCtxSetCurrent(context));
  return context;
}

static int once(const char *path) {
  static char image[1 << 20];
  uint64_t at[8];
  CUdevice device;
  CUmodule module;
  CUfunction kernel;
  CUstream stream;
  uint64_t slot[3] = {0, 0, 0};
  size_t bytes = sizeof slot;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, slot, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  FILE *f = fopen(path, "rb");
  if (!f || !fread(image, 1, sizeof image - 1, f)) return 2;
  mark("cuInit");
  at[0] = now_us();
  DO(cuInit(0));
  mark("context");
  at[1] = now_us();
  open_context(&device);
  mark("module");
  at[2] = now_us();
  DO(cuModuleLoadDataEx(&module, image, 0, NULL, NULL));
  DO(cuModuleGetFunction(&kernel, module, "latency_empty"));
  DO(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  mark("first_launch");
  at[3] = now_us();
  DO(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, NULL, extra));
  at[4] = now_us();
  DO(cuStreamSynchronize(stream));
  mark("second_launch");
  at[5] = now_us();
  DO(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, NULL, extra));
  DO(cuStreamSynchronize(stream));
  mark("exit");
  at[6] = now_us();
  for (int i = 0; i < 7; i++) printf("%llu ", (unsigned long long)at[i]);
  printf("\n");
  return 0;
}

static int hold(void) {
  CUdevice device;
  char byte;
  DO(cuInit(0));
  open_context(&device);
  printf("ready\n");
  fflush(stdout);
  while (read(0, &byte, 1) > 0) {
  }
  return 0;
}

static int compare(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* Runs one process and stores its phases in ms. Returns 0 on success. */
static int sample(char *self, char *image, double *phase) {
  int ends[2];
  pid_t child;
  unsigned long long at[7];
  char *arguments[] = {self, "once", image, NULL};
  extern char **environ;
  posix_spawn_file_actions_t actions;
  if (pipe(ends)) return 2;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  uint64_t begin = now_us();
  if (posix_spawn(&child, self, &actions, NULL, arguments, environ)) return 2;
  close(ends[1]);
  FILE *output = fdopen(ends[0], "r");
  int found = 0, status;
  for (; found < 7 && fscanf(output, "%llu", &at[found]) == 1; found++) {
  }
  fclose(output);
  waitpid(child, &status, 0);
  uint64_t end = now_us();
  posix_spawn_file_actions_destroy(&actions);
  if (status || found < 7)
    return WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : 1;
  phase[0] = (double)(at[0] - begin) / 1e3;
  for (int i = 1; i < 7; i++) phase[i] = (double)(at[i] - at[i - 1]) / 1e3;
  phase[7] = (double)(end - at[6]) / 1e3;
  phase[8] = (double)(end - begin) / 1e3;
  return 0;
}

int main(int argc, char **argv) {
  static double values[PHASES][MOST];
  if (argc == 2 && !strcmp(argv[1], "hold")) return hold();
  if (argc == 3 && !strcmp(argv[1], "once")) return once(argv[2]);
  int count = argc == 3 ? atoi(argv[1]) : 0;
  if (count < 1 || count > MOST) {
    fprintf(stderr, "usage: start COUNT IMAGE | once IMAGE | hold   (COUNT: 1 to %d)\n", MOST);
    return 2;
  }
  for (int i = 0; i < count; i++) {
    double phase[PHASES];
    alarm(20);
    int status = sample(argv[0], argv[2], phase);
    if (status) return status;
    for (int p = 0; p < PHASES; p++) values[p][i] = phase[p];
  }
  for (int p = 0; p < PHASES; p++) {
    qsort(values[p], (size_t)count, sizeof(double), compare);
    printf("%s=%.2f ", phase_name[p], values[p][count / 2]);
  }
  printf("ms n=%d\n", count);
  return 0;
}
