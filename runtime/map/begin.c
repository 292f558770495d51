#include "runtime/map/insert.h"

#include "runtime/base/debug.h"
#include "runtime/construct/in_flight.h"

static void release_unused(solo_construct *c, solo_mapping *m, uint64_t version, solo_ref ref) {
  const solo_held held = {m, version, ref};
  if (ref != SOLO_REF_NONE) (void)solo_construct_release(c, &held, SOLO_RELEASE_ONE);
}

/* Returns whether the caller inserts the range without a search. The range is probably new; if not,
 * the insertion detects the overlap. */
static int is_likely_new(const solo_construct *c, const solo_map_range *r) {
  return r->ref != SOLO_REF_NONE && r->size && !(r->type & SOLO_MAP_PRESENT) && !c->device->unified;
}

/* Called if solo_mapping_acquire_present() has found nothing. */
static SOLO_NOINLINE solo_status find_or_make(solo_construct *c, const solo_map_range *r,
                                              solo_map_slot *slot) {
  solo_request request = {r->begin, r->size, r->ref, c->id};
  int likely_new = is_likely_new(c, r);
  for (unsigned turn = 0;; turn++, likely_new = 0) {
    solo_mapping *m;
    solo_presence presence = SOLO_ABSENT;
    if (!likely_new)
      presence = solo_mapping_try(&c->device->mappings, &request, &m, &slot->version);
    if (presence == SOLO_LEAVING) {
      SOLO_TRY(solo_construct_yield(c, &request, m, turn));
      continue;
    }
    /* the range is present: acquires a reference, copies nothing */
    if (presence == SOLO_CONTAINED || (presence == SOLO_PARTIAL && (r->type & SOLO_MAP_IMPLICIT))) {
      slot->mapping = m;
      if (r->ref != SOLO_REF_NONE) slot->flags |= SOLO_SLOT_COUNTED;
      return SOLO_OK;
    }
    /* after map(a[0:10]), map(a[5:10]) is an error, because a mapping cannot grow */
    if (presence == SOLO_PARTIAL) {
      const solo_index_range old = {/* relaxed: referenced */ solo_load_relaxed(&m->begin),
                                    solo_load_relaxed(&m->end), m};
      const char *name = m->name;
      release_unused(c, m, slot->version, r->ref);
      return solo_map_overlap_error(c, r, &old, name);
    }
    if (presence == SOLO_FULL) return solo_map_full_error(c, r);
    /* unified memory: the region uses the host memory, as with LLVM's libomptarget */
    if (c->device->unified && !(r->type & SOLO_MAP_CLOSE)) {
      if (r->size) slot->flags |= SOLO_SLOT_HOST;
      return SOLO_OK;
    }
    if (r->type & SOLO_MAP_PRESENT)
      return solo_map_absent_error(c, r->begin, r->size, r->name, SOLO_MAP_MOMENT_BEGIN);
    /* map(p[:0]) of an absent range: the region uses the host pointer */
    if (r->size == 0) return SOLO_OK;
    if (SOLO_UNLIKELY(solo_map_is_null(r->begin)) && (r->type & (SOLO_MAP_TO | SOLO_MAP_FROM)))
      return solo_map_range_error(c, r->list, r->index);
    SOLO_TRY(solo_map_insert(c, r, slot));
    if (SOLO_LIKELY(slot->mapping != NULL)) return SOLO_OK;
    solo_construct_pause(turn); /* another thread has claimed a part of the range */
  }
}

static void note(solo_construct *c, const solo_map_range *r, solo_mapping *m,
                 solo_transfer_kind kind) {
  const solo_transfer what = {
      .mapping = m, .host = r->begin, .bytes = r->size, .name = r->name, .kind = kind};
  solo_construct_transfer(c, &what);
}

static solo_status map_range(solo_construct *c, const solo_map_range *r, solo_map_slot *slot) {
  solo_mapping *m = NULL;
  /* the cache miss of the later copy overlaps with the search */
  if (r->type & SOLO_MAP_TO) __builtin_prefetch((const void *)r->begin);
  if (SOLO_LIKELY(r->ref != SOLO_REF_NONE && !r->missed)) {
    m = solo_mapping_acquire_present(
        &c->device->mappings, r->begin, r->size,
        r->ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD_ONE : SOLO_COUNT_DYNAMIC_ONE, &slot->version);
    slot->mapping = m;
    slot->flags = SOLO_SLOT_COUNTED;
  }
  if (SOLO_UNLIKELY(!m)) {
    slot->flags = 0;
    SOLO_TRY(find_or_make(c, r, slot));
    m = slot->mapping;
    if (!m) {
      slot->device = (slot->flags & SOLO_SLOT_HOST) ? r->begin : 0;
      return SOLO_OK;
    }
  }
  /* relaxed: constant while referenced */
  slot->device = solo_load_relaxed(&m->device) + (r->begin - solo_load_relaxed(&m->begin));
  /* c copies data to each mapping that it created, even if another thread deletes the mapping.
   * relaxed: only c writes its id */
  int made = (slot->flags & SOLO_SLOT_MADE) != 0;
  int own = made || solo_load_relaxed(&m->creator) == c->id;
  /* copies data to a new mapping; to a present mapping only with `always` */
  int sends = (r->type & SOLO_MAP_TO) && r->size && !(slot->flags & SOLO_SLOT_FILLED) &&
              ((r->type & SOLO_MAP_ALWAYS) || made || (own && !(m->flags & SOLO_MAPPING_COMPLETE)));
  if (sends || solo_construct_data_is_foreign(c, m))
    note(c, r, m, !sends ? SOLO_TRANSFER_WAIT : own ? SOLO_TRANSFER_FILL : SOLO_TRANSFER_SEND);
  return SOLO_OK;
}

/* PTR_AND_OBJ: base is the address of a pointer, begin is an address in its pointee, as in
 * map(to: s) map(s.p[0:n]). Attaches the device copy of the pointer. */
static SOLO_NOINLINE solo_status map_pointee(solo_construct *c, solo_map_range *r,
                                             solo_map_slot *slot) {
  uintptr_t pointer = r->base;
  solo_map_range hop = {
      .begin = pointer,
      .base = pointer,
      .size = sizeof(void *),
      .type = r->type & (SOLO_MAP_IMPLICIT | SOLO_MAP_HOLD | SOLO_MAP_CLOSE | SOLO_MAP_PRESENT),
      .name = r->name,
      .ref = r->ref,
      .flags = SOLO_MAPPING_POINTER};
  solo_map_slot holder = {0};
  SOLO_TRY(map_range(c, &hop, &holder));
  const solo_ref counts = (r->type & SOLO_MAP_HOLD) ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
  /* No reference was acquired, because the pointer is a member and its parent's entry has one. A
   * mapping of only the pointer needs a reference. */
  if (SOLO_UNLIKELY(holder.mapping && !(holder.flags & SOLO_SLOT_COUNTED) &&
                    (holder.mapping->flags & SOLO_MAPPING_POINTER))) {
    hop.ref = counts;
    SOLO_TRY(map_range(c, &hop, &holder));
  }
  slot->pointer = holder.mapping;
  slot->pointer_version = holder.version;
  uint32_t counted = (holder.flags & SOLO_SLOT_COUNTED) ? SOLO_SLOT_POINTER_COUNTED : 0;
  r->base = *(const uintptr_t *)pointer;
  /* the pointee has a separate mapping, which needs a reference even if the pointer is a member */
  r->ref = counts;
  r->flags = 0;
  solo_status status = map_range(c, r, slot);
  slot->flags |= counted;
  SOLO_TRY(status);
  if (!holder.mapping) return SOLO_OK;
  /* if the pointee is absent, the device pointer becomes NULL, as in LLVM's libomptarget; Fortran's
   * associated(p) is then false */
  const solo_transfer attach = {.mapping = holder.mapping,
                                .host = pointer,
                                .value = slot->device - (r->begin - r->base),
                                .name = r->name,
                                .kind = SOLO_TRANSFER_ATTACH};
  solo_construct_transfer(c, &attach);
  return SOLO_OK;
}

static SOLO_COLD void release_slot(solo_construct *c, const solo_map_slot *slot, solo_ref ref) {
  if (slot->flags & SOLO_SLOT_COUNTED) release_unused(c, slot->mapping, slot->version, ref);
  if (slot->flags & SOLO_SLOT_POINTER_COUNTED)
    release_unused(c, slot->pointer, slot->pointer_version, ref);
}

static SOLO_COLD solo_status undo_components(solo_construct *c, const solo_map_list *list,
                                             solo_map_slot *slots) {
  (void)slots;
  for (int32_t i = list->count; i-- > 0;) {
    uint64_t type = (uint64_t)list->types[i];
    solo_ref ref = (type & SOLO_MAP_HOLD) ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
    if (type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE | SOLO_MAP_ATTACH)) continue;
    solo_map_slot slot = {0};
    if (solo_map_find(c, list, i, &slot) != SOLO_OK) continue;
    release_slot(c, &slot, ref);
  }
  return SOLO_OK;
}

/* Releases the references that begin acquired for entries [0, upto). Preserves the error record. */
static SOLO_COLD void undo(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                           int32_t upto) {
  solo_saved_error first;
  solo_error_save(&first);
  c->transfers = NULL;
  c->transfers_end = &c->transfers;
  for (int32_t i = upto; i-- > 0;) {
    uint64_t type = (uint64_t)list->types[i];
    solo_ref ref = (type & SOLO_MAP_HOLD) ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
    if (list->mappers && list->mappers[i] &&
        solo_map_with_mapper(c, list, i, undo_components) != SOLO_OK)
      solo_debug(1, "undoing a failed construct: %s", solo_error_last()->text);
    release_slot(c, &slots[i], ref);
  }
  (void)solo_error_restore(&first);
}

void solo_map_undo(solo_construct *c, const solo_map_list *list, solo_map_slot *slots) {
  undo(c, list, slots, list->count);
}

static solo_status begin_entry(solo_construct *c, const solo_map_list *list, int32_t i,
                               int32_t missed, solo_map_slot *slot) {
  uint64_t type = (uint64_t)list->types[i];
  solo_map_range r = {.begin = (uintptr_t)list->begins[i],
                      .base = (uintptr_t)list->bases[i],
                      .size = (uint64_t)list->sizes[i],
                      .type = type,
                      .name = solo_map_name(list, i),
                      .list = list,
                      .index = i,
                      .missed = i == missed,
                      .ref = (type & SOLO_MAP_MEMBER_OF) ? SOLO_REF_NONE
                             : (type & SOLO_MAP_HOLD)    ? SOLO_REF_HOLD
                                                         : SOLO_REF_DYNAMIC};
  if (SOLO_UNLIKELY(solo_map_range_is_bad(r.begin, list->sizes[i])))
    return solo_map_range_error(c, list, i);
  solo_status status =
      (type & SOLO_MAP_PTR_AND_OBJ) ? map_pointee(c, &r, slot) : map_range(c, &r, slot);
  slot->base = r.base;
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    solo_map_note_variable(c, r.name);
    return status;
  }
  if (SOLO_UNLIKELY(type & SOLO_MAP_RETURN_PARAM)) {
    /* if q is not mapped, use_device_ptr(q) keeps the value of q (OpenMP 5.1) */
    if (slot->device)
      list->bases[i] = (void *)(slot->device - (r.begin - r.base));
    else if (type & SOLO_MAP_FB_NULLIFY)
      list->bases[i] = (void *)(0 - (r.begin - r.base));
    else if (type & SOLO_MAP_PTR_AND_OBJ)
      list->bases[i] = (void *)r.base; /* bases[i] was the address of the pointer */
  }
  return SOLO_OK;
}

/* missed: index of an entry for which an earlier search has found nothing, or -1 */
static solo_status begin_entries(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                                 int32_t first, int32_t missed) {
  int attaches = 0;
  for (int32_t i = first; i < list->count; i++) {
    uint64_t type = (uint64_t)list->types[i];
    slots[i].mapping = slots[i].pointer = NULL;
    slots[i].flags = 0;
    slots[i].device = 0;
    if (type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE)) continue;
    if (type & SOLO_MAP_ATTACH) {
      attaches = 1;
      continue;
    }
    solo_status status = SOLO_UNLIKELY(list->mappers && list->mappers[i])
                             ? solo_map_with_mapper(c, list, i, solo_map_begin)
                             : begin_entry(c, list, i, missed, &slots[i]);
    if (SOLO_UNLIKELY(status != SOLO_OK)) {
      undo(c, list, slots, list->mappers && list->mappers[i] ? i : i + 1);
      return status;
    }
  }
  if (SOLO_UNLIKELY(attaches)) solo_map_attach_all(c, list);
  return SOLO_OK;
}

solo_status solo_map_begin(solo_construct *c, const solo_map_list *list, solo_map_slot *slots) {
  if (!slots && list->count > 0) {
    slots = solo_scratch_allocate((size_t)list->count * sizeof *slots);
    if (!slots) return SOLO_NOMEM;
  }
  return begin_entries(c, list, slots, 0, -1);
}

solo_status solo_map_begin_from(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                                int32_t first) {
  return begin_entries(c, list, slots, first, first);
}

solo_status solo_map_enter(solo_construct *c, const solo_map_list *list) {
  if (list->count <= 0) return SOLO_OK;
  solo_map_slot *slots = solo_scratch_allocate((size_t)list->count * sizeof *slots);
  if (!slots) return SOLO_NOMEM;
  SOLO_TRY(begin_entries(c, list, slots, 0, -1));
  solo_status status = solo_map_submit(c);
  if (SOLO_LIKELY(status == SOLO_OK) && !c->nowait) status = solo_construct_wait(c);
  if (SOLO_UNLIKELY(status != SOLO_OK)) undo(c, list, slots, list->count);
  return status;
}
