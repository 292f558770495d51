/* Description: a soak test. One of four servers with two devices each is killed and restarted every
 * 20 to 400 ms while two threads use all devices. Each operation succeeds or reports a lost device;
 * nothing hangs or leaks. Sometimes, when all servers run, examples/cluster.c must compute the
 * right result on all eight devices.   test_restart SERVER SECONDS [PROGRAM] */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "tests/remote/listening.h"
#include "tests/remote/read_image.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

/* LONG_WORDS: size of every third block, which lies in the shared area */
enum {
  SERVERS = 4,
  THREADS = 2,
  WORDS = 100000,
  LONG_WORDS = 600000,
  LONGEST_SECONDS = 60,
  DEATHS_PER_PROGRAM = 5
};

static const solo_backend *const b = &solo_remote_host_backend;
static const char *server;
static solo_image image;
static _Atomic int is_over, wrong;
static _Atomic long rounds, losses, absences, last_ns[2 * SERVERS];

static char names[SERVERS][64];

static pid_t start_server(int n) {
  return listening_start(server, names[n], NULL);
}

static int is_absence(solo_status status) {
  if (status == SOLO_DEVICE_LOST) solo_add_relaxed(&losses, 1);
  if (status == SOLO_UNAVAILABLE) solo_add_relaxed(&absences, 1);
  if (status == SOLO_DEVICE_LOST || status == SOLO_UNAVAILABLE) return 1;
  solo_add_relaxed(&wrong, 1);
  printf("failed: %s\n", solo_error_last()->text);
  return 0;
}

#define STEP(call)                                                                                 \
  do {                                                                                             \
    solo_status status_ = (call);                                                                  \
    if (status_ != SOLO_OK) return status_;                                                        \
  } while (0)

static solo_status work(solo_bdevice *device, solo_bmodule *module, solo_bqueue *queue,
                        solo_devptr memory, size_t words, uint64_t value) {
  static _Thread_local uint64_t sent[LONG_WORDS], got[LONG_WORDS];
  size_t bytes = words * sizeof *sent;
  solo_kernel_attributes attributes;
  solo_bkernel *kernel;
  const uint64_t slots[4] = {0, memory + 8, 1000, value};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
  (void)device;
  for (size_t i = 0; i < words; i++) sent[i] = value + i;
  memset(got, 0, bytes);
  STEP(b->queue_copy(queue, memory, (uintptr_t)sent, bytes, SOLO_COPY_IN));
  STEP(b->module_kernel(module, "conf_slow", &kernel, &attributes));
  STEP(b->queue_launch(queue, kernel, &record));
  STEP(b->queue_copy(queue, (uintptr_t)got, memory, bytes, SOLO_COPY_OUT));
  STEP(b->queue_sync(queue));
  sent[1] = value;
  if (memcmp(sent, got, bytes) != 0) {
    solo_add_relaxed(&wrong, 1);
    printf("failed: wrong values were copied back\n");
  }
  return SOLO_OK;
}

static solo_status use_open(solo_bdevice *device, uint64_t value) {
  solo_bmodule *module = NULL;
  solo_bqueue *queue = NULL;
  solo_devptr memory = 0;
  solo_status status = b->module_load(device, &image, &module);
  if (status == SOLO_OK) status = b->queue_open(device, &queue);
  size_t words = value / 1000 % 3 ? WORDS : LONG_WORDS;
  if (status == SOLO_OK)
    status = b->mem_alloc(device, words * sizeof(uint64_t), SOLO_MEMORY_DEVICE, &memory);
  for (int n = 0; n < 20 && status == SOLO_OK; n++)
    status = work(device, module, queue, memory, words, value + (uint64_t)n);
  if (memory) (void)b->mem_free(device, memory, SOLO_MEMORY_DEVICE);
  if (queue) b->queue_close(device, queue);
  if (module) b->module_unload(device, module);
  return status;
}

/* Each device is opened and used by one thread only. */
static void *use_devices(void *argument) {
  int first = (int)(intptr_t)argument;
  for (uint64_t value = 1; !solo_load_relaxed(&is_over); value += 1000) {
    for (int ordinal = first; ordinal < 2 * SERVERS; ordinal += THREADS) {
      solo_bdevice *device;
      solo_device_info info;
      solo_status status = b->device_open(ordinal, ordinal, &device, &info);
      uint64_t start = solo_now_ns();
      if (status == SOLO_OK) {
        status = use_open(device, value);
        b->device_close(device);
        if (status == SOLO_OK) solo_add_relaxed(&rounds, 1);
        if (status == SOLO_OK) solo_store_relaxed(&last_ns[ordinal], (long)solo_now_ns());
      }
      if (status != SOLO_OK && !is_absence(status)) return NULL;
      if (status == SOLO_UNAVAILABLE) usleep(2000);
      if (solo_now_ns() - start > LONGEST_SECONDS * UINT64_C(1000000000)) {
        solo_add_relaxed(&wrong, 1);
        printf("failed: one use of a device took longer than %d s\n", LONGEST_SECONDS);
      }
    }
  }
  return NULL;
}

static pid_t process[SERVERS];
static uint64_t killed_ns[SERVERS];

static void kill_and_restart(int n, useconds_t away_us) {
  kill(process[n], SIGKILL);
  waitpid(process[n], NULL, 0);
  killed_ns[n] = solo_now_ns();
  usleep(away_us);
  process[n] = start_server(n);
}

/* Waits until both devices of server n have completed work after its restart. */
static void await_return(int n) {
  uint64_t end = solo_now_ns() + LONGEST_SECONDS * UINT64_C(1000000000);
  for (int ordinal = 2 * n; ordinal < 2 * n + 2; ordinal++)
    while (solo_load_relaxed(&last_ns[ordinal]) <= (long)killed_ns[n] &&
           !solo_load_relaxed(&wrong)) {
      usleep(2000);
      if (solo_now_ns() < end) continue;
      solo_add_relaxed(&wrong, 1);
      printf("failed: the devices of server %d did not become usable again\n", n);
    }
}

static void run_program(const char *program) {
  char command[512], line[256];
  int devices = 0, is_right = 0;
  snprintf(command, sizeof command,
           "SOLO_HOST_DEVICES=0 OMP_TARGET_OFFLOAD=mandatory timeout %d %s 66 64 10 2>&1",
           LONGEST_SECONDS, program);
  FILE *output = popen(command, "r");
  while (output && fgets(line, sizeof line, output)) {
    (void)sscanf(line, " devices %d", &devices);
    if (strstr(line, ": right")) is_right = 1;
  }
  int status = output ? pclose(output) : -1;
  if (status == 0 && devices == 2 * SERVERS && is_right) return;
  solo_add_relaxed(&wrong, 1);
  printf("failed: the program over all devices: status %d, %d devices, %s\n", status, devices,
         is_right ? "right" : "wrong");
}

static int entries(const char *path) {
  int count = -2;
  DIR *d = opendir(path);
  while (d && readdir(d)) count++;
  if (d) closedir(d);
  return count;
}

static void name_servers(void) {
  char list[SERVERS * (sizeof names[0] + 2)] = "";
  for (int n = 0; n < SERVERS; n++) {
    snprintf(names[n], sizeof names[n], "solo-soak-%d-%d", (int)getpid(), n);
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s@%s", n ? "," : "", names[n]);
  }
  setenv("SOLO_SERVER", list, 1);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  setenv("SOLO_HOST_DEVICES", "2", 1);
}

int main(int argc, char **argv) {
  if (argc < 3 || !(server = realpath(argv[1], NULL))) TEST_SKIP("no device server was built");
  int seconds = atoi(argv[2]), count = 0, deaths = 0, programs = 0;
  CHECK_INT(read_image("build/sim/conf_kernels.so", &image), SOLO_OK);
  alarm((unsigned)seconds + 2 * LONGEST_SECONDS);
  name_servers();
  pthread_t threads[THREADS];
  for (int n = 0; n < SERVERS; n++) process[n] = start_server(n);
  for (int n = 0; n < SERVERS; n++) AWAIT(listening_answers(names[n]));
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, 2 * SERVERS);
  (void)!freopen("/dev/null", "w", stderr);
  int files = entries("/proc/self/fd");
  for (intptr_t n = 0; n < THREADS; n++) pthread_create(&threads[n], NULL, use_devices, (void *)n);
  uint64_t end = solo_now_ns() + (uint64_t)seconds * UINT64_C(1000000000);
  for (unsigned seed = 1; solo_now_ns() < end && !solo_load_relaxed(&wrong);) {
    int victim = (int)(rand_r(&seed) % SERVERS);
    usleep(20000 + rand_r(&seed) % 380000);
    kill_and_restart(victim, rand_r(&seed) % 4 ? 0 : 50000);
    /* without the wait, another server dies before this server has returned */
    if (rand_r(&seed) % 4) await_return(victim);
    if (argc < 4 || ++deaths % DEATHS_PER_PROGRAM) continue;
    for (int n = 0; n < SERVERS; n++) await_return(n);
    run_program(argv[3]);
    programs++;
  }
  for (int n = 0; n < SERVERS; n++) await_return(n);
  if (argc > 3) run_program(argv[3]);
  programs += argc > 3;
  solo_store_relaxed(&is_over, 1);
  for (int n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
  CHECK_INT(solo_load_relaxed(&wrong), 0);
  CHECK(!solo_remote_has_fences());
  CHECK(entries("/proc/self/fd") <= files + SERVERS);
  for (int n = 0; n < SERVERS; n++) {
    kill(process[n], SIGKILL);
    waitpid(process[n], NULL, 0);
  }
  printf("%d s: %d servers of 2 devices: %ld openings completed, %ld were lost, %ld found no "
         "server, %d "
         "programs completed on all devices\n",
         seconds, SERVERS, solo_load_relaxed(&rounds), solo_load_relaxed(&losses),
         solo_load_relaxed(&absences), programs);
  return TEST_RESULT();
}
