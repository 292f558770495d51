/* Memory regions and their blocks. */
#define _GNU_SOURCE
#include "tests/sim/device/calls.h"
#include "tests/sim/device/internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCKS = 8192, GUARD = 64, GUARD_BYTE = 0xc3, FRESH_BYTE = 0xa5, FREED_BYTE = 0xdd };
enum { FILL_LIMIT = 1 << 20 }; /* maximum number of bytes that are filled with a pattern */

typedef struct block {
  uint64_t at, bytes;
  int device;
  void *pinned; /* host range with pages that were moved or mapped here, or NULL */
  uint64_t pinned_bytes;
  int is_in_place;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects all variables below */
static sim_region regions[SIM_MAX_DEVICES + 1];
static block blocks[BLOCKS]; /* by address */
static int block_count;
static uint64_t sums[SIM_MAX_DEVICES]; /* inline mode: checksum at the last sim_access_end */
static int summed[SIM_MAX_DEVICES];
static pthread_mutex_t touch_locks[SIM_MAX_DEVICES] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

int sim_inline(void) {
  const char *text = getenv("SIM_INLINE");
  return text && atoi(text) != 0;
}

int sim_device_count(void) {
  const char *text = getenv("SIM_DEVICES");
  int count = text ? atoi(text) : 1;
  return count < 0 ? 0 : count > SIM_MAX_DEVICES ? SIM_MAX_DEVICES : count;
}

uint64_t sim_memory_total(void) {
  const char *text = getenv("SIM_MEMORY_MB");
  return (uint64_t)(text ? strtoul(text, NULL, 0) : 256) << 20;
}

static int make_region(sim_region *r, int device) {
  r->bytes = sim_memory_total();
  r->fd = memfd_create("sim-memory", MFD_CLOEXEC);
  if (r->fd < 0 || ftruncate(r->fd, (off_t)r->bytes)) return -1;
  int prot = device == SIM_ON_HOST ? PROT_READ | PROT_WRITE
             : sim_inline()        ? PROT_READ | PROT_WRITE | PROT_EXEC
                                   : PROT_NONE;
  void *at = mmap(NULL, r->bytes, prot, MAP_SHARED | MAP_NORESERVE, r->fd, 0);
  if (at == MAP_FAILED) return -1;
  r->shadow = at;
  if (prot == PROT_NONE) {
    r->shadow = mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, r->fd, 0);
    if (r->shadow == MAP_FAILED) return -1;
  }
  r->base = (uint64_t)at;
  return 0;
}

static const sim_region *region_of(int device) {
  sim_region *r = &regions[device + 1];
  if (!r->base && make_region(r, device)) return NULL;
  return r;
}

const sim_region *sim_region_of(int device) {
  pthread_mutex_lock(&lock);
  const sim_region *r = region_of(device);
  pthread_mutex_unlock(&lock);
  return r;
}

/* Returns the index of the last block at or below address, or -1. The caller holds the lock. */
static int find(uint64_t address) {
  int low = 0, high = block_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (blocks[middle].at <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
}

static char *shadow_of(const block *b) {
  const sim_region *r = &regions[b->device + 1];
  return r->shadow + (b->at - r->base);
}

/* First fit. The caller holds the lock. */
static block *insert(int device, uint64_t bytes, uint64_t align) {
  const sim_region *r = region_of(device);
  if (!r || block_count == BLOCKS || bytes > r->bytes) return NULL;
  uint64_t at = r->base;
  int i = find(r->base - 1) + 1;
  for (; i < block_count && blocks[i].at < r->base + r->bytes; i++) {
    at = (at + align - 1) & ~(align - 1);
    if (blocks[i].at >= at && blocks[i].at - at >= bytes + GUARD) break;
    at = blocks[i].at + blocks[i].bytes + GUARD;
  }
  at = (at + align - 1) & ~(align - 1);
  if (at + bytes + GUARD > r->base + r->bytes) return NULL;
  memmove(&blocks[i + 1], &blocks[i], sizeof *blocks * (size_t)(block_count - i));
  block_count++;
  blocks[i] = (block){.at = at, .bytes = bytes, .device = device};
  return &blocks[i];
}

static void remove_block(int i) {
  memmove(&blocks[i], &blocks[i + 1], sizeof *blocks * (size_t)(block_count - i - 1));
  block_count--;
}

uint64_t sim_memory_alloc(int device, uint64_t bytes, uint64_t align) {
  if (!bytes) return 0;
  if (align < 256) align = 256;
  if (device >= 0) sim_access_begin(device);
  pthread_mutex_lock(&lock);
  block *b = insert(device, bytes, align);
  uint64_t at = b ? b->at : 0;
  if (b) {
    char *p = shadow_of(b);
    memset(p, FRESH_BYTE, bytes < FILL_LIMIT ? bytes : FILL_LIMIT);
    memset(p + bytes, GUARD_BYTE, GUARD);
  }
  pthread_mutex_unlock(&lock);
  if (device >= 0) sim_access_end(device);
  return at;
}

static void check_guard(const block *b) {
  const unsigned char *p = (unsigned char *)shadow_of(b) + b->bytes;
  for (int i = 0; i < GUARD; i++)
    if (p[i] != GUARD_BYTE) {
      sim_violation("write beyond the end of the %llu bytes at 0x%llx",
                    (unsigned long long)b->bytes, (unsigned long long)b->at);
      return;
    }
}

int sim_memory_free(uint64_t address) {
  int device = SIM_ON_HOST;
  if (!sim_memory_reach(address, 1, &device)) return -1;
  if (device >= 0) sim_access_begin(device);
  pthread_mutex_lock(&lock);
  int i = find(address), found = i >= 0 && blocks[i].at == address && !blocks[i].pinned;
  if (found) {
    check_guard(&blocks[i]);
    memset(shadow_of(&blocks[i]), FREED_BYTE,
           blocks[i].bytes < FILL_LIMIT ? blocks[i].bytes : FILL_LIMIT);
    remove_block(i);
  }
  pthread_mutex_unlock(&lock);
  if (device >= 0) sim_access_end(device);
  return found ? 0 : -1;
}

void *sim_memory_reach(uint64_t address, uint64_t bytes, int *device) {
  void *p = NULL;
  pthread_mutex_lock(&lock);
  int i = find(address);
  if (i >= 0 && address - blocks[i].at <= blocks[i].bytes &&
      bytes <= blocks[i].bytes - (address - blocks[i].at)) {
    p = shadow_of(&blocks[i]) + (address - blocks[i].at);
    if (device) *device = blocks[i].device;
  }
  pthread_mutex_unlock(&lock);
  return p;
}

int sim_memory_is_device(uint64_t address) {
  int hit = 0;
  pthread_mutex_lock(&lock);
  for (int i = 1; i <= SIM_MAX_DEVICES; i++)
    hit |= regions[i].base && address - regions[i].base < regions[i].bytes;
  pthread_mutex_unlock(&lock);
  return hit;
}

uint64_t sim_memory_used(int device) {
  uint64_t used = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < block_count; i++)
    if (blocks[i].device == device) used += blocks[i].bytes;
  pthread_mutex_unlock(&lock);
  return used;
}

/* Copies words, because a sanitizer would report that memcpy accesses neighbours of the pinned
 * range. */
static void copy_pages(void *to, const void *from, uint64_t bytes) {
  volatile uint64_t *t = to;
  const volatile uint64_t *f = from;
  for (uint64_t i = 0; i < bytes / sizeof *t; i++) t[i] = f[i];
}

static int is_shared(uint64_t low, uint64_t size) {
  FILE *maps = fopen("/proc/self/maps", "r");
  unsigned long long from, to;
  char line[512], mode[5];
  int hit = 0;
  while (maps && !hit && fgets(line, sizeof line, maps))
    hit = sscanf(line, "%llx-%llx %4s", &from, &to, mode) == 3 && from <= low && low + size <= to &&
          mode[3] == 's';
  if (maps) fclose(maps);
  return hit;
}

/* Calls the system call directly: UCX replaces mremap by a function that ignores the new address. */
static void *move_mapping(void *from, size_t bytes, size_t new_bytes, void *to) {
  return (void *)syscall(SYS_mremap, from, bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to);
}

/* Shared pages stay at their address and are also mapped at the block's address. Only copies use
 * the second mapping, because the child does not have it. */
static void *show_pages(uint64_t at, uint64_t low, uint64_t size) {
  return move_mapping((void *)low, 0, size, (void *)at);
}

static int hide_pages(const block *b) {
  const sim_region *r = &regions[SIM_ON_HOST + 1];
  return mmap((void *)b->at, b->bytes, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED | MAP_NORESERVE, r->fd,
              (off_t)(b->at - r->base)) == MAP_FAILED;
}

static int restore_pages(const block *b) {
  void *low = (void *)((uint64_t)b->pinned & ~(uint64_t)4095);
  void *own = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (own == MAP_FAILED) return -1;
  copy_pages(own, (void *)b->at, b->bytes);
  return move_mapping(own, b->bytes, b->bytes, low) == MAP_FAILED;
}

/* Replaces the pages by pages of the host region, at the same address. Tests must avoid a
 * concurrent write, which would be lost. */
static void *move_pages(uint64_t at, uint64_t low, uint64_t size) {
  const sim_region *r = &regions[SIM_ON_HOST + 1];
  copy_pages((void *)at, (void *)low, size);
  return mmap((void *)low, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, r->fd,
              (off_t)(at - r->base));
}

uint64_t sim_memory_pin(void *host, uint64_t bytes) {
  uint64_t page = 4096, low = (uint64_t)host & ~(page - 1);
  uint64_t size = (((uint64_t)host + bytes + page - 1) & ~(page - 1)) - low;
  uint64_t result = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < block_count; i++) {
    uint64_t other = (uint64_t)blocks[i].pinned & ~(page - 1);
    if (blocks[i].pinned && low < other + blocks[i].bytes && other < low + size) goto out;
  }
  block *b = insert(SIM_ON_HOST, size, page);
  if (!b) goto out;
  b->pinned = host;
  b->pinned_bytes = bytes;
  b->is_in_place = is_shared(low, size);
  if ((b->is_in_place ? show_pages : move_pages)(b->at, low, size) == MAP_FAILED)
    remove_block((int)(b - blocks));
  else
    result = b->at + ((uint64_t)host - low);
out:
  pthread_mutex_unlock(&lock);
  return result;
}

int sim_memory_unpin(void *host) {
  int found = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < block_count; i++) {
    if (!blocks[i].pinned || blocks[i].pinned != host) continue;
    found = (blocks[i].is_in_place ? hide_pages : restore_pages)(&blocks[i]) == 0;
    if (found) remove_block(i);
    break;
  }
  pthread_mutex_unlock(&lock);
  return found ? 0 : -1;
}

uint64_t sim_memory_pinned(const void *host) {
  uint64_t result = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < block_count; i++) {
    uint64_t start = (uint64_t)blocks[i].pinned;
    if (start && (uint64_t)host - start < blocks[i].pinned_bytes)
      result = blocks[i].at + (start & 4095) + ((uint64_t)host - start);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static uint64_t sum_of(int device) {
  uint64_t sum = 14695981039346656037u;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < block_count; i++) {
    if (blocks[i].device != device) continue;
    const unsigned char *p = (unsigned char *)shadow_of(&blocks[i]);
    for (uint64_t k = 0; k < blocks[i].bytes; k++) sum = (sum ^ p[k]) * 1099511628211u;
  }
  pthread_mutex_unlock(&lock);
  return sum;
}

void sim_access_begin(int device) {
  if (!sim_inline()) return;
  pthread_mutex_lock(&touch_locks[device]);
  if (summed[device] && sum_of(device) != sums[device])
    sim_violation("the host wrote to memory of device %d", device);
}

void sim_access_end(int device) {
  if (!sim_inline()) return;
  sums[device] = sum_of(device);
  summed[device] = 1;
  pthread_mutex_unlock(&touch_locks[device]);
}

void sim_memory_reset(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i <= SIM_MAX_DEVICES; i++) {
    sim_region *r = &regions[i];
    if (!r->base) continue;
    munmap((void *)r->base, r->bytes);
    if ((uint64_t)r->shadow != r->base) munmap(r->shadow, r->bytes);
    close(r->fd);
    *r = (sim_region){0};
  }
  block_count = 0;
  memset(summed, 0, sizeof summed);
  pthread_mutex_unlock(&lock);
}
