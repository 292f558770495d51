/* Description: a server or a program ends unexpectedly. The loss of a killed server is reported
 * within a second, and the next use of a device starts another server. The server of a killed
 * program frees the program's resources and serves the next program; a server with a hanging device
 * ends nevertheless. A program above the limit of clients, or without a server, receives an error
 * with the reason. Argument 1: solo-server. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "tests/remote/listening.h"
#include "tests/remote/read_image.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND = 1000000000, PATIENCE_SECONDS = 80, CYCLES = 20 };

static const solo_backend *const b = &solo_remote_host_backend;
static const char *server;
static solo_bdevice *device;
static solo_bqueue *queue;
static solo_bmodule *module;
static solo_devptr cell;
static solo_image image;
static int over[2];

static solo_status open_all(void) {
  solo_device_info info;
  SOLO_TRY(read_image("build/sim/conf_kernels.so", &image));
  SOLO_TRY(b->device_open(0, 0, &device, &info));
  SOLO_TRY(b->queue_open(device, &queue));
  SOLO_TRY(b->module_load(device, &image, &module));
  return b->mem_alloc(device, 1 << 20, SOLO_MEMORY_DEVICE, &cell);
}

static void close_all(void) {
  (void)b->mem_free(device, cell, SOLO_MEMORY_DEVICE);
  b->module_unload(device, module);
  b->queue_close(device, queue);
  b->device_close(device);
}

/* Returns the process number in the error message of a lost server. */
static int server_process(void) {
  const char *at = strstr(solo_error_last()->text, "(process ");
  return at ? atoi(at + 9) : 0;
}

static void launch_slow(uint64_t ns) {
  solo_bkernel *slow = NULL;
  solo_kernel_attributes attributes;
  const uint64_t slots[4] = {0, cell, ns, 7};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
  CHECK_INT(b->module_kernel(module, "conf_slow", &slow, &attributes), SOLO_OK);
  CHECK_INT(b->queue_launch(queue, slow, &record), SOLO_OK);
}

/* Returns the process number of a server that has this text in its environment, or 0. */
static int find_server(const char *mine) {
  int found = 0;
  DIR *all = opendir("/proc");
  for (struct dirent *e; (e = readdir(all));) {
    char path[300], target[300];
    snprintf(path, sizeof path, "/proc/%s/exe", e->d_name);
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    snprintf(path, sizeof path, "/proc/%s/environ", e->d_name);
    FILE *f = strcmp(target, server) == 0 ? fopen(path, "r") : NULL;
    static char environment[1 << 16];
    size_t size = f ? fread(environment, 1, sizeof environment - 1, f) : 0;
    if (f) fclose(f);
    if (size && memmem(environment, size, mine, strlen(mine) + 1) && atoi(e->d_name) > found)
      found = atoi(e->d_name);
  }
  closedir(all);
  return found;
}

static void check_server_killed(void) {
  uint64_t least_ns = UINT64_MAX;
  setenv("SOLO_SERVER", server, 1);
  for (int n = 0; n < CYCLES; n++) {
    CHECK_INT(open_all(), SOLO_OK);
    int process = device->server->link->welcome.process;
    uint64_t area_bytes = device->server->link->area_bytes;
    if (n % 2) launch_slow(60 * (uint64_t)SECOND); /* longer than the test waits */
    usleep(1000 * (useconds_t)(n % 5));
    kill(process, SIGKILL);
    uint64_t start = solo_now_ns();
    solo_devptr other;
    if (n % 2) CHECK_INT(b->queue_sync(queue), SOLO_DEVICE_LOST);
    /* too large for the reserved ranges and the shared area, so the allocation needs the server */
    CHECK_INT(b->mem_alloc(device, area_bytes + (32 << 20), SOLO_MEMORY_DEVICE, &other),
              SOLO_DEVICE_LOST);
    uint64_t took = solo_now_ns() - start;
    CHECK(took < 30 * (uint64_t)SECOND);
    if (n % 2 && took < least_ns) least_ns = took;
    CHECK_INT(server_process(), process);
    close_all(); /* the next round starts another server */
  }
  /* reports of other rounds may be slow on a loaded machine */
  CHECK(least_ns < SECOND);
}

static int entries(int process, const char *what) {
  char path[64];
  int count = -2;
  snprintf(path, sizeof path, "/proc/%d/%s", process, what);
  DIR *d = opendir(path);
  while (d && readdir(d)) count++;
  if (d) closedir(d);
  return count;
}

/* Executes the function in a child, because a process connects once. Returns its exit status or 128
 * + signal. */
static int in_child(int (*what)(void)) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE_SECONDS);
    test_failures = 0;
    exit(what());
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int use_and_die(void) {
  if (open_all() != SOLO_OK) return 1;
  launch_slow(20000000);
  if (fork() == 0) { /* the child of the program keeps the program's end of the socket open */
    char nothing;
    close(over[1]);
    (void)!read(over[0], &nothing, 1);
    _exit(0);
  }
  kill(getpid(), SIGKILL);
  return 2;
}

/* Dies without an end of the session. SOLO_TEST_STUCK_END makes the server hang in its cleanup. */
static int die_at_once(void) {
  if (open_all() != SOLO_OK) return 1;
  kill(getpid(), SIGKILL);
  return 2;
}

static int use_well(void) {
  if (open_all() != SOLO_OK) return puts(solo_error_last()->text), 1;
  launch_slow(1000);
  CHECK_INT(b->queue_sync(queue), SOLO_OK);
  close_all();
  return test_failures != 0;
}

static int is_refused(void) {
  CHECK_INT(open_all(), SOLO_UNAVAILABLE);
  CHECK_HAS(solo_error_last()->text, "limit of 2 programs");
  return test_failures != 0;
}

static int is_not_there(void) {
  CHECK_INT(open_all(), SOLO_UNAVAILABLE);
  CHECK_HAS(solo_error_last()->text, "no device server of that name answers");
  return test_failures != 0;
}

static pid_t hold(void) {
  int ends[2];
  char ready;
  if (pipe(ends) != 0) exit(2);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE_SECONDS);
    if (open_all() == SOLO_OK && write(ends[1], "", 1) == 1) pause();
    _exit(1);
  }
  close(ends[1]);
  CHECK_INT(read(ends[0], &ready, 1), 1);
  close(ends[0]);
  return child;
}

static void check_program_killed(void) {
  char name[64], variable[80];
  snprintf(name, sizeof name, "solo-test-faults-%d", (int)getpid());
  snprintf(variable, sizeof variable, "@%s", name);
  setenv("SOLO_SERVER", variable, 1);
  CHECK_INT(in_child(is_not_there), 0);
  pid_t process = listening_start(server, name, "--clients=2");
  AWAIT(listening_answers(name));
  int files = 0;
  for (int n = 0; n < CYCLES; n++) {
    CHECK_INT(in_child(n ? use_and_die : use_well), n ? 128 + SIGKILL : 0);
    /* waits until the dead program's kernel and the session's threads have ended */
    AWAIT(entries(process, "task") == 1);
    /* The server has closed the connection of listening_answers(), so the count is exact. */
    if (n == 0) files = entries(process, "fd");
    AWAIT(entries(process, "fd") == files);
  }
  pid_t first = hold(), second = hold();
  CHECK_INT(in_child(is_refused), 0);
  kill(first, SIGKILL);
  waitpid(first, NULL, 0);
  /* the server rejects the program until the server has noticed the first program's death */
  AWAIT(in_child(use_well) == 0);
  kill(second, SIGKILL);
  waitpid(second, NULL, 0);
  kill(process, SIGTERM);
  waitpid(process, NULL, 0);
}

/* A server that does not go into the background is killed with its children. */
static void check_no_start(void) {
  char script[] = "/tmp/solo-test-faults-XXXXXX", children[64];
  int descriptor = mkstemp(script), number = 0;
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  snprintf(children, sizeof children, "%s.child", script);
  if (!file) exit(2);
  fprintf(file, "#!/bin/sh\nsleep 1000 &\necho $! >%s\nwait\n", children);
  fclose(file);
  chmod(script, 0700);
  setenv("SOLO_SERVER", script, 1);
  uint64_t start = solo_now_ns();
  CHECK_INT(open_all(), SOLO_UNAVAILABLE);
  CHECK(solo_now_ns() - start < 60 * (uint64_t)SECOND);
  CHECK_HAS(solo_error_last()->text, "did not start within 10 s and was killed");
  CHECK_HAS(solo_error_last()->text, script);
  CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); /* no child process remains */
  file = fopen(children, "r");
  CHECK(file && fscanf(file, "%d", &number) == 1);
  if (file) fclose(file);
  AWAIT(number && entries(number, "task") <= 0);
  unlink(children);
  unlink(script);
}

static int check_no_start_here(void) {
  check_no_start();
  return test_failures != 0;
}

/* A kernel that has begun completes before its module is unloaded. Other kernels fail. */
static int unload_concurrently(void) {
  if (open_all() != SOLO_OK) return puts(solo_error_last()->text), 1;
  launch_slow(SECOND / 4);
  usleep(100000);
  b->module_unload(device, module);
  solo_status status = b->queue_sync(queue);
  CHECK(status == SOLO_OK || status == SOLO_INVALID);
  if (status != SOLO_OK) puts(solo_error_last()->text);
  (void)b->mem_free(device, cell, SOLO_MEMORY_DEVICE);
  b->queue_close(device, queue);
  b->device_close(device);
  return test_failures != 0;
}

/* Each launch before the unload completes or fails. */
static int unload_again_and_again(void) {
  enum { TIMES = 300, LAUNCHES = 100 };
  static const uint64_t slots[1];
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 8, .arguments = slots};
  int failures = 0;
  solo_kernel_attributes attributes;
  if (open_all() != SOLO_OK) return puts(solo_error_last()->text), 1;
  for (int n = 0; n < TIMES && !test_failures; n++) {
    solo_bkernel *empty = NULL;
    CHECK_INT(b->module_kernel(module, "conf_empty", &empty, &attributes), SOLO_OK);
    for (int k = 0; k < LAUNCHES; k++) CHECK_INT(b->queue_launch(queue, empty, &record), SOLO_OK);
    b->module_unload(device, module);
    solo_status status = b->queue_sync(queue);
    CHECK(status == SOLO_OK || status == SOLO_INVALID);
    failures += status != SOLO_OK;
    CHECK_INT(b->module_load(device, &image, &module), SOLO_OK);
  }
  printf("%d of %d modules were unloaded before all launches\n", failures, TIMES);
  close_all();
  return test_failures != 0;
}

/* Another device works while a kernel of this device runs. */
static int use_other_device(void) {
  setenv("SOLO_HOST_DEVICES", "2", 1);
  if (open_all() != SOLO_OK) return puts(solo_error_last()->text), 1;
  solo_bdevice *other;
  solo_bmodule *others;
  solo_bevent *event;
  int done = 0;
  CHECK_INT(b->event_open(device, &event), SOLO_OK);
  launch_slow(2 * PATIENCE_SECONDS * (uint64_t)SECOND); /* the kernel runs longer than the alarm */
  CHECK_INT(b->event_record(queue, event), SOLO_OK);
  usleep(100000); /* waits until the kernel has begun */
  for (int n = 0; n < 2; n++) {
    solo_device_info info;
    CHECK_INT(b->device_open(1, 1, &other, &info), SOLO_OK);
    CHECK_INT(b->module_load(other, &image, &others), SOLO_OK);
    b->module_unload(other, others);
    b->device_close(other); /* returns after the unload of the module */
  }
  CHECK_INT(b->event_query(event, &done), SOLO_OK);
  CHECK(!done);
  b->event_close(device, event);
  kill(device->server->link->welcome.process, SIGKILL);
  return test_failures != 0;
}

int main(int argc, char **argv) {
  char mine[16], ours[64];
  if (argc < 2 || !(server = realpath(argv[1], NULL))) TEST_SKIP("no device server was built");
  alarm(2 * PATIENCE_SECONDS);
  snprintf(mine, sizeof mine, "%d", (int)getpid());
  setenv("TEST_FAULTS", mine, 1);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  if (pipe(over) != 0) return 2;
  setenv("SOLO_SERVER", server, 1);
  setenv("SOLO_TEST_STUCK_END", mine, 1);
  CHECK_INT(in_child(die_at_once), 128 + SIGKILL);
  unsetenv("SOLO_TEST_STUCK_END");
  CHECK_INT(in_child(check_no_start_here), 0);
  setenv("SOLO_SERVER", server, 1);
  CHECK_INT(in_child(unload_concurrently), 0);
  CHECK_INT(in_child(unload_again_and_again), 0);
  CHECK_INT(in_child(use_other_device), 0);
  /* these functions fork, which must precede the first connection of this process */
  check_program_killed();
  check_server_killed();
  close(over[1]);
  snprintf(ours, sizeof ours, "TEST_FAULTS=%s", mine);
  AWAIT(!find_server(ours));
  return TEST_RESULT();
}
