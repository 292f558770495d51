/* Description: the CUDA backend implements its contract: images, kernels, memory, copies, events. */
#include "tests/cuda/cuda_test.h"

#include <pthread.h>

static const solo_backend *const b = &solo_cuda_backend;
static test_device t;

static uint64_t host(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

static void info(void) {
  CHECK_TEXT(b->name, "cuda");
  CHECK(t.info.name[0] && strncmp(t.info.arch, "sm_", 3) == 0 && strlen(t.info.uid) == 40);
  CHECK_INT(t.info.warp_size, 32);
  CHECK(t.info.flags & SOLO_DEVICE_HAS_RTL);
  CHECK_INT(t.info.default_threads, 128);
  CHECK_INT(t.info.default_teams, 3200);
  CHECK(t.info.compute_units && t.info.hardware_threads && t.info.memory_bytes);
  CHECK(t.info.max_shared_bytes >= 48 << 10);
  void *handle = NULL;
  OK(b->native_handle(t.device, NULL, SOLO_NATIVE_CONTEXT, &handle));
  CHECK(handle);
  OK(b->native_handle(t.device, t.queue, SOLO_NATIVE_QUEUE, &handle));
  CHECK(handle);
  OK(b->native_handle(t.device, NULL, SOLO_NATIVE_DEVICE, &handle));
  CHECK_INT(b->native_handle(t.device, NULL, SOLO_NATIVE_QUEUE, &handle), SOLO_INVALID);
  solo_bdevice *none;
  solo_device_info unused;
  CHECK_INT(b->device_open(99, 99, &none, &unused), SOLO_INVALID);
}

static void arguments(void) {
  solo_devptr out;
  uint64_t slots[19], back[19] = {0};
  OK(b->mem_alloc(t.device, sizeof back, SOLO_MEMORY_DEVICE, &out));
  slots[0] = out;
  for (int i = 1; i < 19; i++) slots[i] = 0x1000000000u + (uint64_t)i;
  OK(test_launch(t.queue, test_kernel(&t, "sim_arguments"), 1, 1, slots, 19));
  OK(b->queue_copy(t.queue, host(back), out, sizeof back, SOLO_COPY_OUT));
  OK(b->queue_sync(t.queue));
  CHECK_INT(back[0], 0);
  for (int i = 1; i < 19; i++) CHECK_INT(back[i], slots[i]);
  OK(b->mem_free(t.device, out, SOLO_MEMORY_DEVICE));
}

static void shape(void) {
  solo_devptr out;
  uint64_t back[8], slot[2] = {0};
  solo_bkernel *kernel = test_kernel(&t, "sim_shape");
  OK(b->mem_alloc(t.device, sizeof back, SOLO_MEMORY_DEVICE, &out));
  OK(b->queue_fill(t.queue, out, 0, sizeof back));
  slot[1] = out;
  solo_launch_record record = {.teams = {3, 2, 1},
                               .threads = {4, 1, 2},
                               .shared_bytes = 60 << 10,
                               .argument_bytes = sizeof slot,
                               .arguments = slot};
  OK(b->queue_launch(t.queue, kernel, &record));
  OK(b->queue_copy(t.queue, host(back), out, sizeof back, SOLO_COPY_OUT));
  OK(b->queue_sync(t.queue));
  const uint64_t expected[8] = {3, 2, 1, 4, 1, 2, 3 * 2 * 4 * 2, 60 << 10};
  for (int i = 0; i < 8; i++) CHECK_INT(back[i], expected[i]);
  record.shared_bytes = 1 << 20;
  CHECK_INT(b->queue_launch(t.queue, kernel, &record), SOLO_INVALID);
  CHECK_HAS(solo_error_last()->text, "sim_shape");
  record.shared_bytes = 0;
  record.threads[0] = 2000;
  CHECK_INT(b->queue_launch(t.queue, kernel, &record), SOLO_INVALID);
  OK(b->queue_sync(t.queue));
  OK(b->mem_free(t.device, out, SOLO_MEMORY_DEVICE));
}

static void module(void) {
  solo_bkernel *kernel, *again;
  solo_kernel_attributes attributes;
  solo_devptr address;
  uint64_t bytes;
  CHECK_INT(b->module_kernel(t.module, "no_such", &kernel, &attributes), SOLO_NOT_FOUND);
  CHECK_HAS(solo_error_last()->text, "no_such");
  OK(b->module_kernel(t.module, "sim_add", &kernel, &attributes));
  OK(b->module_kernel(t.module, "sim_add", &again, &attributes));
  CHECK(kernel == again && attributes.max_threads);
  CHECK_INT(b->module_global(t.module, "no_such", &address, &bytes), SOLO_NOT_FOUND);
  OK(b->module_global(t.module, "sim_global", &address, &bytes));
  CHECK_INT(bytes, sizeof(int));
  int value = 0;
  const uint64_t add[1] = {8};
  OK(test_launch(t.queue, test_kernel(&t, "sim_global_add"), 1, 1, add, 1));
  OK(b->queue_copy(t.queue, host(&value), address, sizeof value, SOLO_COPY_OUT));
  OK(b->queue_sync(t.queue));
  CHECK_INT(value, 50);
}

/* Host-visible memory has the same address on both sides. */
static void kinds(void) {
  const solo_memory_kind kind[] = {SOLO_MEMORY_HOST, SOLO_MEMORY_SHARED};
  for (int k = 0; k < 2; k++) {
    solo_devptr at;
    OK(b->mem_alloc(t.device, 400, kind[k], &at));
    int *x = (int *)(uintptr_t)at;
    for (int i = 0; i < 100; i++) x[i] = i;
    const uint64_t slots[] = {at, 100, 1};
    OK(test_launch(t.queue, test_kernel(&t, "sim_add"), 2, 32, slots, 3));
    OK(b->queue_sync(t.queue));
    CHECK(x[0] == 1 && x[99] == 100);
    OK(b->mem_free(t.device, at, kind[k]));
  }
  solo_devptr none = 7;
  CHECK_INT(b->mem_alloc(t.device, UINT64_MAX - 5, SOLO_MEMORY_DEVICE, &none), SOLO_DEVICE_NOMEM);
  CHECK_INT(none, 7);
  CHECK_HAS(solo_error_last()->text, "CUDA_ERROR_OUT_OF_MEMORY");
  static int range[4096];
  /* SIM_INLINE: the simulated device is this process, so pinning cannot map pages a second time */
  if (getenv("SIM_INLINE")) return;
  OK(b->mem_pin(t.device, range + 5, 4000, &none));
  for (int i = 0; i < 4096; i++) range[i] = 1;
  const uint64_t slots[] = {none, 1000, 2};
  OK(test_launch(t.queue, test_kernel(&t, "sim_add"), 1, 32, slots, 3));
  OK(b->queue_sync(t.queue));
  CHECK(range[4] == 1 && range[5] == 3 && range[1004] == 3 && range[1005] == 1);
  OK(b->mem_unpin(t.device, range + 5));
  CHECK_INT(b->mem_unpin(t.device, range + 5), SOLO_INVALID);
}

static void boxes(void) {
  enum { X = 7, Y = 5, Z = 3, PX = 16, PY = 9 };
  static unsigned char source[Z * PY * PX], back[Z * PY * PX];
  for (size_t i = 0; i < sizeof source; i++) source[i] = (unsigned char)i;
  /* if odd is 1, the slice pitch is no multiple of the row pitch, and the backend copies each slice
   * separately */
  for (uint64_t odd = 0; odd < 2; odd++) {
    solo_copy_box box = {X, Y, Z, X, X * Y + odd * 3, PX, PX * PY};
    solo_devptr at;
    OK(b->mem_alloc(t.device, (X * Y + 3) * Z, SOLO_MEMORY_DEVICE, &at));
    OK(b->queue_copy_box(t.queue, at, host(source), &box, SOLO_COPY_IN));
    memset(back, 0, sizeof back);
    box = (solo_copy_box){X, Y, Z, PX, PX * PY, X, X * Y + odd * 3};
    OK(b->queue_copy_box(t.queue, host(back), at, &box, SOLO_COPY_OUT));
    OK(b->queue_sync(t.queue));
    int wrong = 0;
    for (int z = 0; z < Z; z++)
      for (int y = 0; y < PY; y++)
        for (int x = 0; x < PX; x++) {
          int i = (z * PY + y) * PX + x;
          wrong += back[i] != (x < X && y < Y ? source[i] : 0);
        }
    CHECK_INT(wrong, 0);
    OK(b->mem_free(t.device, at, SOLO_MEMORY_DEVICE));
  }
  solo_devptr a, c;
  OK(b->mem_alloc(t.device, 1000, SOLO_MEMORY_DEVICE, &a));
  OK(b->mem_alloc(t.device, 1000, SOLO_MEMORY_DEVICE, &c));
  OK(b->queue_fill(t.queue, a, 0x1ab, 1000));
  OK(b->queue_copy(t.queue, c, a, 1000, SOLO_COPY_WITHIN));
  OK(b->queue_copy(t.queue, host(back), c, 100, SOLO_COPY_OUT));
  OK(b->queue_sync(t.queue));
  CHECK(back[0] == 0xab && back[99] == 0xab && back[100] != 0xab);
  OK(b->mem_free(t.device, a, SOLO_MEMORY_DEVICE));
  OK(b->mem_free(t.device, c, SOLO_MEMORY_DEVICE));
}

/* A queued wait stays valid after the wait's event is closed. */
static void events(void) {
  solo_bqueue *second;
  solo_bevent *event;
  solo_devptr at;
  int value = 0, done = 0;
  const uint64_t slots[] = {0, 1, 5};
  uint64_t with[3];
  OK(b->queue_open(t.device, &second));
  OK(b->mem_alloc(t.device, 4, SOLO_MEMORY_DEVICE, &at));
  memcpy(with, slots, sizeof with);
  with[0] = at;
  OK(b->event_open(t.device, &event));
  OK(b->event_query(event, &done));
  CHECK_INT(done, 1);
  if (cuda_sim_delay) cuda_sim_delay(3000);
  OK(b->queue_copy(t.queue, at, host(&value), 4, SOLO_COPY_IN));
  OK(test_launch(t.queue, test_kernel(&t, "sim_add"), 1, 1, with, 3));
  OK(b->event_record(t.queue, event));
  if (cuda_sim_delay) {
    OK(b->event_query(event, &done));
    CHECK_INT(done, 0);
  }
  OK(b->queue_wait_event(second, event));
  OK(b->queue_copy(second, host(&value), at, 4, SOLO_COPY_OUT));
  OK(b->event_wait(event));
  OK(b->event_query(event, &done));
  CHECK_INT(done, 1);
  OK(b->queue_sync(second));
  CHECK_INT(value, 5);
  OK(b->event_record(t.queue, event));
  OK(b->queue_wait_event(second, event));
  b->event_close(t.device, event);
  OK(b->queue_sync(second));
  OK(b->queue_sync(t.queue));
  if (cuda_sim_delay) cuda_sim_delay(0);
  OK(b->mem_free(t.device, at, SOLO_MEMORY_DEVICE));
  b->queue_close(t.device, second);
}

static void peers(void) {
  int count = 0;
  OK(b->device_count(&count));
  if (count < 2) return;
  solo_bdevice *other;
  solo_device_info unused;
  solo_bqueue *queue;
  solo_devptr from, to;
  int value = 77, back = 0;
  OK(b->device_open(1, 1, &other, &unused));
  OK(b->queue_open(other, &queue));
  OK(b->mem_alloc(t.device, 4, SOLO_MEMORY_DEVICE, &from));
  OK(b->mem_alloc(other, 4, SOLO_MEMORY_DEVICE, &to));
  OK(b->queue_copy(t.queue, from, host(&value), 4, SOLO_COPY_IN));
  OK(b->queue_copy_peer(t.queue, other, to, from, 4));
  OK(b->queue_sync(t.queue));
  OK(b->queue_copy(queue, host(&back), to, 4, SOLO_COPY_OUT));
  OK(b->queue_sync(queue));
  CHECK_INT(back, 77);
  OK(b->mem_free(t.device, from, SOLO_MEMORY_DEVICE));
  OK(b->mem_free(other, to, SOLO_MEMORY_DEVICE));
  b->queue_close(other, queue);
  b->device_close(other);
}

/* Uses the backend on a second thread without CHECK(), which is not thread-safe. Returns NULL on
 * success. */
static void *from_thread(void *kernel) {
  solo_bqueue *queue;
  solo_devptr at;
  int x[64] = {0};
  if (b->queue_open(t.device, &queue)) return kernel;
  int bad = b->mem_alloc(t.device, sizeof x, SOLO_MEMORY_DEVICE, &at) != SOLO_OK;
  for (int round = 0; round < 20 && !bad; round++) {
    const uint64_t slots[] = {at, 64, 1};
    bad += b->queue_copy(queue, at, host(x), sizeof x, SOLO_COPY_IN) != SOLO_OK;
    bad += test_launch(queue, kernel, 1, 64, slots, 3) != SOLO_OK;
    bad += b->queue_copy(queue, host(x), at, sizeof x, SOLO_COPY_OUT) != SOLO_OK;
    bad += b->queue_sync(queue) != SOLO_OK;
  }
  bad += x[0] != 20 || x[63] != 20 || b->mem_free(t.device, at, SOLO_MEMORY_DEVICE) != SOLO_OK;
  b->queue_close(t.device, queue);
  return bad ? kernel : NULL;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  t = test_open(argv[1]);
  info();
  module();
  arguments();
  shape();
  kinds();
  boxes();
  events();
  peers();
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, from_thread, test_kernel(&t, "sim_add"));
  for (int i = 0; i < 3; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    CHECK(!failed);
  }
  test_close(&t);
  if (cuda_sim_live) {
    CHECK_INT(cuda_sim_live(NULL), 0);
    CHECK_INT(cuda_sim_violations(), 0);
  }
  return TEST_RESULT();
}
