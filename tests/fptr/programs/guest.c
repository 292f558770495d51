/* A library with indirect functions and a kernel that calls them (host.c). */
#include <omp.h>
#include <solo_indirect.h>

typedef int function(int);

#pragma omp begin declare target indirect
int ten(int x) {
  return x + 10 + 1000 * !omp_is_initial_device();
}
int twenty(int x) {
  return x + 20 + 1000 * !omp_is_initial_device();
}
#pragma omp end declare target

function *guest_function(int which) {
  return which ? twenty : ten;
}

int guest_call(function *const *f, int x) {
  int r = 0;
#pragma omp target map(to : f [0:2]) map(from : r)
  r = solo_call_indirect(f[0], x) + solo_call_indirect(f[1], x);
  return r;
}
