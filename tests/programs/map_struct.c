/* Description: checks struct members, pointers in structs, chains of pointers and partial structs.
 * Attached pointers must survive copies. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef struct vec {
  int n;
  int *p;
  int tail[3];
} vec;

typedef struct node {
  int i;
  struct node *ps;
} node;

static void pointer_member(void) {
  vec s = {10, malloc(10 * sizeof(int)), {1, 2, 3}};
  int *host = s.p;
  for (int i = 0; i < 10; i++) s.p[i] = i;
#pragma omp target map(tofrom : s.n, s.p [0:10])
  {
    for (int i = 0; i < s.n; i++) s.p[i] *= 3;
    s.n = 11;
  }
  CHECK_INT(s.n, 11);
  CHECK_INT(s.p == host, 1);
  for (int i = 0; i < 10; i++) CHECK_INT(s.p[i], 3 * i);
  free(host);
}

static void whole_struct_and_pointee(void) {
  vec s = {10, malloc(10 * sizeof(int)), {1, 2, 3}};
  int *host = s.p;
  int d = omp_get_default_device();
  for (int i = 0; i < 10; i++) s.p[i] = i;
#pragma omp target enter data map(to : s)
#pragma omp target enter data map(to : s.p [0:10])
  int sum = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < 10; i++) sum += s.p[i];
  CHECK_INT(sum, 45);
  s.n = 77;
#pragma omp target update to(s) /* must not copy the host's pointer */
  sum = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < 10; i++) sum += s.p[i] + (s.n == 77);
  CHECK_INT(sum, 55);
#pragma omp target
  {
    s.tail[1] = 9;
    s.p[3] = 100;
  }
#pragma omp target update from(s) /* must not copy the device's pointer */
  CHECK_INT(s.p == host, 1);
  CHECK_INT(s.tail[1], 9);
#pragma omp target exit data map(from : s.p [0:10])
  CHECK_INT(s.p[3], 100);
#pragma omp target exit data map(from : s)
  CHECK_INT(s.p == host, 1);
  CHECK_INT(omp_target_is_present(&s, d), 0);
  CHECK_INT(omp_target_is_present(host, d), 0);
  free(host);
}

#if __clang_major__ >= 20
/* OpenMP 6.0: a pointer is attached only if its storage or pointee is new. */
static void attached_once(void) {
  int first[4] = {1, 1, 1, 1}, second[4] = {2, 2, 2, 2};
  vec s = {4, first, {0}};
#pragma omp target enter data map(to : s, second)
#pragma omp target enter data map(to : s.p [0:4])
  s.p = second;
  int seen = 0;
#pragma omp target map(to : s.p [0:4]) map(tofrom : seen)
  seen = s.p[0];
  CHECK_INT(seen, 1);
#pragma omp target exit data map(delete : s, first, second)
}
#endif

static void chain(void) {
  node c = {3, NULL}, b = {2, &c}, a = {1, &b};
  int d = omp_get_default_device();
  node *s = &a;
  for (int round = 0; round < 3; round++) {
#if __clang_major__ < 20 /* later Clangs attach only pointers with a pointee in the clause */
#pragma omp target map(tofrom : s->i, s->ps [0:1], s->ps->ps [0:1])
#else
#pragma omp target map(tofrom : s [0:1], s->ps [0:1], s->ps->ps [0:1])
#endif
    {
      s->i += 1;
      s->ps->i += 10;
      s->ps->ps->i += 100;
    }
  }
  CHECK_INT(a.i, 4);
  CHECK_INT(b.i, 32);
  CHECK_INT(c.i, 303);
  CHECK_INT(a.ps == &b, 1);
  CHECK_INT(b.ps == &c, 1);
  CHECK_INT(omp_target_is_present(&a, d), 0); /* implicit mappings are released */
  CHECK_INT(omp_target_is_present(&b, d), 0);
  CHECK_INT(omp_target_is_present(&c, d), 0);
}

static void partial_struct(void) {
  struct big {
    int a, b, c, d;
    double e[4];
  } s = {1, 2, 3, 4, {0.5, 1.5, 2.5, 3.5}};
#pragma omp target map(tofrom : s.b, s.e)
  {
    s.b += 40;
    s.e[3] = 8;
  }
  CHECK_INT(s.a, 1);
  CHECK_INT(s.b, 42);
  CHECK_INT(s.c, 3);
  CHECK_INT(s.e[3] == 8, 1);
}

static void member_twice(void) {
  vec s = {4, malloc(4 * sizeof(int)), {0}};
  for (int i = 0; i < 4; i++) s.p[i] = i;
  int *host = s.p;
  for (int round = 0; round < 3; round++) {
#pragma omp target data map(tofrom : s.p [0:4]) map(to : s.n)
    {
#pragma omp target map(tofrom : s.p [0:4])
      for (int i = 0; i < 4; i++) s.p[i]++;
    }
  }
  CHECK_INT(s.p == host, 1);
  for (int i = 0; i < 4; i++) CHECK_INT(host[i], i + 3);
  free(host);
}

/* delete of a member removes the struct that contains it, at any reference count. */
static void deleted_members(void) {
  struct {
    int a, b[4];
    double c;
  } s = {1, {2, 3, 4, 5}, 6};
#pragma omp target enter data map(to : s)
#pragma omp target enter data map(to : s)
#pragma omp target exit data map(release : s.a, s.c)
  CHECK_INT(omp_target_is_present(&s.b, 0), 1);
#pragma omp target enter data map(to : s)
#pragma omp target map(to : s)
  s.a = 7, s.b[1] = 8;
#pragma omp target exit data map(from : s.a) map(delete : s.b)
  CHECK_INT(omp_target_is_present(&s.b, 0), 0);
  CHECK_INT(s.a, 7);
  CHECK_INT(s.b[1], 3);
}

#if __clang_major__ < 20
/* A pointer without a mapped pointee is NULL on the device, even after an earlier attachment. */
static void unmapped_pointee(void) {
  int there[4] = {1, 2, 3, 4}, elsewhere[4] = {0};
  vec s = {4, there, {0}};
  int is_null[4] = {-1, -1, -1, -1};
#pragma omp target enter data map(to : s)
#pragma omp target map(to : s.p [0:0]) map(tofrom : is_null)
  is_null[0] = s.p == NULL;
#pragma omp target enter data map(to : s.p [0:4])
#pragma omp target map(to : s.p [0:0]) map(tofrom : is_null)
  is_null[1] = s.p == NULL || s.p[3] != 4;
  s.p = NULL;
#pragma omp target map(to : s.p [0:0]) map(tofrom : is_null)
  is_null[2] = s.p == NULL;
  s.p = elsewhere;
#pragma omp target map(to : s.p [0:0]) map(tofrom : is_null)
  is_null[3] = s.p == NULL;
#pragma omp target update from(s)
  CHECK_INT(s.p == elsewhere, 1);
  s.p = there;
#pragma omp target map(to : s.p [0:4]) /* a mapped pointee is attached again */
  s.p[1] *= 10;
#pragma omp target exit data map(from : s.p [0:4])
#pragma omp target exit data map(release : s)
  CHECK_INT(there[1], 20);
  CHECK_INT(is_null[0], 1);
  CHECK_INT(is_null[1], 0);
  CHECK_INT(is_null[2], 1);
  CHECK_INT(is_null[3], 1);
}
#endif

int main(void) {
  for (int i = 0; i < 3; i++) {
#if __clang_major__ < 20
    unmapped_pointee();
#endif
    deleted_members();
    pointer_member();
    whole_struct_and_pointee();
    chain();
#if __clang_major__ >= 20
    attached_once();
#endif
    partial_struct();
    member_twice();
  }
  return result();
}
