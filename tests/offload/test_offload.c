/* OffloadAPI.h on the CPU and on simulated GPUs: handles, host functions, threads, failures, fork. */
#define _GNU_SOURCE
#include "tests/offload/kit.h"

#include "runtime/base/atomic.h"
#include "tests/sim/libcuda/cuda_sim.h"
#include "tests/sim/libhsa/hsa_sim.h"
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

/* Calls with a handle that is not valid for them. */
static void check_bad(void *h, ol_device_handle_t device, ol_symbol_handle_t affine) {
  ol_queue_handle_t q = NULL;
  ol_event_handle_t e = h;
  char text[64];
  void *p = NULL;
  size_t size;
  CHECK_INT(kit_code(olGetPlatformInfo(h, OL_PLATFORM_INFO_NAME, 64, text)),
            OL_ERRC_INVALID_PLATFORM);
  CHECK_INT(kit_code(olGetDeviceInfo(h, OL_DEVICE_INFO_NAME, 64, text)), OL_ERRC_INVALID_DEVICE);
  CHECK_INT(kit_code(olMemAlloc(h, OL_ALLOC_TYPE_DEVICE, 8, &p)), OL_ERRC_INVALID_DEVICE);
  CHECK_INT(kit_code(olCreateQueue(h, &q)), OL_ERRC_INVALID_DEVICE);
  CHECK_INT(kit_code(olMemcpy(NULL, text, h, text, device, 8)), OL_ERRC_INVALID_DEVICE);
  CHECK_INT(kit_code(olMemcpy(h, text, device, text, device, 8)), OL_ERRC_INVALID_QUEUE);
  CHECK_INT(kit_code(olSyncQueue(h)), OL_ERRC_INVALID_QUEUE);
  CHECK_INT(kit_code(olDestroyQueue(h)), OL_ERRC_INVALID_QUEUE);
  CHECK_INT(kit_code(olMemFill(h, text, 1, "x", 8)), OL_ERRC_INVALID_QUEUE);
  CHECK_INT(kit_code(olSyncEvent(h)), OL_ERRC_INVALID_EVENT);
  CHECK_INT(kit_code(olDestroyEvent(h)), OL_ERRC_INVALID_EVENT);
  CHECK_INT(kit_code(olGetEventInfoSize(h, OL_EVENT_INFO_QUEUE, &size)), OL_ERRC_INVALID_EVENT);
  CHECK_INT(kit_code(olDestroyProgram(h)), OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olGetSymbolInfoSize(h, OL_SYMBOL_INFO_KIND, &size)), OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olLaunchKernel(NULL, device, h, NULL, 0, &kit_one)), OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olLaunchKernel(h, device, affine, NULL, 0, &kit_one)), OL_ERRC_INVALID_QUEUE);
  CHECK_INT(kit_code(olCreateQueue(device, &q)), 0);
  CHECK_INT(kit_code(olWaitEvents(q, &e, 1)), OL_ERRC_INVALID_EVENT);
  CHECK_INT(kit_code(olDestroyQueue(q)), 0);
}

static void test_handles(void) {
  for (int k = 0; k < KIT_PLATFORMS; k++) {
    ol_device_handle_t d = kit[k].devices[0];
    ol_queue_handle_t q = NULL, again = NULL;
    ol_event_handle_t e = NULL;
    int local = 0;
    check_bad(&local, d, kit[k].affine);
    check_bad((void *)1, d, kit[k].affine);
    check_bad((void *)UINTPTR_MAX, d, kit[k].affine);
    check_bad((void *)(uintptr_t)0x0300000000000001, d, kit[k].affine);
    CHECK_INT(kit_code(olCreateQueue(d, &q)), 0);
    CHECK_INT(kit_code(olCreateEvent(q, &e)), 0);
    CHECK_INT(kit_code(olSyncQueue((ol_queue_handle_t)d)), OL_ERRC_INVALID_QUEUE);
    CHECK_INT(kit_code(olSyncQueue((ol_queue_handle_t)e)), OL_ERRC_INVALID_QUEUE);
    CHECK_INT(kit_code(olSyncEvent((ol_event_handle_t)q)), OL_ERRC_INVALID_EVENT);
    CHECK_INT(kit_code(olDestroyQueue(q)), 0);
    CHECK_INT(kit_code(olCreateQueue(d, &again)), 0);
    CHECK(again != q); /* the reused slot has another generation */
    check_bad(q, d, kit[k].affine);
    /* the event outlives its queue */
    CHECK_INT(kit_code(olSyncEvent(e)), 0);
    CHECK_INT(kit_code(olDestroyEvent(e)), 0);
    check_bad(e, d, kit[k].affine);
    CHECK_INT(kit_code(olDestroyQueue(again)), 0);
  }
  /* a symbol of another device, and the end of a program */
  ol_program_handle_t program = kit[KIT_CUDA].program;
  CHECK_INT(kit_code(olLaunchKernel(NULL, kit[KIT_CUDA].devices[1], kit[KIT_CUDA].affine, NULL, 0,
                                    &kit_one)),
            OL_ERRC_INVALID_DEVICE);
  size_t group = 0;
  CHECK_INT(kit_code(olCalculateOptimalOccupancy(kit[KIT_CUDA].devices[1], kit[KIT_CUDA].affine, 0,
                                                 &group)),
            OL_ERRC_INVALID_DEVICE);
  CHECK_INT(kit_code(olDestroyProgram(program)), 0);
  CHECK_INT(kit_code(olLaunchKernel(NULL, kit[KIT_CUDA].devices[0], kit[KIT_CUDA].affine, NULL, 0,
                                    &kit_one)),
            OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olDestroyProgram(program)), OL_ERRC_INVALID_ARGUMENT);
}

static void test_results(void) {
  ol_code_location_t here = {"function", "file.c", 7, 1};
  ol_result_t first = olMemFree(&here), second = olMemFree(&here);
  CHECK(first && first == second);
  CHECK_HAS(olSyncQueueWithCodeLoc(NULL, &here)->Details, "function at file.c:7");
  CHECK(!strstr(olSyncQueue(NULL)->Details, "file.c"));
  for (uintptr_t i = 1; i < 6000; i++) {
    ol_result_t r = olMemFree((void *)(i * 4096));
    if (!r || r->Code != OL_ERRC_INVALID_ARGUMENT || !r->Details[0]) CHECK(!"a result");
  }
  CHECK_INT(first->Code, OL_ERRC_INVALID_ARGUMENT);
}

static _Atomic int released, called;
static _Atomic uint64_t seen; /* a function of a destroyed queue may still run */

static void wait_for_release(void *data) {
  while (!solo_load_acquire(&released)) sched_yield(); /* pairs with test_host_functions */
  solo_store_relaxed(&seen, *(uint64_t *)data);
  solo_add_relaxed(&called, 1);
}

/* The caller continues while a host function waits for it. Later operations remain in order. */
static void test_host_functions(int k) {
  ol_device_handle_t d = kit[k].devices[0], host = kit[KIT_HOST].devices[0];
  ol_queue_handle_t q = NULL, other = NULL;
  ol_event_handle_t e = NULL;
  uint64_t x = 5, copied = 0, after = 0;
  void *cell = NULL;
  bool empty = true, complete = true;
  solo_store_relaxed(&released, k == KIT_HOST); /* a CPU device calls the function at once */
  solo_store_relaxed(&called, 0);
  CHECK_INT(kit_code(olCreateQueue(d, &q)), 0);
  CHECK_INT(kit_code(olCreateQueue(d, &other)), 0);
  CHECK_INT(kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 8, &cell)), 0);
  CHECK_INT(kit_code(olMemcpy(q, cell, d, &x, host, 8)), 0);
  CHECK_INT(kit_code(kit_affine(&kit[k], q, cell, 3, 0)), 0);
  CHECK_INT(kit_code(olMemcpy(q, &copied, host, cell, d, 8)), 0);
  CHECK_INT(kit_code(olLaunchHostFunction(q, wait_for_release, &copied)), 0);
  CHECK_INT(kit_code(kit_affine(&kit[k], q, cell, 2, 1)), 0);
  CHECK_INT(kit_code(olCreateEvent(q, &e)), 0);
  CHECK_INT(kit_code(olWaitEvents(other, &e, 1)), 0);
  CHECK_INT(kit_code(kit_affine(&kit[k], other, cell, 10, 0)), 0);
  CHECK_INT(kit_code(olMemcpy(other, &after, host, cell, d, 8)), 0);
  CHECK_INT(kit_code(olGetQueueInfo(q, OL_QUEUE_INFO_EMPTY, sizeof empty, &empty)), 0);
  CHECK_INT(kit_code(olGetEventInfo(e, OL_EVENT_INFO_IS_COMPLETE, sizeof complete, &complete)), 0);
  if (k != KIT_HOST) {
    CHECK(!empty && !complete && !solo_load_relaxed(&called));
    solo_store_release(&released, 1);
  }
  CHECK_INT(kit_code(olSyncEvent(e)), 0);
  CHECK_INT(solo_load_relaxed(&called), 1);
  CHECK_INT(solo_load_relaxed(&seen), 15);
  CHECK_INT(kit_code(olSyncQueue(other)), 0);
  CHECK_INT(after, 310);
  /* without a host function */
  CHECK_INT(kit_code(olSyncQueue(q)), 0);
  CHECK_INT(kit_code(kit_affine(&kit[k], q, cell, 1, 2)), 0);
  CHECK_INT(kit_code(olMemcpy(q, &after, host, cell, d, 8)), 0);
  CHECK_INT(kit_code(olSyncQueue(q)), 0);
  CHECK_INT(after, 312);
  CHECK_INT(kit_code(olDestroyEvent(e)), 0);
  /* the queue ends before its host function */
  solo_store_relaxed(&released, k == KIT_HOST);
  static uint64_t last = 15;
  CHECK_INT(kit_code(olLaunchHostFunction(q, wait_for_release, &last)), 0);
  CHECK_INT(kit_code(olDestroyQueue(q)), 0);
  solo_store_release(&released, 1);
  while (solo_load_relaxed(&called) < 2) sched_yield();
  CHECK_INT(kit_code(olDestroyQueue(other)), 0);
}

static void test_across(void) {
  for (int a = 0; a < KIT_PLATFORMS; a++)
    for (int b = 0; b < KIT_PLATFORMS; b++) {
      ol_device_handle_t from = kit[a].devices[0], to = kit[b].devices[kit[b].count - 1];
      ol_device_handle_t host = kit[KIT_HOST].devices[0];
      ol_queue_handle_t q = NULL, r = NULL;
      ol_event_handle_t e = NULL;
      uint64_t in[300], out[300] = {0};
      void *p = NULL, *s = NULL;
      for (uint64_t i = 0; i < 300; i++) in[i] = i * 3 + (uint64_t)(a * 7 + b);
      CHECK_INT(kit_code(olCreateQueue(from, &q)), 0);
      CHECK_INT(kit_code(olCreateQueue(to, &r)), 0);
      CHECK_INT(kit_code(olMemAlloc(from, OL_ALLOC_TYPE_DEVICE, sizeof in, &p)), 0);
      CHECK_INT(kit_code(olMemAlloc(to, OL_ALLOC_TYPE_DEVICE, sizeof in, &s)), 0);
      CHECK_INT(kit_code(olMemcpy(q, p, from, in, host, sizeof in)), 0);
      CHECK_INT(kit_code(olMemcpy(q, s, to, p, from, sizeof in)), 0);
      CHECK_INT(kit_code(olCreateEvent(q, &e)), 0);
      CHECK_INT(kit_code(olWaitEvents(r, &e, 1)), 0);
      CHECK_INT(kit_code(olMemcpy(r, out, host, s, to, sizeof in)), 0);
      CHECK_INT(kit_code(olSyncQueue(r)), 0);
      CHECK(memcmp(in, out, sizeof in) == 0);
      CHECK_INT(kit_code(olMemFill(NULL, s, 8, in + 5, sizeof in)), 0);
      CHECK_INT(kit_code(olMemcpy(NULL, out, host, s, to, sizeof in)), 0);
      CHECK(out[0] == in[5] && out[299] == in[5]);
      CHECK_INT(kit_code(olDestroyEvent(e)), 0);
      CHECK_INT(kit_code(olMemFree(p)), 0);
      CHECK_INT(kit_code(olMemFree(s)), 0);
      CHECK_INT(kit_code(olDestroyQueue(q)), 0);
      CHECK_INT(kit_code(olDestroyQueue(r)), 0);
    }
}

/* Variables of programs are no allocations. A queue fills only memory of its device. */
static void test_fills(void) {
  for (int a = 0; a < KIT_PLATFORMS; a++) {
    ol_device_handle_t d = kit[a].devices[0], host = kit[KIT_HOST].devices[0];
    uint64_t old, pattern = 0x0102030405060708, got = 0;
    void *variable = NULL, *memory = NULL;
    CHECK_INT(kit_code(olGetSymbolInfo(kit[a].global, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, 8,
                                       &variable)),
              0);
    CHECK_INT(kit_code(olMemcpy(NULL, &old, host, variable, d, 8)), 0);
    CHECK_INT(kit_code(olMemFill(NULL, variable, 8, &pattern, 8)), 0);
    CHECK_INT(kit_code(olMemcpy(NULL, &got, host, variable, d, 8)), 0);
    CHECK_INT(got, pattern);
    CHECK_INT(kit_code(olMemFill(NULL, variable, 8, &old, 8)), 0);
    CHECK_INT(kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 64, &memory)), 0);
    for (int b = 0; b < KIT_PLATFORMS; b++) {
      ol_queue_handle_t q = NULL;
      CHECK_INT(kit_code(olCreateQueue(kit[b].devices[0], &q)), 0);
      CHECK_INT(kit_code(olMemFill(q, memory, 8, &pattern, 64)),
                a == b ? 0 : OL_ERRC_INVALID_DEVICE);
      CHECK_INT(kit_code(olMemFill(q, memory, 1, &pattern, 64)),
                a == b ? 0 : OL_ERRC_INVALID_DEVICE);
      CHECK_INT(kit_code(olDestroyQueue(q)), 0);
    }
    CHECK_INT(kit_code(olMemFree(memory)), 0);
  }
}

static _Atomic int thread_failures;
static ol_queue_handle_t common[KIT_PLATFORMS];

static void add_one(void *data) {
  solo_add_relaxed((_Atomic int *)data, 1);
}

static void *work(void *argument) {
  uintptr_t seed = (uintptr_t)argument;
  _Atomic int calls = 0;
  for (int round = 0; round < 20; round++) {
    int k = (int)(seed + (unsigned)round) % KIT_PLATFORMS, bad = kit_code(olInit());
    ol_device_handle_t d = kit[k].devices[0], host = kit[KIT_HOST].devices[0];
    ol_queue_handle_t q = NULL;
    ol_event_handle_t e = NULL;
    void *cell = NULL;
    uint64_t x = seed, y = 0;
    bad |= kit_code(olCreateQueue(d, &q));
    bad |= kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 8, &cell));
    bad |= kit_code(olMemcpy(q, cell, d, &x, host, 8));
    for (int i = 0; i < 5; i++) bad |= kit_code(kit_affine(&kit[k], q, cell, 2, 1));
    bad |= kit_code(olCreateEvent(q, &e));
    bad |= kit_code(olWaitEvents(common[k], &e, 1));
    bad |= kit_code(olMemcpy(common[k], &y, host, cell, d, 8));
    if (round % 5 == 0) bad |= kit_code(olLaunchHostFunction(common[k], add_one, &calls));
    bad |= kit_code(olSyncQueue(common[k]));
    bad |= y != 32 * x + 31;
    bad |= kit_code(olSyncEvent(e)) | kit_code(olDestroyEvent(e));
    bad |= kit_code(olMemFree(cell)) | kit_code(olDestroyQueue(q)) | kit_code(olShutDown());
    if (bad) solo_add_relaxed(&thread_failures, 1);
  }
  if (solo_load_relaxed(&calls) != 4) solo_add_relaxed(&thread_failures, 1);
  return NULL;
}

static void test_threads(void) {
  enum { THREADS = 6 };
  pthread_t threads[THREADS];
  for (int k = 0; k < KIT_PLATFORMS; k++)
    CHECK_INT(kit_code(olCreateQueue(kit[k].devices[0], &common[k])), 0);
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_INT(solo_load_relaxed(&thread_failures), 0);
  for (int k = 0; k < KIT_PLATFORMS; k++) CHECK_INT(kit_code(olDestroyQueue(common[k])), 0);
}

/* Returns the number of calls that failed. */
static int sequence(int k) {
  ol_device_handle_t d = kit[k].devices[0], host = kit[KIT_HOST].devices[0];
  ol_queue_handle_t q = NULL;
  ol_event_handle_t e = NULL;
  void *cell = NULL, *managed = NULL;
  uint64_t x = 4, y = 0;
  int bad = 0;
  bad += kit_code(olCreateQueue(d, &q)) != 0;
  bad += kit_code(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 1 << 20, &cell)) != 0;
  bad += kit_code(olMemAlloc(d, OL_ALLOC_TYPE_MANAGED, 4096, &managed)) != 0;
  if (q && cell) {
    bad += kit_code(olMemcpy(q, cell, d, &x, host, 8)) != 0;
    bad += kit_code(kit_affine(&kit[k], q, cell, 3, 2)) != 0;
    bad += kit_code(olCreateEvent(q, &e)) != 0;
    if (e) bad += kit_code(olWaitEvents(q, &e, 1)) != 0;
    bad += kit_code(olMemcpy(q, &y, host, cell, d, 8)) != 0;
    bad += kit_code(olSyncQueue(q)) != 0;
    if (e) bad += kit_code(olSyncEvent(e)) != 0;
    if (!bad) CHECK_INT(y, 14);
  }
  if (e) bad += kit_code(olDestroyEvent(e)) != 0;
  if (cell) bad += kit_code(olMemFree(cell)) != 0;
  if (managed) bad += kit_code(olMemFree(managed)) != 0;
  if (q) bad += kit_code(olDestroyQueue(q)) != 0;
  return bad;
}

static void test_failures_injected(void) {
  int failed = 0;
  CHECK_INT(sequence(KIT_CUDA) + sequence(KIT_HSA), 0);
  for (unsigned n = 1; n < 40; n++) {
    cuda_sim_fail(NULL, n, 2); /* CUDA_ERROR_OUT_OF_MEMORY */
    failed += sequence(KIT_CUDA) > 0;
    cuda_sim_fail(NULL, 0, 0);
    hsa_sim_fail(NULL, n, 4104); /* HSA_STATUS_ERROR_OUT_OF_RESOURCES */
    failed += sequence(KIT_HSA) > 0;
    hsa_sim_fail(NULL, 0, 0);
    CHECK_INT(sequence(KIT_CUDA) + sequence(KIT_HSA), 0);
  }
  CHECK(failed >= 6); /* the calls without a driver call cannot fail: pooled memory and queues */
}

static int in_child(ol_queue_handle_t gpu, ol_queue_handle_t cpu, ol_event_handle_t pending) {
  uint64_t x = 1, y = 0;
  void *cell = &x;
  int bad = kit_code(olSyncQueue(gpu)) != OL_ERRC_BACKEND_FAILURE;
  bad |= kit_code(kit_affine(&kit[KIT_HOST], cpu, cell, 5, 1));
  bad |= kit_code(olSyncQueue(cpu)) | (x != 6);
  bad |= kit_code(olSyncEvent(pending)) != OL_ERRC_INVALID_EVENT;
  bad |= kit_code(olWaitEvents(cpu, &pending, 1)) != OL_ERRC_INVALID_EVENT;
  bad |= kit_code(olDestroyEvent(pending));
  bad |= kit_code(olMemFree(&y)) != OL_ERRC_INVALID_ARGUMENT;
  bad |= !kit_code(olMemcpy(gpu, &y, kit[KIT_HOST].devices[0], &x, kit[KIT_CUDA].devices[0], 8));
  bad |= kit_code(olShutDown());
  return bad;
}

static void *sync_event(void *event) {
  CHECK_INT(kit_code(olSyncEvent(event)), 0);
  return NULL;
}

static void test_fork(void) {
  ol_queue_handle_t gpu = NULL, cpu = NULL;
  ol_event_handle_t pending = NULL;
  pthread_t waiter;
  uint64_t value = 1;
  int status = -1;
  CHECK_INT(kit_code(olCreateQueue(kit[KIT_CUDA].devices[0], &gpu)), 0);
  CHECK_INT(kit_code(olCreateQueue(kit[KIT_HOST].devices[0], &cpu)), 0);
  /* a thread waits for a pending event */
  solo_store_relaxed(&released, 0);
  CHECK_INT(kit_code(olLaunchHostFunction(gpu, wait_for_release, &value)), 0);
  CHECK_INT(kit_code(olCreateEvent(gpu, &pending)), 0);
  pthread_create(&waiter, NULL, sync_event, pending);
  usleep(10000);
  pid_t pid = fork();
  if (pid == 0) _exit(in_child(gpu, cpu, pending));
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  CHECK_INT(status, 0);
  solo_store_release(&released, 1);
  pthread_join(waiter, NULL);
  CHECK_INT(kit_code(olDestroyEvent(pending)), 0);
  CHECK_INT(kit_code(olSyncQueue(gpu)), 0);
  CHECK_INT(kit_code(olDestroyQueue(gpu)), 0);
}

static _Atomic int allocated;

static ol_queue_handle_t younger; /* created while olShutDown waits */

static void *allocate(void *device) {
  static _Atomic int calls;
  void *memory = NULL;
  while (!solo_load_acquire(&called)) sched_yield(); /* pairs with wait_for_allocation */
  usleep(20000);                                     /* olShutDown waits for the host function */
  CHECK_INT(kit_code(olMemAlloc(device, OL_ALLOC_TYPE_DEVICE, 64, &memory)), 0);
  CHECK_INT(kit_code(olInit()), 0);
  CHECK_INT(kit_code(olCreateQueue(device, &younger)), 0);
  CHECK_INT(kit_code(olLaunchHostFunction(younger, add_one, &calls)), 0);
  solo_store_release(&allocated, 1); /* pairs with wait_for_allocation */
  return NULL;
}

static void wait_for_allocation(void *data) {
  (void)data;
  solo_store_release(&called, 1);                       /* pairs with allocate */
  while (!solo_load_acquire(&allocated)) sched_yield(); /* pairs with allocate */
}

/* olShutDown waits for a host function, which waits for a thread that allocates memory. */
static void test_end_with_host_function(void) {
  pthread_t other;
  ol_queue_handle_t q = NULL;
  solo_store_relaxed(&called, 0);
  CHECK_INT(kit_code(olCreateQueue(kit[KIT_CUDA].devices[0], &q)), 0);
  pthread_create(&other, NULL, allocate, kit[KIT_CUDA].devices[0]);
  CHECK_INT(kit_code(olLaunchHostFunction(q, wait_for_allocation, NULL)), 0);
  alarm(60); /* ends the test if it deadlocks */
  CHECK_INT(kit_code(olShutDown()), 0);
  alarm(0);
  pthread_join(other, NULL);
  CHECK(solo_load_relaxed(&allocated));
  CHECK_INT(kit_code(olSyncQueue(younger)), 0);
  CHECK_INT(kit_code(olShutDown()), 0);
  CHECK_INT(kit_code(olShutDown()), OL_ERRC_UNINITIALIZED);
}

int main(void) {
  setenv("SIM_DEVICES", "2", 1);
  CHECK(kit_start());
  if (test_failures) return TEST_RESULT();
  for (int k = 0; k < KIT_PLATFORMS; k++) test_host_functions(k);
  test_results();
  test_across();
  test_fills();
  test_threads();
  test_failures_injected();
  test_fork();
  test_handles();
  /* shut down with open objects, then start again */
  ol_device_handle_t old = kit[KIT_CUDA].devices[0];
  ol_queue_handle_t q = NULL;
  void *p = NULL;
  CHECK_INT(kit_code(olCreateQueue(old, &q)), 0);
  CHECK_INT(kit_code(olMemAlloc(old, OL_ALLOC_TYPE_DEVICE, 1 << 21, &p)), 0);
  CHECK_INT(kit_code(olShutDown()), 0);
  CHECK_INT(kit_code(olSyncQueue(q)), OL_ERRC_UNINITIALIZED);
  CHECK(kit_start());
  CHECK_INT(kit_code(olSyncQueue(q)), OL_ERRC_INVALID_QUEUE);
  CHECK_INT(kit_code(olCreateQueue(old, &q)), OL_ERRC_INVALID_DEVICE);
  CHECK_INT(sequence(KIT_CUDA) + sequence(KIT_HSA), 0);
  enum { ROUNDS = 40 };
  int cuda = cuda_sim_live(NULL), hsa = hsa_sim_live(NULL);
  for (int i = 0; i < ROUNDS; i++) CHECK_INT(sequence(KIT_CUDA) + sequence(KIT_HSA), 0);
  CHECK(cuda_sim_live(NULL) < cuda + ROUNDS / 2 && hsa_sim_live(NULL) < hsa + ROUNDS / 2);
  CHECK(cuda_sim_violations() == 0 && hsa_sim_violations() == 0);
  test_end_with_host_function();
  return TEST_RESULT();
}
