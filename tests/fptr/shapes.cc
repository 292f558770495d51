// Classes with virtual functions, compiled once for the host and once for the device (namespace
// SIDE). On the CPU device both copies are in one process. Device calls use solo_indirect.h.
#if THERE
#define SOLO_INDIRECT_DEVICE 1
#endif
#include "abi/include/solo_indirect.h"

#define EXPORTED          extern "C" __attribute__((visibility("default"), used))
#define NAME_(side, name) side##_##name
#define NAME(side, name)  NAME_(side, name)
#define OWN(name)         NAME(SIDE, name)

namespace SIDE {
struct shape {
  int a = 5;
  virtual int area() const;
  virtual int sides() const;
};
struct named {
  long id = 7;
  virtual long name(long x);
};
struct both : shape, named { // two virtual tables
  int calls = 0;
  int area() const override;
  long name(long x) override;
};

int shape::area() const {
  return 1;
}
int shape::sides() const {
  return 2;
}
long named::name(long x) {
  return x;
}
int both::area() const {
  return a * a + THERE;
}
long both::name(long x) {
  calls++;
  return id * 10 + x + THERE;
}
}
using namespace SIDE;

#if THERE
EXPORTED int device_area(const void *object) {
  return solo_call_indirect(&shape::area, static_cast<const shape *>(object));
}
EXPORTED long device_name(void *object, long x) {
  return solo_call_indirect(&named::name, static_cast<named *>(object), x);
}
extern "C" const char table[] __asm__("_ZTVN6device4bothE");
EXPORTED const void *const both_table = table;
#else
extern "C" const char host_both_table[] __asm__("_ZTVN4host4bothE");
EXPORTED const void *host_table(void) {
  return host_both_table;
}
static both one;
EXPORTED void *host_object(unsigned long *size, void **second) {
  *size = sizeof one;
  *second = static_cast<named *>(&one);
  return &one;
}
EXPORTED int host_calls(void) {
  return one.calls;
}
#endif
