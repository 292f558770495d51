/* Latency of OffloadAPI.h (bench/offload.sh): olInit to the first kernel; launch and wait; a copy
 * of 4 KiB. Prints ns. Usage: offload PLATFORM-BACKEND IMAGE ROUNDS. */
#define _GNU_SOURCE
#include <stdbool.h>

#include <OffloadAPI.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static ol_device_handle_t device, host;
static int wanted;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool choose(ol_device_handle_t d, void *user) {
  ol_platform_handle_t platform = NULL;
  ol_platform_backend_t backend = OL_PLATFORM_BACKEND_UNKNOWN;
  (void)user;
  if (olGetDeviceInfo(d, OL_DEVICE_INFO_PLATFORM, sizeof platform, &platform)) return true;
  if (olGetPlatformInfo(platform, OL_PLATFORM_INFO_BACKEND, sizeof backend, &backend)) return true;
  if ((int)backend == wanted && !device) device = d;
  if (backend == OL_PLATFORM_BACKEND_HOST) host = d;
  return true;
}

static void check(ol_result_t r) {
  if (!r) return;
  fprintf(stderr, "error %d: %s\n", (int)r->Code, r->Details);
  exit(1);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum { MOST = 100000 };
static double times[MOST];

static void print(const char *name, int rounds) {
  qsort(times, (size_t)rounds, sizeof *times, compare);
  printf("%s %.0f\n", name, times[rounds / 2]);
}

int main(int argc, char **argv) {
  static char image[1 << 18], block[4096];
  if (argc < 4) return 2;
  wanted = atoi(argv[1]);
  int rounds = atoi(argv[3]);
  if (rounds < 1 || rounds > MOST) return 2;
  FILE *f = fopen(argv[2], "rb");
  size_t size = f ? fread(image, 1, sizeof image, f) : 0;
  if (f) fclose(f);
  ol_program_handle_t program;
  ol_symbol_handle_t empty;
  ol_queue_handle_t queue;
  unsigned long environment = 0;
  ol_kernel_launch_size_args_t one = {1, {1, 1, 1}, {1, 1, 1}, 0};
  double start = now();
  check(olInit());
  check(olIterateDevices(choose, NULL));
  check(olCreateQueue(device, &queue));
  check(olCreateProgram(device, image, size, &program));
  check(olGetSymbol(program, "conf_empty", OL_SYMBOL_KIND_KERNEL, &empty));
  check(olLaunchKernel(queue, device, empty, &environment, sizeof environment, &one));
  check(olSyncQueue(queue));
  printf("first_kernel %.0f\n", now() - start);
  for (int i = 0; i < rounds; i++) {
    double t = now();
    check(olLaunchKernel(queue, device, empty, &environment, sizeof environment, &one));
    check(olSyncQueue(queue));
    times[i] = now() - t;
  }
  print("launch_sync", rounds);
  void *memory;
  check(olMemAlloc(device, OL_ALLOC_TYPE_DEVICE, sizeof block, &memory));
  for (int i = 0; i < rounds; i++) {
    double t = now();
    check(olMemcpy(queue, memory, device, block, host, sizeof block));
    check(olSyncQueue(queue));
    times[i] = now() - t;
  }
  print("copy_4Ki", rounds);
  check(olMemFree(memory));
  check(olShutDown());
  return 0;
}
