/* Description: checks each function of the target RTL interface on the CPU and on deferred devices:
 * images, data, regions, and the states of events. A failure must be reported once. */
#include "runtime/device/devices.h"
#include "runtime/device/fptr.h"
#include "tests/rtl/rtl_kit.h"

static void check_image(int32_t d) {
  tgt_target_table *table = __tgt_rtl_load_binary(d, &kit_image);
  CHECK(table != NULL);
  if (!table) return;
  CHECK_INT(table->end - table->begin, KIT_ENTRIES);
  CHECK(table->begin[KIT_MIX].address != NULL);
  CHECK(table->begin[KIT_ABSENT].address == NULL);
  CHECK(table->begin[KIT_GLOBAL].address == &kit_global_device);
  CHECK_INT(table->begin[KIT_GLOBAL].size, sizeof(int));
  CHECK_TEXT(table->begin[KIT_MIX].name, "mix");
  CHECK(__tgt_rtl_load_binary(d, &kit_image) == table);
}

static void check_synchronous(int32_t d) {
  void *entry = __tgt_rtl_load_binary(d, &kit_image)->begin[KIT_MIX].address;
  uint64_t in[3] = {11, 22, 33}, out = 0;
  uint64_t *cells = __tgt_rtl_data_alloc(d, 4 * 8);
  CHECK(cells != NULL);
  CHECK_INT(__tgt_rtl_data_submit(d, cells + 1, in, sizeof in), 0);
  void *vars[] = {cells, (void *)5, cells + 1, cells + 2, cells + 3};
  CHECK_INT(__tgt_rtl_run_target_region(d, entry, vars, 5), 0);
  CHECK_INT(__tgt_rtl_data_retrieve(d, &out, cells, 8), 0);
  CHECK_INT(out, kit_mix(5, 11, 22, 33));
  vars[1] = (void *)6;
  CHECK_INT(__tgt_rtl_run_target_team_region(d, entry, vars, 5, 1, 1), 0);
  CHECK_INT(__tgt_rtl_data_retrieve(d, &out, cells, 8), 0);
  CHECK_INT(out, kit_mix(6, 11, 22, 33));
  CHECK_INT(__tgt_rtl_data_submit(d, cells, in, 0), 0);
  CHECK_INT(__tgt_rtl_data_delete(d, cells), 0);
}

static void check_refusals(int32_t devices) {
  char junk[64] = "no image of any kind";
  __tgt_device_image bad = {junk, junk + sizeof junk, NULL, NULL};
  CHECK(__tgt_rtl_is_valid_binary(&kit_image));
  CHECK(!__tgt_rtl_is_valid_binary(&bad));
  CHECK(!__tgt_rtl_is_valid_binary(NULL));
  CHECK(__tgt_rtl_load_binary(0, NULL) == NULL);
  CHECK(__tgt_init_device(devices) != 0);
  CHECK(__tgt_init_device(-1) != 0);
  CHECK(__tgt_rtl_data_alloc(0, 0) == NULL);
  CHECK(__tgt_rtl_data_alloc(devices, 8) == NULL);
  CHECK(__tgt_rtl_data_submit(0, NULL, junk, 8) != 0);
  CHECK(__tgt_rtl_data_retrieve(0, junk, junk, -1) != 0);
  CHECK(__tgt_rtl_run_target_region(0, NULL, NULL, 0) != 0);
  CHECK(__tgt_rtl_async_data_submit(0, NULL, junk, 8, 0, NULL, NULL) != 0);
  CHECK(__tgt_rtl_async_dep(0, 1, NULL, NULL) != 0);
  CHECK(__tgt_rtl_async_dep(devices + 1, 0, NULL, NULL) != 0);
  CHECK(__tgt_rtl_enforce_dep(0, 1, NULL) != 0);
  CHECK_INT(tgt_rtl_event_count(), 0);
}

static void check_function_pointers(int32_t d) {
  __omp_offloading_fptr_map_ty pairs[] = {{0x2000, 0x20}, {0x1000, 0x10}};
  solo_device *device;
  __tgt_rtl_set_function_ptr_map(d, 2, pairs);
  CHECK_INT(solo_error_last()->status, SOLO_OK);
  CHECK_INT(solo_device_get(d, &device), SOLO_OK);
  CHECK(solo_fptr_translate(device, (void *)0x1000) == (void *)0x10);
  CHECK(solo_fptr_translate(device, (void *)0x2000) == (void *)0x20);
  CHECK(solo_fptr_translate(device, (void *)0x3000) == (void *)0x3000);
  __tgt_rtl_set_function_ptr_map(d, 1, NULL);
  CHECK_INT(solo_error_last()->status, SOLO_INVALID);
  __tgt_rtl_set_function_ptr_map(d, 0, NULL);
  CHECK_INT(solo_error_last()->status, SOLO_OK);
}

/* Submit, region and retrieve wait in a chain for an event that the host releases. */
static void check_chain(int32_t d) {
  void *entry = __tgt_rtl_load_binary(d, &kit_image)->begin[KIT_MIX].address;
  uint64_t in[3] = {1, 2, 3}, out = 0;
  uint64_t *cells = __tgt_rtl_data_alloc(d, 4 * 8);
  void *vars[] = {cells, (void *)9, cells + 1, cells + 2, cells + 3};
  tgt_event_t gate, chain[4];
  tgt_sync_event_t open;
  CHECK_INT(__tgt_rtl_host_event(&gate, &open), 0);
  CHECK_INT(__tgt_rtl_async_data_submit(d, cells + 1, in, sizeof in, 1, &gate, &chain[0]), 0);
  CHECK_INT(
      __tgt_rtl_async_run_target_team_region(d, entry, vars, 5, 1, 1, 1, &chain[0], &chain[1]), 0);
  CHECK_INT(__tgt_rtl_async_data_retrieve(d, &out, cells, 8, 1, &chain[1], &chain[2]), 0);
  CHECK_INT(__tgt_rtl_async_dep(d, 3, chain, &chain[3]), 0);
  CHECK_INT(__tgt_rtl_process_dep(), 0);
  CHECK_INT(__tgt_rtl_event_status(chain[0]), -1);
  /* the copy must wait for the release of the event, so the device receives this value */
  in[0] = 100;
  __tgt_rtl_release_dep(open);
  CHECK_INT(__tgt_rtl_event_wait(chain[3]), 0);
  CHECK_INT(out, kit_mix(9, 100, 2, 3));
  for (int i = 0; i < 4; i++) {
    CHECK_INT(__tgt_rtl_event_status(chain[i]), 0);
    __tgt_rtl_event_release(chain[i]);
  }
  __tgt_rtl_event_release(gate);
  CHECK_INT(__tgt_rtl_data_delete(d, cells), 0);
  CHECK_INT(tgt_rtl_event_count(), 0);
}

static int called;
static tgt_sync_event_t given;

static void keep(tgt_event_t event, tgt_sync_event_t sync, int32_t status) {
  CHECK_INT(__tgt_rtl_event_status(event), status);
  called++;
  given = sync;
}

/* Two devices: the operation on the second device runs after the callback has released its event. */
static void check_callback(int32_t from, int32_t to) {
  uint64_t in = 5, out = 0;
  uint64_t *a = __tgt_rtl_data_alloc(from, 8), *b = __tgt_rtl_data_alloc(to, 8);
  uint64_t middle = 0;
  tgt_event_t e[4];
  called = 0;
  __tgt_rtl_init_dep(keep);
  CHECK_INT(__tgt_rtl_async_data_submit(from, a, &in, 8, 0, NULL, &e[0]), 0);
  CHECK_INT(__tgt_rtl_async_data_retrieve(from, &middle, a, 8, 1, &e[0], &e[1]), 0);
  CHECK_INT(__tgt_rtl_enforce_dep(from, to, e[1]), 0);
  CHECK_INT(__tgt_rtl_async_data_submit(to, b, &middle, 8, 1, &e[1], &e[2]), 0);
  CHECK_INT(__tgt_rtl_event_wait(e[1]), 0);
  CHECK_INT(called, 1);
  for (int i = 0; i < 5; i++) CHECK_INT(__tgt_rtl_process_dep(), 0);
  CHECK_INT(__tgt_rtl_event_status(e[2]), -1);
  __tgt_rtl_release_dep(given);
  CHECK_INT(__tgt_rtl_async_data_retrieve(to, &out, b, 8, 1, &e[2], &e[3]), 0);
  CHECK_INT(__tgt_rtl_event_wait(e[3]), 0);
  CHECK_INT(out, 5);
  CHECK_INT(called, 1);
  __tgt_rtl_init_dep(NULL);
  for (int i = 0; i < 4; i++) __tgt_rtl_event_release(e[i]);
  __tgt_rtl_data_delete(from, a);
  __tgt_rtl_data_delete(to, b);
  CHECK_INT(tgt_rtl_event_count(), 0);
}

/* A failure must reach dependent operations on another device and be reported once. */
static void check_failure(int32_t bad, int32_t other, int when_done) {
  uint64_t in = 5, middle = 0;
  uint64_t *a = __tgt_rtl_data_alloc(bad, 8), *b = __tgt_rtl_data_alloc(other, 8);
  tgt_event_t e[3];
  if (when_done) solo_deferred_fail_work_at(1);
  CHECK_INT(__tgt_rtl_async_dep(bad, 0, NULL, &e[0]), 0);
  if (!when_done) solo_deferred_fail_at(1);
  CHECK_INT(__tgt_rtl_async_data_submit(bad, a, &in, 8, 1, &e[0], &e[1]), 0);
  CHECK_INT(__tgt_rtl_async_data_submit(other, b, &middle, 8, 1, &e[1], &e[2]), 0);
  CHECK(__tgt_rtl_event_wait(e[2]) > 0);
  CHECK_INT(__tgt_rtl_event_wait(e[0]), 0);
  CHECK_INT(__tgt_rtl_event_status(e[1]), __tgt_rtl_event_status(e[2]));
  int32_t told = __tgt_rtl_process_dep();
  CHECK_INT(told, __tgt_rtl_event_status(e[1]));
  CHECK_INT(solo_error_last()->status, told);
  CHECK_INT(__tgt_rtl_process_dep(), 0);
  solo_deferred_fail_at(0);
  solo_deferred_fail_work_at(0);
  for (int i = 0; i < 3; i++) __tgt_rtl_event_release(e[i]);
  CHECK_INT(__tgt_rtl_data_submit(bad, a, &in, 8), 0);
  __tgt_rtl_data_delete(bad, a);
  __tgt_rtl_data_delete(other, b);
  CHECK_INT(tgt_rtl_event_count(), 0);
}

int main(void) {
  int32_t devices = __tgt_rtl_number_of_devices();
  CHECK(devices >= 3);
  check_refusals(devices);
  for (int32_t d = 0; d < devices; d++) {
    CHECK_INT(__tgt_init_device(d), 0);
    CHECK_INT(__tgt_rtl_init_device(d), 0);
    check_image(d);
    check_synchronous(d);
    check_function_pointers(d);
    check_chain(d);
    check_callback(d, (d + 1) % devices);
  }
  for (int when_done = 0; when_done < 2; when_done++) {
    check_failure(devices - 1, devices - 2, when_done);
    check_failure(devices - 2, 0, when_done);
  }
  solo_fini();
  CHECK_INT(solo_deferred_count().blocks, 0);
  check_image(devices - 1); /* opens the device again after solo_fini(), and loads other kernels */
  check_synchronous(devices - 1);
  check_chain(devices - 1);
  solo_fini();
  return TEST_RESULT();
}
