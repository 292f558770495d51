#define _GNU_SOURCE
#include "runtime/base/platform.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* futex(2) operations; defined here because musl-gcc finds no kernel headers */
enum { FUTEX_WAIT_PRIVATE = 0 | 128, FUTEX_WAKE_PRIVATE = 1 | 128 };

void solo_futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
  struct timespec limit = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                           .tv_nsec = (long)(timeout_ns % 1000000000u)};
  int saved = errno; /* callers run inside functions that must not change the program's errno */
  syscall(SYS_futex, (const void *)word, FUTEX_WAIT_PRIVATE, expected, timeout_ns ? &limit : NULL,
          NULL, 0);
  errno = saved;
}

int solo_futex_wake(const _Atomic uint32_t *word, int count) {
  int saved = errno;
  long woken = syscall(SYS_futex, (const void *)word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
  errno = saved;
  return woken > 0 ? (int)woken : 0;
}

uint64_t solo_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint32_t solo_thread_id(void) {
  return (uint32_t)syscall(SYS_gettid);
}

uint32_t solo_usable_cpus(void) {
  uint64_t mask[1024]; /* Linux has at most 1024 * 64 processors */
  memset(mask, 0, sizeof mask);
  if (sched_getaffinity(0, sizeof mask, (cpu_set_t *)(void *)mask) == 0) {
    uint32_t count = 0; /* CPU_COUNT_S would need 100 us with musl */
    for (size_t i = 0; i < sizeof mask / sizeof *mask; i++)
      for (uint64_t word = mask[i]; word; word &= word - 1) count++;
    return count;
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (uint32_t)online : 1;
}
