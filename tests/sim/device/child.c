/* The program sim-device: one simulated device (sim_device.h, child.h). A kernel's fault ends the
 * process, and the exit status reports the fault to the driver. */
#define _GNU_SOURCE
#include "tests/sim/device/child.h"

#include "tests/sim/device/sim_device.h"
#include <pthread.h>
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

static void *serve(void *lane) {
  int fd = SIM_CHILD_LANE_FD + (int)(intptr_t)lane, answer = 0;
  sim_grid grid;
  for (;;) {
    if (send(fd, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) _exit(0);
    if (recv(fd, &grid, sizeof grid, 0) != sizeof grid) _exit(0);
    sim_grid_run(&grid);
  }
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  uint64_t device_base = strtoull(argv[1], NULL, 0), device_bytes = strtoull(argv[2], NULL, 0);
  uint64_t host_base = strtoull(argv[3], NULL, 0), host_bytes = strtoull(argv[4], NULL, 0);
  int tries = atoi(argv[5]);
  if (map(device_base, device_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, SIM_CHILD_DEVICE_FD) ||
      map(host_base, host_bytes, PROT_READ | PROT_WRITE, SIM_CHILD_HOST_FD)) {
    /* Another mapping occupies the range. Mappings are at random addresses, so the program is
     * executed again. */
    char next[16];
    if (tries >= SIM_CHILD_TRIES) return 3;
    snprintf(next, sizeof next, "%d", tries + 1);
    argv[5] = next;
    execv("/proc/self/exe", argv);
    return 4;
  }
  sim_print_fd = SIM_CHILD_PRINT_FD;
  /* no core files, because tests cause faults deliberately */
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  for (int i = 1; i < SIM_LANES; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)i)) return 5;
  }
  serve(NULL);
}
