/* Description: checks declare mapper: pointer members, arrays of structs, nested mappers. No
 * reference must remain. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>

typedef struct vec {
  int n;
  double *v;
} vec;
#pragma omp declare mapper(vec s) map(s, s.v [0:s.n])

typedef struct pair {
  vec x, y;
  int tag;
} pair;
#pragma omp declare mapper(two : pair p) map(p.tag) map(mapper(default), tofrom : p.x, p.y)

static void fill(vec *s, int n) {
  s->n = n;
  s->v = malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++) s->v[i] = i;
}

static void one(void) {
  vec s;
  fill(&s, 20);
  double *host = s.v;
#pragma omp target map(tofrom : s)
  for (int i = 0; i < s.n; i++) s.v[i] += 1;
  CHECK_INT(s.v == host, 1);
  for (int i = 0; i < 20; i++) CHECK_INT(s.v[i], i + 1);
  CHECK_INT(omp_target_is_present(&s, omp_get_default_device()), 0);
  CHECK_INT(omp_target_is_present(host, omp_get_default_device()), 0);
  free(host);
}

static void array(void) {
  vec s[4];
  for (int k = 0; k < 4; k++) fill(&s[k], 5 + k);
#pragma omp target enter data map(to : s [0:4])
#pragma omp target
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < s[k].n; i++) s[k].v[i] *= 2;
#pragma omp target exit data map(from : s [0:4])
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < s[k].n; i++) CHECK_INT(s[k].v[i], 2 * i);
    CHECK_INT(omp_target_is_present(&s[k], omp_get_default_device()), 0);
    free(s[k].v);
  }
}

static void update(void) {
  vec s;
  fill(&s, 8);
#pragma omp target enter data map(to : s)
  s.v[2] = 50;
#pragma omp target update to(s)
  int ok = 0;
#pragma omp target map(tofrom : ok)
  {
    ok = s.v[2] == 50;
    s.v[3] = 60;
  }
  CHECK_INT(ok, 1);
#pragma omp target update from(s)
  CHECK_INT(s.v[3], 60);
#pragma omp target exit data map(delete : s)
  CHECK_INT(omp_target_is_present(&s, omp_get_default_device()), 0);
  free(s.v);
}

static void nested(void) {
  pair p;
  fill(&p.x, 3);
  fill(&p.y, 4);
  p.tag = 1;
#pragma omp target map(mapper(two), tofrom : p)
  {
    p.tag = 2;
    p.x.v[2] = 12;
    p.y.v[3] = 13;
  }
  CHECK_INT(p.tag, 2);
  CHECK_INT(p.x.v[2], 12);
  CHECK_INT(p.y.v[3], 13);
  CHECK_INT(omp_target_is_present(&p, omp_get_default_device()), 0);
  free(p.x.v);
  free(p.y.v);
}

typedef struct part {
  int a, b, *v;
} part;
#pragma omp declare mapper(part p) map(tofrom : p.a, p.v [0:4])
#pragma omp declare mapper(only_a : part p) map(tofrom : p.a)
#pragma omp declare mapper(both : part p) map(tofrom : p.a, p.b)

typedef struct whole {
  part s;
  int c;
  part t;
  int d;
} whole;

static void check_whole(const whole *w, int a, int b, int c, int ta) {
  CHECK_INT(w->s.a, a);
  CHECK_INT(w->s.b, b);
  CHECK_INT(w->c, c);
  CHECK_INT(w->t.a, ta);
  CHECK_INT(omp_target_is_present(w, omp_get_default_device()), 0);
}

/* Members with mappers are part of the mapped struct: only the struct has a reference count. */
static void members(void) {
  static int x[4], y[4];
  static whole w; /* static: no other test maps this memory */
  w = (whole){{1, 2, x}, 3, {4, 5, y}, 6};
#pragma omp target map(tofrom : w.s, w.c)
  {
    w.s.a = 11;
    w.c = 13;
    w.s.v[1] = 21;
  }
  check_whole(&w, 11, 2, 13, 4);
  CHECK_INT(x[1], 21);
  CHECK_INT(omp_target_is_present(x, omp_get_default_device()), 0);
#pragma omp target nowait map(tofrom : w.s, w.t)
  {
    w.s.a = 31;
    w.t.a = 34;
    w.t.v[3] = 41;
  }
#pragma omp taskwait
  check_whole(&w, 31, 2, 13, 34);
  CHECK_INT(y[3], 41);
#pragma omp target data map(tofrom : w.c, w.s)
#pragma omp target map(always, tofrom : w.c) map(mapper(only_a), always, tofrom : w.s)
  {
    w.s.a = 51;
    w.c = 53;
  }
  check_whole(&w, 51, 2, 53, 34);
}

static void separate_members(void) {
  static int x[4];
  static whole w;
  whole *p = &w; /* Clang 19 crashes if w is mapped implicitly */
  w = (whole){{1, 2, x}, 3, {4, 5, x}, 6};
#pragma omp target enter data map(to : w.c) map(mapper(only_a), to : w.s)
#pragma omp target
  {
    p->s.a = 11;
    p->s.b = 12;
    p->c = 13;
  }
#pragma omp target exit data map(from : w.s.a, w.s.b, w.c)
  check_whole(&w, 11, 12, 13, 4);
#pragma omp target enter data map(to : w)
#pragma omp target
  {
    p->s.a = 21;
    p->s.b = 22;
    p->c = 23;
    p->t.a = 24;
  }
#pragma omp target exit data map(from : w.c, w.t) map(mapper(both), from : w.s)
  check_whole(&w, 21, 22, 23, 24);
}

/* The modifiers always and delete of a clause also apply to the mappings of its mapper. */
static void modifiers(void) {
  static int x[4];
  static whole w;
  int seen = 0, device = omp_get_default_device();
  w = (whole){{1, 2, x}, 3, {4, 5, x}, 6};
#pragma omp target enter data map(to : w.s)
#pragma omp target enter data map(to : w.s)
  w.s.a = 11;
#pragma omp target map(always, to : w.s) map(from : seen)
  {
    seen = w.s.a;
    w.s.a = 21;
  }
  CHECK_INT(seen, 11);
  CHECK_INT(w.s.a, 11);
#pragma omp target map(always, from : w.s)
  w.s.v[2] = 32;
  CHECK_INT(w.s.a, 21);
  CHECK_INT(x[2], 32);
#pragma omp target exit data map(delete : w.s)
  CHECK_INT(omp_target_is_present(&w.s, device), 0);
  CHECK_INT(omp_target_is_present(x, device), 0);
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    members();
    separate_members();
    modifiers();
    one();
    array();
    update();
    nested();
  }
  return result();
}
