/* What a construct sends after the whole of its list was mapped (solo_map_submit, map/map.h).
 *
 * begin.c takes references, makes mappings and notes transfers; it sends nothing but the data of
 * mappings that nobody sees yet. So a list is mapped without waiting for another construct's data,
 * and others see a new mapping only with all of its members: the own transfers come first, then the
 * new mappings are published, and only then this construct waits for the data of others, of which
 * it sends what its own list has to add. Two constructs that meet each other's new mappings each
 * publish before they wait, so neither waits for ever.
 */
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

/* All but what concerns mappings whose data another construct still sends: that stays in the list. */
static solo_status send_own(solo_construct *c) {
  solo_transfer **at = &c->transfers;
  while (*at) {
    solo_transfer *t = *at;
    /* a new mapping of c's that another thread has deleted names that thread's construct as its
     * creator, but its memory stays c's until c publishes it */
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
    if (c->wait_error) (void)solo_error_again(c->wait_error);
    return c->wait_status;
  }
  /* on an asynchronous device what was sent comes before the kernel in the queue: publishing, which
   * would wait for it, can be left to close */
  if (!c->transfers && !solo_device_is_synchronous(c->device)) return SOLO_OK;
  SOLO_TRY(solo_construct_publish_data(c));
  while (c->transfers) {
    const solo_transfer *t = c->transfers;
    c->transfers = t->next;
    solo_mapping_wait_data(t->mapping);
    (void)solo_construct_must_wait(c, t->mapping); /* no: c's queue is ordered after the data */
    SOLO_TRY(perform(c, t));
  }
  c->transfers_end = &c->transfers;
  return SOLO_OK;
}
