/* What a construct does after it has met others' new mappings (solo_map_run_deferred, map/map.h).
 *
 * A construct that waited for another's mapping in the middle of its list would either keep its own
 * from others meanwhile (two of them could wait for each other for ever) or show them before all of
 * their members are sent. So it goes on with its list, and what concerns the other's mapping comes
 * last.
 */
#include "runtime/map/map.h"

#include "runtime/base/log.h"

solo_status solo_map_defer(solo_construct *c, const solo_deferred_copy *what) {
  solo_deferred_copy *deferred = solo_scratch_take(sizeof *deferred);
  if (!deferred)
    return solo_fail(SOLO_NOMEM, "no host memory to wait for another thread's mapping");
  *deferred = *what;
  deferred->next = NULL;
  *c->deferred_end = deferred;
  c->deferred_end = &deferred->next;
  return SOLO_OK;
}

static solo_status act(solo_construct *c, const solo_deferred_copy *deferred) {
  switch (deferred->kind) {
  case SOLO_DEFERRED_SEND:
    return solo_map_send(c, deferred->mapping, deferred->host, deferred->bytes);
  case SOLO_DEFERRED_ATTACH:
    return solo_map_attach(c, deferred->mapping, deferred->host, deferred->value, deferred->how);
  case SOLO_DEFERRED_COPY:
    return solo_map_copy_in(c, deferred->value, (const void *)deferred->host, deferred->bytes);
  case SOLO_DEFERRED_WAIT:
    break;
  }
  return SOLO_OK;
}

solo_status solo_map_run_deferred(solo_construct *c) {
  SOLO_TRY(solo_construct_publish_data(c));
  while (c->deferred) {
    solo_deferred_copy *deferred = c->deferred;
    c->deferred = deferred->next;
    if (!c->deferred) c->deferred_end = &c->deferred;
    solo_mapping_wait_data(deferred->mapping);
    (void)solo_map_is_others(c,
                             deferred->mapping); /* no: c comes behind its data now, if need be */
    SOLO_TRY(act(c, deferred));
  }
  return SOLO_OK;
}

int solo_map_present(const solo_construct *c, uintptr_t begin, uint64_t size,
                     solo_mapping **out_mapping) {
  const solo_request request = {begin, size, SOLO_REF_NONE, c->id};
  uint64_t version; /* nothing is taken */
  return solo_mapping_try(&c->device->mappings, &request, out_mapping, &version) == SOLO_CONTAINED;
}
