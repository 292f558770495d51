#include "runtime/construct/record.h"

const char *solo_construct_check(const solo_construct *c) {
  /* relaxed, all: c stored the value, or has closed the mapping */
  for (const solo_mapping *m = c->closing; m; m = m->next) {
    if (!solo_mapping_is_closing(m)) return "a closed mapping has references";
    if (solo_load_relaxed(&m->creator) != solo_closer(c->id))
      return "two constructs close a mapping";
  }
  for (const solo_mapping *m = c->new_mappings; m; m = m->next_new)
    if (solo_load_relaxed(&m->data_state) == SOLO_DATA_READY)
      return "an unpublished new mapping is READY";
  for (const solo_in_flight *use = c->in_flight; use; use = use->next)
    if (!solo_mapping_in_flight(use->mapping))
      return "a use in flight is not counted in its mapping";
  return NULL;
}
