/* Three threads launch kernels that call function pointers while main() loads, calls and unloads a
 * library. Arguments: library, rounds. */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <solo_indirect.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp begin declare target indirect
int one(int x) {
  return x + 1 + 1000 * !omp_is_initial_device();
}
int two(int x) {
  return x + 2 + 1000 * !omp_is_initial_device();
}
#pragma omp end declare target

typedef int function(int);
static atomic_int stop, launched, wrong;

static int call(function *const *f, int x) {
  int r = 0;
#pragma omp target map(to : f [0:2]) map(from : r)
  r = solo_call_indirect(f[0], x) + solo_call_indirect(f[1], x);
  return r;
}

static void *launch(void *unused) {
  function *const own[2] = {one, two};
  (void)unused;
  for (int i = 0; !stop; i++) {
    if (call(own, i % 100) != 2 * (i % 100) + 2003) wrong++;
    launched++;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[3];
  int rounds = argc > 2 ? atoi(argv[2]) : 100;
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, launch, NULL);
  for (int round = 0; round < rounds; round++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return printf("%s\n", dlerror()), 1;
    function *(*functions)(int) = (function * (*)(int)) dlsym(library, "guest_function");
    int (*call_there)(function *const *, int) =
        (int (*)(function *const *, int))dlsym(library, "guest_call");
    function *const mixed[2] = {functions(0), one}, *const theirs[2] = {functions(1), two};
    /* the kernels of the program and of the library each call a function of both */
    if (call(mixed, round) != 2 * round + 2011) wrong++;
    if (call_there(theirs, round) != 2 * round + 2022) wrong++;
    for (int before = launched; launched < before + 2;) sched_yield();
    dlclose(library);
  }
  stop = 1;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%d rounds, %d launches, %d wrong\n", rounds, launched, wrong);
  return wrong != 0 || launched == 0;
}
