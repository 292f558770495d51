/* The program sim-device: one simulated device. See sim_device.h for what it maps, child.h for what
 * it is told. It dies of its kernels' faults, which is how the driver learns of them. */
#define _GNU_SOURCE
#include "tests/sim/device/child.h"

#include "tests/sim/device/sim_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static int map(uint64_t base, uint64_t bytes, int prot, int fd) {
  void *at = (void *)base;
  return mmap(at, bytes, prot, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0) == at ? 0
                                                                                              : -1;
}

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  uint64_t device_base = strtoull(argv[1], NULL, 0), device_bytes = strtoull(argv[2], NULL, 0);
  uint64_t host_base = strtoull(argv[3], NULL, 0), host_bytes = strtoull(argv[4], NULL, 0);
  unsigned seconds = (unsigned)atoi(argv[5]);
  int tries = atoi(argv[6]);
  if (map(device_base, device_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, SIM_CHILD_DEVICE_FD) ||
      map(host_base, host_bytes, PROT_READ | PROT_WRITE, SIM_CHILD_HOST_FD)) {
    /* Something of this process lies there: addresses are random, so try another life. */
    char next[16];
    if (tries >= SIM_CHILD_TRIES) return 3;
    snprintf(next, sizeof next, "%d", tries + 1);
    argv[6] = next;
    execv("/proc/self/exe", argv);
    return 4;
  }
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* faults are expected */
  int answer = 0;
  sim_grid grid;
  for (;;) {
    if (send(SIM_CHILD_SOCKET_FD, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) return 0;
    if (recv(SIM_CHILD_SOCKET_FD, &grid, sizeof grid, 0) != sizeof grid) return 0;
    alarm(seconds);
    sim_grid_run(&grid);
    alarm(0);
  }
}
