/* Device memory. Small blocks are cut from ranges without messages. A range is an allocation of the
 * server. Long blocks of CPU devices are in the area (remote_area.c). */
#include "backends/remote/remote.h"
#include "backends/remote/remote_area.h"

#include <stdlib.h>

enum {
  GRANULE = 256, /* GPU drivers align blocks to 256 bytes */
  FIRST_RANGE_BYTES = 1 << 20,
  LARGEST_RANGE_BYTES = 64 << 20,
  LARGEST_CUT_BYTES = LARGEST_RANGE_BYTES / 16,
  WORD_BITS = 64,
};

/* maps contains two bitmaps with a bit per granule. First: the granule is in use. Second: the granule
 * is the last of a block. */
struct solo_remote_range {
  solo_remote_range *next;
  solo_devptr address;
  uint32_t granules, unused;
  uint32_t search_start; /* granule after the newest block, at which searches begin */
  uint32_t words;        /* number of 64-bit words per bitmap */
  uint64_t maps[];
};

static int is_set(const uint64_t *map, uint32_t at) {
  return (int)(map[at / WORD_BITS] >> at % WORD_BITS & 1);
}

static void flip(uint64_t *map, uint32_t at) {
  map[at / WORD_BITS] ^= UINT64_C(1) << at % WORD_BITS;
}

/* Returns the first of `count` consecutive unused granules in [first, end), or end. */
static uint32_t find_run(const solo_remote_range *r, uint32_t count, uint32_t first, uint32_t end) {
  uint32_t found = 0;
  for (uint32_t at = first; at < end;) {
    uint64_t word = r->maps[at / WORD_BITS];
    int is_whole = at % WORD_BITS == 0 && end - at >= WORD_BITS;
    uint32_t step = is_whole && (word == 0 || word == UINT64_MAX) ? WORD_BITS : 1;
    found = is_set(r->maps, at) ? 0 : found + step;
    at += step;
    if (found >= count) return at - found;
  }
  return end;
}

static int cut(solo_remote_range *r, uint32_t count, solo_devptr *out_address) {
  if (r->unused < count) return 0;
  uint32_t at = find_run(r, count, r->search_start, r->granules);
  if (at == r->granules) {
    uint32_t end = r->search_start + count < r->granules ? r->search_start + count : r->granules;
    at = find_run(r, count, 0, end);
    if (at == end) return 0;
  }
  for (uint32_t n = 0; n < count; n++) flip(r->maps, at + n);
  flip(r->maps + r->words, at + count - 1);
  r->unused -= count;
  r->search_start = at + count;
  *out_address = r->address + (uint64_t)at * GRANULE;
  return 1;
}

/* Returns nonzero if the block was in use. */
static int uncut(solo_remote_range *r, solo_devptr address) {
  uint32_t at = (uint32_t)((address - r->address) / GRANULE);
  SOLO_ASSERT((address - r->address) % GRANULE == 0 && is_set(r->maps, at) &&
                  (at == 0 || !is_set(r->maps, at - 1) || is_set(r->maps + r->words, at - 1)),
              "an address that is freed in a range is the start of a block");
  /* not in use: a defective server has placed the range over a long block, which begins here */
  if (!is_set(r->maps, at)) return 0;
  for (int is_last = 0; !is_last && at < r->granules; at++) {
    is_last = is_set(r->maps + r->words, at);
    flip(r->maps, at);
    if (is_last) flip(r->maps + r->words, at);
    r->unused++;
  }
  return 1;
}

/* Returns whether a block from the server neither wraps around nor overlaps a range. */
static int is_possible(const solo_bdevice *device, solo_devptr address, uint64_t bytes) {
  if (bytes - 1 > UINT64_MAX - address) return 0;
  for (const solo_remote_range *r = device->ranges; r; r = r->next)
    if (address - r->address < (uint64_t)r->granules * GRANULE || r->address - address < bytes)
      return 0;
  return 1;
}

static solo_status request_block(solo_bdevice *device, uint64_t bytes, solo_devptr *out_address) {
  solo_remote_server *s = device->server;
  solo_devptr address = 0;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_MEM_ALLOC);
  if (m) {
    m->device = (uint32_t)device->ordinal;
    m->value = bytes;
    m->memory_kind = SOLO_MEMORY_DEVICE;
  }
  solo_status status = solo_remote_call(s, m, &address, sizeof address);
  solo_lock_release(&s->lock);
  if (status == SOLO_OK && !is_possible(device, address, bytes))
    status = solo_remote_fail_protocol(&s->control, "an impossible memory address");
  if (status == SOLO_OK) *out_address = address;
  return status;
}

static void free_in_server(solo_bdevice *device, solo_devptr address) {
  solo_remote_server *s = device->server;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_MEM_FREE);
  if (m) { /* NULL: the server is lost and has freed the block */
    m->device = (uint32_t)device->ordinal;
    m->value = address;
    m->memory_kind = SOLO_MEMORY_DEVICE;
    (void)solo_remote_post(&s->control, m);
  }
  solo_lock_release(&s->lock);
}

/* Doubles the length with each range, so that few ranges exist. */
static solo_status add_range(solo_bdevice *device, uint64_t block_bytes) {
  uint64_t bytes = device->range_bytes ? device->range_bytes : FIRST_RANGE_BYTES;
  while (bytes < 4 * block_bytes && bytes < LARGEST_RANGE_BYTES) bytes *= 2;
  uint32_t granules = (uint32_t)(bytes / GRANULE), words = granules / WORD_BITS;
  solo_remote_range *r = calloc(1, sizeof *r + 2 * words * sizeof *r->maps);
  if (!r) return solo_fail(SOLO_NOMEM, "remote: no host memory to describe device memory");
  solo_status status = request_block(device, bytes, &r->address);
  if (status != SOLO_OK) {
    free(r);
    return status;
  }
  r->granules = r->unused = granules;
  r->words = words;
  r->next = device->ranges;
  device->ranges = r;
  device->range_bytes = bytes < LARGEST_RANGE_BYTES ? 2 * bytes : bytes;
  solo_remote_count_blocks(device->server, -1);
  return SOLO_OK;
}

/* Frees all unused ranges except `kept` of them. */
static void drop_ranges(solo_bdevice *device, int kept) {
  for (solo_remote_range **link = &device->ranges, *r; (r = *link);) {
    if (r->unused != r->granules || kept-- > 0) {
      link = &r->next;
      continue;
    }
    *link = r->next;
    free_in_server(device, r->address);
    solo_remote_count_blocks(device->server, 1);
    free(r);
  }
}

static solo_status cut_block(solo_bdevice *device, uint64_t bytes, solo_devptr *out_address) {
  uint32_t count = (uint32_t)((bytes + GRANULE - 1) / GRANULE);
  if (solo_remote_is_lost(&device->server->control))
    return solo_remote_fail_lost(&device->server->control);
  solo_remote_range *r = device->ranges;
  while (r && !cut(r, count, out_address)) r = r->next;
  if (!r) {
    SOLO_TRY(add_range(device, bytes));
    if (!cut(device->ranges, count, out_address))
      return solo_fail(SOLO_INTERNAL, "remote: a new range has no space for %llu bytes",
                       (unsigned long long)bytes);
  }
  solo_remote_count_blocks(device->server, 1);
  return SOLO_OK;
}

solo_status solo_remote_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                  solo_devptr *out_address) {
  if (kind != SOLO_MEMORY_DEVICE)
    return solo_fail(SOLO_UNSUPPORTED,
                     "remote: memory that host and device share is not supported");
  solo_status status = SOLO_DEVICE_NOMEM;
  solo_lock_acquire(&device->memory_lock);
  if (bytes <= LARGEST_CUT_BYTES && !device->has_exact_blocks)
    status = cut_block(device, bytes, out_address);
  else
    status = solo_remote_area_allocate(device, bytes, out_address);
  if (status == SOLO_DEVICE_NOMEM || status == SOLO_NOMEM)
    status = request_block(device, bytes, out_address);
  if (status == SOLO_DEVICE_NOMEM && device->ranges) {
    drop_ranges(device, 0);
    status = request_block(device, bytes, out_address);
  }
  solo_lock_release(&device->memory_lock);
  return status;
}

solo_status solo_remote_mem_free(solo_bdevice *device, solo_devptr address, solo_memory_kind kind) {
  (void)kind;
  solo_lock_acquire(&device->memory_lock);
  solo_remote_range *r = device->ranges;
  while (r && address - r->address >= (uint64_t)r->granules * GRANULE) r = r->next;
  if (r) {
    if (uncut(r, address)) solo_remote_count_blocks(device->server, -1);
    if (r->unused == r->granules) drop_ranges(device, 1);
  } else if (!solo_remote_area_release(device, address)) {
    free_in_server(device, address);
  }
  solo_lock_release(&device->memory_lock);
  return SOLO_OK;
}

/* Sends no message, because DEVICE_CLOSE frees the memory in the server. */
void solo_remote_ranges_free(solo_bdevice *device) {
  while (device->ranges) {
    solo_remote_range *r = device->ranges;
    device->ranges = r->next;
    for (uint32_t n = 0; n < r->words; n++)
      solo_remote_count_blocks(device->server, -__builtin_popcountll(r->maps[r->words + n]));
    solo_remote_count_blocks(device->server, 1);
    free(r);
  }
}
