/* The area: a part of the shared memory file, from which the client allocates long blocks of the
 * server's CPU devices. Client and server map the area. Thus the client allocates without a
 * message, and a copy is one memcpy. */
#include "backends/remote/remote_area.h"

#include <stdlib.h>
#include <string.h>

/* Free blocks below this offset keep their pages: a loop that maps an array again reuses them. */
#define KEPT_BYTES (UINT64_C(64) << 20)

struct solo_remote_block {
  solo_remote_block *next;
  uint64_t offset, bytes; /* multiples of SOLO_REMOTE_AREA_ALIGN */
  const solo_bdevice *device;
};

static int has_area(const solo_bdevice *device) {
  const solo_remote_link *link = device->server->link;
  return link->area && link->welcome.area && device->is_in_server && !device->has_exact_blocks;
}

/* Finds the first gap of at least `bytes` bytes. Returns the list position at which the caller
 * inserts the block, or NULL (no gap). The caller holds the server's lock. */
static solo_remote_block **find_gap(solo_remote_server *s, uint64_t bytes, uint64_t *out_offset) {
  uint64_t end = 0;
  solo_remote_block **link = &s->blocks;
  while (*link && (*link)->offset - end < bytes) {
    end = (*link)->offset + (*link)->bytes;
    link = &(*link)->next;
  }
  *out_offset = end;
  return *link || bytes <= s->link->area_bytes - end ? link : NULL;
}

solo_status solo_remote_area_allocate(solo_bdevice *device, uint64_t bytes,
                                      solo_devptr *out_address) {
  solo_remote_server *s = device->server;
  if (!has_area(device) || bytes > s->link->area_bytes) return SOLO_DEVICE_NOMEM;
  if (!s->link->transport->is_alive(s->link)) return solo_remote_fail_lost(&s->control);
  solo_remote_block *block = malloc(sizeof *block);
  if (!block) return SOLO_DEVICE_NOMEM;
  uint64_t whole = (bytes + SOLO_REMOTE_AREA_ALIGN - 1) & ~(uint64_t)(SOLO_REMOTE_AREA_ALIGN - 1);
  *block = (solo_remote_block){.bytes = whole, .device = device};
  solo_lock_acquire(&s->lock);
  solo_remote_block **link = find_gap(s, whole, &block->offset);
  if (link) {
    block->next = *link;
    *link = block;
  }
  solo_lock_release(&s->lock);
  if (!link) {
    free(block);
    return SOLO_DEVICE_NOMEM;
  }
  *out_address = s->link->welcome.area + block->offset;
  solo_remote_count_blocks(s, 1);
  return SOLO_OK;
}

/* Returns pages to the kernel. In an MPI job only the server may do so, because the server's MPI
 * library may have registered the pages with a network card. The caller holds the server's lock. */
static void free_pages(solo_remote_server *s, uint64_t offset, uint64_t bytes) {
  if (!s->link->number) {
    solo_remote_area_discard_pages(s->link, offset, bytes);
    return;
  }
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_AREA_FREE);
  if (m)
    *m = (solo_remote_plain){
        .head = m->head, .value = offset, .number = (uint32_t)(bytes / SOLO_REMOTE_AREA_ALIGN)};
  (void)solo_remote_call(s, m, NULL, 0);
}

static void drop(solo_remote_server *s, solo_remote_block **link) {
  solo_remote_block *block = *link;
  uint64_t end = block->offset + block->bytes;
  uint64_t from = block->offset < KEPT_BYTES ? KEPT_BYTES : block->offset;
  if (from < end) free_pages(s, from, end - from);
  *link = block->next;
  free(block);
  solo_remote_count_blocks(s, -1);
}

int solo_remote_area_release(solo_bdevice *device, solo_devptr address) {
  if (!solo_remote_area_find(device, address, 1)) return 0;
  solo_remote_server *s = device->server;
  uint64_t offset = address - s->link->welcome.area;
  solo_lock_acquire(&s->lock);
  solo_remote_block **link = &s->blocks;
  while (*link && (*link)->offset != offset) link = &(*link)->next;
  SOLO_ASSERT(*link, "an address that is freed in the area is the start of a block");
  if (*link) drop(s, link);
  solo_lock_release(&s->lock);
  return 1;
}

void solo_remote_area_close_device(solo_bdevice *device) {
  solo_remote_server *s = device->server;
  solo_lock_acquire(&s->lock);
  for (solo_remote_block **link = &s->blocks; *link;)
    if ((*link)->device == device)
      drop(s, link);
    else
      link = &(*link)->next;
  solo_lock_release(&s->lock);
}

void *solo_remote_area_find(const solo_bdevice *device, solo_devptr address, uint64_t bytes) {
  if (!has_area(device)) return NULL;
  const solo_remote_link *link = device->server->link;
  /* an address below the area wraps to a large offset */
  uint64_t offset = address - link->welcome.area;
  if (offset >= link->area_bytes || bytes > link->area_bytes - offset) return NULL;
  return link->area + offset;
}

solo_status solo_remote_area_copy(solo_bqueue *queue, void *to, const void *from, uint64_t bytes) {
  solo_remote_link *link = queue->channel.link;
  uint64_t ticket;
  SOLO_TRY(solo_remote_mark(queue, &ticket));
  SOLO_TRY(solo_remote_reach(queue, ticket));
  if (solo_remote_has_error(queue)) return SOLO_OK;
  if (!link->transport->is_alive(link)) return solo_remote_abandon_queue(queue);
  memcpy(to, from, bytes);
  return SOLO_OK;
}
