/* Description: several images share one table of entries, on the CPU and on deferred devices. The
 * runtime tries each image that has an entry, a failed load does not hide other images, and an
 * address table belongs to the image that was passed. */
#include "abi/include/omp.h"
#include "abi/tgt.h"
#include "tests/rtl/rtl_kit.h"

static char key_one, key_two;
static int shared_value = 1;
static int value_of_a = 10, value_of_b = 20;
static short short_value;

static void write_1(int *out) {
  *out = 1;
}
static void write_2(int *out) {
  *out = 2;
}
static void write_3(int *out) {
  *out = 3;
}

/* The kernels have no hidden parameter (docs/abi-facts.md, 12). */
static tgt_entry_19 entries[] = {{&key_one, "one", 0, 0, 0},
                                 {&key_two, "two", 0, 0, 0},
                                 {&shared_value, "value", sizeof shared_value, 0, 0}};

typedef struct image {
  solo_linked_symbol symbols[3]; /* sorted by name */
  solo_linked_image linked;
  tgt_device_image given;
  tgt_bin_desc descriptor;
} image;

static void make(image *i, uint64_t symbols) {
  i->linked =
      (solo_linked_image){SOLO_LINKED_MAGIC, SOLO_LINKED_VERSION, 0, 1, 62, symbols, i->symbols};
  i->given = (tgt_device_image){&i->linked, &i->linked + 1, entries, entries + 3};
  i->descriptor = (tgt_bin_desc){1, &i->given, entries, entries + 3};
}

static __tgt_device_image public_of(image *i) {
  return (__tgt_device_image){i->given.image_start, i->given.image_end, i->given.entries_begin,
                              i->given.entries_end};
}

static int run(const void *key, int32_t device) {
  int out = 0;
  void *base[] = {&out};
  int64_t size[] = {sizeof out}, type[] = {0x23};
  tgt_kernel_args args = {
      .version = 2, .count = 1, .bases = base, .begins = base, .sizes = size, .types = type};
  return __tgt_target_kernel(NULL, device, 1, 1, (void *)(uintptr_t)key, &args) == 0 ? out : -1;
}

static int device_value(int32_t device) {
  int *at = omp_get_mapped_ptr(&shared_value, device), out = -1;
  if (at) CHECK_INT(__tgt_rtl_data_retrieve(device, &out, at, sizeof out), 0);
  return out;
}

static image a = {.symbols = {{"one", (void *)(uintptr_t)write_1, 0}, {"value", &value_of_a, 4}}};
static image b = {.symbols = {{"one", (void *)(uintptr_t)write_2, 0},
                              {"two", (void *)(uintptr_t)write_3, 0},
                              {"value", &value_of_b, 4}}};
static image wrong_size = {
    .symbols = {{"one", (void *)(uintptr_t)write_1, 0}, {"value", &short_value, 2}}};
/* an image without the variable */
static image half = {.symbols = {{"one", (void *)(uintptr_t)write_1, 0}}};
static char garbage[64] = "no image of any kind";

static void check_both_images(int32_t d) {
  __tgt_register_lib(&a.descriptor);
  __tgt_register_lib(&b.descriptor);
  CHECK_INT(run(&key_one, d), 1);
  CHECK_INT(run(&key_two, d), 3);
  CHECK_INT(device_value(d), 10);
  __tgt_unregister_lib(&a.descriptor);
  CHECK_INT(run(&key_one, d), 2);
  CHECK_INT(device_value(d), 20);
  __tgt_unregister_lib(&b.descriptor);
  CHECK_INT(run(&key_one, d), -1);
}

static void check_half(int32_t d) {
  __tgt_register_lib(&half.descriptor);
  __tgt_register_lib(&b.descriptor);
  CHECK_INT(run(&key_one, d), 1);
  CHECK_INT(run(&key_two, d), 3);
  CHECK_INT(device_value(d), 20);
  __tgt_unregister_lib(&half.descriptor);
  CHECK_INT(run(&key_one, d), 2);
  CHECK_INT(device_value(d), 20);
  __tgt_unregister_lib(&b.descriptor);
}

static void check_bad_first(int32_t d, image *bad) {
  __tgt_register_lib(&bad->descriptor);
  CHECK_INT(run(&key_one, d), -1);
  __tgt_register_lib(&b.descriptor);
  CHECK_INT(run(&key_one, d), 2);
  CHECK_INT(run(&key_two, d), 3);
  CHECK_INT(device_value(d), 20);
  __tgt_unregister_lib(&bad->descriptor);
  CHECK_INT(run(&key_one, d), 2);
  CHECK_INT(device_value(d), 20);
  __tgt_unregister_lib(&b.descriptor);
}

static int region(int32_t d, void *entry) {
  int out = 0, *cell = __tgt_rtl_data_alloc(d, sizeof out);
  void *vars[] = {cell};
  CHECK_INT(__tgt_rtl_run_target_region(d, entry, vars, 1), 0);
  CHECK_INT(__tgt_rtl_data_retrieve(d, &out, cell, sizeof out), 0);
  int32_t later_out = 0;
  tgt_event_t e[2];
  CHECK_INT(__tgt_rtl_async_run_target_region(d, entry, vars, 1, 0, NULL, &e[0]), 0);
  CHECK_INT(__tgt_rtl_async_data_retrieve(d, &later_out, cell, sizeof out, 1, &e[0], &e[1]), 0);
  CHECK_INT(__tgt_rtl_event_wait(e[1]), 0);
  CHECK_INT(later_out, out);
  __tgt_rtl_event_release(e[0]);
  __tgt_rtl_event_release(e[1]);
  CHECK_INT(__tgt_rtl_data_delete(d, cell), 0);
  return out;
}

/* After a load has failed, the next image supplies the address table, and its region runs. */
static void check_rtl(int32_t d) {
  __tgt_device_image bad = {garbage, garbage + sizeof garbage, entries, entries + 3};
  CHECK(__tgt_rtl_load_binary(d, &bad) == NULL);
  CHECK_INT(solo_error_last()->status, SOLO_INCOMPATIBLE);
  __tgt_device_image first = public_of(&a), second = public_of(&b);
  tgt_target_table *of_a = __tgt_rtl_load_binary(d, &first);
  CHECK(of_a != NULL);
  CHECK_INT(run(&key_one, d), 1);
  tgt_target_table *of_b = __tgt_rtl_load_binary(d, &second);
  CHECK(of_b != NULL);
  if (!of_a || !of_b) return;
  CHECK(of_a->begin[1].address == NULL);
  CHECK_INT(region(d, of_a->begin[0].address), 1);
  CHECK_INT(region(d, of_b->begin[0].address), 2);
  CHECK_INT(region(d, of_b->begin[1].address), 3);
  CHECK(of_a->begin[2].address == &value_of_a && of_b->begin[2].address == &value_of_b);
}

int main(void) {
  static image broken;
  make(&a, 2);
  make(&b, 3);
  make(&wrong_size, 2);
  make(&half, 1);
  make(&broken, 0);
  broken.given.image_start = garbage, broken.given.image_end = garbage + sizeof garbage;
  __tgt_device_image probe = kit_image;
  CHECK(__tgt_rtl_load_binary(0, &probe) != NULL); /* the first load assigns the device numbers */
  int32_t devices = __tgt_rtl_number_of_devices();
  CHECK(devices >= 2);
  for (int32_t d = 0; d < devices; d++) {
    check_both_images(d);
    check_half(d);
    check_bad_first(d, &broken);
    check_bad_first(d, &wrong_size);
  }
  for (int32_t d = 0; d < devices; d++) check_rtl(d);
  solo_fini();
  CHECK_INT(solo_deferred_count().blocks, 0);
  return TEST_RESULT();
}
