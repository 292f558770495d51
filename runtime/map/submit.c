/* Enqueues the transfers that begin.c recorded: copies the construct's data, publishes it, then waits
 * for data of other constructs. Thus two constructs that need each other's mappings both publish
 * before they wait (docs/design/map-rules.md). */
#include "runtime/map/map.h"

#include "runtime/construct/nowait_order.h"

static solo_status perform(solo_construct *c, const solo_transfer *t) {
  solo_status status = SOLO_OK;
  switch (t->kind) {
  case SOLO_TRANSFER_FILL:
  case SOLO_TRANSFER_SEND:
    status = solo_map_send(c, t->mapping, t->host, t->bytes);
    break;
  case SOLO_TRANSFER_ATTACH:
  case SOLO_TRANSFER_ATTACH_AGAIN:
    status = solo_map_attach(c, t);
    break;
  case SOLO_TRANSFER_COPY:
    status = solo_construct_copy(c, t->value, t->host, t->bytes, SOLO_COPY_IN, t->mapping->name);
    break;
  case SOLO_TRANSFER_WAIT:
    break;
  }
  if (SOLO_UNLIKELY(status != SOLO_OK)) solo_map_note_variable(c, t->name);
  return status;
}

/* Performs transfers, except those to mappings that another construct still fills; these stay in
 * the list. */
static solo_status send_own(solo_construct *c) {
  solo_transfer **at = &c->transfers;
  while (*at) {
    solo_transfer *t = *at;
    /* FILL: c created the mapping. If another thread has deleted it and replaced its creator,
     * solo_construct_must_wait() would wait for c's own data. */
    if (t->kind != SOLO_TRANSFER_FILL && solo_construct_must_wait(c, t->mapping)) {
      at = &t->next;
      continue;
    }
    *at = t->next;
    SOLO_TRY(perform(c, t));
  }
  c->transfers_end = at;
  return SOLO_OK;
}

solo_status solo_map_submit_list(solo_construct *c) {
  if (!solo_device_is_synchronous(c->device) && c->new_mappings)
    SOLO_TRY(solo_nowait_order_after_writebacks(c));
  SOLO_TRY(send_own(c));
  if (SOLO_UNLIKELY(c->wait_status != SOLO_OK)) {
    if (c->wait_error) (void)solo_error_restore(c->wait_error);
    return c->wait_status;
  }
  /* asynchronous: the copies precede the kernel in the queue, and close publishes the data */
  if (!c->transfers && !solo_device_is_synchronous(c->device)) return SOLO_OK;
  /* Invariant: c waits for another construct only after it has published its own data.
   * Otherwise: two constructs could wait for each other.
   */
  SOLO_TRY(solo_construct_publish_data(c));
  while (c->transfers) {
    const solo_transfer *t = c->transfers;
    c->transfers = t->next;
    solo_mapping_wait_data(t->mapping);
    /* returns 0, because the data is READY or ENQUEUED; orders c's queue after an ENQUEUED copy */
    (void)solo_construct_must_wait(c, t->mapping);
    SOLO_TRY(perform(c, t));
  }
  c->transfers_end = &c->transfers;
  return SOLO_OK;
}
