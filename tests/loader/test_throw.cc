// Description: C++ exceptions inside, out of and through an image's frames.
#include "tests/loader/shim.h"
#include "tests/unit/test.h"
#include <cstring>
#include <exception>

static void throw_long() {
  throw 7L;
}

static void round_trip(const char *folder) {
  void *m = shim_load(folder, "throwing");
  auto catch_inside = (int (*)(int))shim_find(m, "catch_inside");
  CHECK_INT(catch_inside(3), 0);
  CHECK_INT(catch_inside(12), 9);
  auto throw_out = (void (*)(int))shim_find(m, "throw_out");
  int caught = 0;
  try {
    throw_out(5);
  } catch (const std::exception &e) {
    caught = strcmp(e.what(), "out 5") == 0;
  }
  CHECK_INT(caught, 1);
  auto pass = (void (*)(void (*)(), int *))shim_find(m, "pass_through");
  int ran = 0;
  long value = 0;
  try {
    pass(throw_long, &ran);
  } catch (long v) {
    value = v;
  }
  CHECK_INT(value, 7);
  CHECK_INT(ran, 1);
  auto library = (int (*)(int))shim_find(m, "passes_library");
  CHECK_INT(library(20), 21);
  shim_unload(m);
}

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  // repeated, because unloading must deregister the unwind tables
  for (int i = 0; i < 3; i++) round_trip(argv[1]);
  return TEST_RESULT();
}
