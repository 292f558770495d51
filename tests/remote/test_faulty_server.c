/* Description: a device server returns one wrong byte or counter. The program succeeds or receives
 * an error with a reason, and never hangs or crashes (AddressSanitizer). Argument N: changes only
 * every Nth byte. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "runtime/backend_work.h"
#include "tests/remote/faulty_server.h"
#include "tests/remote/read_image.h"
#include "tests/unit/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { PATIENCE_SECONDS = 40, LAUNCHES = 1500, LONG_BYTES = 6 << 20, STARTED = 16 };
/* exit statuses of a program: success, failure with a reason, failure without */
enum { FINE, TOLD = 10, UNTOLD = 11 };

static const solo_backend *const b = &solo_remote_host_backend;
static faulty_server_plan *plan;
static int refused; /* number of failed calls */
static char first_text[SOLO_ERROR_TEXT];

/* Returns nonzero on success. A failure must set an error text with the same status. NOT_FOUND
 * needs no text, because callers expect it. */
static int is_good(solo_status status, const char *call) {
  const solo_error *e = solo_error_last();
  if (status == SOLO_OK) return 1;
  if (!refused++) snprintf(first_text, sizeof first_text, "%s", e->text);
  if (status != SOLO_NOT_FOUND && (e->status != status || !e->text[0])) {
    printf("%s fails with %s, but the error is %s: '%s'\n", call, solo_status_name(status),
           solo_status_name(e->status), e->text);
    test_failures++;
  }
  return 0;
}
#define GOOD(call) is_good((solo_error_clear(), (call)), #call)

typedef struct used {
  solo_bdevice *device;
  solo_bmodule *module;
  solo_bqueue *queue;
  solo_bevent *event;
  solo_devptr cell, block;
} used;

static int load(used *u, solo_bkernel **out_kernel) {
  solo_image image;
  solo_kernel_attributes attributes;
  uint64_t global_bytes;
  solo_devptr global;
  if (!GOOD(read_image("build/sim/conf_kernels.so", &image))) return 0;
  if (!GOOD(b->module_load(u->device, &image, &u->module))) return 0;
  if (!GOOD(b->module_kernel(u->module, "conf_affine", out_kernel, &attributes))) return 0;
  return GOOD(b->module_global(u->module, "conf_global", &global, &global_bytes));
}

static solo_status launch(const used *u, solo_bkernel *kernel) {
  const uint64_t slots[4] = {0, u->cell, 1, 1};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
  return b->queue_launch(u->queue, kernel, &record);
}

static int poll_event(const used *u) {
  int done = 0;
  while (!done)
    if (!GOOD(b->event_query(u->event, &done))) return 0;
  return 1;
}

static void work(used *u, uint64_t *value, char *longer) {
  solo_bkernel *kernel = NULL;
  if (!load(u, &kernel)) return;
  if (!GOOD(b->mem_alloc(u->device, 64, SOLO_MEMORY_DEVICE, &u->cell))) return;
  if (!GOOD(b->mem_alloc(u->device, LONG_BYTES, SOLO_MEMORY_DEVICE, &u->block))) return;
  if (!GOOD(b->queue_open(u->device, &u->queue))) return;
  if (!GOOD(b->event_open(u->device, &u->event))) return;
  uint64_t host = (uint64_t)(uintptr_t)value, longer_host = (uint64_t)(uintptr_t)longer;
  if (!GOOD(b->queue_copy(u->queue, u->cell, host, sizeof *value, SOLO_COPY_IN))) return;
  if (!GOOD(launch(u, kernel)) || !GOOD(b->event_record(u->queue, u->event))) return;
  if (!poll_event(u) || !GOOD(b->event_wait(u->event))) return;
  if (!GOOD(b->queue_copy(u->queue, u->block, longer_host, LONG_BYTES, SOLO_COPY_IN))) return;
  for (int n = 0; n < LAUNCHES; n++) /* more launches than the ring can hold messages */
    if (!GOOD(launch(u, kernel))) return;
  if (!GOOD(b->queue_fill(u->queue, u->block, 1, 4096)) || !GOOD(b->queue_sync(u->queue))) return;
  int before = refused;
  solo_remote_fail_at(1, 0); /* makes the server report a failure for the next message */
  (void)GOOD(launch(u, kernel));
  (void)GOOD(b->queue_sync(u->queue));
  refused = before;
  if (!GOOD(b->queue_copy(u->queue, host, u->cell, sizeof *value, SOLO_COPY_OUT))) return;
  (void)GOOD(b->queue_sync(u->queue));
}

/* Allocates more small blocks than a range can hold. Two blocks suffice for a server without a
 * shared area. */
static void take_blocks(const used *u) {
  enum { BLOCKS = 40, BLOCK_BYTES = 64 << 10 };
  int few = plan->where == FAULT_NO_AREA ? 2 : BLOCKS, count = 0;
  solo_devptr blocks[BLOCKS + 1];
  while (count < few &&
         GOOD(b->mem_alloc(u->device, BLOCK_BYTES, SOLO_MEMORY_DEVICE, &blocks[count])))
    count++;
  if (plan->where == FAULT_NO_AREA &&
      GOOD(b->mem_alloc(u->device, LONG_BYTES, SOLO_MEMORY_DEVICE, &blocks[count])))
    count++;
  CHECK_HAS(first_text, "an impossible memory address");
  while (count--) (void)b->mem_free(u->device, blocks[count], SOLO_MEMORY_DEVICE);
}

static void put_away(used *u) {
  static solo_device_work records[4096];
  (void)b->device_work(u->device, records, 4096);
  if (u->event) b->event_close(u->device, u->event);
  if (u->queue) b->queue_close(u->device, u->queue);
  if (u->cell) (void)b->mem_free(u->device, u->cell, SOLO_MEMORY_DEVICE);
  if (u->block) (void)b->mem_free(u->device, u->block, SOLO_MEMORY_DEVICE);
  if (u->module) b->module_unload(u->device, u->module);
  b->device_close(u->device);
}

/* Executes the program. Returns FINE, TOLD or UNTOLD. */
static int be_program(void) {
  int count = 0;
  used u = {0};
  uint64_t value = 5;
  char *longer = calloc(1, LONG_BYTES);
  solo_device_info info;
  alarm(PATIENCE_SECONDS);
  int is_open = GOOD(b->device_count(&count)) && GOOD(b->device_open(0, 7, &u.device, &info));
  /* the second attempt succeeds, because only the first description was wrong */
  if (plan->where == FAULT_INFO) {
    CHECK_HAS(first_text, "incomplete description of device 0");
    CHECK(!is_open);
    is_open = b->device_open(0, 7, &u.device, &info) == SOLO_OK;
    CHECK(is_open);
  }
  if (is_open) {
    if (plan->where == FAULT_MEMORY || plan->where == FAULT_NO_AREA)
      take_blocks(&u);
    else
      work(&u, &value, longer);
    put_away(&u);
  }
  free(longer);
  if (plan->where == FAULT_NUMBERS) CHECK_HAS(first_text, "reports 64 devices");
  if (refused && (plan->where == FAULT_NONE || getenv("TEST_LIAR_SHOW")))
    printf("%s\n", first_text);
  return test_failures ? UNTOLD : refused ? TOLD : FINE;
}

static int lies, reported_faults, faults_not_injected;

static void inject_fault(const faulty_server_plan *lie, const char *what) {
  int status = 0;
  *plan = *lie;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    test_failures = 0;
#ifndef SANITIZED /* keeps stderr for the report of a sanitizer */
    (void)!freopen("/dev/null", "w", stderr);
#endif
    int result = be_program();
    fflush(NULL);
    exit(result);
  }
  waitpid(child, &status, 0);
  int is_fine = WIFEXITED(status) && (WEXITSTATUS(status) == FINE || WEXITSTATUS(status) == TOLD);
  if (!is_fine)
    printf("%s, kind %u, byte or bit %u, changed by 0x%x, channel %s: wait status 0x%x\n", what,
           lie->kind, lie->at, lie->flip, lie->is_control ? "0" : "of a queue", (unsigned)status);
  CHECK(is_fine);
  lies++;
  reported_faults += WIFEXITED(status) && WEXITSTATUS(status) == TOLD;
  faults_not_injected += !solo_load_relaxed(&plan->requested);
}

/* Injects a fault for each step-th byte of [from, to), with two masks. */
static void flip_bytes(faulty_server_plan lie, size_t from, size_t to, uint32_t step,
                       const char *what) {
  for (lie.at = (uint32_t)from; lie.at < to; lie.at += step)
    for (int n = 0; n < 2; n++) {
      lie.flip = n ? 0x80 : 0x01;
      inject_fault(&lie, what);
    }
}

/* Changes results. Programs ignore the text of a successful result, so it is not changed. */
static void lie_in_answers(uint32_t stride) {
  static const struct {
    solo_remote_kind kind;
    size_t bytes;
  } answers[] = {
      {SOLO_REMOTE_FIND_DEVICES, 8},   {SOLO_REMOTE_DEVICE_OPEN, sizeof(solo_device_info)},
      {SOLO_REMOTE_MODULE_LOAD, 4},    {SOLO_REMOTE_MODULE_KERNEL, sizeof(solo_kernel_attributes)},
      {SOLO_REMOTE_MODULE_GLOBAL, 16}, {SOLO_REMOTE_MEM_ALLOC, 8},
      {SOLO_REMOTE_CLOCK, 8},          {SOLO_REMOTE_WORK, 320},
      {SOLO_REMOTE_DEVICE_CLOSE, 0}};
  const size_t text = offsetof(solo_remote_result, text),
               data = offsetof(solo_remote_result, answer);
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const faulty_server_plan lie = {.where = FAULT_ANSWER, .kind = answers[n].kind};
    flip_bytes(lie, 0, text, stride, "result");
    flip_bytes(lie, text, data, 255 * stride, "text");
    flip_bytes(lie, data, data + answers[n].bytes, stride, "answer");
  }
  const faulty_server_plan failure = {.where = FAULT_FAILURE};
  flip_bytes(failure, 0, text, stride, "failure");
  flip_bytes(failure, text, text + 64, 16 * stride, "failure's text");
  flip_bytes(failure, data - 1, data, 1, "failure's text");
}

static void lie_in_welcome(uint32_t stride) {
  const faulty_server_plan lie = {.where = FAULT_WELCOME};
  const size_t text = offsetof(solo_remote_welcome, text),
               host = offsetof(solo_remote_welcome, host);
  flip_bytes(lie, 0, text, stride, "welcome");
  flip_bytes(lie, text, host, 255 * stride, "welcome's text");
  flip_bytes(lie, host, sizeof(solo_remote_welcome), 4 * stride, "welcome's host");
}

static void lie_in_counters(uint32_t stride) {
  static const char *const names[] = {"tail", "completed", "errors_made"};
  for (faulty_server_fault where = FAULT_TAIL; where <= FAULT_ERRORS; where++)
    for (int is_control = 0; is_control < 2; is_control++)
      for (uint32_t bit = 0; bit < 64; bit += stride)
        inject_fault(&(faulty_server_plan){.where = where, .at = bit, .is_control = is_control},
                     names[where - FAULT_TAIL]);
}

int main(int argc, char **argv) {
  char name[64], variable[80];
  uint32_t stride = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
  snprintf(name, sizeof name, "solo-test-liar-%d", (int)getpid());
  snprintf(variable, sizeof variable, "@%s", name);
  setenv("SOLO_SERVER", variable, 1);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  setenv("SOLO_HOST_DEVICES", "1", 1);
  setenv("SOLO_SPIN_US", "20", 1);
  setenv("LIBOMPTARGET_PROFILE", "/dev/null", 1);
  plan = faulty_server_start(name);
  inject_fault(&(faulty_server_plan){.where = FAULT_NUMBERS}, "devices' numbers");
  CHECK_INT(reported_faults, 1);
  inject_fault(&(faulty_server_plan){.where = FAULT_NAMES}, "kernels' names");
  CHECK_INT(faults_not_injected, 0);
  for (uint32_t n = FAULT_IN_FIRST; n <= FAULT_AT_END; n++) {
    inject_fault(&(faulty_server_plan){.where = FAULT_MEMORY, .at = n}, "ranges of memory");
    inject_fault(&(faulty_server_plan){.where = FAULT_NO_AREA, .at = n}, "blocks of memory");
  }
  inject_fault(&(faulty_server_plan){.where = FAULT_INFO}, "a device's description");
  CHECK_INT(faults_not_injected, 0);
  CHECK_INT(reported_faults, 8);
  inject_fault(&(faulty_server_plan){.where = FAULT_NONE}, "no fault");
  CHECK_INT(reported_faults, 8);
  faults_not_injected = 0;
  lie_in_counters(stride);
  lie_in_answers(stride);
  lie_in_welcome(stride);
  printf("%d faults, %d of them reported to the caller, %d not injected\n", lies, reported_faults,
         faults_not_injected);
  CHECK(lies > 50 && reported_faults > lies / 8 && reported_faults < lies &&
        faults_not_injected < lies / 8);
  return TEST_RESULT();
}
