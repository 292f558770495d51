/* The beginning of a construct: ranges mapped, references taken, data sent (map/map.h). */
#include "runtime/map/map.h"

#include "runtime/base/debug.h"
#include "runtime/construct/in_flight.h"
#include "runtime/device/thread_queue.h"
#include "runtime/table/claim.h"

/* One range to map. */
typedef struct range {
  uintptr_t begin, base;
  uint64_t size;
  uint64_t type;
  const char *name;
  solo_ref ref;              /* SOLO_REF_NONE: a member, its parent counts */
  const solo_map_list *list; /* NULL: a pointer on the way to a pointee */
  int32_t index;             /* in list */
  int32_t missed;            /* nonzero: solo_mapping_acquire_present has just found nothing */
  uint32_t flags;            /* solo_mapping_flags of a new mapping */
} range;

static SOLO_COLD solo_status overlap_error(solo_construct *c, const range *r, uintptr_t begin,
                                           uintptr_t end, const char *name) {
  solo_map_description new, old;
  solo_status status = (r->type & SOLO_MAP_PRESENT) ? SOLO_NOT_PRESENT : SOLO_OVERLAP;
  solo_fail(status,
            "explicit extension not allowed: host address specified is 0x%016lx (%llu bytes), but "
            "device allocation maps to host at 0x%016lx (%zu bytes): mapping %s would extend the "
            "mapping of %s on device %d: map the larger range first, or unmap the smaller one",
            (unsigned long)r->begin, (unsigned long long)r->size, (unsigned long)begin,
            (size_t)(end - begin), solo_map_describe(c, r->name, &new),
            name ? solo_map_describe(c, name, &old) : "a variable", c->device->number);
  if (status == SOLO_NOT_PRESENT)
    solo_error_note("\n" SOLO_MAP_ABSENT_TEXT, "map type", (unsigned long)r->begin,
                    (unsigned long long)r->size);
  solo_error_set_device(c->device->number);
  return status;
}

static SOLO_COLD solo_status full_error(solo_construct *c, const range *r) {
  solo_map_description description;
  solo_fail(SOLO_UNSUPPORTED,
            "%s, %p, has %llu references on device %d, as many as can be counted: is every target "
            "enter data followed by a target exit data?",
            solo_map_describe(c, r->name, &description), (void *)r->begin,
            (unsigned long long)(r->ref == SOLO_REF_HOLD
                                     ? SOLO_COUNT_HOLD / SOLO_COUNT_HOLD_ONE
                                     : SOLO_COUNT_DYNAMIC - SOLO_COUNT_DYNAMIC_ONE),
            c->device->number);
  solo_error_set_device(c->device->number);
  return SOLO_UNSUPPORTED;
}

static SOLO_COLD solo_status alloc_error(solo_construct *c, const range *r, solo_status status) {
  solo_map_description description;
  solo_error_note(" (mapping %s, %llu bytes, on device %d)",
                  solo_map_describe(c, r->name, &description), (unsigned long long)r->size,
                  c->device->number);
  solo_error_set_device(c->device->number);
  return status;
}

/* Is a new mapping complete with its own data? Not when later entries are members of it, send more
 * to it or attach pointers in it. (A hop is not: its pointer is written next.) */
static int is_complete(const range *r) {
  enum { LOOKS = 64 };
  const solo_map_list *list = r->list;
  if (!list || list->count - r->index > LOOKS) return 0; /* long lists: not worth the look */
  for (int32_t k = r->index + 1; k < list->count; k++) {
    uint64_t type = (uint64_t)list->types[k];
    if ((int32_t)(type >> SOLO_MAP_MEMBER_SHIFT) == r->index + 1) return 0;
    if (list->mappers && list->mappers[k]) return 0;
    if ((type & SOLO_MAP_TO) && (uintptr_t)list->begins[k] - r->begin < r->size) return 0;
    if ((type & (SOLO_MAP_ATTACH | SOLO_MAP_PTR_AND_OBJ)) &&
        (uintptr_t)list->bases[k] - r->begin < r->size)
      return 0;
  }
  return 1;
}

/* The memory of a mapping taken over serves again where it fits. */
static solo_status take_block(solo_construct *c, uint64_t bytes, solo_block **out_block) {
  if (SOLO_UNLIKELY(c->inherited_block != NULL) && c->inherited_block->bytes >= bytes &&
      c->inherited_block->bytes / 2 <= bytes) {
    *out_block = c->inherited_block;
    c->inherited_block = NULL;
    return SOLO_OK;
  }
  return solo_thread_block_take(c->device, bytes, out_block);
}

/* The claimed mapping is not to be. */
static SOLO_COLD void give_up(const solo_construct *c, solo_mapping *m) {
  solo_trace_event event = {.kind = SOLO_TRACE_DELETE,
                            .device = c->device->number,
                            .peer = c->device->number,
                            .to = solo_load_relaxed(&m->device)}; /* own */
  solo_observe_begin_any(&event);
  solo_mapping_abandon(&c->device->mappings, m);
  (void)solo_observe_end_any(&event, SOLO_OK);
}

/* A mapping of the range that nobody sees yet, with memory. NULL and SOLO_OK: another thread was
 * first. Device and host address agree modulo 16, so that what is aligned here is aligned there. */
static solo_status claim(solo_construct *c, solo_mapping_new *what, solo_mapping **out_mapping) {
  solo_mapping_table *table = &c->device->mappings;
  uint64_t pad = what->begin & 15, bytes = what->end - what->begin + pad;
  *out_mapping = solo_mapping_revive(table, what);
  if (SOLO_LIKELY(*out_mapping != NULL)) return SOLO_OK;
  solo_index_range clash;
  solo_status status = SOLO_NOT_FOUND;
  if (!c->inherited_block) status = solo_mapping_claim(table, what, bytes, out_mapping, &clash);
  if (status == SOLO_NOT_FOUND) {
    SOLO_TRY(take_block(c, bytes, &what->block));
    what->keep_bytes = solo_block_keep_bytes(what->block);
    status = solo_mapping_claim(table, what, 0, out_mapping, &clash);
    if (SOLO_UNLIKELY(status != SOLO_OK)) solo_thread_block_give(c->device, what->block);
  }
  if (status == SOLO_OK) /* relaxed: published with the mapping */
    solo_store_relaxed(&(*out_mapping)->device, (*out_mapping)->block->address + pad);
  else
    *out_mapping = NULL;
  return status == SOLO_OVERLAP ? SOLO_OK : status;
}

/* claim where somebody observes. */
static SOLO_COLD solo_status claim_reported(solo_construct *c, solo_mapping_new *what,
                                            solo_mapping **out_mapping) {
  solo_trace_event event = {.kind = SOLO_TRACE_NEW,
                            .device = c->device->number,
                            .peer = c->device->number,
                            .where = c->where,
                            .bytes = what->end - what->begin,
                            .from = what->begin};
  solo_observe_begin(&event);
  solo_status status = claim(c, what, out_mapping);
  if (status == SOLO_OK && !*out_mapping) return SOLO_OK; /* nothing was allocated */
  if (status == SOLO_OK) event.to = solo_load_relaxed(&(*out_mapping)->device); /* own */
  return solo_observe_end(&event, status);
}

/* The range's data, or the wait for another construct's, is for map/submit.c. */
static SOLO_NOINLINE void note_transfer(solo_construct *c, const range *r, solo_mapping *m,
                                        solo_transfer_kind kind) {
  const solo_transfer what = {
      .mapping = m, .host = r->begin, .bytes = r->size, .name = r->name, .kind = kind};
  solo_construct_transfer(c, &what);
}

SOLO_INLINE void report_created(const solo_construct *c, const range *r, uint64_t allocated) {
  solo_info_variable variable;
  SOLO_INFO(SOLO_INFO_MAPPING_CHANGED, c->device->number,
            "Creating new map entry with HstPtrBase=0x%016lx, HstPtrBegin=0x%016lx, "
            "TgtAllocBegin=0x%016llx, TgtPtrBegin=0x%016llx, Size=%llu, DynRefCount=%d, "
            "HoldRefCount=%d, Name=%s",
            (unsigned long)r->base, (unsigned long)r->begin, (unsigned long long)allocated,
            (unsigned long long)(allocated + (r->begin & 15)), (unsigned long long)r->size,
            !(r->type & SOLO_MAP_HOLD), (r->type & SOLO_MAP_HOLD) != 0,
            solo_info_variable_of(r->name, &variable));
}

/* From here on a range's memory is got, and its mapping inserted, by one thread at a time: two that
 * map the same do not get it twice. */
enum { LARGE_BYTES = 1 << 20 };
static solo_lock large_lock = SOLO_LOCK_INIT(SOLO_RANK_LARGE);

/* Makes a mapping for an absent range. *out_mapping is NULL when there is none: with SOLO_OK another
 * thread was first, look again. */
static SOLO_NOINLINE solo_status insert_new(solo_construct *c, const range *r,
                                            solo_mapping **out_mapping, uint64_t *out_version) {
  /* On a synchronous device the data is there before anybody sees the mapping; not that of large
   * ranges, for which others wait asleep. */
  int early = solo_device_is_synchronous(c->device) && r->size < LARGE_BYTES && is_complete(r);
  solo_mapping_new what = {.begin = r->begin,
                           .end = r->begin + r->size,
                           .base = r->base,
                           .creator = c->id,
                           .name = r->name,
                           .flags = r->flags | (early ? SOLO_MAPPING_COMPLETE : 0),
                           .data_state = early ? SOLO_DATA_READY : SOLO_DATA_PENDING};
  solo_mapping *m;
  solo_status status = solo_is_observed() ? claim_reported(c, &what, &m) : claim(c, &what, &m);
  *out_mapping = NULL;
  if (SOLO_UNLIKELY(status != SOLO_OK)) return alloc_error(c, r, status);
  if (SOLO_UNLIKELY(!m)) return SOLO_OK;
  solo_devptr address = solo_load_relaxed(&m->device); /* own */
  report_created(c, r, address - (r->begin & 15));
  if (early && (r->type & SOLO_MAP_TO)) {
    status = solo_construct_copy(c, address, r->begin, r->size, SOLO_COPY_IN, r->name);
    if (SOLO_UNLIKELY(status != SOLO_OK)) {
      give_up(c, m);
      return status;
    }
  }
  *out_version = solo_mapping_publish(m, (r->type & SOLO_MAP_HOLD) ? SOLO_COUNT_HOLD_ONE
                                                                   : SOLO_COUNT_DYNAMIC_ONE);
  *out_mapping = m;
  if (early) return SOLO_OK;
  m->next_new = c->new_mappings;
  c->new_mappings = m;
  if (r->type & SOLO_MAP_TO) note_transfer(c, r, m, SOLO_TRANSFER_FILL);
  return SOLO_OK;
}

/* After a failed allocation, or before one: has another thread mapped the range meanwhile, or does
 * one give the memory back at this moment? */
static SOLO_COLD int is_there_now(const solo_construct *c, const range *r) {
  solo_request request = {r->begin, r->size, SOLO_REF_NONE, c->id};
  solo_mapping *m;
  uint64_t version;
  return solo_mapping_try(&c->device->mappings, &request, &m, &version) != SOLO_ABSENT;
}

static solo_status map_new(solo_construct *c, const range *r, solo_mapping **out_mapping,
                           uint64_t *out_version) {
  if (r->size < LARGE_BYTES) return insert_new(c, r, out_mapping, out_version);
  solo_lock_acquire(&large_lock);
  solo_status status = is_there_now(c, r) ? SOLO_OK : insert_new(c, r, out_mapping, out_version);
  solo_lock_release(&large_lock);
  return status;
}

static void release_unused(solo_construct *c, solo_mapping *m, uint64_t version, solo_ref ref) {
  const solo_held held = {m, version, ref};
  if (ref != SOLO_REF_NONE) (void)solo_construct_release(c, &held, SOLO_RELEASE_ONE);
}

/* Is it worth making a mapping without a second look? acquire_present has just found none that
 * holds the range, and the insertion looks for overlaps anyway. */
static int is_likely_new(const solo_construct *c, const range *r) {
  return r->ref != SOLO_REF_NONE && r->size && !(r->type & SOLO_MAP_PRESENT) && !c->device->unified;
}

/* The present or new mapping of a range, slowly: every case. */
static SOLO_NOINLINE solo_status find_or_make(solo_construct *c, const range *r,
                                              solo_map_slot *slot, int *out_sent) {
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
    if (presence == SOLO_CONTAINED || (presence == SOLO_PARTIAL && (r->type & SOLO_MAP_IMPLICIT))) {
      slot->mapping = m;
      if (r->ref != SOLO_REF_NONE) slot->flags |= SOLO_SLOT_COUNTED;
      return SOLO_OK;
    }
    if (presence == SOLO_PARTIAL) {
      uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end); /* held */
      const char *name = m->name;
      release_unused(c, m, slot->version, r->ref);
      return overlap_error(c, r, begin, end, name);
    }
    if (presence == SOLO_FULL) return full_error(c, r);
    if (c->device->unified && !(r->type & SOLO_MAP_CLOSE)) { /* always present, as in stock */
      if (r->size) slot->flags |= SOLO_SLOT_HOST;
      return SOLO_OK;
    }
    if (r->type & SOLO_MAP_PRESENT)
      return solo_map_absent_error(c, r->begin, r->size, r->name, SOLO_MAP_MOMENT_BEGIN);
    if (r->size == 0) return SOLO_OK;
    m = NULL;
    solo_status status = map_new(c, r, &m, &slot->version);
    if (m) {
      slot->mapping = m;
      slot->flags |= SOLO_SLOT_COUNTED; /* a new mapping is always counted */
      *out_sent = 1;
      return SOLO_OK;
    }
    if (SOLO_UNLIKELY(status != SOLO_OK) && !is_there_now(c, r)) return status;
    solo_construct_pause(turn); /* another thread has claimed a part of the range, for a moment */
  }
}

static solo_status map_range(solo_construct *c, const range *r, solo_map_slot *slot) {
  int sent = 0;
  solo_mapping *m = NULL;
  if (SOLO_LIKELY(r->ref != SOLO_REF_NONE && !r->missed)) {
    m = solo_mapping_acquire_present(
        &c->device->mappings, r->begin, r->size,
        r->ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD_ONE : SOLO_COUNT_DYNAMIC_ONE, &slot->version);
    slot->mapping = m;
    slot->flags = SOLO_SLOT_COUNTED;
  }
  if (SOLO_UNLIKELY(!m)) {
    slot->flags = 0;
    SOLO_TRY(find_or_make(c, r, slot, &sent));
    m = slot->mapping;
    if (!m) {
      slot->device = (slot->flags & SOLO_SLOT_HOST) ? r->begin : 0;
      return SOLO_OK;
    }
  }
  /* relaxed: constant while this construct holds a reference */
  slot->device = solo_load_relaxed(&m->device) + (r->begin - solo_load_relaxed(&m->begin));
  /* relaxed: equal only if this very construct wrote it */
  int own = solo_load_relaxed(&m->creator) == c->id;
  if ((r->type & SOLO_MAP_TO) && !sent && r->size &&
      ((r->type & SOLO_MAP_ALWAYS) || (own && !(m->flags & SOLO_MAPPING_COMPLETE))))
    note_transfer(c, r, m, own ? SOLO_TRANSFER_FILL : SOLO_TRANSFER_SEND);
  else if (solo_construct_is_others(c, m))
    note_transfer(c, r, m, SOLO_TRANSFER_WAIT);
  return SOLO_OK;
}

/* PTR_AND_OBJ: base is the address of a pointer, begin lies in what it points to. The pointer gets
 * a place on the device and points to the pointee's device copy there. */
static SOLO_NOINLINE solo_status map_pointee(solo_construct *c, range *r, solo_map_slot *slot) {
  uintptr_t pointer = r->base;
  range hop = {.begin = pointer,
               .base = pointer,
               .size = sizeof(void *),
               .type = r->type &
                       (SOLO_MAP_IMPLICIT | SOLO_MAP_HOLD | SOLO_MAP_CLOSE | SOLO_MAP_PRESENT),
               .name = r->name,
               .ref = r->ref,
               .flags = SOLO_MAPPING_POINTER};
  solo_map_slot holder = {0};
  SOLO_TRY(map_range(c, &hop, &holder));
  const solo_ref counts = (r->type & SOLO_MAP_HOLD) ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
  /* the pointer of a member lies in the parent, which counts; one that lies alone counts itself */
  if (SOLO_UNLIKELY(holder.mapping && !(holder.flags & SOLO_SLOT_COUNTED) &&
                    (holder.mapping->flags & SOLO_MAPPING_POINTER))) {
    hop.ref = counts;
    SOLO_TRY(map_range(c, &hop, &holder));
  }
  slot->pointer = holder.mapping;
  slot->pointer_version = holder.version;
  uint32_t counted = (holder.flags & SOLO_SLOT_COUNTED) ? SOLO_SLOT_POINTER_COUNTED : 0;
  r->base = *(const uintptr_t *)pointer;
  r->ref = counts; /* members too */
  r->flags = 0;
  solo_status status = map_range(c, r, slot);
  slot->flags |= counted;
  SOLO_TRY(status);
  if (!slot->device || !holder.mapping) return SOLO_OK;
  const solo_transfer attach = {.mapping = holder.mapping,
                                .host = pointer,
                                .value = slot->device - (r->begin - r->base),
                                .name = r->name,
                                .kind = SOLO_TRANSFER_ATTACH};
  solo_construct_transfer(c, &attach);
  return SOLO_OK;
}

static void release_slot(solo_construct *c, const solo_map_slot *slot, solo_ref ref) {
  if (slot->flags & SOLO_SLOT_COUNTED) release_unused(c, slot->mapping, slot->version, ref);
  if (slot->flags & SOLO_SLOT_POINTER_COUNTED)
    release_unused(c, slot->pointer, slot->pointer_version, ref);
}

static solo_status undo_components(solo_construct *c, const solo_map_list *list,
                                   solo_map_slot *slots) {
  (void)slots;
  for (int32_t i = list->count; i-- > 0;) {
    uint64_t type = (uint64_t)list->types[i];
    solo_ref ref = (type & SOLO_MAP_HOLD) ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
    if (type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE | SOLO_MAP_ATTACH)) continue;
    solo_map_slot slot = {0};
    if (solo_map_look_up(c, list, i, &slot) != SOLO_OK) continue; /* nothing was taken */
    release_slot(c, &slot, ref);
  }
  return SOLO_OK;
}

/* Gives back what begin took for entries [0, upto) of the list; the record of the failure that led
 * here stays. */
static SOLO_COLD void undo(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                           int32_t upto) {
  solo_kept_error first;
  solo_error_keep(&first);
  c->transfers = NULL; /* nothing is sent */
  c->transfers_end = &c->transfers;
  for (int32_t i = upto; i-- > 0;) {
    uint64_t type = (uint64_t)list->types[i];
    solo_ref ref = (type & SOLO_MAP_HOLD) ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
    if (list->mappers && list->mappers[i] &&
        solo_map_with_mapper(c, list, i, undo_components) != SOLO_OK)
      solo_debug(1, "undoing a failed construct: %s", solo_error_last()->text);
    release_slot(c, &slots[i], ref);
  }
  (void)solo_error_again(&first);
}

void solo_map_undo(solo_construct *c, const solo_map_list *list, solo_map_slot *slots) {
  undo(c, list, slots, list->count);
}

static solo_status begin_entry(solo_construct *c, const solo_map_list *list, int32_t i,
                               int32_t missed, solo_map_slot *slot) {
  uint64_t type = (uint64_t)list->types[i];
  range r = {.begin = (uintptr_t)list->begins[i],
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
    /* use_device_ptr and _addr; a pointer that is not mapped keeps its value (OpenMP 5.1) */
    if (slot->device)
      list->bases[i] = (void *)(slot->device - (r.begin - r.base));
    else if (type & SOLO_MAP_FB_NULLIFY)
      list->bases[i] = (void *)(0 - (r.begin - r.base));
    else if (type & SOLO_MAP_PTR_AND_OBJ)
      list->bases[i] = (void *)r.base; /* a member: bases holds the pointer's address */
  }
  return SOLO_OK;
}

/* missed: the entry known to be absent; -1: none is. */
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
    slots = solo_scratch_take((size_t)list->count * sizeof *slots);
    if (!slots) return solo_fail(SOLO_NOMEM, "no host memory for %d map entries", list->count);
  }
  return begin_entries(c, list, slots, 0, -1);
}

solo_status solo_map_begin_from(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                                int32_t first) {
  return begin_entries(c, list, slots, first, first);
}

solo_status solo_map_enter(solo_construct *c, const solo_map_list *list) {
  if (list->count <= 0) return SOLO_OK;
  solo_map_slot *slots = solo_scratch_take((size_t)list->count * sizeof *slots);
  if (!slots) return solo_fail(SOLO_NOMEM, "no host memory for %d map entries", list->count);
  SOLO_TRY(solo_map_begin(c, list, slots));
  solo_status status = solo_map_submit(c);
  if (SOLO_LIKELY(status == SOLO_OK) && !c->nowait) status = solo_construct_wait(c);
  if (SOLO_UNLIKELY(status != SOLO_OK)) undo(c, list, slots, list->count);
  return status;
}
