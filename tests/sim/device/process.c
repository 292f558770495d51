/* The child processes that implement the devices. */
#define _GNU_SOURCE
#include "tests/sim/device/child.h"
#include "tests/sim/device/internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENVIRONMENT = 16 };

typedef struct device {
  pthread_mutex_t lock; /* protects the other members; not held while a grid runs */
  pthread_cond_t freed;
  pid_t child;
  int lane[SIM_LANES];
  int busy[SIM_LANES];
  int printed; /* the read end of the pipe for the kernels' output */
  int started;
  sim_fault state;
} device;

#define D                                                                                          \
  { .lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER }
static device devices[SIM_MAX_DEVICES] = {D, D, D, D, D, D, D, D};

static const char *child_path(char *out, size_t size) {
  const char *text = getenv("SIM_DEVICE");
  if (text) return text;
  Dl_info info;
  if (!dladdr((void *)devices, &info)) return "sim-device";
  const char *slash = strrchr(info.dli_fname, '/');
  snprintf(out, size, "%.*ssim-device", slash ? (int)(slash - info.dli_fname + 1) : 0,
           info.dli_fname);
  return out;
}

static void close_lanes(device *d) {
  if (d->printed > 0) close(d->printed);
  d->printed = 0;
  for (int i = 0; i < SIM_LANES; i++) {
    if (d->lane[i] > 0) close(d->lane[i]);
    d->lane[i] = 0;
  }
}

static struct timeval patience(void) {
  const char *seconds = getenv("SIM_KERNEL_SECONDS");
  return (struct timeval){.tv_sec = seconds ? atoi(seconds) : 20};
}

static void add_fd(posix_spawn_file_actions_t *actions, int *owned, int fd, int as) {
  /* above the descriptors of the child, which dup2 overwrites */
  *owned = fcntl(fd, F_DUPFD_CLOEXEC, 64);
  posix_spawn_file_actions_adddup2(actions, *owned, as);
}

/* Selects the variables of the executor (backends/simt/exec). */
static void executor_environment(char **out) {
  int count = 0;
  for (char **e = environ; *e && count < ENVIRONMENT; e++)
    if (strncmp(*e, "SIMT_", 5) == 0) out[count++] = *e;
  out[count] = NULL;
}

/* The child blocks SIGUSR1. When a rank dies, MPICH sends the signal to the process group, and the
 * signal would kill the device. */
static void block_in_child(posix_spawnattr_t *attributes) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  sigaddset(&blocked, SIGUSR1);
  posix_spawnattr_init(attributes);
  posix_spawnattr_setsigmask(attributes, &blocked);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

static int spawn(device *d, const sim_region *own, const sim_region *host) {
  int owned[3 + SIM_LANES], printed[2], error = pipe2(printed, O_CLOEXEC | O_NONBLOCK);
  const struct timeval limit = patience();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  block_in_child(&attributes);
  add_fd(&actions, &owned[0], own->fd, SIM_CHILD_DEVICE_FD);
  add_fd(&actions, &owned[1], host->fd, SIM_CHILD_HOST_FD);
  if (!error) {
    fcntl(printed[1], F_SETPIPE_SZ, 1 << 20);
    d->printed = printed[0];
    add_fd(&actions, &owned[2], printed[1], SIM_CHILD_PRINT_FD);
    close(printed[1]);
  }
  for (int i = 0; i < SIM_LANES; i++) {
    int pair[2] = {-1, -1};
    error |= socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
    add_fd(&actions, &owned[3 + i], pair[1], SIM_CHILD_LANE_FD + i);
    close(pair[1]);
    d->lane[i] = pair[0];
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  char path[1024], argument[4][32], name[] = "sim-device", zero[] = "0";
  snprintf(argument[0], 32, "0x%llx", (unsigned long long)own->base);
  snprintf(argument[1], 32, "0x%llx", (unsigned long long)own->bytes);
  snprintf(argument[2], 32, "0x%llx", (unsigned long long)host->base);
  snprintf(argument[3], 32, "0x%llx", (unsigned long long)host->bytes);
  const char *program = child_path(path, sizeof path);
  char *argv[] = {name, argument[0], argument[1], argument[2], argument[3], zero, NULL};
  char *envp[ENVIRONMENT + 1];
  executor_environment(envp);
  if (!error) error = posix_spawn(&d->child, program, &actions, &attributes, argv, envp);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  for (int i = 0; i < 3 + SIM_LANES; i++) close(owned[i]);
  int answer, ready = !error;
  for (int i = 0; i < SIM_LANES && ready; i++)
    ready = recv(d->lane[i], &answer, sizeof answer, 0) == sizeof answer;
  if (ready) return 0;
  fprintf(stderr, "sim: cannot start %s: %s\n", program, strerror(error > 0 ? error : errno));
  if (!error) waitpid(d->child, NULL, 0);
  d->child = 0;
  close_lanes(d);
  return -1;
}

int sim_device_start(int index) {
  if (index < 0 || index >= sim_device_count()) return -1;
  device *d = &devices[index];
  pthread_mutex_lock(&d->lock);
  int result = 0;
  if (!d->started) {
    const sim_region *own = sim_region_of(index), *host = sim_region_of(SIM_ON_HOST);
    if (!own || !host)
      result = -1;
    else if (!sim_inline())
      result = spawn(d, own, host);
    d->started = result == 0;
  }
  pthread_mutex_unlock(&d->lock);
  return result;
}

/* Returns the cause of death. The caller holds d->lock. */
static sim_fault bury(device *d) {
  int status = 0;
  waitpid(d->child, &status, 0);
  d->child = 0;
  switch (WIFSIGNALED(status) ? WTERMSIG(status) : 0) {
  case SIGSEGV:
  case SIGBUS:
    return SIM_FAULT_ADDRESS;
  case SIGILL:
  case SIGTRAP:
    return SIM_FAULT_INSTRUCTION;
  case SIGALRM:
    return SIM_FAULT_TIMEOUT;
  default:
    return SIM_FAULT_OTHER;
  }
}

/* Waits for a free stream. Returns its number, or -1 if the device is dead. The caller holds
 * d->lock. */
static int acquire_lane(device *d) {
  for (;;) {
    if (d->state != SIM_RAN) return -1;
    for (int i = 0; i < SIM_LANES; i++)
      if (!d->busy[i]) return d->busy[i] = 1, i;
    pthread_cond_wait(&d->freed, &d->lock);
  }
}

/* Runs the grid in the child. The caller holds d->lock, which is released while the grid runs. */
static void run_in_child(device *d, const sim_grid *grid) {
  int answer, lane = acquire_lane(d);
  if (lane < 0) return;
  int fd = d->lane[lane];
  pid_t child = d->child;
  pthread_mutex_unlock(&d->lock);
  int sent = send(fd, grid, sizeof *grid, MSG_NOSIGNAL) == sizeof *grid;
  ssize_t got = sent ? recv(fd, &answer, sizeof answer, 0) : 0;
  /* the read has reached its time limit */
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) kill(child, SIGALRM);
  pthread_mutex_lock(&d->lock);
  if (got != sizeof answer && d->state == SIM_RAN) d->state = bury(d);
  d->busy[lane] = 0;
  pthread_cond_broadcast(&d->freed);
}

sim_fault sim_device_run(int index, const sim_grid *grid) {
  if (sim_device_start(index)) return SIM_FAULT_OTHER;
  device *d = &devices[index];
  if (sim_inline()) {
    sim_access_begin(index); /* serializes the grids */
    sim_grid_run(grid);
    sim_access_end(index);
    return SIM_RAN;
  }
  pthread_mutex_lock(&d->lock);
  run_in_child(d, grid);
  sim_fault state = d->state;
  pthread_mutex_unlock(&d->lock);
  return state;
}

void sim_device_flush(int index) {
  device *d = &devices[index];
  char text[4096];
  ssize_t n;
  pthread_mutex_lock(&d->lock);
  while (d->printed > 0 && (n = read(d->printed, text, sizeof text)) > 0)
    fwrite(text, 1, (size_t)n, stdout);
  fflush(stdout);
  pthread_mutex_unlock(&d->lock);
}

sim_fault sim_device_state(int index) {
  device *d = &devices[index];
  pthread_mutex_lock(&d->lock);
  sim_fault state = d->state;
  pthread_mutex_unlock(&d->lock);
  return state;
}

void sim_device_stop_all(void) {
  for (int i = 0; i < SIM_MAX_DEVICES; i++) {
    device *d = &devices[i];
    pthread_mutex_lock(&d->lock);
    if (d->child) {
      shutdown(d->lane[0], SHUT_RDWR);
      bury(d);
    }
    close_lanes(d);
    d->started = 0;
    d->state = SIM_RAN;
    pthread_mutex_unlock(&d->lock);
  }
  sim_memory_reset();
}
