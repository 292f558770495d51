#define _DEFAULT_SOURCE
#include "backends/host/host.h"

#include "runtime/base/early.h"
#include <stdlib.h>
#include <sys/mman.h>

/* Large blocks begin at a page. Otherwise, when the operating system copies an array into a block
 * (as for a device server), earlier stores with the same address bits 0 to 11 could delay loads. */
enum { ALIGNMENT = SOLO_CACHE_LINE, LARGE = 1 << 20, LARGE_ALIGNMENT = 4096 };

/* Small blocks first use static memory, so that a small program does not initialise the heap. Test
 * builds use the heap, which sanitizers check. */
#ifdef SOLO_CHECK
enum { EARLY_LARGEST = 0 };
#else
enum { EARLY_LARGEST = 512 };
#endif

enum { HUGE_PAGE = 2 << 20 };
static void advise_huge_pages(uintptr_t block, size_t bytes) {
  uintptr_t begin = (block + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  size_t whole = (bytes - (begin - block)) / HUGE_PAGE * HUGE_PAGE;
  (void)madvise((void *)begin, whole, MADV_HUGEPAGE);
}

solo_status solo_host_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                solo_devptr *out_address) {
  (void)device;
  (void)kind;
  void *block = NULL;
  if (solo_host_has_red_zones()) {
    if (posix_memalign(&block, ALIGNMENT, bytes ? bytes : 1) != 0) block = NULL;
  } else if (bytes <= SIZE_MAX - LARGE_ALIGNMENT) {
    size_t alignment = bytes < LARGE ? ALIGNMENT : LARGE_ALIGNMENT;
    size_t whole = (bytes + alignment - 1) / alignment * alignment;
    if (whole <= EARLY_LARGEST) block = solo_early_allocate_static(whole);
    if (!block) block = aligned_alloc(alignment, whole);
  }
  if (!block)
    return solo_fail(SOLO_DEVICE_NOMEM, "allocating %llu bytes on the CPU device: no memory",
                     (unsigned long long)bytes);
  if (bytes >= 2 * HUGE_PAGE) advise_huge_pages((uintptr_t)block, bytes);
  *out_address = (uintptr_t)block;
  return SOLO_OK;
}

solo_status solo_host_mem_free(solo_bdevice *device, solo_devptr address, solo_memory_kind kind) {
  (void)device;
  (void)kind;
  solo_early_free((void *)(uintptr_t)address);
  return SOLO_OK;
}

solo_status solo_host_mem_pin(solo_bdevice *device, void *host, uint64_t bytes,
                              solo_devptr *out_address) {
  (void)device;
  (void)bytes;
  *out_address = (uintptr_t)host;
  return SOLO_OK;
}

solo_status solo_host_mem_unpin(solo_bdevice *device, void *host) {
  (void)device;
  (void)host;
  return SOLO_OK;
}
