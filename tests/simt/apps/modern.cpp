/* C++17 features in kernels. */
#include "app.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <omp.h>
#include <vector>

template <typename T, int R, int C> struct mat {
  T v[R][C];
  T &operator()(int i, int j) {
    return v[i][j];
  }
  const T &operator()(int i, int j) const {
    return v[i][j];
  }
};
template <typename T, int N> mat<T, N, N> operator*(const mat<T, N, N> &a, const mat<T, N, N> &b) {
  mat<T, N, N> r{};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) r(i, j) += a(i, k) * b(k, j);
  return r;
}
template <typename... T> constexpr auto add_all(T... t) {
  return (t + ...);
}
struct rng {
  unsigned s;
  constexpr unsigned operator()() {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
  }
};
template <class F> void for_all(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class T, class F> T reduce_all(int n, T init, F f) {
  T r = init;
#pragma omp target teams distribute parallel for reduction(+ : r) map(tofrom : r)
  for (int i = 0; i < n; i++) r += f(i);
  return r;
}
struct counter {
  int n = 0;
  counter &operator+=(const counter &o) {
    n += o.n;
    return *this;
  }
};
#pragma omp declare reduction(+ : counter : omp_out += omp_in) initializer(omp_priv = counter{})
enum class color : unsigned char { red = 3, green = 7 };
struct base {
  int id;
  base(int i) : id(i) {}
  virtual ~base() {}
  virtual int f(int x) const = 0;
};
struct left : base {
  using base::base;
  int f(int x) const override {
    return x + id;
  }
};
struct right_ : base {
  using base::base;
  int f(int x) const override {
    return x * id;
  }
};
struct deep final : left {
  using left::left;
  int f(int x) const override {
    return left::f(x) * 100;
  }
};
struct guard {
  int *p;
  guard(int *q) : p(q) {
    *p += 1;
  }
  ~guard() {
    *p += 10;
  }
};
template <int N> struct unroll {
  static int go(int x) {
    return unroll<N - 1>::go(x) * 2 + N;
  }
};
template <> struct unroll<0> {
  static int go(int x) {
    return x;
  }
};
static void matrices() {
  using m4 = mat<double, 4, 4>;
  m4 in[32], out[32];
  for (int k = 0; k < 32; k++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) in[k](i, j) = i + j * k;
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
  for (int k = 0; k < 32; k++) out[k] = in[k] * in[31 - k];
  int bad = 0;
  for (int k = 0; k < 32; k++) {
    m4 w = in[k] * in[31 - k];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) bad += w(i, j) != out[k](i, j);
  }
  APP_CHECK(!bad);
}

static void closures() {
  std::vector<int> v(777);
  int *p = v.data();
  int n = 777;
#pragma omp target data map(from : p [0:n]) use_device_ptr(p)
  {
    for_all(n, [=](int i) {
      rng r{(unsigned)i + 1};
      p[i] = (int)(r() ^ r()) & 0xffff;
    });
  }
  int bad = 0;
  for (int i = 0; i < n; i++) {
    rng r{(unsigned)i + 1};
    int a = r();
    int b = r();
    bad += v[i] != ((a ^ b) & 0xffff);
  }
  APP_CHECK(!bad);
}

static void sums() {
  long s = reduce_all(10000, 0L, [](int i) { return (long)i * i; });
  long w = 0;
  for (int i = 0; i < 10000; i++) w += (long)i * i;
  APP_CHECK(s == w);
  float f = reduce_all(5000, 0.f, [](int i) { return 0.25f * (i & 3); });
  APP_CHECK(f == 5000 / 4 * 1.5f);
}

static void class_sum() {
  counter c;
#pragma omp target teams distribute parallel for reduction(+ : c) map(tofrom : c)
  for (int i = 0; i < 1234; i++) c.n += i % 3 == 0;
  APP_CHECK(c.n == 412);
}

static void values() {
  int o[4];
#pragma omp target map(from : o)
  {
    std::array<int, 8> a{8, 3, 5, 1, 9, 2, 7, 4};
    int t = 0;
    for (int x : a) t += x;
    o[0] = t;
    auto [p, q] = std::pair<int, int>(3, 4);
    o[1] = p * 10 + q;
    o[2] = add_all(1, 2L, 3.5f, (short)4) * 2;
    o[3] = static_cast<int>(color::green) + unroll<6>::go(3);
  }
  APP_CHECK(o[0] == 39 && o[1] == 34 && o[2] == 21 && o[3] == 7 + unroll<6>::go(3));
}

static void virtual_calls() {
  int out[12];
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < 12; i++) {
    left l(2);
    right_ r(3);
    deep d(4);
    const base *b = i % 3 == 0 ? (base *)&l : i % 3 == 1 ? (base *)&r : (base *)&d;
    out[i] = b->f(i);
  }
  int bad = 0;
  for (int i = 0; i < 12; i++)
    bad += out[i] != (i % 3 == 0 ? i + 2 : i % 3 == 1 ? i * 3 : (i + 4) * 100);
  APP_CHECK(!bad);
}

static void destructors() {
  int n[64];
#pragma omp target teams distribute parallel for map(from : n)
  for (int i = 0; i < 64; i++) {
    n[i] = 0;
    for (int k = 0; k < 3; k++) {
      guard g(&n[i]);
      if (i % 2 && k == 1) continue;
      n[i] += 100;
    }
  }
  int bad = 0;
  for (int i = 0; i < 64; i++) bad += n[i] != 33 + (i % 2 ? 200 : 300);
  APP_CHECK(!bad);
}

static void simd_polynomial() {
  double x[100], y[100];
  for (int i = 0; i < 100; i++) x[i] = i;
  auto poly = [](double t, auto... c) {
    double r = 0;
    ((r = r * t + c), ...);
    return r;
  };
#pragma omp target teams distribute parallel for simd map(to : x) map(from : y) simdlen(8)
  for (int i = 0; i < 100; i++)
    y[i] = poly(x[i], 1.0, -2.0, 3, 4.5f) + std::max(x[i], 50.0) + std::abs(x[i] - 7) +
           std::sqrt(x[i]);
  int bad = 0;
  for (int i = 0; i < 100; i++)
    bad += std::fabs(y[i] - (poly(x[i], 1.0, -2.0, 3, 4.5f) + std::max(x[i], 50.0) +
                             std::abs(x[i] - 7) + std::sqrt(x[i]))) > 1e-9;
  APP_CHECK(!bad);
}

static void new_and_delete() {
  int *d = new int[64];
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s)
  for (int i = 0; i < 64; i++) {
    int *q = new int[i + 1];
    for (int k = 0; k <= i; k++) q[k] = k;
    for (int k = 0; k <= i; k++) s += q[k];
    delete[] q;
  }
  long w = 0;
  for (int i = 0; i < 64; i++) w += i * (i + 1) / 2;
  APP_CHECK(s == w);
  delete[] d;
}

APP(modern) {
  matrices();
  closures();
  sums();
  class_sum();
  values();
  virtual_calls();
  destructors();
  simd_polynomial();
  new_and_delete();
  return app_failures;
}
