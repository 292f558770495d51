/* Description: checks target update of parts, strided and multi-dimensional sections, and of
 * unmapped variables. */
#include "check.h"
#include <omp.h>

static int a[6][4], b[10][20][4];

static void whole(void) {
  int v[16] = {0};
#pragma omp target enter data map(to : v)
  v[3] = 1;
  v[4] = 2;
#pragma omp target update to(v [3:1])
  int x = -1, y = -1;
#pragma omp target map(from : x, y)
  {
    x = v[3];
    y = v[4];
    v[5] = 5;
    v[6] = 6;
  }
  CHECK_INT(x, 1);
  CHECK_INT(y, 0);
#pragma omp target update from(v [5:1])
  CHECK_INT(v[5], 5);
  CHECK_INT(v[6], 0);
#pragma omp target exit data map(release : v)
  int u[4] = {9, 9, 9, 9};
#pragma omp target update to(u) /* not mapped: no effect */
#pragma omp target update from(u)
  CHECK_INT(u[0], 9);
}

static void strided_rows(void) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) a[i][j] = 10 * i + j;
#pragma omp target enter data map(to : a)
#pragma omp target
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) a[i][j] += 1000;
#pragma omp target update from(a [0:3:2] [1:2])
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) {
      int hit = i % 2 == 0 && j >= 1 && j <= 2;
      CHECK_INT(a[i][j], 10 * i + j + (hit ? 1000 : 0));
    }
#pragma omp target exit data map(delete : a)
}

static void strided_elements(void) {
  int v[20];
  for (int i = 0; i < 20; i++) v[i] = i;
#pragma omp target enter data map(to : v)
#pragma omp target
  for (int i = 0; i < 20; i++) v[i] += 100;
#pragma omp target update from(v [3:5:2])
  for (int i = 0; i < 20; i++) CHECK_INT(v[i], i >= 3 && i <= 11 && i % 2 ? i + 100 : i);
  for (int i = 0; i < 20; i++) v[i] = -i;
#pragma omp target update to(v [0:4:3])
  int got[20];
#pragma omp target map(from : got)
  for (int i = 0; i < 20; i++) got[i] = v[i];
  for (int i = 0; i < 20; i++) CHECK_INT(got[i], i % 3 == 0 && i <= 9 ? -i : i + 100);
#pragma omp target exit data map(delete : v)
}

static void three_dimensions(int n) {
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 4; k++) b[i][j][k] = 0;
#pragma omp target enter data map(to : b)
#pragma omp target
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 4; k++) b[i][j][k] = 1;
#pragma omp target update from(b [1:n] [2:3] [0:2:2])
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 4; k++)
        CHECK_INT(b[i][j][k], i >= 1 && i < 1 + n && j >= 2 && j < 5 && k % 2 == 0);
#pragma omp target exit data map(delete : b)
}

/* The innermost offset is not a multiple of the stride. */
static void strided_columns(void) {
  static int c[4][12];
#pragma omp target enter data map(to : c)
#pragma omp target
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 12; j++) c[i][j] = 1;
#pragma omp target update from(c [1:2] [3:4:2])
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 12; j++)
      CHECK_INT(c[i][j], (i == 1 || i == 2) && j >= 3 && j <= 9 && j % 2 == 1);
#pragma omp target exit data map(delete : c)
}

int main(void) {
  strided_columns();
  whole();
  strided_rows();
#if __clang_major__ >= 20 /* older versions do not pass the stride */
  strided_elements();
#endif
  three_dimensions(4);
  return result();
}
