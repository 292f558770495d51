// Compiled by g++: members of *this in target regions. Their pointers are NULL on the device if the pointees are not mapped.
// Returns the number of failed checks.
#include <cstddef>

namespace {
struct record {
  int *pointer;
  int *&reference;
  int count;

  // Returns whether the region has the pointer.
  bool set_pointer(int value) {
    bool mapped;
#pragma omp target map(from : mapped)
    {
      mapped = pointer != nullptr;
      for (int i = 0; mapped && i < count; i++) pointer[i] = value;
    }
    return mapped;
  }

  bool set_reference(int value) {
    bool mapped;
#pragma omp target map(from : mapped)
    {
      mapped = reference != nullptr;
      for (int i = 0; mapped && i < count; i++) reference[i] = value;
    }
    return mapped;
  }
};
} // namespace

extern "C" int gcc_device_members(int devices) {
  int a[5] = {}, b[5] = {}, *p = a, *q = b, failures = 0;
  record r = {p, q, 5};
  bool on_host = devices == 0;
  failures += r.set_pointer(1) != on_host;
  failures += r.set_reference(1) != on_host;
  failures += r.pointer != p || r.reference != q || a[4] != on_host || b[4] != on_host;
#pragma omp target data map(p[:5])
  failures += !r.set_pointer(2);
#pragma omp target data map(q[:5])
  failures += !r.set_reference(3);
  return failures + (r.pointer != p || r.reference != q || a[4] != 2 || b[0] != 3);
}
