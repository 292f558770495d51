/* C++ in kernels: memory, static objects, virtual functions, lambdas, algorithms and mathematics of
 * the standard library. The host executes the same function. */
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <vector>

enum { RESULTS = 40 };

#pragma omp begin declare target
struct account {
  int *live;
  explicit account(int *n) : live(n) {
    ++*live;
  }
  ~account() {
    --*live;
  }
};
struct shape {
  virtual double area() const = 0;
  virtual ~shape() {}
};
struct square : shape {
  double side;
  explicit square(double s) : side(s) {}
  double area() const override {
    return side * side;
  }
};
struct box : square {
  double height;
  box(double s, double h) : square(s), height(h) {}
  double area() const override {
    return 2 * square::area() + 4 * side * height;
  }
};
struct table {
  int entry[8];
  table() {
    std::iota(entry, entry + 8, 3);
  }
};
static table global;
static int of_table(int i) {
  static table local;
  local.entry[i] += 10;
  return local.entry[i] + global.entry[i];
}

template <class F> static double apply(int n, F f) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += f(i);
  return sum;
}

static int work(double *out) {
  int n = 0, live = 0;
  { /* memory */
    account *one = new account(&live), *many = static_cast<account *>(nullptr);
    out[n++] = live;
    delete one;
    delete many;
    std::unique_ptr<account> owned(new account(&live));
    out[n++] = live;
    owned.reset();
    double *array = new double[100]();
    out[n++] = std::accumulate(array, array + 100, 1.0);
    delete[] array;
    int *maybe = new (std::nothrow) int(5);
    out[n++] = maybe ? *maybe : 0;
    delete maybe;
    std::vector<int> v;
    for (int i = 0; i < 50; i++) v.push_back(i * 7 % 50);
    std::sort(v.begin(), v.end());
    out[n++] = v[49] + (double)v.size();
    out[n++] = live;
  }
  { /* virtual functions */
    shape *shapes[] = {new square(2), new box(1, 3)};
    for (shape *s : shapes) out[n++] = s->area();
    for (shape *s : shapes) delete s;
  }
  { /* lambdas */
    double factor = 2.5;
    int calls = 0;
    out[n++] = apply(10, [factor](int i) { return factor * i; });
    out[n++] = apply(10, [&](int i) { return calls += i; });
    auto twice = [](auto f) { return [f](auto x) { return f(f(x)); }; };
    out[n++] = twice([](double x) { return x * x; })(3.0);
    std::function<double(double)> erased = [factor](double x) { return x - factor; };
    out[n++] = erased(4);
  }
  { /* algorithms */
    std::array<int, 12> a = {5, 3, 9, 1, 12, 7, 3, 8, 2, 11, 4, 6};
    std::array<int, 12> b;
    std::partial_sum(a.begin(), a.end(), b.begin());
    out[n++] = b[11];
    std::sort(a.begin(), a.end(), [](int x, int y) { return x > y; });
    out[n++] = a[0] * 100 + a[11];
    out[n++] = (double)(std::unique(a.begin(), a.end()) - a.begin());
    out[n++] =
        (double)(std::lower_bound(a.begin(), a.begin() + 11, 7, std::greater<int>()) - a.begin());
    std::rotate(a.begin(), a.begin() + 4, a.begin() + 11);
    out[n++] = a[0];
    out[n++] = (double)std::count_if(a.begin(), a.end(), [](int x) { return x % 2 == 0; });
    out[n++] = *std::max_element(b.begin(), b.end()) + std::min({4, 2, 3});
    out[n++] = std::inner_product(a.begin(), a.end(), b.begin(), 0);
    std::nth_element(b.begin(), b.begin() + 5, b.end());
    std::make_heap(b.begin(), b.end());
    out[n++] = b[0];
    auto t = std::make_tuple(1, 2.5, 'x');
    out[n++] = std::get<1>(t) + std::get<2>(t);
    std::swap(a[0], a[1]);
    out[n++] = std::equal(a.begin(), a.end(), b.begin()) + std::clamp(7, 1, 5);
  }
  { /* mathematics */
    std::complex<double> z(3, 4);
    out[n++] = std::abs(z);
    z *= z / std::complex<double>(0, 2);
    out[n++] = z.real() + 10 * z.imag();
    out[n++] = std::sqrt(2.0) + std::hypot(3.0, 4.0) + std::fmod(7.5, 2.0) + std::floor(-1.5);
    out[n++] = std::pow(1.5, 3.0) + std::exp(1.0) + std::log(2.0) + std::sin(0.5) + std::cbrt(27.0);
    out[n++] =
        std::isnan(std::nan("")) + 2 * std::signbit(-0.0) + std::numeric_limits<short>::max();
  }
  for (int i = 0; i < 3; i++) out[n++] = of_table(i) + of_table(i);
  return n;
}
#pragma omp end declare target

/* the argument of a template with a target region is a lambda */
template <class F> static double parallel(int n, F f) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) firstprivate(f)
  for (int i = 0; i < n; i++) sum += f(i);
  return sum;
}

int main() {
  double device[RESULTS], host[RESULTS], scale = 3;
  int count = 0, wrong = 0;
#pragma omp target map(from : device) map(tofrom : count)
  count = work(device);
  if (count != work(host) || count > RESULTS) return 1;
  for (int i = 0; i < count; i++)
    if (!(std::fabs(device[i] - host[i]) < 1e-9 * (1 + std::fabs(host[i])))) {
      std::printf("result %d: %.17g, on the host %.17g\n", i, device[i], host[i]);
      wrong = 1;
    }
  double sum = parallel(100, [scale](int i) { return scale * i; });
  if (sum != 14850) std::printf("lambda: %g\n", sum);
  return wrong || sum != 14850;
}
