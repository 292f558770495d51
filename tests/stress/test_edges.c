/* Description: checks edge cases of mappings: many pieces, full reference counts, invalid sizes,
 * failing mappers, shared variables, attached pointers, solo_fini, and regions in thread
 * destructors. */
#define _GNU_SOURCE
#include "runtime/device/devices.h"
#include "runtime/device/kernel.h"
#include "runtime/device/thread_cache.h"
#include "runtime/map/mapper.h"
#include "tests/stress/stress.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static void kernel(void *hidden, int *a) {
  (void)hidden;
  a[0]++;
}

static library lib, other;
static int global = 1, global_device = 1, global_device_2 = 2, unshared, unshared_device;
static int failures_reported;
static char text[1024];

static void reported(void *context, const solo_failure *failure) {
  (void)context;
  failures_reported++;
  snprintf(text, sizeof text, "%s", failure->text);
}

static solo_device *device(void) {
  solo_device *d = NULL;
  CHECK(solo_device_get(0, &d) == SOLO_OK);
  return d;
}

static int many[200], few[200];

static void test_many_pieces(void) {
  list l = {0};
  enter(add(add(&l, many, many, sizeof many, SOLO_MAP_TO), few, few, sizeof few, SOLO_MAP_TO));
  static void *bases[400];
  static int64_t sizes[400], types[400];
  for (int i = 0; i < 400; i++) {
    bases[i] = i % 2 ? &few[i / 2] : &many[i / 2];
    *(int *)bases[i] = i;
    sizes[i] = sizeof(int);
    types[i] = SOLO_MAP_TO;
  }
  __tgt_target_data_update_mapper(NULL, 0, 400, bases, bases, sizes, types, NULL, NULL);
  memset(many, 0, sizeof many);
  memset(few, 0, sizeof few);
  l.types[0] = l.types[1] = SOLO_MAP_FROM;
  leave(&l);
  for (int i = 0; i < 400; i++) CHECK_INT(*(int *)bases[i], i);
  check_left(1);
}

/* most: maximum value of the field in the state word */
static void test_many(uint64_t type, int most) {
  static int value[2];
  const solo_ref ref = type == SOLO_MAP_HOLD ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
  list l = {0}, region = {0}, all = {0};
  add(&l, value, value, sizeof value, type);
  add(&region, value, value, sizeof value,
      SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_ALWAYS | SOLO_MAP_TARGET_PARAM);
  add(&all, value, value, sizeof value, SOLO_MAP_DELETE);
  failures_reported = 0;
  for (int i = 0; i < most + 30; i++) enter(&l);
  solo_mapping *m = mapping_at(value);
  CHECK_INT(solo_large_count(m, solo_load_relaxed(&m->count), ref), most + 30);
  /* a region and an update use the mapping */
  value[0] = 41;
  CHECK_INT(launch(&lib.key, &region), 0);
  CHECK_INT(value[0], 42);
  update(&region);
  for (int i = 0; i < most + 29; i++) {
    if (mapping_at(value) != m) CHECK(!"gone too early");
    leave(&l);
  }
  CHECK_INT(solo_large_count(m, solo_load_relaxed(&m->count), ref), 1);
  for (int i = 0; i < most + 29; i++) enter(&l);
  leave(&all); /* deletes dynamic references only */
  CHECK(mapping_at(value) == (ref == SOLO_REF_HOLD ? m : NULL));
  for (int i = 0; ref == SOLO_REF_HOLD && i < most + 30; i++) leave(&l);
  CHECK(mapping_at(value) == NULL);
  CHECK_INT(failures_reported, 0);
  check_left(1);
}

static void test_sizes(void) {
  static int value[4];
  failures_reported = 0;
  list good = {0};
  enter(add(&good, value, value, sizeof value, SOLO_MAP_TO));
  list bad = {0};
  add(&bad, value, value + 2, -4, SOLO_MAP_TO | SOLO_MAP_FROM);
  enter(&bad);
  CHECK_INT(failures_reported, 1);
  CHECK_HAS(text, "negative");
  update(&bad);
  CHECK_INT(failures_reported, 2);
  leave(&bad);
  CHECK_INT(failures_reported, 3);
  list private_copy = {0};
  add(&private_copy, value, value, -4, SOLO_MAP_PRIVATE | SOLO_MAP_TO | SOLO_MAP_TARGET_PARAM);
  CHECK(launch(&lib.key, &private_copy) != 0);
  private_copy.sizes[0] = INT64_MAX;
  CHECK(launch(&lib.key, &private_copy) != 0);
  CHECK_INT(failures_reported, 5);
  list end = {0}; /* the range would extend beyond the last address */
  enter(add(&end, (void *)(UINTPTR_MAX - 8), (void *)(UINTPTR_MAX - 8), 64, 0));
  CHECK_INT(failures_reported, 6);
  list none = {0};
  enter(&none);
  update(&none);
  leave(&none);
  leave(&good);
  CHECK_INT(failures_reported, 6);
  check_left(1);
}

static int x, y, *pointer = &x;

static void mapper(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  (void)base, (void)begin, (void)size, (void)type;
  /* the pointer gets a separate mapping with one reference */
  __tgt_push_mapper_component(handle, &pointer, &x, sizeof x, SOLO_MAP_TO | SOLO_MAP_PTR_AND_OBJ,
                              name);
}

static void test_failing_after_mapper(void) {
  list l = {0};
  add(&l, &y, &y, sizeof y, SOLO_MAP_TO);
  l.mappers[0] = (void *)(uintptr_t)mapper;
  add(&l, &y, &y, sizeof y, SOLO_MAP_PRESENT); /* not present: the construct fails */
  failures_reported = 0;
  enter(&l);
  CHECK_INT(failures_reported, 1);
  check_left(1);
  l.count = 1;
  enter(&l);
  check_left(3);
  leave(&l);
  check_left(1);
}

static void mapper_without_memory(void *handle, void *base, void *begin, int64_t size, int64_t type,
                                  void *name) {
  (void)base, (void)begin, (void)size, (void)type, (void)name;
  solo_components *components = handle;
  components->last = (solo_component *)((uintptr_t)components->end + 1);
}

static void test_mapper_without_memory(void) {
  list l = {0};
  add(&l, &y, &y, sizeof y, SOLO_MAP_TO | SOLO_MAP_FROM);
  add(&l, &x, &x, sizeof x, SOLO_MAP_TO);
  l.mappers[1] = (void *)(uintptr_t)mapper_without_memory;
  failures_reported = 0;
  enter(&l);
  CHECK_INT(failures_reported, 1);
  CHECK_HAS(text, "components of a mapper");
  check_left(1);
  l.mappers[1] = (void *)(uintptr_t)mapper;
  enter(&l);
  check_left(4);
  l.mappers[1] = (void *)(uintptr_t)mapper_without_memory;
  leave(&l);
  CHECK_INT(failures_reported, 2);
  CHECK(mapping_at(&y) == NULL);
  check_left(3); /* references of the components, which the failed construct did not release */
  l.mappers[1] = (void *)(uintptr_t)mapper;
  l.types[0] = SOLO_MAP_LITERAL;
  leave(&l);
  CHECK_INT(failures_reported, 2);
  check_left(1);
}

static void test_overlap_without_memory(void) {
  const int64_t much = INT64_C(1) << 46; /* bytes that exceed the memory of the device */
  list l = {0};
  add(&l, many, many, 64, 0);
  enter(&l);
  list larger = {0};
  add(&larger, many, many, much, 0);
  failures_reported = 0;
  enter(&larger);
  CHECK_INT(failures_reported, 1);
  CHECK(strstr(text, "would extend the mapping") != NULL);
  leave(&l);
  check_left(1);
}

static struct { int *p; } holder;
static uint32_t gate_seen;

static void look(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
  solo_mapping *m = mapping_at(&holder);
  gate_seen = m ? solo_load_relaxed(&m->data_state) : SOLO_DATA_READY;
}

static void test_gate(void) {
  holder.p = &x;
  list l = {0};
  add(&l, &holder, &holder, sizeof holder, SOLO_MAP_TO);
  add(&l, &x, &x, sizeof x, SOLO_MAP_TO);
  add(&l, &y, &y, sizeof y, 0);
  l.mappers[2] = (void *)(uintptr_t)look;
  add(&l, &holder.p, &x, sizeof holder.p, SOLO_MAP_ATTACH);
  enter(&l);
  CHECK_INT(gate_seen, SOLO_DATA_PENDING);
  CHECK_INT(solo_load_relaxed(&mapping_at(&holder)->data_state), SOLO_DATA_READY);
  l.mappers[2] = NULL;
  l.types[2] = SOLO_MAP_LITERAL;
  leave(&l);
  check_left(1);
}

static int wanted[64];
static pthread_t closing_op;

static void *close_wanted(void *unused) {
  list l = {0};
  leave(add(&l, wanted, wanted, sizeof wanted, 0));
  static int next[64]; /* uses the block of `wanted`, if the block was already freed */
  list taker = {0};
  enter(add(&taker, next, next, sizeof next, SOLO_MAP_TO));
  leave(&taker);
  return unused;
}

static void close_meanwhile(void *handle, void *base, void *begin, int64_t size, int64_t type,
                            void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
  pthread_create(&closing_op, NULL, close_wanted, NULL);
  nanosleep(&(struct timespec){0, 50000000}, NULL);
}

static void test_closed_meanwhile(void) {
  list l = {0};
  add(&l, &y, &y, sizeof y, 0);
  add(&l, wanted, wanted, sizeof wanted, SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_ALWAYS);
  for (int i = 0; i < 64; i++) wanted[i] = i + 1;
  enter(&l);
  list second = {0};
  enter(add(&second, wanted, wanted, sizeof wanted, 0));
  memset(wanted, 0, sizeof wanted);
  /* entries are processed in reverse order, so this mapper runs before `wanted` is copied */
  l.mappers[0] = (void *)(uintptr_t)close_meanwhile;
  leave(&l);
  pthread_join(closing_op, NULL);
  for (int i = 0; i < 64; i++) CHECK_INT(wanted[i], i + 1);
  l.mappers[0] = NULL;
  l.count = 1;
  leave(&l);
  check_left(1);
}

static solo_devptr global_at(void) {
  solo_mapping *m = mapping_at(&global);
  return m ? solo_load_relaxed(&m->device) : 0;
}

static void test_shared_variable(void) {
  solo_devptr first = global_at();
  CHECK(first != 0);
  __tgt_register_lib(&other.descriptor);
  CHECK(global_at() == first); /* uses the copy of the first library */
  __tgt_unregister_lib(&other.descriptor);
  CHECK(global_at() == first); /* the copy remains after the second library is unregistered */
  __tgt_register_lib(&other.descriptor);
  (void)device();
  __tgt_unregister_lib(&lib.descriptor);
  /* without the first library, regions use the copy of the second library */
  CHECK(global_at() != 0 && global_at() != first);
  __tgt_register_lib(&lib.descriptor);
  __tgt_unregister_lib(&other.descriptor);
  CHECK(global_at() == first);
  /* a reference does not prevent the removal */
  list l = {0};
  enter(add(&l, &global, &global, sizeof global, SOLO_MAP_HOLD));
  __tgt_unregister_lib(&lib.descriptor);
  __tgt_register_lib(&other.descriptor);
  CHECK(global_at() != first);
  __tgt_unregister_lib(&other.descriptor);
  __tgt_register_lib(&lib.descriptor);
  CHECK(global_at() == first);
}

static void test_reloaded_libraries(void) {
  /* an array, because libraries that dlopen loads have different addresses */
  static library guests[300];
  static int value;
  list l = {0};
  add(&l, &value, &value, sizeof value, SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM);
  for (int i = 0; i < 300; i++) {
    library_make(&guests[i], (void *)(uintptr_t)kernel, &unshared, &unshared_device);
    __tgt_register_lib(&guests[i].descriptor);
    CHECK_INT(launch(&guests[i].key, &l), 0);
    __tgt_unregister_lib(&guests[i].descriptor);
  }
  CHECK_INT(value, 300);
  int kernels = 0;
  for (solo_kernel *k = device()->all_kernels; k; k = k->next) kernels++;
  CHECK(kernels <= 2); /* the records of kernels are reused */
  CHECK(solo_load_relaxed(&device()->kernels)->mask < 64);
  check_left(1);
}

static pthread_key_t deferred;
static solo_bqueue *queue_of_other, *queue_of_late;

static void *take_queue(void *unused) {
  CHECK(solo_device_queue(device(), &queue_of_other) == SOLO_OK);
  return unused;
}

static void late_use(void *value) {
  /* sets the value again, so that this destructor runs a second time, after solo's destructor */
  if (value == (void *)1) {
    pthread_setspecific(deferred, (void *)2);
    return;
  }
  CHECK(solo_device_queue(device(), &queue_of_late) == SOLO_OK);
  pthread_t thread;
  pthread_create(&thread, NULL, take_queue, NULL);
  pthread_join(thread, NULL);
}

static void *late_thread(void *unused) {
  take_queue(NULL);
  pthread_setspecific(deferred, (void *)1);
  return unused;
}

static void test_late(void) {
  pthread_t thread;
  pthread_key_create(&deferred, late_use);
  pthread_create(&thread, NULL, late_thread, NULL);
  pthread_join(thread, NULL);
  /* both queues are in use and must differ */
  if (!device()->synchronous) CHECK(queue_of_late != queue_of_other);
}

static sem_t lives, may_end;

static void *thread_across_fini(void *unused) {
  solo_bqueue *queue;
  CHECK(solo_device_queue(device(), &queue) == SOLO_OK);
  sem_post(&lives);
  sem_wait(&may_end);
  CHECK(solo_device_queue(device(), &queue) == SOLO_OK);
  return unused;
}

static void test_fini(void) {
  static int left[100], value;
  pthread_t thread;
  sem_init(&lives, 0, 0);
  sem_init(&may_end, 0, 0);
  pthread_create(&thread, NULL, thread_across_fini, NULL);
  sem_wait(&lives);
  list l = {0};
  enter(add(&l, left, left, sizeof left, SOLO_MAP_TO));
  solo_fini();
  if (solo_deferred_count) CHECK_INT(solo_deferred_count().blocks, 0);
  if (solo_deferred_count) CHECK_INT(solo_deferred_count().queues, 0);
  sem_post(&may_end);
  pthread_join(thread, NULL);
  /* one queue of the main thread and one queue of this thread */
  if (solo_deferred_count) CHECK_INT(solo_deferred_count().queues, 2);
  list again = {0};
  add(&again, &value, &value, sizeof value, SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM);
  CHECK_INT(launch(&lib.key, &again), 0);
  CHECK_INT(value, 1);
  leave(&l); /* has no effect, because solo_fini removed the mapping */
  check_left(1);
}

int main(void) {
  solo_set_error_callback(reported, NULL);
  library_make(&lib, (void *)(uintptr_t)kernel, &global, &global_device);
  library_make(&other, (void *)(uintptr_t)kernel, &global, &global_device_2);
  __tgt_register_lib(&lib.descriptor);
  test_many_pieces();
  test_many(SOLO_MAP_HOLD, 1022);
  test_many(SOLO_MAP_TO, (1 << 20) - 3);
  test_sizes();
  test_failing_after_mapper();
  test_mapper_without_memory();
  test_overlap_without_memory();
  test_gate();
  test_closed_meanwhile();
  test_shared_variable();
  test_reloaded_libraries();
  test_late();
  test_fini();
  __tgt_unregister_lib(&lib.descriptor);
  check_left(0);
  solo_fini();
  return TEST_RESULT();
}
