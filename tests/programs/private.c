/* Description: checks firstprivate, private, and kernels with many arguments. */
#include "check.h"

typedef struct big {
  int a[40];
  double d;
} big;

static void copies(void) {
  int x = 3, y = 4, v[10];
  big s = {{1, 2, 3}, 2.5};
  float f = 1.5f;
  char c = 'c';
  _Bool t = 1;
  for (int i = 0; i < 10; i++) v[i] = i;
  long out = 0;
#pragma omp target map(tofrom : out) firstprivate(x, v, s, f, c, t) private(y)
  {
    y = 10;
    v[9] += x;
    s.a[2] += v[9];
    x = 0;
    out = s.a[2] * 1000 + (long)(s.d * 2) + (long)(f * 2) + c + t + y;
  }
  CHECK_INT(out, 15000 + 5 + 3 + 'c' + 1 + 10);
  CHECK_INT(x, 3);
  CHECK_INT(y, 4);
  CHECK_INT(v[9], 9);
  CHECK_INT(s.a[2], 3);
}

static void aligned(void) {
  _Alignas(16) double u[2] = {1, 2};
  struct {
    _Alignas(16) double v[2];
  } s = {{3, 4}};
  char pad = 1;
  long rest = -1;
#pragma omp target map(from : rest) firstprivate(pad, u, s)
  rest = (long)((unsigned long)(void *)u % 16) + (long)((unsigned long)(void *)&s % 16) + (pad - 1);
  CHECK_INT(rest, 0);
}

static void many(void) {
  int a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
  int b0[2] = {0}, b1[2] = {1}, b2[2] = {2}, b3[2] = {3}, b4[2] = {4}, b5[2] = {5}, b6[2] = {6},
      b7[2] = {7}, b8[2] = {8}, b9[2] = {9};
  int c0[2] = {0}, c1[2] = {1}, c2[2] = {2}, c3[2] = {3}, c4[2] = {4}, c5[2] = {5};
  int sum = 0;
/* clang-format off */
#pragma omp target map(tofrom : sum, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9) \
    firstprivate(c0, c1, c2, c3, c4, c5)
  /* clang-format on */
  {
    sum = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9;
    sum += b0[0] + b1[0] + b2[0] + b3[0] + b4[0] + b5[0] + b6[0] + b7[0] + b8[0] + b9[0];
    sum += c0[0] + c1[0] + c2[0] + c3[0] + c4[0] + c5[0];
    b9[1] = 77;
  }
  CHECK_INT(sum, 45 + 45 + 15);
  CHECK_INT(b9[1], 77);
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    copies();
    aligned();
    many();
  }
  return result();
}
