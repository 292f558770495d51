// Description: reductions of all operators and number types equal the host's.
#include <cmath>
#include <cstdint>
#include <cstdio>

static int wrong;

template <class T> static void same(const char *what, T device, T host) {
  if (device == host) return;
  std::printf("wrong: %s: %g, on the host %g\n", what, (double)device, (double)host);
  wrong++;
}

template <class T> static T value(int i) {
  return (T)(i % 7 + 1);
}

enum { N = 5000 };

template <class T> static void numbers(const char *name) {
  T sum = 0, low = 100, high = 0, product = 1, host_sum = 0, host_low = 100, host_high = 0,
    host_product = 1;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(min : low)           \
    reduction(max : high)
  for (int i = 0; i < N; i++) {
    T v = value<T>(i);
    sum += v;
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
#pragma omp target teams distribute parallel for reduction(* : product)
  for (int i = 0; i < 12; i++) product *= (T)(i % 2 + 1);
  for (int i = 0; i < N; i++) {
    T v = value<T>(i);
    host_sum += v;
    host_low = v < host_low ? v : host_low;
    host_high = v > host_high ? v : host_high;
  }
  for (int i = 0; i < 12; i++) host_product *= (T)(i % 2 + 1);
  same(name, sum, host_sum);
  same(name, low, host_low);
  same(name, high, host_high);
  same(name, product, host_product);
}

template <class T> static void bits(const char *name) {
  T all = (T) ~(T)0, some = 0, odd = 0;
  bool both = true, either = false;
#pragma omp target teams distribute parallel for reduction(& : all) reduction(| : some)            \
    reduction(^ : odd) reduction(&& : both) reduction(|| : either)
  for (int i = 0; i < N; i++) {
    all &= (T)(i | 5);
    some |= (T)i;
    odd ^= (T)i;
    both = both && i < N;
    either = either || i == N - 1;
  }
  T host_all = (T) ~(T)0, host_some = 0, host_odd = 0;
  for (int i = 0; i < N; i++) host_all &= (T)(i | 5), host_some |= (T)i, host_odd ^= (T)i;
  same(name, all, host_all);
  same(name, some, host_some);
  same(name, odd, host_odd);
  same(name, (int)both, 1);
  same(name, (int)either, 1);
}

static void shapes() {
  long sum = 0;
#pragma omp target teams distribute parallel for num_teams(1500) thread_limit(32)                  \
    map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 48000; i++) sum += i;
  same("1500 teams", sum, 48000L * 47999 / 2);
  sum = 0;
#pragma omp target map(tofrom : sum)
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; i++) sum += i;
  same("generic", sum, 999L * 500);
  sum = 0;
#pragma omp target teams map(tofrom : sum) reduction(+ : sum) num_teams(5)
  {
    long part = 0;
#pragma omp parallel for reduction(+ : part)
    for (int i = 0; i < 100; i++) part += i;
    sum += part;
  }
  same("teams of parallel", sum, 5 * 4950L);
  int small = 0;
#pragma omp target parallel num_threads(33) map(tofrom : small) reduction(+ : small)
  small += 1;
  same("at most 33 threads", (int)(small == 32 || small == 33), 1);
}

int main() {
  numbers<int8_t>("int8_t");
  numbers<int>("int");
  numbers<unsigned>("unsigned");
  numbers<long>("long");
  numbers<float>("float");
  numbers<double>("double");
  bits<unsigned char>("unsigned char");
  bits<unsigned>("unsigned");
  bits<unsigned long>("unsigned long");
  shapes();
  return wrong != 0;
}
