/* The memory file that two processes of one machine map: a ring and a staging area per channel,
 * then the area (remote_area.c). */
#define _GNU_SOURCE
#include "backends/remote/remote_transport.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

#define MEMORY_BYTES    SOLO_REMOTE_MEMORY_BYTES
#define MOST_AREA_BYTES (UINT64_C(1) << 46) /* additions to this value cannot overflow */
/* a limit for valgrind, which scans the whole mapping */
#define ENOUGH_AREA_BYTES (UINT64_C(64) << 30)

/* Returns whether vm.overcommit_memory is 2. In this mode a page of the file is reserved at its
 * first write. If memory is exhausted, the write causes a signal. Therefore no area is used. */
static int is_strict(void) {
  char mode = 0;
  int file = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  int is = read(file, &mode, 1) == 1 && mode == '2';
  close(file);
  return is;
}

uint64_t solo_remote_area_default_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  struct rlimit limit;
  if (is_strict() || pages <= 0 || page <= 0 || getrlimit(RLIMIT_FSIZE, &limit) != 0) return 0;
  uint64_t bytes = (uint64_t)pages * (uint64_t)page & ~(uint64_t)(SOLO_REMOTE_AREA_ALIGN - 1);
  if (bytes > ENOUGH_AREA_BYTES) bytes = ENOUGH_AREA_BYTES;
  return limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > MEMORY_BYTES + bytes ? bytes : 0;
}

/* The seals prevent truncation of the file: an access after a truncation causes a SIGBUS. */
int solo_remote_make_file(uint64_t area_bytes) {
  int file = memfd_create("solo-remote", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)(MEMORY_BYTES + area_bytes)) == 0 &&
      fcntl(file, F_ADD_SEALS, SEALS) == 0)
    return file;
  close(file);
  return -1;
}

int solo_remote_is_file(int file, uint64_t area_bytes) {
  return file >= 0 && area_bytes % SOLO_REMOTE_AREA_ALIGN == 0 && area_bytes <= MOST_AREA_BYTES &&
         lseek(file, 0, SEEK_END) == (off_t)(MEMORY_BYTES + area_bytes) &&
         (fcntl(file, F_GET_SEALS) & SEALS) == SEALS;
}

static uint8_t *map(int file, uint64_t bytes, uint64_t offset) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, (off_t)offset);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Defined in programs with ThreadSanitizer, which scans a range byte by byte at munmap(2).
 * Therefore these programs map no area. */
__attribute__((weak)) void __tsan_init(void);

int solo_remote_map_file(solo_remote_link *link, int file, uint64_t area_bytes) {
  uint8_t *memory = map(file, MEMORY_BYTES, 0);
  if (!memory) return 1;
  link->memory = memory;
  link->mapper = getpid();
  if (area_bytes && !__tsan_init) link->area = map(file, area_bytes, MEMORY_BYTES);
  if (!link->area) return 0;
  link->area_bytes = area_bytes;
  (void)madvise(link->area, area_bytes, MADV_DONTDUMP);
  return 0;
}

void solo_remote_exclude_from_fork(solo_remote_link *link) {
  (void)madvise(link->memory, MEMORY_BYTES, MADV_DONTFORK);
  if (link->area) (void)madvise(link->area, link->area_bytes, MADV_DONTFORK);
}

void solo_remote_area_discard_pages(solo_remote_link *link, uint64_t offset, uint64_t bytes) {
  (void)madvise(link->area + offset, bytes, MADV_REMOVE);
}

void solo_remote_unmap_file(solo_remote_link *link) {
  if (link->mapper != getpid()) return;
  munmap(link->memory, MEMORY_BYTES);
  if (link->area) munmap(link->area, link->area_bytes);
}
