/* Description: maps small ranges repeatedly, so that cached mappings are reused: map types,
 * attached pointers, and a second thread that holds, deletes or attaches. The kernels wait for a
 * host thread, so the test needs a synchronous device. */
#include "check.h"
#include <omp.h>
#include <stdint.h>

enum { TURNS = 50 };
static int wrong;
typedef struct list {
  int first, *rest;
} list;

static void map_types(void) {
  int seen[1] = {0};
#pragma omp target data map(from : seen)
  for (int i = 0; i < TURNS; i++) {
    int both = i, in = 2 * i, out = -1, none = 7;
#pragma omp target map(tofrom : both) map(to : in) map(from : out) map(alloc : none)
    {
      seen[0] = both;
      none = both;
      out = in + none;
      in = none = -5;
      both += 1;
    }
    if (both != i + 1 || in != 2 * i || out != 3 * i || none != 7) wrong++;
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(seen[0], TURNS - 1);
}

/* Between regions the mapping is cached, but every query reports that the range is absent. */
static void absent(void) {
  int x[4] = {1, 2, 3, 4};
  const int device = omp_get_default_device();
  for (int i = 0; i < TURNS; i++) {
#pragma omp target map(tofrom : x)
    x[i % 4] += 1;
    if (omp_target_is_present(x, device) || omp_get_mapped_ptr(x, device)) wrong++;
#pragma omp target update to(x) /* absent: no effect */
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(x[0] + x[1] + x[2] + x[3], 10 + TURNS);
#pragma omp target enter data map(to : x)
  x[0] = 100;
#pragma omp target map(tofrom : x)
  x[1] = x[0];
  CHECK_INT(x[1] == 100, 0); /* present: not copied */
  CHECK_INT(x[0], 100);
#pragma omp target exit data map(from : x)
  CHECK_INT(x[0] == 100, 0);
}

/* Ranges with the same beginning, and a range inside another. */
static void neighbours(void) {
  int a[8] = {0};
  for (int i = 0; i < TURNS; i++) {
    int n = i % 8 + 1, *p = a, *q = a + n / 2;
#pragma omp target map(tofrom : p [0:n]) map(to : q [0:1])
    {
      p[n - 1] += 1;
      q[0] += 1;
    }
  }
  int sum = 0;
  for (int k = 0; k < 8; k++) sum += a[k];
  CHECK_INT(sum, 2 * TURNS);
}

/* Each region maps another pointee of a pointer in a present struct. The device pointer must
 * follow. */
static void pointers(void) {
  static list l;
  int a[4] = {0}, b[4] = {0};
#pragma omp target enter data map(to : l)
  for (int i = 0; i < TURNS; i++) {
    l.rest = i % 2 ? b : a;
#pragma omp target map(tofrom : l.rest [0:4])
    l.rest[1] += 1;
  }
#pragma omp target exit data map(release : l)
  CHECK_INT(a[1], TURNS / 2);
  CHECK_INT(b[1], TURNS / 2);
  l.rest = a;
  for (int i = 0; i < TURNS; i++) {
#pragma omp target enter data map(to : l)
#pragma omp target map(tofrom : l.rest [0:4])
    l.rest[2] += 1;
#pragma omp target exit data map(release : l)
  }
  CHECK_INT(a[2], TURNS);
}

/* The action of a second thread during a region that uses a revived mapping. */
typedef enum meanwhile { HOLDS, DELETES, ATTACHES, MEANWHILES } meanwhile;

static void other(meanwhile what, list *l) {
  if (what == HOLDS) {
#pragma omp target enter data map(to : l [0:1])
  } else if (what == DELETES) {
#pragma omp target exit data map(delete : l [0:1])
  } else {
#pragma omp target data map(tofrom : l [0:1], l->rest [0:4])
#pragma omp target map(tofrom : l [0:1], l->rest [0:4])
    l->rest[2] += l->first;
  }
}

static void with_another(meanwhile what) {
  static list l;
  static int rest[4];
  static volatile int step;
  uintptr_t at = (uintptr_t)&step; /* as an integer, so that the kernel uses the host's variable */
  const int device = omp_get_default_device();
  list *p = &l;
  step = 0;
  l = (list){1, rest};
  for (int k = 0; k < 4; k++) rest[k] = 0;
  for (int i = 0; i < 3; i++) {
#pragma omp target map(tofrom : p [0:1])
    p->first += 1;
  }
  CHECK_INT(l.first, 4);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp target map(tofrom : p [0:1])
      {
        p->first = 5;
        *(volatile int *)at = 1;
        while (*(volatile int *)at != 2) {
        }
        p->first += 1;
      }
    } else {
      while (step != 1) {
      }
      other(what, p);
      step = 2;
    }
  }
  CHECK_INT(l.rest == rest, 1);
  CHECK_INT(rest[2], what == ATTACHES ? 5 : 0);
  CHECK_INT(l.first, what == ATTACHES ? 6 : 4);
  CHECK_INT(omp_target_is_present(p, device), what == HOLDS);
  if (what == HOLDS) {
#pragma omp target exit data map(from : p [0:1])
    CHECK_INT(l.first, 6);
  }
  l.first = 10;
#pragma omp target map(tofrom : p [0:1])
  p->first += 1;
  CHECK_INT(l.first, 11);
  CHECK_INT(l.rest == rest, 1);
}

int main(void) {
  map_types();
  absent();
  neighbours();
  pointers();
  for (int round = 0; round < 3; round++)
    for (int what = 0; what < MEANWHILES; what++) with_another((meanwhile)what);
  return result();
}
