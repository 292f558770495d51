/* Uses each runtime function that compilers call and prints deterministic lines. */
#include "unit.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000

typedef struct point {
  int x, y;
  double *weights;
} point;
#pragma omp declare mapper(weighted : point p) map(p.x, p.y, p.weights [0:10])

static int values[N];

static void data_environment(void) {
  int *p = malloc(N * sizeof *p), errors = 0;
  for (int i = 0; i < N; i++) p[i] = i;
#pragma omp target enter data map(to : p [0:N])
  printf("present %d", omp_target_is_present(p, omp_get_default_device()) != 0);
#pragma omp target
  for (int i = 0; i < N; i++) p[i] += 1;
#pragma omp target update from(p [0:N / 2])
  for (int i = 0; i < N / 2; i++) errors += p[i] != i + 1;
#pragma omp target exit data map(from : p [0:N])
  for (int i = 0; i < N; i++) errors += p[i] != i + 1;
  printf(" after %d errors %d\n", omp_target_is_present(p, omp_get_default_device()) != 0, errors);
  free(p);
}

static void mappers(void) {
  double w[10] = {0};
  point a = {1, 2, w};
#pragma omp target map(mapper(weighted), tofrom : a)
  {
    a.x += 10;
    for (int i = 0; i < 10; i++) a.weights[i] = i * a.y;
  }
  printf("mapper %d %g %d\n", a.x, w[9], a.weights == w);
}

static void device_pointers(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device();
  int *d = omp_target_alloc(N * sizeof *d, device), back[4] = {0};
#pragma omp target is_device_ptr(d)
  for (int i = 0; i < N; i++) d[i] = 2 * i;
  int rc = omp_target_memcpy(back, d, sizeof back, 0, 100 * sizeof *d, host, device);
  printf("memcpy %d %d %d\n", rc, back[0], back[3]);
  omp_target_free(d, device);
}

static void asynchronous(void) {
  int a = 1, b = 2, c = 0;
#pragma omp target nowait map(tofrom : a) depend(out : a)
  a *= 10;
#pragma omp target nowait map(tofrom : b) depend(out : b)
  b *= 10;
#pragma omp target nowait map(to : a, b) map(from : c) depend(in : a, b)
  c = a + b;
#pragma omp taskwait
  printf("nowait %d\n", c);
}

static void queries(void) {
  int device = -7, initial = -7, count = -7, is_initial = -7;
#pragma omp target map(from : device, initial, count, is_initial)
  {
    device = omp_get_device_num();
    initial = omp_get_initial_device();
    count = omp_get_num_devices();
    is_initial = omp_is_initial_device();
  }
  printf("inside: device %d initial %d count %d on the host %d\n", device == 0,
         initial == omp_get_initial_device(), count == omp_get_num_devices(), is_initial);
}

static void teams(void) {
  int teams = 0, sums[4] = {0};
#pragma omp target teams num_teams(4) thread_limit(2) map(tofrom : sums, teams)
  {
    int t = omp_get_team_num();
    if (t == 0) teams = omp_get_num_teams();
    if (t < 4) sums[t] = t + 1;
  }
  printf("teams %d %d\n", teams >= 1 && teams <= 4, sums[0]);
}

static int bad_maps(void) {
  char line[512];
  int bad = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  while (f && fgets(line, sizeof line, f))
    if (strstr(line, "libomptarget") || strstr(line, "libLLVM")) bad++;
  if (f) fclose(f);
  return bad;
}

int main(int argc, char **argv) {
  for (int i = 0; i < N; i++) values[i] = i % 17 - 8;
  printf("unit %ld library %ld threads %d\n", unit_sum(values, N), library_sum(values, N),
         library_threads());
#ifdef WITH_CXX
  printf("c++ %ld\n", cxx_sum(100));
#endif
  data_environment();
  mappers();
  device_pointers();
  asynchronous();
  queries();
  teams();
  if (argc > 1 && strcmp(argv[1], "maps") == 0 && bad_maps()) {
    printf("LLVM's offload libraries are loaded\n");
    return 1;
  }
  return 0;
}
