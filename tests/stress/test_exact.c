/* Description: checks exact reference counts and copies: overlaps, releases without a dynamic or
 * hold reference, deleted pointees, failing constructs. Other threads find a new mapping only when
 * it is complete. Each check detects a fault of tests/mutations/core.list. */
#include "abi/include/omp.h"
#include "runtime/device/devices.h"
#include "tests/stress/stress.h"

static void kernel(void *hidden) {
  (void)hidden;
}

static library lib;
static int global = 1, global_device = 1, failures_reported;

static void reported(void *context, const solo_failure *failure) {
  (void)context, (void)failure;
  failures_reported++;
}

static uint64_t count_of(void *host, uint64_t mask) {
  solo_mapping *m = mapping_at(host);
  return m ? solo_load_relaxed(&m->count) & mask : 0; /* relaxed: no other thread runs */
}

static int cells[16];

/* Returns whether an update and a mapping of this range fail while cells 4 to 11 are mapped. */
static int is_refused(int first, int count) {
  list l = {0};
  add(&l, &cells[first], &cells[first], count * (int64_t)sizeof(int), SOLO_MAP_TO);
  failures_reported = 0;
  update(&l);
  if (!failures_reported) return 0; /* returns before enter(), which might wait forever */
  enter(&l);
  return failures_reported == 2;
}

static void test_overlaps(void) {
  list l = {0};
  enter(add(&l, &cells[4], &cells[4], 8 * sizeof(int), SOLO_MAP_TO));
  CHECK(is_refused(3, 3));
  CHECK(is_refused(10, 3));
  CHECK(is_refused(3, 10));
  failures_reported = 0;
  list inside = {0};
  enter(add(&inside, &cells[4], &cells[4], 8 * sizeof(int), SOLO_MAP_TO));
  leave(&inside);
  leave(&l);
  CHECK_INT(failures_reported, 0);
  check_left(1);
}

static void test_kinds(void) {
  list held = {0}, plain = {0};
  enter(add(&held, cells, cells, sizeof cells, SOLO_MAP_HOLD));
  add(&plain, cells, cells, sizeof cells, 0);
  leave(&plain); /* releases nothing without a dynamic reference */
  CHECK_INT(count_of(cells, SOLO_COUNT_HOLD), SOLO_COUNT_HOLD_ONE);
  CHECK_INT(count_of(cells, SOLO_COUNT_DYNAMIC), 0);
  enter(&plain);
  leave(&held);
  leave(&held); /* releases nothing without a hold reference */
  CHECK_INT(count_of(cells, SOLO_COUNT_LIVE), SOLO_COUNT_DYNAMIC_ONE);
  leave(&plain);
  check_left(1);
}

static void test_hold_of_infinite(void) {
  list held = {0};
  enter(add(&held, &global, &global, sizeof global, SOLO_MAP_HOLD));
  CHECK_INT(count_of(&global, SOLO_COUNT_HOLD), SOLO_COUNT_HOLD_ONE);
  leave(&held);
  CHECK_INT(count_of(&global, SOLO_COUNT_HOLD), 0);
  CHECK_INT(count_of(&global, SOLO_COUNT_DYNAMIC), SOLO_COUNT_DYNAMIC);
}

static void test_pointee_deleted(void) {
  static int *pointer = cells;
  list own = {0}, through = {0};
  enter(add(&own, &pointer, &pointer, sizeof pointer, SOLO_MAP_TO));
  enter(&own);
  enter(add(&through, &pointer, cells, sizeof cells, SOLO_MAP_TO | SOLO_MAP_PTR_AND_OBJ));
  uint64_t with = count_of(&pointer, SOLO_COUNT_DYNAMIC);
  through.types[0] = SOLO_MAP_DELETE | SOLO_MAP_PTR_AND_OBJ;
  leave(&through);
  CHECK(mapping_at(cells) == NULL);
  CHECK_INT(count_of(&pointer, SOLO_COUNT_DYNAMIC), with - 1);
  leave(&own);
  leave(&own);
  check_left(1);
}

static void test_failing(void) {
  static int absent;
  list l = {0};
  add(&l, cells, cells, sizeof cells, SOLO_MAP_TO);
  add(&l, &absent, &absent, sizeof absent, SOLO_MAP_PRESENT);
  failures_reported = 0;
  enter(&l);
  CHECK_INT(failures_reported, 1);
  check_left(1);
}

static void test_fetch(void) {
  list l = {0};
  cells[0] = 1;
  enter(add(&l, cells, cells, sizeof cells, SOLO_MAP_TO | SOLO_MAP_FROM));
  enter(&l);
  cells[0] = 2;
  leave(&l); /* not the last reference, so nothing is copied */
  CHECK_INT(cells[0], 2);
  leave(&l);
  CHECK_INT(cells[0], 1);
  check_left(1);
}

static void no_components(void *handle, void *base, void *begin, int64_t size, int64_t type,
                          void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
}

static struct { int *pointer, value; } holder;

/* Returns whether the holder, the first entry of the list, was complete when other threads could
 * find it. */
static int is_complete(list *l) {
  enter(l);
  solo_mapping *m = mapping_at(&holder);
  int complete = m && (m->flags & SOLO_MAPPING_COMPLETE);
  l->mappers[1] = NULL;
  leave(l);
  check_left(1);
  return complete;
}

static void test_complete(void) {
  solo_device *d = NULL;
  CHECK(solo_device_get(0, &d) == SOLO_OK);
  list alone = {0}, attached = {0}, pointee = {0}, mapped = {0}, sent = {0};
  const int synchronous = solo_device_is_synchronous(d);
  holder.pointer = cells;
  add(&alone, &holder, &holder, sizeof holder, SOLO_MAP_TO);
  CHECK_INT(is_complete(&alone), synchronous);
  add(&attached, &holder, &holder, sizeof holder, SOLO_MAP_TO);
  add(&attached, &holder.pointer, cells, sizeof cells, SOLO_MAP_ATTACH);
  CHECK(!is_complete(&attached));
  add(&pointee, &holder, &holder, sizeof holder, SOLO_MAP_TO);
  add(&pointee, &holder.pointer, cells, sizeof cells, SOLO_MAP_PTR_AND_OBJ);
  CHECK(!is_complete(&pointee));
  add(&mapped, &holder, &holder, sizeof holder, SOLO_MAP_TO);
  add(&mapped, cells, cells, sizeof cells, 0);
  mapped.mappers[1] = (void *)(uintptr_t)no_components;
  CHECK(!is_complete(&mapped));
  add(&sent, &holder, &holder, sizeof holder, 0);
  add(&sent, &holder, &holder.value, sizeof holder.value, SOLO_MAP_TO);
  CHECK(!is_complete(&sent));
}

int main(void) {
  solo_set_error_callback(reported, NULL);
  library_make(&lib, (void *)(uintptr_t)kernel, &global, &global_device);
  __tgt_register_lib(&lib.descriptor);
  /* is_accessible succeeds because device and host share memory, not because the cells are mapped */
  CHECK_INT(omp_target_is_accessible(cells, sizeof cells, 0), 1);
  CHECK_INT(omp_target_is_present(cells, 0), 0);
  test_overlaps();
  test_kinds();
  test_hold_of_infinite();
  test_pointee_deleted();
  test_failing();
  test_fetch();
  test_complete();
  __tgt_unregister_lib(&lib.descriptor);
  check_left(0);
  solo_fini();
  return TEST_RESULT();
}
