/* The child processes that are the devices. */
#define _GNU_SOURCE
#include "tests/sim/device/child.h"
#include "tests/sim/device/inside.h"

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
#include <sys/wait.h>
#include <unistd.h>

typedef struct device {
  pthread_mutex_t lock; /* guards the rest; held while a grid runs */
  pid_t child;          /* 0: not started (or inline) */
  int socket;
  int started;
  sim_fault state;
} device;

#define D                                                                                          \
  { .lock = PTHREAD_MUTEX_INITIALIZER }
static device devices[SIM_MAX_DEVICES] = {D, D, D, D, D, D, D, D};

/* sim-device lies beside the simulated driver's library, or where SIM_DEVICE says. */
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

/* Moves fd above the numbers that the child's descriptors get. */
static int high(int fd) {
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, 64);
  close(fd);
  return moved;
}

/* device->lock held. */
static int spawn(device *d, const sim_region *own, const sim_region *host) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return -1;
  pair[1] = high(pair[1]);
  int own_fd = fcntl(own->fd, F_DUPFD_CLOEXEC, 64), host_fd = fcntl(host->fd, F_DUPFD_CLOEXEC, 64);
  char path[1024], argument[6][32];
  const char *seconds = getenv("SIM_KERNEL_SECONDS");
  snprintf(argument[0], 32, "0x%llx", (unsigned long long)own->base);
  snprintf(argument[1], 32, "0x%llx", (unsigned long long)own->bytes);
  snprintf(argument[2], 32, "0x%llx", (unsigned long long)host->base);
  snprintf(argument[3], 32, "0x%llx", (unsigned long long)host->bytes);
  snprintf(argument[4], 32, "%s", seconds ? seconds : "20");
  snprintf(argument[5], 32, "0");
  const char *program = child_path(path, sizeof path);
  char name[] = "sim-device";
  char *argv[] = {name,        argument[0], argument[1], argument[2],
                  argument[3], argument[4], argument[5], NULL};
  char *envp[] = {NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, own_fd, SIM_CHILD_DEVICE_FD);
  posix_spawn_file_actions_adddup2(&actions, host_fd, SIM_CHILD_HOST_FD);
  posix_spawn_file_actions_adddup2(&actions, pair[1], SIM_CHILD_SOCKET_FD);
  int error = posix_spawn(&d->child, program, &actions, NULL, argv, envp);
  posix_spawn_file_actions_destroy(&actions);
  close(own_fd);
  close(host_fd);
  close(pair[1]);
  int answer;
  if (error || recv(pair[0], &answer, sizeof answer, 0) != sizeof answer) {
    fprintf(stderr, "sim: cannot start %s: %s\n", program, strerror(error));
    if (!error) waitpid(d->child, NULL, 0);
    d->child = 0;
    close(pair[0]);
    return -1;
  }
  d->socket = pair[0];
  return 0;
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

/* The child is gone: why? d->lock held. */
static sim_fault bury(device *d) {
  int status = 0;
  waitpid(d->child, &status, 0);
  close(d->socket);
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

sim_fault sim_device_run(int index, const sim_grid *grid) {
  if (sim_device_start(index)) return SIM_FAULT_OTHER;
  device *d = &devices[index];
  int answer;
  pthread_mutex_lock(&d->lock);
  if (d->state == SIM_RAN && sim_inline()) {
    sim_touch_begin(index);
    sim_grid_run(grid);
    sim_touch_end(index);
  } else if (d->state == SIM_RAN &&
             (send(d->socket, grid, sizeof *grid, MSG_NOSIGNAL) != sizeof *grid ||
              recv(d->socket, &answer, sizeof answer, 0) != sizeof answer)) {
    d->state = bury(d);
  }
  sim_fault state = d->state;
  pthread_mutex_unlock(&d->lock);
  return state;
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
      shutdown(d->socket, SHUT_RDWR);
      bury(d);
    }
    d->started = 0;
    d->state = SIM_RAN;
    pthread_mutex_unlock(&d->lock);
  }
  sim_memory_forget();
}
