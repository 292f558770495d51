/* Description: declare mapper: pointers inside, arrays of structs, nested mappers, and reference
 * counts that are gone afterwards (stack memory is reused). */
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

int main(void) {
  for (int i = 0; i < 5; i++) {
    one();
    array();
    update();
    nested();
  }
  return result();
}
