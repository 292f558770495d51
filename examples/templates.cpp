// templates: target regions in member functions of a C++ class template, with inline device
// functions and a functor.
//   solo-c++ --static -O2 templates.cpp -o templates && ./templates [elements]
#include "report.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#pragma omp begin declare target
template <class T> inline T clamp(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}
template <class T> struct Polynomial {
  T c0, c1, c2;
  T operator()(T x) const {
    return clamp((c2 * x + c1) * x + c0, T(-1), T(1));
  }
};
#pragma omp end declare target

// An array with a copy on the device.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t size) : host(size), data(host.data()), size(size) {
#pragma omp target enter data map(alloc : data [0:size])
  }
  ~DeviceArray(){
#pragma omp target exit data map(delete : data [0:size])
  } DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  template <class F> void fill(F f) {
    T *p = data;
    std::size_t n = size;
#pragma omp target teams distribute parallel for map(present, alloc : p [0:n]) firstprivate(f)
    for (std::size_t i = 0; i < n; i++) p[i] = f(T(i) / T(n));
  }
  T sum() const {
    const T *p = data;
    std::size_t n = size;
    T total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total) map(tofrom : total)          \
    map(present, alloc : p[0 : n])
    for (std::size_t i = 0; i < n; i++) total += p[i];
    return total;
  }
  const std::vector<T> &fetch() {
#pragma omp target update from(data [0:size])
    return host;
  }

private:
  std::vector<T> host;
  T *data;
  std::size_t size;
};

// Returns the largest error in units in the last place.
template <class T> double check(const char *name, std::size_t n) {
  Polynomial<T> f{T(-0.5), T(3), T(-1)};
  double start = omp_get_wtime();
  DeviceArray<T> array(n);
  array.fill(f);
  T total = array.sum();
  double seconds = omp_get_wtime() - start;
  double error = 0, expected = 0;
  const std::vector<T> &values = array.fetch();
  for (std::size_t i = 0; i < n; i++) {
    double value = f(T(i) / T(n));
    expected += value;
    error = std::fmax(error, std::fabs(values[i] - value));
  }
  report_time(name, seconds);
  error = std::fmax(error, std::fabs(double(total) - expected) / double(n));
  return error / std::numeric_limits<T>::epsilon();
}

int main(int argc, char **argv) {
  std::size_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 10000;
  if (n == 0) return fprintf(stderr, "templates: no elements\n"), EXIT_FAILURE;
  report_device("templates");
  double error = check<double>("fill and sum of double", n);
  error = std::fmax(error, check<float>("fill and sum of float", n));
  return report_answer(error, 1e4, "units in the last place");
}
