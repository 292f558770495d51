/* What a construct does after it has met others' new mappings (solo_map_settle, map/map.h).
 *
 * A construct that waited for another's mapping in the middle of its list would either keep its own
 * from others meanwhile (two of them could wait for each other for ever) or show them before all of
 * their members are sent. So it goes on with its list, and what concerns the other's mapping comes
 * last.
 */
#include "runtime/map/map.h"

#include "runtime/base/log.h"

solo_status solo_map_later(solo_construct *c, const solo_late *what) {
  solo_late *late = solo_scratch_take(sizeof *late);
  if (!late) return solo_fail(SOLO_NOMEM, "no host memory to wait for another thread's mapping");
  *late = *what;
  late->next = NULL;
  *c->late_end = late;
  c->late_end = &late->next;
  return SOLO_OK;
}

static solo_status act(solo_construct *c, const solo_late *late) {
  switch (late->kind) {
  case SOLO_LATE_SEND:
    return solo_map_send(c, late->mapping, late->host, late->bytes);
  case SOLO_LATE_ATTACH:
    return solo_map_attach(c, late->mapping, late->host, late->value, late->how);
  case SOLO_LATE_COPY:
    return solo_map_copy_in(c, late->value, (const void *)late->host, late->bytes);
  case SOLO_LATE_WAIT:
    break;
  }
  return SOLO_OK;
}

solo_status solo_map_settle(solo_construct *c) {
  SOLO_TRY(solo_construct_open_gates(c));
  while (c->late) {
    solo_late *late = c->late;
    c->late = late->next;
    if (!c->late) c->late_end = &c->late;
    solo_mapping_wait_gate(late->mapping);
    (void)solo_map_is_others(c, late->mapping); /* no: c comes behind its data now, if need be */
    SOLO_TRY(act(c, late));
  }
  return SOLO_OK;
}

int solo_map_present(const solo_construct *c, uintptr_t begin, uint64_t size,
                     solo_mapping **out_mapping) {
  const solo_request request = {begin, size, SOLO_REF_NONE, c->id};
  uint64_t stamp; /* nothing is taken */
  return solo_mapping_try(&c->device->mappings, &request, out_mapping, &stamp) == SOLO_CONTAINED;
}
