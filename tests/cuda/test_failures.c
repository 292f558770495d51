/* Description: each driver call of a scenario that uses the whole backend fails once. The failure
 * is reported or harmless; nothing crashes, hangs or leaks. */
#define _GNU_SOURCE
#include "tests/cuda/cuda_test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { NOTHING_FAILED = 3, CALLS_AT_MOST = 400 };

static const solo_backend *const b = &solo_cuda_backend;
static int ordered_code;
static solo_status first;
static const char *first_what;
static int failed_late, failed_staging;

/* A failure of these functions is not reported, because they are hints, releases or error texts. */
static const char *const harmless[] = {"cuDevicePrimaryCtxSetFlags_v2",
                                       "cuCtxEnablePeerAccess",
                                       "cuDeviceCanAccessPeer",
                                       "cuDevicePrimaryCtxRelease_v2",
                                       "cuStreamDestroy_v2",
                                       "cuEventDestroy_v2",
                                       "cuModuleUnload",
                                       "cuGetErrorName",
                                       "cuGetErrorString",
                                       "cuCtxPopCurrent_v2",
                                       "cuMemHostUnregister"};

#define STEP(expression)                                                                           \
  do {                                                                                             \
    if (first == SOLO_OK && (first = (expression)) != SOLO_OK) {                                   \
      first_what = #expression;                                                                    \
      report();                                                                                    \
    }                                                                                              \
  } while (0)

static void report(void) {
  const solo_error *error = solo_error_last();
  CHECK_INT(error->status, first);
  CHECK_HAS(error->text, "cuda: ");
  CHECK_INT(error->vendor_code, ordered_code);
  CHECK(strlen(error->text) > 40);
}

static uint64_t host(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

typedef struct scene {
  solo_bdevice *device, *peer;
  solo_bmodule *module;
  solo_bqueue *queue, *second;
  solo_bevent *event;
  solo_devptr block[4], pinned;
} scene;

static char buffer[12500], back[sizeof buffer], pages[4 * 4096];
static const solo_memory_kind kinds[] = {SOLO_MEMORY_DEVICE, SOLO_MEMORY_HOST, SOLO_MEMORY_SHARED};

static void open_all(scene *s, const solo_image *image) {
  solo_device_info info;
  int count = 0;
  STEP(b->device_count(&count));
  STEP(b->device_open(0, 0, &s->device, &info));
  STEP(b->device_open(1, 1, &s->peer, &info));
  STEP(b->module_load(s->device, image, &s->module));
  STEP(b->queue_open(s->device, &s->queue));
  STEP(b->queue_open(s->device, &s->second));
  STEP(b->event_open(s->device, &s->event));
  for (int i = 0; i < 3; i++) STEP(b->mem_alloc(s->device, sizeof buffer, kinds[i], &s->block[i]));
  STEP(b->mem_alloc(s->peer, sizeof buffer, SOLO_MEMORY_DEVICE, &s->block[3]));
  STEP(b->mem_pin(s->device, pages + 100, 4096, &s->pinned));
}

/* The backend has a fallback for most failures of staging (SOLO_STAGING_THRESHOLD). */
static void copy(scene *s) {
  int before = cuda_sim_failed() != NULL;
  for (size_t i = 0; i < sizeof buffer; i++) buffer[i] = (char)(i * 7 + i / 256);
  STEP(b->queue_copy(s->queue, s->block[0], host(buffer), sizeof buffer, SOLO_COPY_IN));
  STEP(b->queue_copy(s->queue, host(back), s->block[0], sizeof back, SOLO_COPY_OUT));
  STEP(b->queue_sync(s->queue));
  if (first == SOLO_OK) CHECK(memcmp(buffer, back, sizeof back) == 0);
  failed_staging = !before && cuda_sim_failed() && getenv("SOLO_STAGING_THRESHOLD");
}

static void work(scene *s) {
  solo_bkernel *kernel = NULL;
  solo_kernel_attributes attributes;
  solo_devptr global;
  uint64_t bytes;
  int done;
  const solo_copy_box flat = {10, 10, 1, 10, 100, 20, 200}, deep = {10, 10, 2, 10, 100, 20, 200};
  STEP(b->module_kernel(s->module, "sim_nothing", &kernel, &attributes));
  STEP(b->module_global(s->module, "sim_global", &global, &bytes));
  copy(s);
  STEP(b->queue_copy_box(s->queue, s->block[0], host(buffer), &flat, SOLO_COPY_IN));
  STEP(b->queue_copy_box(s->queue, s->block[0], host(buffer), &deep, SOLO_COPY_IN));
  STEP(b->queue_fill(s->queue, s->block[0], 1, 100));
  uint64_t slot = 0;
  solo_launch_record launch = {.teams = {1, 1, 1},
                               .threads = {1, 1, 1},
                               .shared_bytes = 100000,
                               .argument_bytes = sizeof slot,
                               .arguments = &slot};
  STEP(b->queue_launch(s->queue, kernel, &launch));
  STEP(b->queue_copy_peer(s->queue, s->peer, s->block[3], s->block[0], 100));
  STEP(b->event_record(s->queue, s->event));
  STEP(b->event_query(s->event, &done));
  STEP(b->queue_wait_event(s->second, s->event));
  STEP(b->queue_copy(s->second, s->block[0] + 4096, s->block[0], 100, SOLO_COPY_WITHIN));
  STEP(b->queue_copy(s->second, host(buffer), s->block[0], 100, SOLO_COPY_OUT));
  STEP(b->event_wait(s->event));
  STEP(b->queue_sync(s->queue));
  STEP(b->queue_sync(s->second));
}

/* Returns whether the failed call only made the context current. If so, the driver was not called
 * to release the object, and the caller retries. */
static int context_entry_failed(void) {
  const char *failed = cuda_sim_failed();
  return failed && strncmp(failed, "cuCtx", 5) == 0;
}

static void release(scene *s, int i) {
  solo_bdevice *device = i == 3 ? s->peer : s->device;
  solo_memory_kind kind = i == 3 ? SOLO_MEMORY_DEVICE : kinds[i];
  if (!s->block[i]) return;
  solo_status before = first, status = b->mem_free(device, s->block[i], kind);
  if (before != SOLO_OK) return;
  STEP(status);
  if (status != SOLO_OK && context_entry_failed()) (void)b->mem_free(device, s->block[i], kind);
}

static void unpin(scene *s) {
  if (!s->pinned) return;
  solo_status before = first, status = b->mem_unpin(s->device, pages + 100);
  if (before != SOLO_OK) return;
  STEP(status);
  if (status != SOLO_OK && context_entry_failed()) (void)b->mem_unpin(s->device, pages + 100);
}

/* Closes in the order of the runtime: each queue is idle before it is closed. */
static void close_all(scene *s) {
  if (first != SOLO_OK && s->queue) (void)b->queue_sync(s->queue);
  if (first != SOLO_OK && s->second) (void)b->queue_sync(s->second);
  unpin(s);
  for (int i = 0; i < 4; i++) release(s, i);
  /* the functions below return no status, so a failure in them is invisible */
  failed_late = !cuda_sim_failed();
  if (s->event) b->event_close(s->device, s->event);
  if (s->second) b->queue_close(s->device, s->second);
  if (s->queue) b->queue_close(s->device, s->queue);
  if (s->module) b->module_unload(s->device, s->module);
  if (s->peer) b->device_close(s->peer);
  if (s->device) b->device_close(s->device);
}

/* One run, in a separate process. */
static int run_once(const char *cubin) {
  scene s = {0};
  solo_image image = test_image(cubin);
  open_all(&s, &image);
  work(&s);
  close_all(&s);
  free((void *)(uintptr_t)image.bytes.data);
  const char *failed = cuda_sim_failed();
  if (!failed) {
    CHECK_INT(first, SOLO_OK);
    return test_failures ? 1 : NOTHING_FAILED;
  }
  /* A wait also fails if user code has made another context current. The backend then repeats the
   * wait in the backend's context, and the scenario succeeds. */
  int is_wait =
      strcmp(failed, "cuStreamSynchronize") == 0 || strcmp(failed, "cuEventSynchronize") == 0;
  int is_harmless =
      failed_late || failed_staging || (is_wait && ordered_code != 719) ||
      /* another context may cause the error, so the backend repeats the call in its context */
      ordered_code == 201 || ordered_code == 400 || ordered_code == 1;
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    is_harmless |= strcmp(failed, harmless[i]) == 0;
  if (!is_harmless) CHECK(first != SOLO_OK);
  CHECK_INT(cuda_sim_live(NULL), 0);
  CHECK_INT(cuda_sim_violations(), 0);
  CHECK(test_checks > 0);
  if (test_failures)
    printf("(%s failed with %d as ordered; the backend reported for %s: %s)\n", failed,
           ordered_code, first_what ? first_what : "nothing",
           first_what ? solo_error_last()->text : "");
  return test_failures != 0;
}

static int spawn(char **argv, const char *order) {
  setenv("SIM_FAIL", order, 1);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execv(argv[0], argv);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  ordered_code = atoi(argv[2]);
  if (!cuda_sim_failed) TEST_SKIP("only the simulated driver fails calls on order");
  if (getenv("SIM_FAIL")) return run_once(argv[1]);
  setenv("SIM_DEVICES", "2", 1);
  /* without polling, the number of driver calls is the same in each run */
  setenv("SOLO_SPIN_US", "0", 1);
  for (int n = 1; n <= CALLS_AT_MOST; n++) {
    char order[64];
    snprintf(order, sizeof order, "*:%d:%d", n, ordered_code);
    int rc = spawn(argv, order);
    if (rc == NOTHING_FAILED) {
      printf("each of %d calls failed once with %d\n", n - 1, ordered_code);
      CHECK(n > 100);
      break;
    }
    if (rc) printf("call %d: exit status %d\n", n, rc);
    CHECK_INT(rc, 0);
    CHECK(n < CALLS_AT_MOST);
  }
  return TEST_RESULT();
}
