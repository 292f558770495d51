#include "runtime/map/insert.h"

#include "runtime/device/thread_cache.h"
#include "runtime/table/claim.h"

/* Returns 1 if no later entry adds a member, data or an attachment to the new mapping. Returns 0
 * for the pointer of a pointer-and-pointee entry (list NULL), because its value is written later. */
static int is_complete(const solo_map_range *r) {
  enum { LOOKS = 64 };
  const solo_map_list *list = r->list;
  if (!list || list->count - r->index > LOOKS) return 0; /* the search would cost too much */
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

static solo_status allocate_block(solo_construct *c, uint64_t bytes, solo_block **out_block) {
  if (SOLO_UNLIKELY(c->spare_block != NULL) && c->spare_block->bytes >= bytes &&
      c->spare_block->bytes / 2 <= bytes) {
    *out_block = c->spare_block;
    c->spare_block = NULL;
    return SOLO_OK;
  }
  return solo_thread_block_allocate(c->device, bytes, out_block);
}

static SOLO_COLD void abandon(const solo_construct *c, solo_mapping *m) {
  solo_trace_event event = {.kind = SOLO_TRACE_DELETE,
                            .device = c->device->number,
                            .peer = c->device->number,
                            .to = solo_load_relaxed(&m->device)}; /* relaxed: owned */
  solo_observe_begin_any(&event);
  solo_mapping_abandon(&c->device->mappings, m);
  (void)solo_observe_end_any(&event, SOLO_OK);
}

/* Returns the offset of the data in the block. Device and host address are equal modulo 16, to
 * preserve alignment. In large blocks of the CPU device they are equal modulo a cache line, because
 * matrix columns that all begin at a cache line are slow on some processors
 * (bench/results/mini.txt). */
enum { AGREE = 16, AGREE_LARGE = SOLO_CACHE_LINE };
SOLO_INLINE uint64_t pad_in(const solo_block *block, uintptr_t begin) {
  return begin & ((block->slack ? AGREE_LARGE : AGREE) - 1);
}

/* Claims a range. what->keep_bytes: largest block with which the mapping can be cached. SOLO_OK
 * with *out_mapping NULL: another thread claimed or mapped the range first. */
static solo_status claim(solo_construct *c, solo_mapping_new *what, solo_mapping **out_mapping) {
  solo_mapping_table *table = &c->device->mappings;
  uint64_t bytes = what->end - what->begin + what->begin % AGREE;
  *out_mapping = solo_mapping_reuse(table, what);
  if (SOLO_LIKELY(*out_mapping != NULL)) return SOLO_OK;
  solo_index_range clash;
  solo_status status = SOLO_NOT_FOUND;
  /* only small blocks are cached */
  if (!c->spare_block && bytes <= SOLO_BLOCK_KEPT_BYTES)
    status = solo_mapping_claim(table, what, bytes, out_mapping, &clash);
  if (status == SOLO_NOT_FOUND) {
    const solo_block *spare = c->spare_block;
    SOLO_TRY(allocate_block(c, bytes, &what->block));
    what->keep_bytes = solo_block_keep_bytes(what->block, what->keep_bytes);
    status = solo_mapping_claim(table, what, 0, out_mapping, &clash);
    if (SOLO_UNLIKELY(status != SOLO_OK)) {
      if (what->block == spare)
        c->spare_block = what->block; /* not freed, because enqueued work may use the block */
      else
        solo_thread_block_free(c->device, what->block);
    }
  }
  if (status == SOLO_OK) {
    solo_mapping *m = *out_mapping;
    /* relaxed: published with the mapping */
    solo_store_relaxed(&m->device, m->block->address + pad_in(m->block, what->begin));
    if (SOLO_UNLIKELY(solo_hints_are_large(solo_load_relaxed(&table->way)))) /* relaxed: advisory */
      solo_mapping_note_device(table, m);
  } else {
    *out_mapping = NULL;
  }
  return status == SOLO_OVERLAP ? SOLO_OK : status;
}

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
  if (status == SOLO_OK && !*out_mapping) return SOLO_OK;
  /* relaxed: published with the mapping */
  if (status == SOLO_OK) event.to = solo_load_relaxed(&(*out_mapping)->device);
  return solo_observe_end(&event, status);
}

static SOLO_COLD solo_status alloc_error(const solo_construct *c, const solo_map_range *r,
                                         solo_status status) {
  solo_map_description description;
  solo_error_note(" (mapping %s, %llu bytes, on device %d)",
                  solo_map_describe(c, r->name, &description), (unsigned long long)r->size,
                  c->device->number);
  (void)solo_error_set_device(c->device->number);
  return status;
}

SOLO_INLINE void report_created(const solo_construct *c, const solo_map_range *r,
                                const solo_mapping *m) {
  solo_info_variable variable;
  solo_devptr device = solo_load_relaxed(&m->device); /* relaxed: owned */
  SOLO_INFO(SOLO_INFO_MAPPING_CHANGED, c->device->number,
            "Creating new map entry with HstPtrBase=0x%016lx, HstPtrBegin=0x%016lx, "
            "TgtAllocBegin=0x%016llx, TgtPtrBegin=0x%016llx, Size=%llu, DynRefCount=%d, "
            "HoldRefCount=%d, Name=%s",
            (unsigned long)r->base, (unsigned long)r->begin, (unsigned long long)m->block->address,
            (unsigned long long)device, (unsigned long long)r->size, !(r->type & SOLO_MAP_HOLD),
            (r->type & SOLO_MAP_HOLD) != 0, solo_info_variable_of(r->name, &variable));
}

/* Ranges of LARGE_BYTES or more are allocated and inserted under a lock that the begin address
 * selects. Thus two threads do not both allocate memory for the same range. */
enum { LARGE_BYTES = 1 << 20, LARGE_LOCKS = 8, LARGE_SHIFT = 61 };
#define LARGE_LOCK SOLO_LOCK_INIT(SOLO_RANK_LARGE)
static solo_lock large_locks[LARGE_LOCKS] = {LARGE_LOCK, LARGE_LOCK, LARGE_LOCK, LARGE_LOCK,
                                             LARGE_LOCK, LARGE_LOCK, LARGE_LOCK, LARGE_LOCK};

static SOLO_NOINLINE solo_status insert_new(solo_construct *c, const solo_map_range *r,
                                            solo_map_slot *slot) {
  /* On a synchronous device, data is copied before publication. Not for large ranges, because a
   * thread that needs a claimed range polls, but a thread that waits for published data sleeps. */
  int early = solo_device_is_synchronous(c->device) && r->size < LARGE_BYTES && is_complete(r);
  solo_mapping_new what = {.begin = r->begin,
                           .end = r->begin + r->size,
                           .base = r->base,
                           .creator = c->id,
                           .name = r->name,
                           .flags = r->flags | (early ? SOLO_MAPPING_COMPLETE : 0),
                           .keep_bytes = (r->type & (SOLO_MAP_TO | SOLO_MAP_FROM))
                                             ? SOLO_BLOCK_KEPT_BYTES
                                             : SOLO_BLOCK_SCRATCH_BYTES,
                           .data_state = early ? SOLO_DATA_READY : SOLO_DATA_PENDING};
  solo_mapping *m;
  solo_status status = solo_is_observed() ? claim_reported(c, &what, &m) : claim(c, &what, &m);
  if (SOLO_UNLIKELY(status != SOLO_OK)) return alloc_error(c, r, status);
  if (SOLO_UNLIKELY(!m)) return SOLO_OK;
  solo_devptr address = solo_load_relaxed(&m->device); /* relaxed: owned */
  report_created(c, r, m);
  if (early && (r->type & SOLO_MAP_TO)) {
    status = solo_construct_copy(c, address, r->begin, r->size, SOLO_COPY_IN, r->name);
    if (SOLO_UNLIKELY(status != SOLO_OK)) {
      abandon(c, m);
      return status;
    }
  }
  slot->version = solo_mapping_publish(m, (r->type & SOLO_MAP_HOLD) ? SOLO_COUNT_HOLD_ONE
                                                                    : SOLO_COUNT_DYNAMIC_ONE);
  slot->mapping = m;
  slot->flags |= SOLO_SLOT_COUNTED | SOLO_SLOT_MADE | (early ? SOLO_SLOT_FILLED : 0);
  if (early) return SOLO_OK;
  m->next_new = c->new_mappings;
  c->new_mappings = m;
  return SOLO_OK;
}

/* Returns whether another thread has mapped the range, or is closing it. */
static SOLO_COLD int is_there_now(const solo_construct *c, const solo_map_range *r) {
  solo_request request = {r->begin, r->size, SOLO_REF_NONE, c->id};
  solo_mapping *m;
  uint64_t version;
  return solo_mapping_try(&c->device->mappings, &request, &m, &version) != SOLO_ABSENT;
}

static SOLO_COLD solo_status insert_large(solo_construct *c, const solo_map_range *r,
                                          solo_map_slot *slot) {
  solo_lock *own = &large_locks[solo_hint_hash(r->begin ^ (uintptr_t)c->device) >> LARGE_SHIFT];
  solo_lock_acquire(own);
  solo_status status = is_there_now(c, r) ? SOLO_OK : insert_new(c, r, slot);
  solo_lock_release(own);
  return status;
}

solo_status solo_map_insert(solo_construct *c, const solo_map_range *r, solo_map_slot *slot) {
  slot->mapping = NULL;
  solo_status status =
      SOLO_LIKELY(r->size < LARGE_BYTES) ? insert_new(c, r, slot) : insert_large(c, r, slot);
  return SOLO_UNLIKELY(status != SOLO_OK) && is_there_now(c, r) ? SOLO_OK : status;
}
