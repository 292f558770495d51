/* Description: checks constructs that share mappings between threads: incomplete mappings, deletion
 * under regions, maximum uses in flight, circular waits, names of unloaded libraries, many attached
 * pointers. */
#define _GNU_SOURCE
#include "runtime/device/devices.h"
#include "runtime/map/mapper.h"
#include "runtime/table/shadow.h"
#include "tests/stress/stress.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static library lib;
static int global, global_device;
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

static void a_moment(void) {
  nanosleep(&(struct timespec){0, 60000000}, NULL);
}

typedef struct pair {
  int a, b;
} pair;

/* The action of the kernel depends on the test. */
static sem_t kernel_runs, kernel_may_end;
static enum { NOTHING, READS, WAITS } kernel_does;

static void kernel(void *hidden, pair *in, int *out) {
  (void)hidden;
  if (kernel_does == READS) *out = in->b;
  if (kernel_does != WAITS) return;
  sem_post(&kernel_runs);
  sem_wait(&kernel_may_end);
}

/* A mapper that maps nothing. The mapper stops its construct after the previous entries were
 * mapped. */
static sem_t stopped[2], go_on[2];

static void stop(int which) {
  sem_post(&stopped[which]);
  sem_wait(&go_on[which]);
}

static void stop_0(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
  stop(0);
}

static void stop_1(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
  stop(1);
}

static void nothing(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
}

static void add_stop(list *l, solo_mapper_function *mapper) {
  static int any;
  add(l, &any, &any, sizeof any, 0);
  l->mappers[l->count - 1] = (void *)(uintptr_t)mapper;
}

static int y[64], w[64];
static pair s;

static void *make_y(void *unused) {
  list l = {0};
  add(&l, y, y, sizeof y, SOLO_MAP_TO);
  add_stop(&l, stop_0); /* stops when y is mapped and its data is not complete */
  enter(&l);
  return unused;
}

static void *make_s(void *unused) {
  list l = {0};
  add(&l, &s, &s, sizeof s, 0); /* the entries of the members follow */
  add(&l, y, y, sizeof y, SOLO_MAP_TO | SOLO_MAP_ALWAYS);
  add(&l, &s, &s.b, sizeof s.b, SOLO_MAP_TO | (UINT64_C(1) << SOLO_MAP_MEMBER_SHIFT));
  enter(&l);
  return unused;
}

static int s_b_seen;

static void *see_s(void *unused) {
  list l = {0};
  add(&l, &s, &s, sizeof s, SOLO_MAP_TARGET_PARAM);
  add(&l, &s_b_seen, &s_b_seen, sizeof s_b_seen, SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM);
  CHECK_INT(launch(&lib.key, &l), 0);
  return unused;
}

static void test_hidden_until_complete(void) {
  pthread_t threads[3];
  for (int i = 0; i < 64; i++) y[i] = i;
  s = (pair){1, 4711};
  kernel_does = READS;
  pthread_create(&threads[0], NULL, make_y, NULL);
  sem_wait(&stopped[0]);
  pthread_create(&threads[1], NULL, make_s, NULL);
  a_moment(); /* make_s must now wait for y */
  pthread_create(&threads[2], NULL, see_s, NULL);
  a_moment();
  y[7] = 700; /* with the always modifier, make_s copies this value after make_y has continued */
  sem_post(&go_on[0]);
  for (int t = 0; t < 3; t++) pthread_join(threads[t], NULL);
  CHECK_INT(s_b_seen, 4711);
  kernel_does = NOTHING;
  y[7] = 0;
  list l = {0};
  add(&l, y, y, sizeof y, SOLO_MAP_FROM | SOLO_MAP_DELETE);
  leave(add(&l, &s, &s, sizeof s, SOLO_MAP_DELETE));
  CHECK_INT(y[7], 700);
  CHECK_INT(y[8], 8);
  check_left(1);
}

/* Each of two threads creates a mapping and then waits for the mapping of the other thread. */
static void *map_and_wait_for_other(void *argument) {
  int t = (int)(intptr_t)argument;
  int *own = t ? w : y, *other = t ? y : w;
  list l = {0};
  add(&l, own, own, sizeof y, SOLO_MAP_TO);
  add_stop(&l, t ? stop_1 : stop_0);
  add(&l, other, other, sizeof y, SOLO_MAP_TO | SOLO_MAP_ALWAYS);
  enter(&l);
  return NULL;
}

static void test_circle(void) {
  pthread_t threads[2];
  for (intptr_t t = 0; t < 2; t++) {
    pthread_create(&threads[t], NULL, map_and_wait_for_other, (void *)t);
    sem_wait(&stopped[t]);
  }
  for (int t = 0; t < 2; t++) sem_post(&go_on[t]);
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  list l = {0};
  leave(add(add(&l, y, y, sizeof y, SOLO_MAP_DELETE), w, w, sizeof w, SOLO_MAP_DELETE));
  check_left(1);
}

/* One thread deletes y and w while another thread, which is still mapping w, maps y again. */
static void *delete_both(void *unused) {
  list l = {0};
  leave(add(add(&l, w, w, sizeof w, SOLO_MAP_DELETE), y, y, sizeof y, SOLO_MAP_DELETE));
  return unused;
}

static void *make_w_then_y(void *unused) {
  list l = {0};
  add(&l, w, w, sizeof w, SOLO_MAP_TO);
  add_stop(&l, stop_0);
  add(&l, y, y, sizeof y, SOLO_MAP_TO);
  enter(&l);
  return unused;
}

static void test_delete_circle(void) {
  pthread_t creating_op, deleter;
  list l = {0};
  enter(add(&l, y, y, sizeof y, SOLO_MAP_TO));
  pthread_create(&creating_op, NULL, make_w_then_y, NULL);
  sem_wait(&stopped[0]);
  pthread_create(&deleter, NULL, delete_both, NULL);
  a_moment(); /* y and w are closing; the deleter waits for the construct that maps w */
  sem_post(&go_on[0]);
  pthread_join(creating_op, NULL);
  pthread_join(deleter, NULL);
  CHECK(mapping_at(y) != NULL && mapping_at(w) == NULL);
  leave(&l);
  check_left(1);
}

static void *region_with_stop(void *unused) {
  list l = {0};
  add(&l, w, w, sizeof w, SOLO_MAP_FROM | SOLO_MAP_ALWAYS);
  add_stop(&l, stop_0);
  l.mappers[1] = (void *)(uintptr_t)stop_0;
  /* the mapper stops the construct also at its end */
  CHECK_INT(launch(&lib.key, &l), 0);
  return unused;
}

static void *region_that_waits(void *unused) {
  list l = {0};
  add(&l, w, w, sizeof w, SOLO_MAP_FROM);
  CHECK_INT(launch(&lib.key, &l), 0);
  return unused;
}

/* Deletes w while a region uses it. Maps y, for which the node of w is reused. */
static void delete_and_reuse(void) {
  solo_mapping *old = mapping_at(w);
  list l = {0};
  leave(add(&l, w, w, sizeof w, SOLO_MAP_DELETE));
  solo_pool_trim(device()); /* removes cached mappings, so that the node of w is free */
  list other = {0};
  enter(add(&other, y, y, sizeof y, SOLO_MAP_TO));
  CHECK(mapping_at(y) == old); /* with another node the test would check nothing */
}

static void check_untouched(void) {
  CHECK(mapping_at(y) != NULL);
  for (int i = 0; i < 64; i++) CHECK_INT(w[i], i);
  list l = {0};
  leave(add(&l, y, y, sizeof y, SOLO_MAP_FROM));
  for (int i = 0; i < 64; i++) CHECK_INT(y[i], 100 + i);
  check_left(1);
}

static void test_delete_under_region(void) {
  pthread_t thread;
  list l = {0};
  for (int i = 0; i < 64; i++) w[i] = i, y[i] = 100 + i;
  enter(add(&l, w, w, sizeof w, SOLO_MAP_TO));
  pthread_create(&thread, NULL, region_with_stop, NULL);
  sem_wait(&stopped[0]);
  delete_and_reuse();
  sem_post(&go_on[0]);
  sem_wait(&stopped[0]);
  sem_post(&go_on[0]);
  pthread_join(thread, NULL);
  check_untouched();
  /* a deferred device runs the kernel only when its thread waits, so that the kernel cannot stop
   * here */
  if (!device()->synchronous) return;
  enter(&l);
  kernel_does = WAITS;
  pthread_create(&thread, NULL, region_that_waits, NULL);
  sem_wait(&kernel_runs);
  delete_and_reuse();
  sem_post(&kernel_may_end);
  pthread_join(thread, NULL);
  kernel_does = NOTHING;
  check_untouched();
}

static _Atomic int is_exhausted, pins;

void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);

void *__wrap_calloc(size_t n, size_t bytes) {
  return solo_load_relaxed(&is_exhausted) ? NULL : __real_calloc(n, bytes);
}

static pthread_t closing_op;

static void *close_w(void *unused) {
  list l = {0};
  leave(add(&l, w, w, sizeof w, 0));
  list taker = {0}; /* uses the block of w, if that block was already freed */
  enter(add(&taker, y, y, sizeof y, SOLO_MAP_TO));
  leave(&taker);
  return unused;
}

static void close_meanwhile(void *handle, void *base, void *begin, int64_t size, int64_t type,
                            void *name) {
  (void)handle, (void)base, (void)begin, (void)size, (void)type, (void)name;
  while (solo_sub_relaxed(&pins, 1) > 0) solo_mapping_drop_in_flight(mapping_at(w));
  pthread_create(&closing_op, NULL, close_w, NULL);
  a_moment();
}

/* pins_in_all: 62 is the maximum without additional memory */
static void test_many_pins(uint64_t member, int pins_in_all) {
  list l = {0};
  add_stop(&l, nothing);
  add(&l, w, w, sizeof w, member ? 0 : SOLO_MAP_FROM | SOLO_MAP_ALWAYS);
  if (member) add(&l, w, w, sizeof w, SOLO_MAP_FROM | SOLO_MAP_ALWAYS | member);
  for (int i = 0; i < 64; i++) w[i] = i + 1, y[i] = -1;
  list first = {0};
  enter(add(&first, w, w, sizeof w, SOLO_MAP_TO));
  enter(&l);
  memset(w, 0, sizeof w);
  const solo_request pin = {(uintptr_t)w, sizeof w, SOLO_REF_IN_FLIGHT, 0};
  solo_mapping *m;
  uint64_t version;
  solo_store_relaxed(&pins, pins_in_all);
  for (int i = 0; i < pins_in_all; i++)
    CHECK(solo_mapping_try(&device()->mappings, &pin, &m, &version) == SOLO_CONTAINED);
  solo_store_relaxed(&is_exhausted, pins_in_all == 62);
  if (pins_in_all == 62)
    CHECK(solo_mapping_try(&device()->mappings, &pin, &m, &version) == SOLO_FULL);
  /* entries are processed in reverse order, so this mapper runs before w is copied */
  l.mappers[0] = (void *)(uintptr_t)close_meanwhile;
  leave(&l);
  solo_store_relaxed(&is_exhausted, 0);
  pthread_join(closing_op, NULL);
  for (int i = 0; i < 64; i++) CHECK_INT(w[i], i + 1);
  check_left(1);
}

static void test_names(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *names = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(names != MAP_FAILED);
  list l = {0};
  for (int i = 0; i < 8; i++) {
    add(&l, &y[8 * i], &y[8 * i], 16, SOLO_MAP_TO);
    snprintf(names + 64 * i, 64, ";variable_%d;gone.c;7;1;;", i);
    l.names[i] = names + 64 * i;
  }
  enter(&l);
  CHECK(mapping_at(&y[0])->name != names);
  leave(&l);
  enter(&l);
  munmap(names, page);
  list big = {0};
  failures_reported = 0;
  enter(add(&big, &y[40], &y[40], 32, SOLO_MAP_TO));
  CHECK_INT(failures_reported, 1);
  CHECK_HAS(text, "'variable_5' (gone.c:7)");
  for (int i = 0; i < 8; i++) l.names[i] = NULL;
  leave(&l);
  /* a string of another library at the address of the unmapped names */
  list again = {0};
  CHECK(mmap(names, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        names);
  snprintf(names, 64, ";other;new.c;8;1;;");
  static library guest;
  static int guest_global, guest_device;
  library_make(&guest, (void *)(uintptr_t)kernel, &guest_global, &guest_device);
  __tgt_register_lib(&guest.descriptor);
  add(&again, y, y, 16, SOLO_MAP_TO);
  again.names[0] = names;
  enter(&again);
  CHECK_HAS(mapping_at(y)->name, "other");
  leave(&again);
  __tgt_unregister_lib(&guest.descriptor);
  munmap(names, page);
  check_left(1);
}

enum { MANY = 30000, FEW = 1000 }; /* FEW: for the deferred device, which is slow */
static int many = MANY;
static struct { int *p, *q; } holders[MANY];
static int pointees[MANY];

static void push(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  (void)base, (void)begin, (void)size, (void)type;
  __tgt_push_mapper_component(handle, holders, holders, (int64_t)((size_t)many * sizeof holders[0]),
                              SOLO_MAP_TO | SOLO_MAP_FROM, name);
  for (int i = 0; i < many; i++)
    __tgt_push_mapper_component(handle, &holders[i].p, &pointees[i], sizeof pointees[i],
                                SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_PTR_AND_OBJ |
                                    (UINT64_C(1) << SOLO_MAP_MEMBER_SHIFT),
                                name);
}

static void test_many_attached(void) {
  if (solo_deferred_count) many = FEW;
  for (int i = 0; i < many; i++) holders[i].p = &pointees[i], pointees[i] = i;
  list l = {0};
  add(&l, holders, holders, (int64_t)((size_t)many * sizeof holders[0]),
      SOLO_MAP_TO | SOLO_MAP_FROM);
  l.mappers[0] = (void *)(uintptr_t)push;
  uint64_t begin = solo_now_ns();
  enter(&l);
  solo_mapping *m = mapping_at(holders);
  CHECK_INT(solo_load_relaxed(&m->shadow_count), many);
  solo_shadow some[4];
  CHECK_INT(solo_shadow_list(&device()->mappings.shadows, (uintptr_t)&holders[100],
                             (uintptr_t)&holders[103], some, 4),
            3);
  CHECK(some[0].host == (uintptr_t)&holders[100].p && some[2].host == (uintptr_t)&holders[102].p);
  list part = {0};
  holders[5].q = &pointees[1]; /* an update does not change the neighbouring pointer */
  update(add(&part, &holders[5], &holders[5], sizeof holders[5], SOLO_MAP_TO));
  part.types[0] = SOLO_MAP_FROM;
  update(&part);
  CHECK(holders[5].p == &pointees[5] && holders[5].q == &pointees[1]);
  for (int i = 0; i < many; i++) pointees[i] = -1;
  leave(&l);
  double seconds = (double)(solo_now_ns() - begin) * 1e-9;
  for (int i = 0; i < many; i++) CHECK(holders[i].p == &pointees[i] && pointees[i] == i);
  printf("%d attached pointers mapped and unmapped in %.3f s\n", many, seconds);
  CHECK_INT(solo_index_count(device()->mappings.shadows.index), 0);
  check_left(1);
}

/* A member entry with a pointer outside of its parent, which only hand-written mappers create: the
 * pointer has a separate mapping. */
static void test_lonely_member(void) {
  list l = {0};
  add(&l, y, y, sizeof y, SOLO_MAP_TO);
  add(&l, &holders[0].p, &pointees[0], sizeof pointees[0],
      SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_PTR_AND_OBJ | (UINT64_C(1) << SOLO_MAP_MEMBER_SHIFT));
  enter(&l);
  check_left(4);
  enter(&l);
  leave(&l);
  check_left(4);
  leave(&l);
  check_left(1);
}

/* A partly mapped pointer cannot be attached. */
static void test_part_of_pointer(void) {
  list l = {0};
  enter(add(&l, holders, (char *)holders + 4, 8, SOLO_MAP_TO));
  list attach = {0};
  add(&attach, &holders[0].p, &pointees[0], sizeof pointees[0],
      SOLO_MAP_TO | SOLO_MAP_PTR_AND_OBJ | SOLO_MAP_IMPLICIT);
  failures_reported = 0;
  enter(&attach);
  CHECK_INT(failures_reported, 1);
  CHECK_HAS(text, "only partly");
  leave(&l);
  check_left(1);
}

int main(void) {
  solo_set_error_callback(reported, NULL);
  for (int i = 0; i < 2; i++) sem_init(&stopped[i], 0, 0), sem_init(&go_on[i], 0, 0);
  sem_init(&kernel_runs, 0, 0);
  sem_init(&kernel_may_end, 0, 0);
  library_make(&lib, (void *)(uintptr_t)kernel, &global, &global_device);
  __tgt_register_lib(&lib.descriptor);
  test_hidden_until_complete();
  test_circle();
  test_delete_circle();
  test_delete_under_region();
  test_many_pins(0, 62);
  test_many_pins(0, 100);
  test_many_pins(UINT64_C(2) << SOLO_MAP_MEMBER_SHIFT, 62);
  test_many_pins(UINT64_C(2) << SOLO_MAP_MEMBER_SHIFT, 100);
  test_names();
  test_many_attached();
  test_lonely_member();
  test_part_of_pointer();
  CHECK_INT(failures_reported, 1);
  __tgt_unregister_lib(&lib.descriptor);
  check_left(0);
  solo_fini();
  return TEST_RESULT();
}
