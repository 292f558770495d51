/* Description: calls declare target indirect functions on the device through host function pointers
 * in variables, arrays, structs and chains. Other pointers must stay unchanged.
 *   Options: -fopenmp-version=52
 */
#include "check.h"
#include <omp.h>
#include <solo_indirect.h>

#pragma omp begin declare target
void *__llvm_omp_indirect_call_lookup(void *host);
#pragma omp end declare target

#pragma omp begin declare target indirect
int one(int x) {
  return x + 1 + 1000 * !omp_is_initial_device();
}
int two(int x) {
  return x + 2 + 1000 * !omp_is_initial_device();
}
double none(void) {
  return omp_is_initial_device() ? 0.5 : 1000.5;
}
void set(int *where, int value) {
  *where = value + 1000 * !omp_is_initial_device();
}
#pragma omp end declare target

int plain(int x) {
  return x;
}

typedef int function(int);
typedef struct table {
  function *first, *second;
  void (*set)(int *, int);
  double (*none)(void);
  int value;
} table;
typedef struct object {
  const table *methods;
  int state;
} object;

static table methods = {two, one, set, none, 5};

/* on: the value that is added to a function's result on the device */
static void all(int device, int on) {
  function *f = one, *list[2] = {one, two};
  object o = {&methods, 0};
  int a = 0, b = 0, c = 0, same = 0, by_name = 0, chain = 0, loop = 0;
  double d = 0;
#pragma omp target device(device) map(from : a, b, c, d, same, by_name) map(to : f, list, methods)
  {
    a = solo_call_indirect(f, 10);
    b = 0;
    for (int i = 0; i < 2; i++) b += solo_call_indirect(list[i], i);
    c = solo_call_indirect(methods.first, methods.value);
    d = solo_call_indirect(methods.none);
    same = solo_indirect(&c) == &c;
    by_name = ((function *)__llvm_omp_indirect_call_lookup((void *)methods.second))(7);
  }
  CHECK_INT(a, 11 + on);
  CHECK_INT(b, 2 * on + 1 + 3);
  CHECK_INT(c, 7 + on);
  CHECK_INT(2 * d, 1 + 2 * on);
  CHECK_INT(same, 1);
  CHECK_INT(by_name, 8 + on);
#pragma omp target device(device) map(tofrom : o) map(to : o.methods [0:1])
  solo_call_indirect(o.methods->set, &o.state, o.methods->value);
  chain = o.state;
  CHECK_INT(chain, 5 + on);
  function *passed = two; /* firstprivate; Clang moves the call of solo_indirect out of the loop */
#pragma omp target teams distribute parallel for device(device) reduction(+ : loop)
  for (int i = 0; i < 100; i++) {
    function *g = solo_indirect(passed);
    loop += g(i);
  }
  CHECK_INT(loop, 99 * 50 + 200 + 100 * on);
}

int main(void) {
  int inside = 0;
  all(0, 1000);
  all(omp_get_initial_device(), 0);
#pragma omp target map(from : inside)
  {
    function *own = two; /* a device address */
    inside = solo_call_indirect(own, 1) + solo_call_indirect(&one, 1);
  }
  CHECK_INT(inside, 2000 + 3 + 2);
  CHECK_INT(solo_call_indirect(one, 1), 2);
  CHECK_INT(solo_call_indirect(plain, 3), 3);
  return result();
}
