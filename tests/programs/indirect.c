/* Description: declare target indirect: host function pointers called on the device: directly, from
 * an array and a struct that were mapped; pointers of other functions come back unchanged.
 * Options: -fopenmp-version=52
 */
#include "check.h"
#include <omp.h>

#pragma omp begin declare target
void *__llvm_omp_indirect_call_lookup(void *host);
void *__kmpc_target_translate_fptr(void *host);
#pragma omp end declare target

#pragma omp begin declare target indirect
int one(int x) {
  return x + 1 + 1000 * !omp_is_initial_device();
}
int two(int x) {
  return x + 2 + 1000 * !omp_is_initial_device();
}
#pragma omp end declare target

int plain(int x) {
  return x;
}

typedef int function(int);
typedef struct table {
  function *first, *second;
  int value;
} table;

int main(void) {
  function *f = one, *list[2] = {one, two};
  table t = {two, one, 5};
  int a = 0, b, c = 0, same = 0, seed = 0;
#pragma omp target map(from : a, b, c, same, seed) map(to : f, list, t)
  {
    function *g = (function *)__llvm_omp_indirect_call_lookup((void *)f);
    a = g(10);
    b = 0;
    for (int i = 0; i < 2; i++)
      b += ((function *)__llvm_omp_indirect_call_lookup((void *)list[i]))(i);
    c = ((function *)__llvm_omp_indirect_call_lookup((void *)t.first))(t.value);
    same = __llvm_omp_indirect_call_lookup((void *)&c) == (void *)&c;
    seed = ((function *)__kmpc_target_translate_fptr((void *)t.second))(7);
  }
  CHECK(a, 1011);
  CHECK(b, 2000 + 1 + 3);
  CHECK(c, 1007);
  CHECK(same, 1);
  CHECK(seed, 1008);
  CHECK(one(1), 2);
  CHECK(plain(3), 3);
  return result();
}
