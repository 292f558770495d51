/* Runs a kernel of an image, so that gdb or perf can unwind its stack. Arguments: folder, image. */
#include "tests/loader/shim.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  void *module = shim_load(argv[1], argv[2]);
  int result = ((int (*)(void))shim_find(module, "outer_kernel"))();
  shim_unload(module);
  return result == 5 ? 0 : 1;
}
