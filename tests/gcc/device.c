/* Target constructs on solo's CPU device (SOLO_GOMP_DEVICE, or a program with images of Clang) and
 * on the host. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 100 };

typedef struct record {
  int first;
  int *pointer;
  double unused[10];
  int last;
} record;

static int has_device;

static void regions(void) {
  int x[N], inside = -1, three = 3, sum = 0;
  for (int i = 0; i < N; i++) x[i] = i;
#pragma omp target map(from : inside)
  inside = omp_is_initial_device();
  CHECK(inside == !has_device);
#pragma omp target map(to : x)
  x[0] = 77;
  CHECK(x[0] == (has_device ? 0 : 77));
#pragma omp target map(tofrom : x) firstprivate(three)
  for (int i = 0; i < N; i++) x[i] += three;
  CHECK(x[5] == 8);
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum) map(to : x)
  for (int i = 1; i < N; i++) sum += x[i];
  CHECK(sum == 4950 + 99 * 3);
}

static void records(int *q) {
  record r = {.first = 1, .pointer = q, .last = 9};
#pragma omp target map(tofrom : r.first, r.pointer, r.pointer [0:N], r.last)
  {
    r.first++;
    r.pointer[0] = r.last;
    r.last = 3;
  }
  CHECK(r.first == 2 && q[0] == 9 && r.last == 3 && r.pointer == q);
}

/* A missing update is visible on a device only. */
static void data(int *q) {
  int inside = 0, x[N] = {0};
  q[1] = 5;
#pragma omp target enter data map(to : q [0:N])
  q[1] = 1000;
#pragma omp target map(from : inside)
  {
    inside = q[1];
    q[2] = 55;
  }
  CHECK(inside == (has_device ? 5 : 1000));
#pragma omp target update to(q [1:1])
#pragma omp target map(from : inside)
  inside = q[1];
  CHECK(inside == 1000);
  CHECK(omp_target_is_present(q, omp_get_default_device()));
#pragma omp target exit data map(from : q [0:N])
  CHECK(q[2] == 55);
#pragma omp target data map(tofrom : x) use_device_addr(x)
  {
    int *d = x;
#pragma omp target is_device_ptr(d)
    d[3] = 4242;
#pragma omp target data map(tofrom : q [0:N]) if (0)
    q[4] = 6;
  }
  CHECK(x[3] == 4242 && q[4] == 6);
}

#pragma omp declare target
static int *shared_pointer; /* one variable for host and device */
#pragma omp end declare target

static int is_present(void *p) {
  return omp_target_is_present(p, omp_get_default_device());
}

/* A construct counts one reference per mapping (OpenMP 5.0, 2.19.7.1). */
static void counts(void) {
  int whole[4] = {1, 2, 3, 4}, *p = whole, *q = whole + 2;
#pragma omp target enter data map(to : whole)
#pragma omp target enter data map(alloc : p[:1], q[:1])
  whole[0] = whole[2] = 50;
#pragma omp target exit data map(release : whole)
  CHECK(is_present(p) && is_present(q));
#pragma omp target exit data map(from : q[:1])
  CHECK(is_present(q) == !has_device);
  CHECK(whole[0] == 50 && whole[2] == (has_device ? 3 : 50));
#pragma omp target enter data map(to : whole)
#pragma omp target enter data map(alloc : whole)
#pragma omp target exit data map(delete : p[:0])
  CHECK(is_present(p) == !has_device);
#pragma omp target enter data map(to : whole)
#pragma omp target enter data map(alloc : p[:0]) /* one more reference */
#pragma omp target exit data map(release : p[:0])
  CHECK(is_present(p));
#pragma omp target exit data map(release : p[:0])
  CHECK(is_present(p) == !has_device);
}

/* exit data with more than the mapped members releases the mapping. */
static void parts(void) {
  record r = {.first = 1};
#pragma omp target enter data map(alloc : r.first, r.pointer)
#pragma omp target enter data map(alloc : r.first)
#pragma omp target exit data map(release : r)
  CHECK(is_present(&r.first));
#pragma omp target exit data map(release : r)
  CHECK(is_present(&r.first) == !has_device);
}

/* A region may map a variable implicitly of which a part is mapped. */
static void implicit_parts(void) {
  int rows[3][N];
  for (int i = 0; i < 3; i++) {
#pragma omp target enter data map(alloc : rows [i:1] [0:N])
#pragma omp target
    for (int k = 0; k < N; k++) rows[i][k] = i + k;
#pragma omp target exit data map(from : rows [i:1] [0:N])
  }
  CHECK(rows[0][9] == 9 && rows[1][0] == 1 && rows[2][N - 1] == N + 1);
}

static void declared_pointer(int *q) {
  shared_pointer = q;
  for (int i = 0; i < N; i++) q[i] = i;
#pragma omp target map(shared_pointer [0:N])
  for (int i = 0; i < N; i++) shared_pointer[i]++;
  CHECK(shared_pointer == q && q[0] == 1 && q[N - 1] == N);
}

int gcc_device(int devices) {
  int *q = calloc(N, sizeof *q);
  has_device = devices > 0;
  CHECK(omp_get_num_devices() == devices);
  regions();
  records(q);
  data(q);
  counts();
  parts();
  implicit_parts();
  declared_pointer(q);
  free(q);
  return failures;
}

/* Adds 1 to the mapped array of Clang's part. */
void gcc_increment(int *shared, int n) {
#pragma omp target map(shared [0:n])
  for (int i = 0; i < n; i++) shared[i]++;
}
