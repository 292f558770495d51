/* Description: makes each driver call fail in turn. Checks that nothing leaks, that the error names
 * its variable, and that the next run is correct. */
#include "abi/include/solo.h"
#include "abi/tgt.h"
#include "runtime/device/devices.h"
#include "runtime/device/pool.h"
#include "runtime/image/linked.h"
#include "runtime/map/map.h"
#include "tests/deferred/deferred.h"
#include "tests/unit/test.h"

enum { N = 64 };

typedef struct vec {
  int n;
  int *p;
} vec;

static void kernel_add(void *hidden, int *a, const int *b, uint64_t k, const int *private_copy) {
  (void)hidden;
  for (int i = 0; i < N; i++) a[i] += b[i] + (int)k + private_copy[1];
}

static void kernel_member(void *hidden, vec *s) {
  (void)hidden;
  for (int i = 0; i < s->n; i++) s->p[i] *= 2;
}

static int global = 7;        /* host value */
static int global_device = 7; /* device value */
static char key_add, key_member;

static const solo_linked_symbol symbols[] = {{"add", (void *)(uintptr_t)kernel_add, 0},
                                             {"global", &global_device, sizeof global_device},
                                             {"member", (void *)(uintptr_t)kernel_member, 0}};
static const solo_linked_image linked = {
    SOLO_LINKED_MAGIC, SOLO_LINKED_VERSION, 0, 1, SOLO_ARCH_ELF_MACHINE, 3, symbols};
static tgt_entry_22 entries[] = {{0, 1, 1, 0, &key_add, "add", 0, 0, NULL},
                                 {0, 1, 1, 0, &key_member, "member", 0, 0, NULL},
                                 {0, 1, 1, 0, &global, "global", sizeof global, 0, NULL}};
static tgt_device_image image = {(void *)(uintptr_t)&linked, (void *)(uintptr_t)(&linked + 1),
                                 entries, entries + 3};
static tgt_bin_desc descriptor = {1, &image, entries, entries + 3};
static ident_t place = {0, 2, 0, 0, ";faults.c;scenario;12;3;;"};

static int a[N], b[N], v[N];
static vec s;
static int failures_reported;
static char last_text[1024];

static void reported(void *context, const solo_failure *failure) {
  (void)context;
  failures_reported++;
  CHECK_INT(failure->device, 0); /* each kind of failure names the device */
  snprintf(last_text, sizeof last_text, "%s", failure->text);
}

static int launch(void *key, int count, void **bases, void **begins, int64_t *sizes, int64_t *types,
                  void **names) {
  tgt_kernel_args args = {.version = 3,
                          .count = (uint32_t)count,
                          .bases = bases,
                          .begins = begins,
                          .sizes = sizes,
                          .types = types,
                          .names = names,
                          .num_teams = {UINT32_MAX, 0, 0}};
  return __tgt_target_kernel(&place, 0, -1, 0, key, &args);
}

static char *name_of(char *text) {
  return text;
}

static void add_region(void) {
  int private_copy[4] = {1, 2, 3, 4};
  void *bases[] = {a, b, (void *)5, private_copy};
  int64_t sizes[] = {sizeof a, sizeof b, 8, sizeof private_copy};
  int64_t types[] = {SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM,
                     SOLO_MAP_TO | SOLO_MAP_TARGET_PARAM, SOLO_MAP_LITERAL | SOLO_MAP_TARGET_PARAM,
                     SOLO_MAP_PRIVATE | SOLO_MAP_TO | SOLO_MAP_TARGET_PARAM};
  void *names[] = {name_of(";a;faults.c;20;1;;"), name_of(";b;faults.c;20;1;;"),
                   name_of(";k;faults.c;20;1;;"), name_of(";c;faults.c;20;1;;")};
  if (launch(&key_add, 4, bases, bases, sizes, types, names))
    for (int i = 0; i < N; i++) a[i] += b[i] + 5 + private_copy[1];
}

static void member_region(void) {
  void *bases[] = {&s, &s, &s.p};
  void *begins[] = {&s, &s.n, s.p};
  int64_t sizes[] = {sizeof s, sizeof s.n, (int64_t)sizeof v};
  int64_t types[] = {
      SOLO_MAP_TARGET_PARAM, (int64_t)(SOLO_MAP_TO | SOLO_MAP_FROM | (UINT64_C(1) << 48)),
      (int64_t)(SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_PTR_AND_OBJ | (UINT64_C(1) << 48))};
  void *names[] = {name_of(";s;faults.c;30;1;;"), name_of(";s.n;faults.c;30;1;;"),
                   name_of(";s.p[:64];faults.c;30;1;;")};
  if (launch(&key_member, 3, bases, begins, sizes, types, names))
    for (int i = 0; i < N; i++) s.p[i] *= 2;
}

static void prepare(void) {
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 10 * i, v[i] = i;
  s = (vec){N, v};
}

static void scenario(void) {
  void *bases[] = {b};
  int64_t sizes[] = {sizeof b};
  int64_t to[] = {SOLO_MAP_TO}, none[] = {0};
  void *names[] = {name_of(";b;faults.c;40;1;;")};
  __tgt_target_data_begin_mapper(&place, 0, 1, bases, bases, sizes, to, names, NULL);
  add_region();
  __tgt_target_data_update_mapper(&place, 0, 1, bases, bases, sizes, to, names, NULL);
  member_region();
  __tgt_target_data_end_mapper(&place, 0, 1, bases, bases, sizes, none, names, NULL);
}

static void check_right(void) {
  for (int i = 0; i < N; i++) {
    CHECK_INT(a[i], i + 10 * i + 5 + 2);
    CHECK_INT(v[i], 2 * i);
  }
  CHECK(s.p == v);
  CHECK_INT(s.n, N);
}

/* Checks that nothing of the scenario remains: the table has only the mapping of the global
 * variable, and after the trim the device has no block of memory. */
static void check_clean(void) {
  solo_device *device;
  if (solo_device_get(0, &device) != SOLO_OK) {
    CHECK(!"device 0 cannot be opened");
    return;
  }
  const char *wrong = solo_mapping_table_check(&device->mappings);
  CHECK(wrong == NULL);
  solo_pool_trim(device); /* also removes cached mappings */
  CHECK_INT(solo_index_count(device->mappings.index), 1);
  CHECK_INT(solo_deferred_count().blocks, 0);
}

static long calls(void) {
  solo_deferred_counts c = solo_deferred_count();
  return c.allocations + c.launches + c.copies + c.syncs;
}

int main(void) {
  solo_set_error_callback(reported, NULL);
  __tgt_register_lib(&descriptor);
  prepare();
  scenario();
  check_right();
  check_clean();
  CHECK_INT(failures_reported, 0);
  CHECK_INT(solo_deferred_count().launches, 2);

  prepare();
  long before = calls();
  scenario();
  long of_scenario = calls() - before;
  check_right();
  check_clean();

  int n = 1, named = 0;
  for (; n < 200; n++) {
    prepare();
    failures_reported = 0;
    solo_deferred_fail_at(n);
    scenario();
    int failed = solo_deferred_failed();
    solo_deferred_fail_at(0);
    check_clean();
    if (!failed) break; /* each call has failed once */
    /* no failure was reported, because the call was retried after a trim of the pool */
    if (!failures_reported) check_right();
    if (test_failures) {
      printf("with call %d made to fail: %s\n", n, last_text);
      break;
    }
    named += strstr(last_text, "faults.c") != NULL;
    prepare();
    scenario();
    check_right();
    check_clean();
  }
  printf("%d calls, %d failures named their place\n", n - 1, named);
  /* Each call of the scenario has failed once. The number of allocations depends on the mapping
   * table, which reuses memory. */
  CHECK_INT(n - 1, of_scenario);
  CHECK(of_scenario >= 10 + 4 + 2 + 2);
  CHECK(named >= 3);

  __tgt_unregister_lib(&descriptor);
  solo_fini();
  return TEST_RESULT();
}
