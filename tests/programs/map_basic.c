/* Description: checks map types, delete, release and always, and reference counts across nested
 * data regions. Present data must not be copied. */
#include "check.h"
#include <omp.h>

enum { N = 100 };

static void directions(void) {
  int a[N], b[N], c[N];
  for (int i = 0; i < N; i++) a[i] = i, b[i] = -1, c[i] = 2 * i;
#pragma omp target map(to : a) map(from : b) map(tofrom : c)
  for (int i = 0; i < N; i++) {
    b[i] = a[i] + c[i];
    c[i] += 1;
    a[i] = 99;
  }
  for (int i = 0; i < N; i++) {
    CHECK_INT(a[i], i);
    CHECK_INT(b[i], 3 * i);
    CHECK_INT(c[i], 2 * i + 1);
  }
}

static void present_is_not_copied(void) {
  int a[N] = {0}, seen = -1;
  int d = omp_get_default_device();
#pragma omp target data map(tofrom : a)
  {
    a[0] = 5;
#pragma omp target map(tofrom : a) map(from : seen)
    {
      seen = a[0];
      a[1] = 7;
    }
    CHECK_INT(seen, 0); /* present: the host's value is not copied to the device */
    CHECK_INT(a[1], 0); /* the device's value is not copied to the host yet */
#pragma omp target map(always, to : a) map(from : seen)
    seen = a[0];
    CHECK_INT(seen, 5);
#pragma omp target map(always, from : a)
    a[2] = 8;
    CHECK_INT(a[2], 8);
    CHECK_INT(omp_target_is_present(a, d), 1);
  }
  CHECK_INT(omp_target_is_present(a, d), 0);
  CHECK_INT(a[1], 0); /* overwritten by the copy of always, to */
}

static void counts(void) {
  int a[N] = {1};
  int d = omp_get_default_device();
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target
  a[0] = 42;
#pragma omp target exit data map(from : a)
  CHECK_INT(a[0], 1); /* not the last reference */
  CHECK_INT(omp_target_is_present(a, d), 1);
#pragma omp target exit data map(from : a)
  CHECK_INT(a[0], 42);
  CHECK_INT(omp_target_is_present(a, d), 0);
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(alloc : a)
#pragma omp target exit data map(delete : a)
  CHECK_INT(omp_target_is_present(a, d), 0);
#pragma omp target exit data map(release : a) /* absent: no effect */
#pragma omp target exit data map(delete : a)
#pragma omp target exit data map(from : a)
  CHECK_INT(a[0], 42);
}

static void sections(void) {
  int a[N];
  int *p = a;
  int d = omp_get_default_device();
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target enter data map(to : p [10:20])
  CHECK_INT(omp_target_is_present(&a[10], d), 1);
  CHECK_INT(omp_target_is_present(&a[29], d), 1);
  CHECK_INT(omp_target_is_present(&a[9], d), 0);
  CHECK_INT(omp_target_is_present(&a[30], d), 0);
  int sum = 0;
#pragma omp target map(tofrom : sum) map(to : p [15:5])
  for (int i = 15; i < 20; i++) sum += p[i];
  CHECK_INT(sum, 15 + 16 + 17 + 18 + 19);
#pragma omp target map(p [10:20])
  p[12] = 1000;
  CHECK_INT(a[12], 12);
#pragma omp target exit data map(from : p [10:20])
  CHECK_INT(a[12], 1000);
}

static void reused_stack(int round) {
  int a[32];
  for (int i = 0; i < 32; i++) a[i] = round;
#pragma omp target map(tofrom : a)
  for (int i = 0; i < 32; i++) a[i] += i;
  CHECK_INT(a[31], round + 31);
}

/* Host and device address have the same alignment, also for sections. */
static void alignment(void) {
  _Alignas(16) int a[N];
  int *p = a;
  for (int first = 0; first < 8; first++) {
    long there = -1;
#pragma omp target map(tofrom : p [first:20]) map(from : there)
    there = (long)((unsigned long)(void *)&p[first] % 16);
    CHECK_INT(there, (long)((unsigned long)(void *)&p[first] % 16));
  }
}

#pragma weak omp_target_is_accessible
/* On a CPU device with shared memory, a large section begins at the same position of a cache line
 * as on the host. */
static void large_alignment(void) {
  enum { LARGE = 40000 }; /* elements of type int, together more than 64 KiB */
  int *p = malloc((LARGE + 64) * sizeof *p);
  /* LLVM 19's libomptarget lacks this function, and guarantees only 16 bytes. */
  long line = 1;
  CHECK_INT(p != NULL, 1);
  if (!p) return;
  if (omp_target_is_accessible)
    line = omp_target_is_accessible(p, 1, omp_get_default_device()) ? 64 : 16;
  for (int first = 0; first < 64; first += 5) {
    long there = -1;
    for (int i = 0; i < LARGE; i++) p[first + i] = i;
#pragma omp target map(tofrom : p [first:LARGE]) map(from : there) firstprivate(line)
    {
      there = (long)((unsigned long)(void *)&p[first] % (unsigned long)line);
      for (int i = 0; i < LARGE; i++) p[first + i] += first;
    }
    CHECK_INT(there, (long)((unsigned long)(void *)&p[first] % (unsigned long)line));
    int wrong = 0;
    for (int i = 0; i < LARGE; i++) wrong += p[first + i] != first + i;
    CHECK_INT(wrong, 0);
  }
  free(p);
}

static void same_item_twice(void) {
  int a[N] = {3}, d = omp_get_default_device();
  int *p = a, *q = a;
#pragma omp target enter data map(to : p [0:N]) map(to : q [0:N])
#pragma omp target
  p[0] = 4;
#pragma omp target exit data map(from : p [0:N])
  CHECK_INT(a[0], 3);
#pragma omp target exit data map(from : p [0:N]) map(from : q [0:N])
  CHECK_INT(a[0], 4);
  CHECK_INT(omp_target_is_present(a, d), 0);
}

int main(void) {
  directions();
  present_is_not_copied();
  counts();
  sections();
  for (int i = 0; i < 50; i++) reused_stack(i);
  same_item_twice();
  alignment();
  large_alignment();
  return result();
}
