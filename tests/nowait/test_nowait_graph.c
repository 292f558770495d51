/* Description: compares random graphs of target tasks from several threads with a sequential
 * reference, on the deferred device or simulated drivers (arguments 3, 4: images). Arguments: first
 * seed, number of seeds. */
#include "abi/include/tgt_rtl.h"
#include "abi/tgt.h"
#include "runtime/device/devices.h"
#include "runtime/device/pool.h"
#include "runtime/map/map.h"
#define KIT_COMPILED
#include "tests/rtl/rtl_kit.h"

enum {
  THREADS = 3,
  /* per thread; synchronous regions use the first WAITED cells, tasks use the other cells */
  CELLS = 12,
  WAITED = 2,
  STEPS = 120,
  ALL = THREADS * CELLS,
  KERNEL_NOWAIT = 1,
};

typedef enum { ELEMENTS, WHOLE } mapping_mode;

/* the name of the runtime's type, because -fsanitize=function compares names */
typedef struct kmpc_task_entry {
  void *shareds;
  int32_t (*routine)(int32_t, struct kmpc_task_entry *);
  int32_t part;
  void *data[2];
  int out, in[3], device;
  uint64_t seed, types;
  mapping_mode mode;
} object;
typedef struct depend {
  intptr_t address;
  size_t length;
  uint8_t kind;
} depend;
enum { DEPEND_IN = 1, DEPEND_INOUT = 3 };

extern int32_t __kmpc_global_thread_num(void *);
extern object *__kmpc_omp_target_task_alloc(void *, int32_t, int32_t, size_t, size_t,
                                            int32_t (*)(int32_t, object *), int64_t);
extern int32_t __kmpc_omp_task_with_deps(void *, int32_t, object *, int32_t, depend *, int32_t,
                                         depend *);
extern int32_t __kmpc_omp_taskwait(void *, int32_t);
extern void __kmpc_push_num_threads(void *, int32_t, int32_t);
extern void __kmpc_fork_call(void *, int32_t, void (*)(int32_t *, int32_t *, ...), ...);

static uint64_t cell[2][ALL], expected[2][ALL]; /* per device */
static _Atomic int reported, fell_back;
static uint64_t graph_seed;
static int first_device, devices = 1;

static uint64_t next_random(uint64_t *state) {
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 31;
}

static inline __attribute__((always_inline)) void mix_into(uint64_t *cells, const object *o) {
  uint64_t v[3] = {0};
  for (int k = 0; k < 3; k++)
    if (o->in[k] >= 0) v[k] = cells[o->in[k]];
  cells[o->out] = kit_mix(o->seed, v[0], v[1], v[2]);
}

static void run_on_host(uint64_t *cells, const object *o) {
  mix_into(cells, o);
}

/* Executes a failed region on the host. Copies of the whole array may race with the region, so the
 * test does not check results after such failures. */
static __attribute__((noinline, no_sanitize_thread)) void fall_back(const object *o) {
  mix_into(cell[o->device], o);
}

static int launch(const object *o, uint64_t flags) {
  uint64_t *cells = cell[o->device];
  void *bases[5] = {&cells[o->out], (void *)(uintptr_t)o->seed};
  int64_t sizes[5] = {8, 8}, types[5];
  void *begins[5];
  const int64_t data = SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM;
  for (int k = 0; k < 3; k++) bases[2 + k] = o->in[k] >= 0 ? &cells[o->in[k]] : NULL;
  for (int i = 0; i < 5; i++) {
    int literal = i == 1 || !bases[i];
    begins[i] = o->mode == WHOLE && !literal ? cells : bases[i];
    sizes[i] = o->mode == WHOLE && !literal ? (int64_t)sizeof cell[0] : 8;
    types[i] = literal ? (int64_t)(SOLO_MAP_LITERAL | SOLO_MAP_TARGET_PARAM) : data;
    /* a host task may read an input concurrently, so the region does not copy inputs back */
    if (i && !literal && o->mode == ELEMENTS) types[i] &= ~(int64_t)SOLO_MAP_FROM;
  }
  tgt_kernel_args args = {.version = 3,
                          .count = 5,
                          .bases = bases,
                          .begins = begins,
                          .sizes = sizes,
                          .types = types,
                          .flags = flags,
                          .num_teams = {1, 0, 0},
                          .thread_limit = {1, 0, 0}};
  return __tgt_target_kernel(NULL, first_device + o->device, 1, 1, &kit_key_mix, &args);
}

static int32_t region_body(int32_t gtid, object *o) {
  (void)gtid;
  if (launch(o, KERNEL_NOWAIT) == 0) return 0;
  fall_back(o);
  solo_add_relaxed(&fell_back, 1);
  return 0;
}

/* The else branch of an if clause: executes on the host without calling the runtime. */
static int32_t host_body(int32_t gtid, object *o) {
  (void)gtid;
  run_on_host(cell[o->device], o);
  return 0;
}

static int32_t data_body(int32_t gtid, object *o) {
  (void)gtid;
  void *base = o->mode == WHOLE ? cell[o->device] : &cell[o->device][o->out];
  int64_t size = o->mode == WHOLE ? (int64_t)sizeof cell[0] : 8, type = (int64_t)o->types;
  int64_t device = first_device + o->device;
  if (o->seed == 0)
    __tgt_target_data_begin_nowait_mapper(NULL, device, 1, &base, &base, &size, &type, NULL, NULL,
                                          0, NULL, 0, NULL);
  else if (o->seed == 1)
    __tgt_target_data_end_nowait_mapper(NULL, device, 1, &base, &base, &size, &type, NULL, NULL, 0,
                                        NULL, 0, NULL);
  else
    __tgt_target_data_update_nowait_mapper(NULL, device, 1, &base, &base, &size, &type, NULL, NULL,
                                           0, NULL, 0, NULL);
  return 0;
}

static void submit(const object *what, int32_t (*body)(int32_t, object *)) {
  int32_t gtid = __kmpc_global_thread_num(NULL), count = 1;
  object *o = __kmpc_omp_target_task_alloc(NULL, gtid, 1, sizeof(object), 0, body,
                                           first_device + what->device);
  depend list[4] = {{(intptr_t)&cell[what->device][what->out], 8, DEPEND_INOUT}};
  for (int k = 0; k < 3; k++)
    if (what->in[k] >= 0 && what->in[k] != what->out)
      list[count++] = (depend){(intptr_t)&cell[what->device][what->in[k]], 8, DEPEND_IN};
  o->out = what->out;
  memcpy(o->in, what->in, sizeof o->in);
  o->device = what->device;
  o->seed = what->seed;
  o->types = what->types;
  o->mode = what->mode;
  __kmpc_omp_task_with_deps(NULL, gtid, o, count, list, 0, NULL);
}

static int pick(uint64_t *state, int thread) {
  return thread * CELLS + WAITED + (int)(next_random(state) % (CELLS - WAITED));
}

static void data_task(object *o, uint64_t what, uint64_t types) {
  o->seed = what;
  o->types = types;
  for (int k = 0; k < 3; k++) o->in[k] = -1;
  submit(o, data_body);
}

/* Executes one random step on the device, and on the host for the reference. */
static void step(uint64_t *state, int thread, mapping_mode mode) {
  uint64_t r = next_random(state) % 100;
  object o = {.mode = mode, .seed = next_random(state) | 3, .device = (int)(r % (unsigned)devices)};
  o.out = pick(state, thread);
  for (int k = 0; k < 3; k++) o.in[k] = next_random(state) % 3 ? pick(state, thread) : -1;
  if (r < 70) {
    submit(&o, region_body);
    run_on_host(expected[o.device], &o);
  } else if (r < 78) { /* a synchronous region on the first two cells */
    o.out = thread * CELLS;
    o.in[0] = thread * CELLS + 1;
    o.in[1] = o.in[2] = -1;
    run_on_host(expected[o.device], &o);
    if (launch(&o, 0)) fall_back(&o);
  } else if (r < 86) {
    data_task(&o, 0, SOLO_MAP_TO | SOLO_MAP_FROM);
    o.out = pick(state, thread);
    if (mode == ELEMENTS) { /* the cell stays on the device during the next tasks */
      data_task(&o, 0, SOLO_MAP_TO | SOLO_MAP_FROM);
      data_task(&o, 2, SOLO_MAP_FROM);
      data_task(&o, 1, SOLO_MAP_TO | SOLO_MAP_FROM);
    }
  } else if (r < 92 && mode == ELEMENTS) {
    data_task(&o, 1, SOLO_MAP_TO | SOLO_MAP_FROM); /* update of a cell that may be absent */
  } else if (r < 97 && mode == ELEMENTS) {
    for (int k = 0; k < 3; k++) { /* copies the inputs back for a host task */
      object back = o;
      if (o.in[k] < 0) continue;
      back.out = o.in[k];
      data_task(&back, 1, SOLO_MAP_FROM | SOLO_MAP_DELETE);
    }
    object back = o;
    data_task(&back, 1, SOLO_MAP_FROM | SOLO_MAP_DELETE);
    submit(&o, host_body);
    run_on_host(expected[o.device], &o);
  } else if (r >= 99) {
    __kmpc_omp_taskwait(NULL, __kmpc_global_thread_num(NULL));
  }
}

static mapping_mode graph_mode;

static void member(int32_t *gtid, int32_t *tid, ...) {
  (void)gtid;
  uint64_t state = graph_seed * THREADS + (uint64_t)*tid;
  for (int i = 0; i < STEPS; i++) step(&state, *tid, graph_mode);
  __kmpc_omp_taskwait(NULL, __kmpc_global_thread_num(NULL));
}

/* Copies all remaining data back. */
static void bring_back(void) {
  for (int d = 0; d < devices; d++)
    for (int i = 0; i < ALL; i++) {
      void *base = graph_mode == WHOLE ? cell[d] : &cell[d][i];
      int64_t size = graph_mode == WHOLE ? (int64_t)sizeof cell[0] : 8;
      int64_t type = SOLO_MAP_FROM | SOLO_MAP_DELETE;
      __tgt_target_data_end_mapper(NULL, first_device + d, 1, &base, &base, &size, &type, NULL,
                                   NULL);
    }
}

static void run_graph(uint64_t seed, mapping_mode mode) {
  graph_seed = seed;
  graph_mode = mode;
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < ALL; i++) cell[d][i] = expected[d][i] = (uint64_t)i;
  reported = fell_back = 0;
  __kmpc_push_num_threads(NULL, __kmpc_global_thread_num(NULL), THREADS);
  __kmpc_fork_call(NULL, 0, member);
  bring_back();
}

static void check_right(uint64_t seed, mapping_mode mode) {
  int wrong = 0;
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < ALL; i++) wrong += cell[d][i] != expected[d][i];
  if (wrong) printf("seed %llu, mode %d: %d cells wrong\n", (unsigned long long)seed, mode, wrong);
  CHECK_INT(wrong, 0);
}

static void check_clean(void) {
  for (int d = 0; d < devices; d++) {
    solo_device *device;
    CHECK_INT(solo_device_get(first_device + d, &device), SOLO_OK);
    CHECK(!solo_mapping_table_check(&device->mappings));
    solo_pool_trim(device); /* also removes cached mappings */
    /* the mapping of the global variable remains */
    CHECK_INT(solo_mapping_table_count(&device->mappings), TEST_FAILURES);
  }
  CHECK_INT(solo_deferred_count().blocks, 0);
}

static void note(void *context, const solo_failure *failure) {
  (void)context;
  if (getenv("SHOW")) printf("reported: %s\n", failure->text);
  solo_add_relaxed(&reported, 1);
}

/* First work fails, then calls fail. Failures of work are reported, no thread hangs, and no mapping
 * or block remains. */
static void run_failing(uint64_t seed) {
  uint64_t state = seed;
  mapping_mode mode = seed % 2 ? WHOLE : ELEMENTS;
  solo_deferred_fail_work_at(1 + (long)(next_random(&state) % 200));
  run_graph(seed, mode);
  solo_deferred_fail_work_at(0);
  /* a region that depends on the failed region may cause a second report */
  CHECK(reported >= 1 && reported <= 2);
  check_clean();
  solo_deferred_fail_at(1 + (long)(next_random(&state) % 300));
  run_graph(seed, mode);
  solo_deferred_fail_at(0);
  check_clean();
  run_graph(seed, mode);
  check_right(seed, mode);
}

#if TEST_SIMULATED
static char images[2][1 << 18];
static __tgt_device_image sim_images[2];
static tgt_bin_desc descriptor = {2, (tgt_device_image *)sim_images, kit_entries,
                                  kit_entries + KIT_ENTRIES};
static void read_image(int i, const char *path) {
  FILE *f = fopen(path, "rb");
  size_t size = f ? fread(images[i], 1, sizeof images[i], f) : 0;
  if (!size) exit(2);
  fclose(f);
  sim_images[i] =
      (__tgt_device_image){images[i], images[i] + size, kit_entries, kit_entries + KIT_ENTRIES};
}
#else
static tgt_bin_desc descriptor = {1, (tgt_device_image *)&kit_image, kit_entries,
                                  kit_entries + KIT_ENTRIES};
#endif

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 20;
#if TEST_SIMULATED
  if (argc < 5) return 2;
  for (int i = 0; i < 2; i++) read_image(i, argv[3 + i]);
  sim_images[0].EntriesEnd = sim_images[1].EntriesEnd = descriptor.entries_end =
      kit_entries + 1; /* without the entries for globals, which the kernels do not contain */
#endif
  solo_set_error_callback(note, NULL);
  __tgt_register_lib(&descriptor);
  first_device = TEST_FAILURES; /* device 0 is the CPU */
  devices = __tgt_get_num_devices() - first_device < 2 ? 1 : 2;
  for (uint64_t seed = first; seed < first + count; seed++) {
    for (int mode = ELEMENTS; mode <= WHOLE; mode++) {
      run_graph(seed, (mapping_mode)mode);
      check_right(seed, (mapping_mode)mode);
      check_clean();
      CHECK_INT(reported + fell_back, 0);
    }
    if (TEST_FAILURES) run_failing(seed);
    if (test_failures) break;
  }
  __tgt_unregister_lib(&descriptor);
  solo_fini();
  return TEST_RESULT();
}
