/* An LD_PRELOAD library that logs the system calls which the CUDA driver makes through libc. At
 * exit, it writes phase, duration, name and main argument of each call to the file CALLS_LOG. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST = 20000, TEXT = 72 };

static struct record {
  const char *name, *phase;
  uint64_t ns;
  char what[TEXT];
} records[MOST];
static int count;
static const char *phase = "start";

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static void note(const char *name, uint64_t begin, const char *format, ...) {
  uint64_t ns = now_ns() - begin;
  int i = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  if (i >= MOST) return;
  va_list list;
  va_start(list, format);
  vsnprintf(records[i].what, TEXT, format, list);
  va_end(list);
  records[i].name = name;
  records[i].phase = phase;
  records[i].ns = ns;
}

void latency_mark(const char *name) {
  phase = name;
}

static int open_as(const char *name, const char *path, int flags, unsigned mode) {
  int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  uint64_t begin = now_ns();
  int result = next(path, flags, mode);
  note("open", begin, "%s = %d", path, result);
  return result;
}
static unsigned mode_of(int flags, va_list list) {
  return flags & O_CREAT ? va_arg(list, unsigned) : 0;
}
int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  unsigned mode = mode_of(flags, list);
  va_end(list);
  return open_as("open", path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  unsigned mode = mode_of(flags, list);
  va_end(list);
  return open_as("open64", path, flags, mode);
}
int ioctl(int fd, unsigned long request, ...) {
  static int (*next)(int, unsigned long, ...);
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (!next) next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  uint64_t begin = now_ns();
  int result = next(fd, request, argument);
  note("ioctl", begin, "fd %d request 0x%lx = %d", fd, request, result);
  return result;
}
static void *map_as(const char *name, void *address, size_t bytes, int protection, int flags,
                    int fd, off_t offset) {
  void *(*next)(void *, size_t, int, int, int, off_t) =
      (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, name);
  uint64_t begin = now_ns();
  void *result = next(address, bytes, protection, flags, fd, offset);
  note("mmap", begin, "%zu bytes, protection %d, flags 0x%x, fd %d", bytes, protection, flags, fd);
  return result;
}
void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return map_as("mmap", address, bytes, protection, flags, fd, offset);
}
void *mmap64(void *address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return map_as("mmap64", address, bytes, protection, flags, fd, offset);
}
int munmap(void *address, size_t bytes) {
  int (*next)(void *, size_t) = (int (*)(void *, size_t))dlsym(RTLD_NEXT, "munmap");
  uint64_t begin = now_ns();
  int result = next(address, bytes);
  note("munmap", begin, "%zu bytes", bytes);
  return result;
}

__attribute__((destructor)) static void write_log(void) {
  const char *path = getenv("CALLS_LOG");
  FILE *f = path ? fopen(path, "w") : NULL;
  if (!f) return;
  int n = count < MOST ? count : MOST;
  for (int i = 0; i < n; i++)
    if (records[i].name)
      fprintf(f, "%-13s %9.1f us  %-6s %s\n", records[i].phase, (double)records[i].ns / 1e3,
              records[i].name, records[i].what);
  fclose(f);
}
