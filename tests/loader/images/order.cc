// Constructors and destructors with priorities, static objects.
#include "thing.h"

__attribute__((constructor(201))) static void first() { thing_log(1); }
__attribute__((constructor(202))) static void second() { thing_log(2); }
__attribute__((constructor)) static void third() { thing_log(3); }
__attribute__((destructor(201))) static void last() { thing_log(103); }
__attribute__((destructor(202))) static void before_last() { thing_log(102); }

struct object {
  int word;
  explicit object(int w) : word(w) { thing_log(w); }
  ~object() { thing_log(word + 100); }
};
static object global_object(4);

extern "C" int touch_local() {
  static object local_object(5);
  return local_object.word;
}
