#include "runtime/construct/record.h"

#include "runtime/device/fork.h"
#include "runtime/device/thread_cache.h"
#include "runtime/table/claim.h"

/* An id has 24 bits for the thread and 40 bits for a count. */
static _Atomic uint64_t threads_seen;
static _Thread_local uint64_t next_id;

static SOLO_COLD uint64_t first_id(void) {
  solo_store_relaxed(
      &solo_fork_construct_is_of_thread,
      solo_construct_is_of_thread); /* relaxed: the single thread of a child reads it */
  solo_fork_begin_thread();
  /* relaxed: only uniqueness matters */
  return ((solo_add_relaxed(&threads_seen, 1) + 1) << 40) | 1;
}

int solo_construct_is_of_thread(uint64_t id) {
  return next_id && id >> 40 == next_id >> 40;
}

uint64_t solo_construct_new_id(void) {
  uint64_t id = next_id ? next_id : first_id();
  next_id = id + 1;
  return id;
}

void solo_construct_start(solo_construct *c, solo_device *device, const char *where,
                          struct solo_nowait_op *op) {
  c->device = device;
  c->where = where;
  c->id = solo_construct_new_id();
  c->closing = NULL;
  c->new_mappings = NULL;
  c->in_flight = NULL;
  c->restores = NULL;
  c->transfers = NULL;
  c->transfers_end = &c->transfers;
  c->blocks = NULL;
  c->spare_block = NULL;
  c->enqueued = 0;
  c->keep = 0;
  c->wait_status = SOLO_OK;
  c->wait_error = NULL;
  c->nowait = op;
}

void solo_construct_record_failure(solo_construct *c, solo_status status) {
  if (SOLO_LIKELY(status == SOLO_OK) || c->wait_status != SOLO_OK) return;
  c->wait_status = status;
  c->wait_error = solo_scratch_allocate(sizeof *c->wait_error);
  if (c->wait_error) solo_error_save(c->wait_error);
}

void solo_construct_transfer(solo_construct *c, const solo_transfer *what) {
  solo_transfer *transfer = solo_scratch_allocate(sizeof *transfer);
  if (!transfer) {
    solo_construct_record_failure(c, SOLO_NOMEM);
    return;
  }
  *transfer = *what;
  transfer->next = NULL;
  *c->transfers_end = transfer;
  c->transfers_end = &transfer->next;
}

void solo_construct_drop_in_flight(solo_construct *c) {
  for (solo_in_flight *use = c->in_flight; use; use = use->next)
    solo_mapping_drop_in_flight(use->mapping);
  c->in_flight = NULL;
}

void solo_construct_data_ready(solo_construct *c) {
  while (c->new_mappings) {
    solo_mapping *m = c->new_mappings;
    c->new_mappings = m->next_new;
    if (solo_construct_op(c)) m->creating_op = NULL;
    solo_mapping_data_ready(m);
  }
}

static SOLO_COLD void report_removed(const solo_construct *c, const solo_mapping *m) {
  solo_info_variable variable;
  SOLO_INFO(
      SOLO_INFO_MAPPING_CHANGED, c->device->number,
      "Removing map entry with HstPtrBegin=0x%016lx, TgtPtrBegin=0x%016llx, Size=%zu, Name=%s",
      /* relaxed, all loads here: constant in a mapping that c closes */
      (unsigned long)solo_load_relaxed(&m->begin),
      (unsigned long long)solo_load_relaxed(&m->device),
      (size_t)(solo_load_relaxed(&m->end) - solo_load_relaxed(&m->begin)),
      solo_info_variable_of(m->name, &variable));
  if (!m->block) return;
  solo_trace_event event = {.kind = SOLO_TRACE_DELETE,
                            .device = c->device->number,
                            .peer = c->device->number,
                            .to = solo_load_relaxed(&m->device)}; /* relaxed: constant */
  solo_observe_begin_any(&event);
  (void)solo_observe_end_any(&event, SOLO_OK);
}

void solo_construct_remove(solo_construct *c, solo_mapping *m) {
  const uint32_t reported = SOLO_INFO_MAPPING_CHANGED | SOLO_OBSERVED;
  /* relaxed: settings */
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & reported)) report_removed(c, m);
  if (SOLO_LIKELY(solo_mapping_cache(&c->device->mappings, m))) return;
  solo_block *block = solo_mapping_remove(&c->device->mappings, m);
  if (block) solo_construct_add_block(c, block);
}

void solo_construct_land(solo_construct *c) {
  solo_construct_drop_in_flight(c);
  for (solo_restore *restore = c->restores; restore; restore = restore->next)
    *restore->pointer = restore->value;
  c->restores = NULL;
  solo_construct_data_ready(c);
}

int solo_construct_end(solo_construct *c) {
  solo_mapping **at = &c->closing;
  while (*at) {
    solo_mapping *m = *at;
    /* acquire: the creator has finished with the mapping; pairs with solo_mapping_data_ready */
    if (solo_mapping_in_flight(m) || solo_load_acquire(&m->data_state) != SOLO_DATA_READY) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    m->closing_op = NULL;
    solo_construct_remove(c, m);
  }
  return c->closing == NULL;
}

void solo_construct_return_spare(solo_construct *c) {
  if (c->spare_block) solo_construct_add_block(c, c->spare_block);
  c->spare_block = NULL;
}

void solo_construct_free_blocks(solo_construct *c) {
  solo_construct_return_spare(c);
  while (c->blocks) {
    solo_block *block = c->blocks;
    c->blocks = block->next;
    solo_thread_block_free(c->device, block);
  }
}
