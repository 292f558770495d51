/* OffloadAPI.h at its limits. Some cases replace functions of the core. */
#define _GNU_SOURCE
#include "abi/offload/internal.h"

#include "tests/offload/kit.h"
#include <unistd.h>

static ol_device_handle_t host(void) {
  return kit[KIT_HOST].devices[0];
}

static solo_offload_core_table changed;
static const solo_offload_core_table *real;
static char *overlapping; /* the address that the next allocations return */
static int overlaps, frees, fails;

static solo_status memory_alloc(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                                void **out_address) {
  if (overlaps == 0) return real->memory_alloc(device, bytes, kind, out_address);
  overlaps--;
  *out_address = overlapping;
  return SOLO_OK;
}

static solo_status memory_free(solo_device *device, void *address, solo_memory_kind kind) {
  frees++;
  return address == overlapping ? SOLO_OK : real->memory_free(device, address, kind);
}

static solo_status copy(const solo_device *device, solo_bqueue *queue, const solo_copy *what) {
  if (fails == 0) return real->copy(device, queue, what);
  return --fails ? solo_fail(SOLO_IO, "the first failure")
                 : solo_fail(SOLO_NOT_FOUND, "the second failure");
}

static void replace_core(void) {
  real = ol_core;
  changed = *real;
  changed.memory_alloc = memory_alloc;
  changed.memory_free = memory_free;
  changed.copy = copy;
  ol_core = &changed;
}

static void test_ranges(int k) {
  ol_device_handle_t d = kit[k].devices[0];
  char *p = NULL, *base = NULL;
  CHECK_INT(kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 256, (void **)&p)), 0);
  CHECK_INT(kit_code(olGetMemInfo(p + 255, OL_MEM_INFO_BASE, sizeof base, &base)), 0);
  CHECK(base == p);
  CHECK_INT(kit_code(olGetMemInfo(p + 256, OL_MEM_INFO_BASE, sizeof base, &base)),
            OL_ERRC_NOT_FOUND);
  CHECK_INT(kit_code(olGetMemInfo(p, OL_MEM_INFO_BASE, sizeof base - 1, &base)),
            OL_ERRC_INVALID_SIZE);
  CHECK_INT(kit_code(olMemFree(p + 8)), OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olMemFree(p)), 0);
  CHECK_INT(kit_code(olMemFree(p)), OL_ERRC_INVALID_ARGUMENT);
}

/* The core returns memory of another device three times, then free memory. */
static void test_overlap(void) {
  char *p = NULL, *q = NULL;
  CHECK_INT(kit_code(olMemAlloc(kit[KIT_CUDA].devices[0], OL_ALLOC_TYPE_DEVICE, 256, (void **)&p)),
            0);
  overlapping = p + 64;
  overlaps = 3;
  frees = 0;
  CHECK_INT(kit_code(olMemAlloc(kit[KIT_HSA].devices[0], OL_ALLOC_TYPE_DEVICE, 256, (void **)&q)),
            0);
  CHECK(q && q != overlapping && (q + 256 <= p || p + 256 <= q));
  CHECK_INT(frees, 3);
  overlapping = NULL;
  CHECK_INT(kit_code(olMemFree(p)), 0);
  CHECK_INT(kit_code(olMemFree(q)), 0);
}

static void test_registrations(int k) {
  enum { PAGE = 4096 };
  static char pages[4 * PAGE] __attribute__((aligned(4096)));
  ol_device_handle_t d = kit[k].devices[0];
  char *whole = NULL, *inside = NULL, *part = NULL;
  CHECK_INT(kit_code(olMemRegister(d, pages, 2 * PAGE, 0, (void **)&whole)), 0);
  CHECK_INT(kit_code(olMemRegister(d, pages + PAGE, PAGE, 0, (void **)&inside)), 0);
  CHECK(inside == whole + PAGE);
  CHECK_INT(kit_code(olMemRegister(d, pages + PAGE, 2 * PAGE, 0, (void **)&part)),
            OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olMemRegister(d, pages + 2 * PAGE, PAGE, 0, (void **)&part)), 0);
  CHECK_INT(kit_code(olMemUnregister(d, pages + 2 * PAGE)), 0);
  CHECK_INT(kit_code(olMemUnregister(d, pages + PAGE)), 0);
  CHECK_INT(kit_code(olMemUnregister(d, pages)), 0); /* the first registration still exists */
  CHECK_INT(kit_code(olMemUnregister(d, pages)), OL_ERRC_INVALID_ARGUMENT);
}

static bool stop_at_once(ol_device_handle_t device, void *user) {
  (void)device;
  return ++*(int *)user, false;
}

/* Forges handles: the slot and generation of a queue with each other kind. */
static void test_kinds(void) {
  ol_device_handle_t d = kit[KIT_CUDA].devices[0];
  ol_queue_handle_t q = NULL;
  ol_event_handle_t e = NULL;
  int calls = 0;
  size_t size;
  CHECK_INT(kit_code(olCreateQueue(d, &q)), 0);
  CHECK_INT(kit_code(olCreateEvent(q, &e)), 0);
  for (uint64_t kind = 0; kind < 16; kind++) {
    uint64_t slot = (uint64_t)(uintptr_t)q & (UINT64_MAX >> 8),
             event = (uint64_t)(uintptr_t)e & (UINT64_MAX >> 8);
    ol_queue_handle_t forged = (ol_queue_handle_t)(uintptr_t)(kind << 56 | slot);
    CHECK_INT(kit_code(olSyncQueue(forged)), forged == q ? 0 : OL_ERRC_INVALID_QUEUE);
    ol_event_handle_t other = (ol_event_handle_t)(uintptr_t)(kind << 56 | event);
    CHECK_INT(kit_code(olGetEventInfoSize(other, OL_EVENT_INFO_QUEUE, &size)),
              other == e ? 0 : OL_ERRC_INVALID_EVENT);
  }
  CHECK_INT(kit_code(olDestroyEvent(e)), 0);
  CHECK_INT(kit_code(olDestroyQueue(q)), 0);
  CHECK_INT(kit_code(olIterateDevices(stop_at_once, &calls)), 0);
  CHECK_INT(calls, 1);
}

static void test_texts(void) {
  char text[32];
  for (uintptr_t i = 1; i < 600; i++) {
    snprintf(text, sizeof text, "%p ", (void *)(i * 64));
    CHECK_HAS(olMemFree((void *)(i * 64))->Details, text);
  }
}

static void nap(void *data) {
  (void)data;
  usleep(30000);
}

/* A copy between devices of two platforms, and a wait for two events, the second of which completes
 * late. */
static void test_order(int a, int b) {
  ol_device_handle_t from = kit[a].devices[0], to = kit[b].devices[0];
  ol_queue_handle_t q = NULL, r = NULL;
  ol_event_handle_t events[2] = {NULL, NULL};
  uint64_t x = 5, y = 0;
  void *cell = NULL, *other = NULL;
  CHECK_INT(kit_code(olCreateQueue(from, &q)), 0);
  CHECK_INT(kit_code(olCreateQueue(from, &r)), 0);
  CHECK_INT(kit_code(olMemAlloc(from, OL_ALLOC_TYPE_DEVICE, 8, &cell)), 0);
  CHECK_INT(kit_code(olMemAlloc(to, OL_ALLOC_TYPE_DEVICE, 8, &other)), 0);
  CHECK_INT(kit_code(olMemcpy(q, cell, from, &x, host(), 8)), 0);
  CHECK_INT(kit_code(olLaunchHostFunction(q, nap, NULL)), 0);
  CHECK_INT(kit_code(kit_affine(&kit[a], q, cell, 3, 0)), 0);
  CHECK_INT(kit_code(olMemcpy(q, other, to, cell, from, 8)), 0);
  CHECK_INT(kit_code(olSyncQueue(q)), 0);
  CHECK_INT(kit_code(olMemcpy(NULL, &y, host(), other, to, 8)), 0);
  CHECK_INT(y, 15);
  CHECK_INT(kit_code(olCreateEvent(r, &events[0])), 0);
  CHECK_INT(kit_code(olLaunchHostFunction(q, nap, NULL)), 0);
  CHECK_INT(kit_code(kit_affine(&kit[a], q, cell, 1, 1)), 0);
  CHECK_INT(kit_code(olCreateEvent(q, &events[1])), 0);
  CHECK_INT(kit_code(olWaitEvents(r, events, 2)), 0);
  CHECK_INT(kit_code(olMemcpy(r, &y, host(), cell, from, 8)), 0);
  CHECK_INT(kit_code(olSyncQueue(r)), 0);
  CHECK_INT(y, 16);
  for (int i = 0; i < 2; i++) CHECK_INT(kit_code(olDestroyEvent(events[i])), 0);
  CHECK_INT(kit_code(olDestroyQueue(q)), 0);
  CHECK_INT(kit_code(olDestroyQueue(r)), 0);
  CHECK_INT(kit_code(olMemFree(cell)), 0);
  CHECK_INT(kit_code(olMemFree(other)), 0);
}

static void test_third_device(void) {
  ol_device_handle_t a = kit[KIT_CUDA].devices[0], b = kit[KIT_CUDA].devices[1];
  ol_queue_handle_t q = NULL;
  void *p = NULL, *s = NULL;
  CHECK_INT(kit_code(olCreateQueue(kit[KIT_HSA].devices[0], &q)), 0);
  CHECK_INT(kit_code(olMemAlloc(a, OL_ALLOC_TYPE_DEVICE, 8, &p)), 0);
  CHECK_INT(kit_code(olMemAlloc(b, OL_ALLOC_TYPE_DEVICE, 8, &s)), 0);
  CHECK_INT(kit_code(olMemcpy(q, s, b, p, a, 8)), OL_ERRC_INVALID_DEVICE);
  CHECK_INT(kit_code(olMemFree(p)), 0);
  CHECK_INT(kit_code(olMemFree(s)), 0);
  CHECK_INT(kit_code(olDestroyQueue(q)), 0);
}

/* Fills a part of a block with a pattern. The other bytes do not change. */
static void test_fill(int k) {
  enum { WORDS = 4096, FROM = 8 };
  static const size_t lengths[] = {1, 511, 512, 513, 1536, 1537, 3000};
  static uint64_t got[WORDS];
  ol_device_handle_t d = kit[k].devices[0];
  ol_queue_handle_t q = NULL;
  uint64_t *p = NULL, pattern = UINT64_C(0x1122334455667788), around = UINT64_C(0x7777777777777777);
  CHECK_INT(kit_code(olCreateQueue(d, &q)), 0);
  CHECK_INT(kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, sizeof got, (void **)&p)), 0);
  for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
    size_t wrong = 0;
    CHECK_INT(kit_code(olMemFill(q, p, 1, &around, sizeof got)), 0);
    CHECK_INT(kit_code(olMemFill(q, p + FROM, 8, &pattern, 8 * lengths[n])), 0);
    CHECK_INT(kit_code(olMemcpy(q, got, host(), p, d, sizeof got)), 0);
    CHECK_INT(kit_code(olSyncQueue(q)), 0);
    for (size_t i = 0; i < WORDS; i++)
      wrong += got[i] != (i >= FROM && i < FROM + lengths[n] ? pattern : around);
    CHECK_INT(wrong, 0);
  }
  CHECK_INT(kit_code(olMemFill(q, p, 8, &pattern, 12)), OL_ERRC_INVALID_SIZE);
  CHECK_INT(kit_code(olMemFill(q, p, 0, &pattern, 8)), OL_ERRC_INVALID_SIZE);
  CHECK_INT(kit_code(olMemFree(p)), 0);
  CHECK_INT(kit_code(olDestroyQueue(q)), 0);
}

/* Two copies behind a host function fail. The next sync reports the first failure. Later syncs
 * report none. */
static void test_late_failure(int k) {
  ol_device_handle_t d = kit[k].devices[0];
  ol_queue_handle_t q = NULL;
  uint64_t x = 5;
  void *cell = NULL;
  CHECK_INT(kit_code(olCreateQueue(d, &q)), 0);
  CHECK_INT(kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 8, &cell)), 0);
  CHECK_INT(kit_code(olLaunchHostFunction(q, nap, NULL)), 0);
  fails = 2;
  CHECK_INT(kit_code(olMemcpy(q, cell, d, &x, host(), 8)), 0);
  CHECK_INT(kit_code(olMemcpy(q, cell, d, &x, host(), 8)), 0);
  ol_result_t result = olSyncQueue(q);
  CHECK_INT(kit_code(result), OL_ERRC_HOST_IO);
  CHECK_HAS(result ? result->Details : NULL, "the first failure");
  CHECK_INT(fails, 0);
  CHECK_INT(kit_code(olSyncQueue(q)), 0);
  CHECK_INT(kit_code(olMemFree(cell)), 0);
  CHECK_INT(kit_code(olDestroyQueue(q)), 0);
}

static void test_launch(int k) {
  ol_device_handle_t d = kit[k].devices[0];
  ol_kernel_launch_size_args_t size = kit_one;
  uint64_t arguments[4] = {0};
  void *cell = NULL;
  CHECK_INT(kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 8, &cell)), 0);
  arguments[1] = (uintptr_t)cell;
  for (int zero = 0; zero < 6; zero++) {
    uint32_t *const all[] = {&size.NumGroups.x, &size.NumGroups.y, &size.NumGroups.z,
                             &size.GroupSize.x, &size.GroupSize.y, &size.GroupSize.z};
    *all[zero] = 0;
    CHECK_INT(kit_code(olLaunchKernel(NULL, d, kit[k].affine, arguments, sizeof arguments, &size)),
              OL_ERRC_INVALID_SIZE);
    *all[zero] = 1;
  }
  size.DynSharedMemory = (size_t)1 << 32;
  CHECK_INT(kit_code(olLaunchKernel(NULL, d, kit[k].affine, arguments, sizeof arguments, &size)),
            OL_ERRC_INVALID_ARGUMENT);
  size.DynSharedMemory = 0;
  CHECK_INT(
      kit_code(olLaunchKernel(NULL, d, kit[k].affine, arguments, (size_t)1 << 32 | 32, &size)),
      OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olMemFree(cell)), 0);
}

/* A proposed group does not exceed the kernel's limit, and a group above one warp has whole warps. */
static void test_occupancy(int k, size_t warp) {
  ol_device_handle_t d = kit[k].devices[0];
  ol_symbol *symbol = ol_find(&ol_symbols, kit[k].affine);
  uint32_t limit = symbol->kernel->attributes.max_threads;
  size_t group = 0, wrong = 0;
  for (size_t shared = 0; shared < 5000; shared += 7) {
    CHECK_INT(kit_code(olCalculateOptimalOccupancy(d, kit[k].affine, shared, &group)), 0);
    wrong += !group || (group > warp && group % warp);
  }
  CHECK_INT(wrong, 0);
  symbol->kernel->attributes.max_threads = 2 * (uint32_t)warp;
  CHECK_INT(kit_code(olCalculateOptimalOccupancy(d, kit[k].affine, 0, &group)), 0);
  CHECK_INT(group, 2 * warp);
  symbol->kernel->attributes.max_threads = limit;
}

static void test_symbols(int k) {
  ol_symbol_handle_t symbol = NULL;
  CHECK_INT(kit_code(olGetSymbol(kit[k].program, "conf_global", OL_SYMBOL_KIND_KERNEL, &symbol)),
            OL_ERRC_NOT_FOUND);
  ol_result_t result =
      olGetSymbol(kit[k].program, "conf_affine", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &symbol);
  CHECK(kit_code(result) == OL_ERRC_NOT_FOUND || (!result && symbol != kit[k].affine));
}

/* After a restart of the interface, devices have other slots. A device that was not open has the
 * slot of an open device, and can be used. */
static void test_again(void) {
  enum { BLOCKS = 3 };
  void *p = NULL;
  if (kit[KIT_HSA].count >
      /* makes the number of open devices odd, so that an unopened device gets an open device's slot */
      1) {
    CHECK_INT(kit_code(olMemAlloc(kit[KIT_CUDA].devices[1], OL_ALLOC_TYPE_DEVICE, 64, &p)), 0);
    CHECK_INT(kit_code(olMemFree(p)), 0);
  }
  frees = 0;
  for (int n = 0; n < BLOCKS; n++)
    CHECK_INT(kit_code(olMemAlloc(kit[n].devices[0], OL_ALLOC_TYPE_DEVICE, 1 << 21, &p)), 0);
  CHECK_INT(kit_code(olShutDown()), 0);
  CHECK_INT(frees, BLOCKS);
  CHECK(kit_start());
  for (int k = 0; k < KIT_PLATFORMS; k++)
    for (int n = 0; n < kit[k].count; n++) {
      CHECK_INT(kit_code(olMemAlloc(kit[k].devices[n], OL_ALLOC_TYPE_DEVICE, 64, &p)), 0);
      CHECK_INT(kit_code(olMemFill(NULL, p, 1, "x", 64)), 0);
      CHECK_INT(kit_code(olMemFree(p)), 0);
    }
}

int main(void) {
  setenv("SIM_DEVICES", "2", 1);
  CHECK(kit_start());
  if (test_failures) return TEST_RESULT();
  replace_core();
  for (int k = 0; k < KIT_PLATFORMS; k++) {
    test_ranges(k);
    test_registrations(k);
    test_fill(k);
    test_symbols(k);
    if (k == KIT_HOST) continue;
    test_late_failure(k);
    test_launch(k);
    test_occupancy(k, k == KIT_CUDA ? 32 : 64);
  }
  test_order(KIT_CUDA, KIT_HSA);
  test_order(KIT_HSA, KIT_CUDA);
  test_overlap();
  test_kinds();
  test_texts();
  test_again();
  test_third_device();
  CHECK_INT(kit_code(olShutDown()), 0);
  return TEST_RESULT();
}
