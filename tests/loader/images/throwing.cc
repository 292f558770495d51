// Throws, catches and propagates exceptions.
#include "thing.h"
#include <stdexcept>
#include <string>

struct guard {
  int *ran;
  ~guard() { ++*ran; }
};
extern "C" int catch_inside(int x) {
  try {
    if (x > 3) throw std::runtime_error("inside " + std::to_string(x));
    return 0;
  } catch (const std::exception &e) {
    return (int)std::string(e.what()).size();
  }
}
extern "C" void throw_out(int x) { throw std::runtime_error("out " + std::to_string(x)); }
extern "C" void pass_through(void (*f)(), int *ran) {
  guard g{ran};
  f();
}
extern "C" int passes_library(int x) {
  try {
    thing_call([](void *p) { throw *static_cast<int *>(p); }, &x);
  } catch (int caught) {
    return caught + 1;
  }
  return -1;
}
