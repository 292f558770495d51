/* Description: entries of size 0 with flag 8 for indirect functions, and kernels without hidden
 * parameters (docs/abi-facts.md, 12) work through the target RTL interface on a simulated device:
 * test_seed_entries IMAGE */
#include "abi/include/solo.h"
#include "abi/include/tgt_rtl.h"
#include "abi/tgt_types.h"
#include "tests/unit/test.h"

#include <stdlib.h>

static long twice(long x) {
  return 2 * x;
}

static long minus(long x) {
  return -x;
}

static char key;
static tgt_entry_19 entries[] = {{(void *)(uintptr_t)twice, "twice", 0, 8, 0},
                                 {(void *)(uintptr_t)minus, "minus", 0, 8, 0},
                                 {&key, "apply", 0, 0, 0}};

static long apply(int32_t device, void *region, long (*function)(long), long x) {
  long result = 0, *cell = __tgt_rtl_data_alloc(device, sizeof *cell);
  void *vars[] = {(void *)(uintptr_t)function, (void *)(uintptr_t)x, cell};
  CHECK_INT(__tgt_rtl_run_target_region(device, region, vars, 3), 0);
  CHECK_INT(__tgt_rtl_data_retrieve(device, &result, cell, sizeof result), 0);
  CHECK_INT(__tgt_rtl_data_delete(device, cell), 0);
  return result;
}

int main(int argc, char **argv) {
  static char bytes[1 << 20];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 2;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  __tgt_device_image image = {bytes, bytes + size, entries, entries + 3};
  CHECK(__tgt_rtl_is_valid_binary(&image));
  int32_t device = __tgt_rtl_number_of_devices() > 1 ? -1 : 0;
  for (int32_t d = 0; device < 0 && d < __tgt_rtl_number_of_devices(); d++)
    if (__tgt_rtl_load_binary(d, &image)) device = d;
  if (device < 0) device = 0;
  tgt_target_table *table = __tgt_rtl_load_binary(device, &image);
  CHECK(table != NULL);
  if (!table) {
    solo_failure failure;
    solo_last_error(&failure);
    printf("%s\n", failure.text);
    return TEST_RESULT();
  }
  void *region = table->begin[2].address;
  CHECK_INT(apply(device, region, twice, 21), 42);
  CHECK_INT(apply(device, region, minus, 21), -21);
  /* a table of the caller exchanges the two functions */
  void *device_twice = table->begin[0].address, *device_minus = table->begin[1].address;
  CHECK(device_twice != NULL && device_minus != NULL);
  __omp_offloading_fptr_map_ty map[] = {
      {(int64_t)(uintptr_t)twice, (int64_t)(uintptr_t)device_minus},
      {(int64_t)(uintptr_t)minus, (int64_t)(uintptr_t)device_twice}};
  __tgt_rtl_set_function_ptr_map(device, 2, map);
  CHECK_INT(apply(device, region, twice, 21), -21);
  CHECK_INT(apply(device, region, minus, 21), 42);
  return TEST_RESULT();
}
