#define _GNU_SOURCE
#include "backends/simt/simt.h"

#include "backends/simt/exec/simt.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, PAGE = 4096, FRESH_BYTE = 0xa5, FILL_LIMIT = 1 << 20 };

typedef unsigned long long ull;

/* Maps a block that ends at an inaccessible page, so that accesses behind it fault. */
static void *map(uint64_t whole) {
  size_t pages = (size_t)(whole + PAGE - 1) / PAGE * PAGE;
  char *at = mmap(NULL, pages + PAGE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return NULL;
  mprotect(at + pages, PAGE, PROT_NONE);
  return at + (pages - whole);
}

static void unmap(const void *at, uint64_t bytes) {
  uint64_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  size_t pages = (size_t)(whole + PAGE - 1) / PAGE * PAGE;
  munmap((char *)(uintptr_t)at - (pages - whole), pages + PAGE);
}

solo_status solo_simt_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                solo_devptr *out_address) {
  (void)device;
  void *at = NULL;
  if (bytes <= INT64_MAX - 2 * PAGE) at = map((bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (!at)
    return solo_fail(SOLO_DEVICE_NOMEM, "simt: cannot allocate %llu bytes: out of memory",
                     (ull)bytes);
  if (kind == SOLO_MEMORY_DEVICE) memset(at, FRESH_BYTE, bytes < FILL_LIMIT ? bytes : FILL_LIMIT);
  if (!simt_memory_add(at, bytes)) {
    unmap(at, bytes);
    return solo_fail(SOLO_NOMEM, "simt: no host memory to list one more block");
  }
  *out_address = (uintptr_t)at;
  return SOLO_OK;
}

solo_status solo_simt_mem_free(solo_bdevice *device, solo_devptr address, solo_memory_kind kind) {
  (void)device;
  (void)kind;
  void *at = (void *)(uintptr_t)address;
  uint64_t bytes = simt_memory_remove(at);
  if (!bytes)
    return solo_fail(SOLO_INVALID, "simt: 0x%llx is not a block of the virtual GPU", (ull)address);
  unmap(at, bytes);
  return SOLO_OK;
}

solo_status solo_simt_mem_pin(solo_bdevice *device, void *host, uint64_t bytes,
                              solo_devptr *out_address) {
  (void)device;
  if (!simt_memory_add(host, bytes))
    return solo_fail(SOLO_NOMEM, "simt: no host memory to list one more block");
  *out_address = (uintptr_t)host;
  return SOLO_OK;
}

solo_status solo_simt_mem_unpin(solo_bdevice *device, void *host) {
  (void)device;
  (void)simt_memory_remove(host);
  return SOLO_OK;
}
