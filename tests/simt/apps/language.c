/* C features in kernels. */
#include "app.h"

#include <omp.h>

#pragma omp begin declare target
static int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
typedef struct {
  double m[16];
  int tag;
  unsigned a : 3, b : 9, c : 20;
} big;
static big twice(big b) {
  for (int i = 0; i < 16; i++) b.m[i] *= 2;
  b.tag++;
  b.a = b.a + 1;
  b.b = b.b * 3;
  b.c = b.c - 7;
  return b;
}
static int op0(int a, int b) {
  return a + b;
}
static int op1(int a, int b) {
  return a - b;
}
static int op2(int a, int b) {
  return a * b;
}
typedef int (*op)(int, int);
static const char *const names[] = {"zero", "one", "two", "three"};
int table[64];
static int len(const char *s) {
  int n = 0;
  while (s[n]) n++;
  return n;
}
static int classify(int x) {
  switch (x % 11) {
  case 0:
    return 5;
  case 1:
    return 9;
  case 2:
  case 3:
    return 1;
  case 4:
    return -4;
  case 5:
    return 77;
  case 7:
    return 3;
  case 9:
    return 12;
  default:
    return 0;
  }
}
int variant_base(void) {
  return 1;
}
int variant_gpu(void) {
  return 2;
}
#pragma omp declare variant(variant_gpu) match(device = {kind(gpu)})
int which(void) {
  return variant_base();
}
#pragma omp end declare target
enum { N = 500 };
static void recursion(void) {
  int out[20];
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < 20; i++) out[i] = fib(i);
  for (int i = 0; i < 20; i++) APP_CHECK(out[i] == fib(i));
}
static void bigs(void) {
  big in[8], out[8];
  memset(in, 0, sizeof in);
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 16; k++) in[i].m[k] = i + k;
    in[i].a = i;
    in[i].b = i * 9;
    in[i].c = i * 1000;
  }
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
  for (int i = 0; i < 8; i++) out[i] = twice(in[i]);
  for (int i = 0; i < 8; i++) {
    big w = twice(in[i]);
    APP_CHECK(w.tag == out[i].tag && w.a == out[i].a && w.b == out[i].b && w.c == out[i].c &&
              !memcmp(w.m, out[i].m, sizeof w.m));
  }
}
static void pointers(void) {
  int out[30];
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < 30; i++) {
    op ops[3] = {op0, op1, op2};
    out[i] = ops[i % 3](i, 7) + len(names[i % 4]) + classify(i);
  }
  for (int i = 0; i < 30; i++) {
    op ops[3] = {op0, op1, op2};
    APP_CHECK(out[i] == ops[i % 3](i, 7) + (int)strlen(names[i % 4]) + classify(i));
  }
}
static void int128(void) {
  unsigned long long hi[16], lo[16], q[16];
#pragma omp target teams distribute parallel for map(from : hi, lo, q)
  for (int i = 0; i < 16; i++) {
    unsigned __int128 p =
        (unsigned __int128)(0xfedcba9876543210ull * (i + 1)) * 0x123456789abcdefull;
    hi[i] = p >> 64;
    lo[i] = p;
    q[i] = 0xfedcba9876543210ull / (i * 37 + 1) + 0xfedcba9876543210ull % (i + 3);
  }
  for (int i = 0; i < 16; i++) {
    unsigned __int128 p =
        (unsigned __int128)(0xfedcba9876543210ull * (i + 1)) * 0x123456789abcdefull;
    APP_CHECK(hi[i] == (unsigned long long)(p >> 64) && lo[i] == (unsigned long long)p);
    APP_CHECK(q[i] == 0xfedcba9876543210ull / (i * 37 + 1) + 0xfedcba9876543210ull % (i + 3));
  }
}
static void priv_arrays(void) {
  int w[17], out[N];
  for (int i = 0; i < 17; i++) w[i] = i * i;
#pragma omp target teams distribute parallel for firstprivate(w) map(from : out)
  for (int i = 0; i < N; i++) {
    w[i % 17] += i;
    out[i] = w[i % 17] - w[(i + 1) % 17];
    w[i % 17] -= i;
  }
  int bad = 0;
  for (int i = 0; i < N; i++)
    bad += out[i] != (i % 17) * (i % 17) + i - ((i + 1) % 17) * ((i + 1) % 17);
  APP_CHECK(!bad);
}
static void many_parallels(void) {
  int a[256] = {0}, teams = 0;
#pragma omp target teams num_teams(4) thread_limit(64) map(tofrom : a, teams)
  {
    int t = omp_get_team_num(), local = 0;
#pragma omp parallel for num_threads(64)
    for (int i = 0; i < 64; i++) a[t * 64 + i] += i;
#pragma omp parallel
    {
#pragma omp for reduction(+ : local)
      for (int i = 0; i < 64; i++) local += a[t * 64 + i];
    }
#pragma omp parallel for
    for (int i = 0; i < 64; i++) a[t * 64 + i] += local;
#pragma omp atomic
    teams++;
  }
  int bad = 0;
  for (int i = 0; i < 256; i++) bad += a[i] != i % 64 + 2016;
  APP_CHECK(!bad && teams == 4);
}
static void cond_depend(void) {
  int a = 1, dev[2] = {-1, -1};
#pragma omp target map(tofrom : a) if (a > 5) map(from : dev [0:1])
  {
    a += 1;
    dev[0] = omp_is_initial_device();
  }
#pragma omp target map(tofrom : a) depend(inout : a) nowait
  a *= 10;
#pragma omp target map(tofrom : a) depend(inout : a) nowait
  a += 3;
#pragma omp taskwait
  APP_CHECK(a == 23);
  APP_CHECK(dev[0] == 1);
  int v = 0;
#pragma omp target map(from : v)
  v = which();
  APP_CHECK(v == 2);
}
static void halves(void) {
  float out[64];
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < 64; i++) {
    _Float16 h = (_Float16)(i * 0.1f);
    h = h * h + (_Float16)1.5f;
    out[i] = (float)h;
  }
  int bad = 0;
  for (int i = 0; i < 64; i++) {
    float h = (float)(_Float16)(i * 0.1f);
    bad += fabsf(out[i] - (h * h + 1.5f)) > 0.05f;
  }
  APP_CHECK(!bad);
}
static void globals(void) {
  for (int i = 0; i < 64; i++) table[i] = i;
#pragma omp target update to(table)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 64; i++) table[i] = table[i] * 2 + 1;
#pragma omp target update from(table [16:32])
  int bad = 0;
  for (int i = 0; i < 64; i++) bad += table[i] != (i >= 16 && i < 48 ? 2 * i + 1 : i);
  APP_CHECK(!bad);
}
static void maths(void) {
  double o[40], w[40];
#define EXPR(x)                                                                                    \
  (pow(x, 1.7) + exp2(x) + cbrt(x) + hypot(x, 2) + fmod(x, 0.7) + remainder(x, 0.7) + erf(x) +     \
   tgamma(x + 1) + lgamma(x + 1.5) + atan2(x, 3) + ldexp(x, 3) + ilogb(x + 1) + round(x) +         \
   nearbyint(x) + trunc(x) + fma(x, x, 1) + copysign(1, -x) + log1p(x) + expm1(x) + sinh(x) +      \
   acosh(x + 1) + asin(x / 5) + fdim(x, 1) + nextafter(x, 9))
#pragma omp target teams distribute parallel for map(from : o)
  for (int i = 0; i < 40; i++) {
    double x = i * 0.1 + 0.05;
    o[i] = EXPR(x);
  }
  int bad = 0;
  for (int i = 0; i < 40; i++) {
    double x = i * 0.1 + 0.05;
    w[i] = EXPR(x);
    bad += fabs(o[i] - w[i]) > 1e-12 * fabs(w[i]);
  }
  APP_CHECK(!bad);
}
APP(language) {
  recursion();
  bigs();
  pointers();
  int128();
  priv_arrays();
  many_parallels();
  cond_depend();
  halves();
  globals();
  maths();
  return app_failures;
}
