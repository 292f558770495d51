/* The life of a construct: what it enqueues, waits for, restores and ends (map/map.h). */
#define _GNU_SOURCE
#include "runtime/construct/nowait.h"

#include "runtime/device/fork.h"
#include "runtime/table/shadow.h"
#include "runtime/trace/observer.h"
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { IN_FLIGHT_LOOKS = 4, SPINS = 64 };

struct solo_restore {
  solo_restore *next;
  void **pointer;
  void *value;
};

/* Ids: 24 bits of thread, 40 bits of count, so that no two constructs share one. */
static _Atomic uint64_t threads_seen;
static _Thread_local uint64_t next_id;

static SOLO_COLD uint64_t first_id(void) {
  solo_fork_thread();
  /* relaxed: only uniqueness matters */
  return ((solo_add_relaxed(&threads_seen, 1) + 1) << 40) | 1;
}

int solo_construct_is_mine(uint64_t id) {
  return next_id && id >> 40 == next_id >> 40;
}

static void start(solo_construct *c, solo_device *device, const char *where) {
  c->device = device;
  c->where = where;
  c->copied = NULL;
  c->id = next_id ? next_id : first_id();
  next_id = c->id + 1;
  c->closing = NULL;
  c->new_mappings = NULL;
  c->in_flight = NULL;
  c->restores = NULL;
  c->deferred = NULL;
  c->deferred_end = &c->deferred;
  c->blocks = NULL;
  c->inherited_block = NULL;
  c->enqueued = 0;
  c->keep = 0;
  c->wait_status = SOLO_OK;
}

solo_status solo_construct_open(solo_construct *c, solo_device *device, const char *where) {
  start(c, device, where);
  c->nowait = NULL;
  c->scratch = solo_scratch_begin();
  return solo_device_queue(device, &c->queue);
}

void solo_construct_open_nowait(solo_construct *c, solo_device *device, const char *where,
                                solo_nowait_op *nowait) {
  start(c, device, where);
  c->nowait = nowait;
}

solo_status solo_construct_wait(solo_construct *c) {
  if (!c->enqueued) return SOLO_OK;
  c->enqueued = 0;
  if (solo_device_is_synchronous(c->device)) return SOLO_OK;
  if (c->nowait) return solo_nowait_wait(c->nowait);
  solo_status status = solo_is_observed() ? solo_observe_wait(c->device, c->queue, c->where)
                                          : SOLO_OP(c->device->backend, queue_sync)(c->queue);
  if (status != SOLO_OK) solo_error_set_device(c->device->number);
  return status;
}

static void publish_data(solo_construct *c) {
  while (c->new_mappings) {
    solo_mapping *m = c->new_mappings;
    c->new_mappings = m->next_new;
    if (c->nowait) m->creating_op = NULL;
    solo_mapping_data_ready(m);
  }
}

solo_status solo_construct_publish_data(solo_construct *c) {
  if (!c->new_mappings) return SOLO_OK;
  if (c->nowait) return solo_nowait_publish(c->nowait);
  solo_status status = solo_construct_wait(c);
  publish_data(c);
  return status;
}

int solo_map_must_wait(solo_construct *c, solo_mapping *m) {
  uint32_t data_state = solo_load_acquire(&m->data_state); /* as in solo_map_is_others */
  if (data_state == SOLO_DATA_ENQUEUED && solo_nowait_order_after_data(c, m) != SOLO_OK)
    c->wait_status = solo_error_last()->status;
  return data_state != SOLO_DATA_READY && data_state != SOLO_DATA_ENQUEUED;
}

solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) {
  int done = 0;
  if (!solo_device_is_synchronous(c->device))
    SOLO_TRY(solo_nowait_order_after_closing(c, request, mapping, &done));
  if (done) return SOLO_OK;
  for (solo_mapping **link = &c->new_mappings; *link;) {
    solo_mapping *m = *link;
    if (solo_mapping_is_closing(m)) {
      SOLO_TRY(solo_construct_wait(c)); /* what is on its way to it */
      *link = m->next_new;
      if (c->nowait) solo_nowait_forget_creator(c, m);
      solo_mapping_data_ready(m);
    } else {
      link = &m->next_new;
    }
  }
  if (turn < SPINS)
    solo_cpu_relax();
  else
    sched_yield();
  return SOLO_OK;
}

static SOLO_NOINLINE void note_closing(solo_construct *c, solo_mapping *m) {
  solo_store_relaxed(&m->creator, c->id); /* closing: only this construct looks at it */
  m->next = c->closing;
  c->closing = m;
  if (c->nowait) solo_nowait_drop_in_flight(c, m);
}

/* One pin of a construct is enough: pins are few (6 bits), and a construct that waits for one of
 * its own would wait for ever. Looks at the latest only: alternating mappings stay cheap. */
static int has_in_flight(const solo_construct *c, const solo_mapping *m) {
  const solo_in_flight *use = c->in_flight;
  for (int looks = 0; use && looks < IN_FLIGHT_LOOKS; use = use->next, looks++)
    if (use->mapping == m) return 1;
  return 0;
}

static void drop_in_flight(solo_construct *c) {
  for (solo_in_flight *use = c->in_flight; use; use = use->next)
    solo_mapping_drop_in_flight(use->mapping);
  c->in_flight = NULL;
}

/* Before waiting for somebody who may, at the end of a chain of others, wait for a pin of ours. */
static void wait_and_drop_in_flight(solo_construct *c) {
  if (solo_construct_wait(c) != SOLO_OK) c->wait_status = solo_error_last()->status;
  drop_in_flight(c);
}

solo_status solo_construct_let_others_go(solo_construct *c) {
  solo_status gates = solo_construct_publish_data(c);
  solo_status status = solo_construct_wait(c);
  drop_in_flight(c);
  return gates == SOLO_OK ? status : gates;
}

solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping) {
  for (;;) {
    uint64_t version; /* a pin needs none */
    solo_presence presence = solo_mapping_try(&c->device->mappings, request, out_mapping, &version);
    /* who closes it may be waiting for pins of ours; nothing of ours keeps it from going */
    if (presence == SOLO_LEAVING) return SOLO_ABSENT;
    if (presence != SOLO_FULL) {
      /* its maker's data comes first */
      if (presence != SOLO_ABSENT && solo_map_is_others(c, *out_mapping)) {
        wait_and_drop_in_flight(c);
        solo_mapping_wait_data(*out_mapping);
        (void)solo_map_is_others(c, *out_mapping); /* no: c comes behind it now, if need be */
      }
      return presence;
    }
    wait_and_drop_in_flight(c);
    sched_yield(); /* the others' go when their work is done */
  }
}

void solo_construct_note_in_flight(solo_construct *c, solo_mapping *m) {
  if (has_in_flight(c, m)) {
    solo_mapping_drop_in_flight(m);
    return;
  }
  int nowait = c->keep || !solo_device_is_synchronous(c->device);
  solo_in_flight *use = nowait ? solo_scratch_take(sizeof *use) : NULL;
  if (use) {
    *use = (solo_in_flight){c->in_flight, m};
    c->in_flight = use;
    if (c->nowait) solo_nowait_drop_in_flight(c, m);
    return;
  }
  /* synchronous, or no memory for the note: the work must be done before the pin may go */
  if (solo_construct_wait(c) != SOLO_OK) c->wait_status = solo_error_last()->status;
  solo_mapping_drop_in_flight(m);
}

solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how) {
  solo_mapping *m = held->mapping;
  solo_released done = SOLO_LIKELY(solo_device_is_synchronous(c->device) && !c->keep)
                           ? solo_mapping_release(m, held->version, held->ref, how)
                           : solo_mapping_release_in_flight(m, held->version, held->ref, how);
  if (done == SOLO_RELEASED_IN_FLIGHT) solo_construct_note_in_flight(c, m);
  if (done == SOLO_RELEASED_LAST) note_closing(c, m);
  return done;
}

solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how) {
  solo_released done = solo_construct_try_release(c, held, how);
  if (SOLO_LIKELY(done != SOLO_RELEASED_NOT)) return done;
  if (solo_construct_wait(c) != SOLO_OK) c->wait_status = solo_error_last()->status;
  done = solo_mapping_release(held->mapping, held->version, held->ref, how);
  if (done == SOLO_RELEASED_LAST) note_closing(c, held->mapping);
  return done;
}

static SOLO_COLD void removed_reported(const solo_construct *c, const solo_mapping *m) {
  solo_map_variable variable;
  SOLO_INFO(
      SOLO_INFO_MAPPING_CHANGED, c->device->number,
      "Removing map entry with HstPtrBegin=0x%016lx, TgtPtrBegin=0x%016llx, Size=%zu, Name=%s",
      (unsigned long)solo_load_relaxed(&m->begin), /* own mapping: constant */
      (unsigned long long)solo_load_relaxed(&m->device),
      (size_t)(solo_load_relaxed(&m->end) - solo_load_relaxed(&m->begin)),
      solo_map_variable_of(m->name, &variable));
  if (!solo_is_observed() || !m->block) return;
  solo_trace_event event;
  /* own mapping: constant */
  solo_observe_memory(&event, SOLO_TRACE_DELETE, c->device, 0, solo_load_relaxed(&m->device));
  solo_observe_end(&event, SOLO_OK);
}

SOLO_INLINE void report_removed(const solo_construct *c, const solo_mapping *m) {
  const uint32_t reported = SOLO_INFO_MAPPING_CHANGED | SOLO_OBSERVED;
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & reported))
    removed_reported(c, m); /* a switch */
}

static SOLO_NOINLINE void end_closing(solo_construct *c) {
  while (c->closing) {
    solo_mapping *m = c->closing;
    c->closing = m->next;
    report_removed(c, m);
    /* deleted under its maker's hands: he still has to open it. Acquire: as in wait_gate */
    if (SOLO_UNLIKELY(solo_load_acquire(&m->data_state) != SOLO_DATA_READY))
      solo_mapping_wait_data(m);
    if (!solo_device_is_synchronous(c->device)) solo_nowait_help_close(c->device, m);
    solo_block *block = solo_mapping_remove(&c->device->mappings, m);
    if (block) solo_pool_give(c->device, block);
  }
}

void solo_construct_land(solo_construct *c) {
  drop_in_flight(c);
  for (solo_restore *r = c->restores; r; r = r->next) *r->pointer = r->value;
  c->restores = NULL;
  publish_data(c);
}

int solo_construct_end(solo_construct *c) {
  solo_mapping **at = &c->closing;
  while (*at) {
    solo_mapping *m = *at;
    /* acquire: pairs with open_gate; its maker has let go of it */
    if (solo_mapping_in_flight(m) || solo_load_acquire(&m->data_state) != SOLO_DATA_READY) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    m->closing_op = NULL;
    report_removed(c, m);
    solo_block *block = solo_mapping_remove(&c->device->mappings, m);
    if (!block) continue;
    block->next = c->blocks;
    c->blocks = block;
  }
  return c->closing == NULL;
}

void solo_construct_return_inherited(solo_construct *c) {
  if (!c->inherited_block) return;
  c->inherited_block->next = c->blocks;
  c->blocks = c->inherited_block;
  c->inherited_block = NULL;
}

void solo_construct_give_blocks(solo_construct *c) {
  solo_construct_return_inherited(c);
  while (c->blocks) {
    solo_block *block = c->blocks;
    c->blocks = block->next;
    solo_pool_give(c->device, block);
  }
}

static solo_status close_all(solo_construct *c) {
  solo_status end = solo_construct_wait(c);
  if (SOLO_UNLIKELY(c->wait_status) && end == SOLO_OK) end = c->wait_status;
  solo_construct_land(c);
  if (c->closing) end_closing(c);
  if (c->blocks || c->inherited_block) solo_construct_give_blocks(c);
  solo_scratch_end(c->scratch);
  return end;
}

/* The first error is the one to report: later ones must not overwrite its record. */
static SOLO_COLD solo_status close_failed(solo_construct *c, solo_status status) {
  solo_kept_error first;
  solo_error_keep(&first);
  (void)close_all(c);
  (void)solo_error_again(&first);
  return status;
}

solo_status solo_construct_close(solo_construct *c, solo_status status) {
  return SOLO_LIKELY(status == SOLO_OK) ? close_all(c) : close_failed(c, status);
}

#define REPORTED (SOLO_INFO_TRANSFER | SOLO_OBSERVED)

/* A copy that is to be printed, or observed, or both. */
static SOLO_COLD solo_status copy_reported(solo_construct *c, const solo_copy *copy) {
  unsigned long long to = copy->to, from = copy->from, bytes = copy->bytes;
  solo_map_variable variable;
  const char *name = solo_map_variable_of(c->copied, &variable);
  c->copied = NULL; /* the next copy may be something else's */
  if (copy->direction == SOLO_COPY_IN)
    SOLO_INFO(SOLO_INFO_TRANSFER, c->device->number,
              "Copying data from host to device, HstPtr=0x%llx, TgtPtr=0x%llx, Size=%llu, Name=%s",
              from, to, bytes, name);
  else
    SOLO_INFO(SOLO_INFO_TRANSFER, c->device->number,
              "Copying data from device to host, TgtPtr=0x%llx, HstPtr=0x%llx, Size=%llu, Name=%s",
              from, to, bytes, name);
  return solo_observe_copy(c->device, c->queue, copy);
}

SOLO_INLINE solo_status copy(solo_construct *c, uint64_t to, uint64_t from, uint64_t bytes,
                             solo_copy_direction direction) {
  c->enqueued = 1;
  solo_status status =
      SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & REPORTED) /* a switch */
          ? copy_reported(c, &(solo_copy){to, from, bytes, direction, c->where})
          : SOLO_OP(c->device->backend, queue_copy)(c->queue, to, from, bytes, direction);
  if (SOLO_UNLIKELY(status != SOLO_OK)) solo_error_set_device(c->device->number);
  return status;
}

solo_status solo_map_copy_in(solo_construct *c, solo_devptr to, const void *from, uint64_t bytes) {
  return copy(c, to, (uintptr_t)from, bytes, SOLO_COPY_IN);
}

solo_status solo_map_copy_out(solo_construct *c, void *to, solo_devptr from, uint64_t bytes) {
  return copy(c, (uintptr_t)to, from, bytes, SOLO_COPY_OUT);
}

/* The attached pointers within the range, copied to scratch memory (they are copy sources until
 * close). */
static solo_status shadows_in(solo_construct *c, solo_mapping *m, uintptr_t begin, uint64_t bytes,
                              solo_shadow **out_list, size_t *out_count) {
  enum { FIRST = 8 };
  size_t capacity = solo_load_relaxed(&m->shadow_count); /* a hint: the index is under lock */
  if (capacity > FIRST) capacity = FIRST;                /* the range may be one of many elements */
  for (;;) {
    *out_list = solo_scratch_take(capacity * sizeof **out_list);
    if (!*out_list) return solo_fail(SOLO_NOMEM, "no host memory to restore attached pointers");
    *out_count = solo_shadow_list(&c->device->mappings, begin, begin + bytes, *out_list, capacity);
    if (*out_count <= capacity) return SOLO_OK;
    capacity = *out_count;
  }
}

SOLO_INLINE solo_devptr device_address(const solo_mapping *m, uintptr_t host) {
  /* relaxed: constant while the caller holds a reference */
  return solo_load_relaxed(&m->device) + (host - solo_load_relaxed(&m->begin));
}

solo_status solo_map_send(solo_construct *c, solo_mapping *m, uintptr_t begin, uint64_t bytes) {
  solo_map_note_copied(c, m->name);
  SOLO_TRY(solo_map_copy_in(c, device_address(m, begin), (const void *)begin, bytes));
  if (SOLO_LIKELY(!solo_load_relaxed(&m->shadow_count))) return SOLO_OK; /* a hint */
  solo_shadow *list;
  size_t count;
  SOLO_TRY(shadows_in(c, m, begin, bytes, &list, &count));
  for (size_t i = 0; i < count; i++)
    SOLO_TRY(solo_map_copy_in(c, list[i].device, &list[i].value, sizeof list[i].value));
  return SOLO_OK;
}

solo_status solo_map_fetch(solo_construct *c, solo_mapping *m, uintptr_t begin, uint64_t bytes) {
  if (SOLO_UNLIKELY(solo_load_relaxed(&m->shadow_count))) { /* a hint */
    solo_shadow *list;
    size_t count;
    SOLO_TRY(shadows_in(c, m, begin, bytes, &list, &count));
    for (size_t i = 0; i < count; i++) {
      solo_restore *r = solo_scratch_take(sizeof *r);
      if (!r) return solo_fail(SOLO_NOMEM, "no host memory to restore attached pointers");
      r->pointer = (void **)list[i].host;
      r->value = *r->pointer;
      r->next = c->restores;
      c->restores = r;
    }
  }
  solo_map_note_copied(c, m->name);
  return solo_map_copy_out(c, (void *)begin, device_address(m, begin), bytes);
}

solo_status solo_map_attach(solo_construct *c, solo_mapping *holder, uintptr_t pointer,
                            uint64_t value, solo_attach how) {
  /* relaxed: constant while the caller holds a reference */
  if (SOLO_UNLIKELY(pointer - solo_load_relaxed(&holder->begin) >
                    solo_load_relaxed(&holder->end) - solo_load_relaxed(&holder->begin) -
                        sizeof(void *)))
    return solo_fail(
        SOLO_OVERLAP,
        "the pointer at %p is only in part on device %d: map the whole of what it is in",
        (void *)pointer, c->device->number);
  if (SOLO_UNLIKELY(solo_map_is_others(c, holder)))
    return solo_map_defer(c, &(solo_deferred_copy){.mapping = holder,
                                                   .host = pointer,
                                                   .value = value,
                                                   .kind = SOLO_DEFERRED_ATTACH,
                                                   .how = how});
  /* the value sent is this construct's own: another may attach the same pointer meanwhile */
  uint64_t *sent = solo_scratch_take(sizeof *sent);
  if (!sent) return solo_fail(SOLO_NOMEM, "no host memory to attach a pointer");
  *sent = value;
  int known;
  const solo_shadow what = {
      .host = pointer, .device = device_address(holder, pointer), .value = value};
  SOLO_TRY(solo_shadow_record(&c->device->mappings, holder, &what, &known));
  if (known && how == SOLO_ATTACH_IF_DIFFERENT) return SOLO_OK;
  solo_map_note_copied(c, holder->name);
  return solo_map_copy_in(c, what.device, sent, sizeof *sent);
}

solo_status solo_map_list_error(const solo_map_list *list, const char *who) {
  static const char remedy[] =
      "this call was not made by Clang 15 to 22, or its arguments were overwritten";
  if (list->count < 0)
    return solo_fail(SOLO_INVALID, "%s: %u map entries, more than %d: %s", who,
                     (uint32_t)list->count, INT32_MAX, remedy);
  return solo_fail(SOLO_INVALID, "%s: %d map entries, but the array of their %s is NULL: %s", who,
                   list->count,
                   !list->bases    ? "base addresses"
                   : !list->begins ? "addresses"
                   : !list->sizes  ? "sizes"
                                   : "types",
                   remedy);
}

solo_status solo_map_range_error(const solo_construct *c, const solo_map_list *list, int32_t i) {
  solo_map_description description;
  solo_fail(SOLO_INVALID, "%s, %p: its size is %s (%lld bytes)",
            solo_map_describe(c, solo_map_name(list, i), &description), list->begins[i],
            list->sizes[i] < 0 ? "negative" : "beyond the end of memory",
            (long long)list->sizes[i]);
  solo_error_set_device(c->device->number);
  return SOLO_INVALID;
}

/* The n-th field of ";a;b;c;", as pointer and length. */
static const char *field(const char *text, int n, int *out_length) {
  while (text && n-- > 0) {
    text = strchr(text, ';');
    if (text) text++;
  }
  const char *end = text ? strchr(text, ';') : NULL;
  *out_length = end ? (int)(end - text) : text ? (int)strlen(text) : 0;
  return text ? text : "";
}

const char *solo_map_variable_of(const char *name, solo_map_variable *out) {
  int length;
  const char *variable = field(name, 1, &length);
  if (!name) return "unknown";
  if (!length) return name; /* a symbol */
  snprintf(out->text, sizeof out->text, "%.*s", length, variable);
  return out->text;
}

const char *solo_map_describe(const solo_construct *c, const char *name,
                              solo_map_description *out) {
  char *text = out->text;
  int a, b, d;
  if (name) {
    const char *what = field(name, 1, &a), *file = field(name, 2, &b), *line = field(name, 3, &d);
    if (!a)
      snprintf(text, sizeof out->text, "'%s'", name);
    else
      snprintf(text, sizeof out->text, "'%.*s' (%.*s:%.*s)", a, what, b, file, d, line);
    return text;
  }
  const char *file = field(c->where, 1, &a), *line = field(c->where, 3, &d);
  if (a && strncmp(file, "unknown", 7) != 0)
    snprintf(text, sizeof out->text, "a variable of the construct at %.*s:%.*s", a, file, d, line);
  else
    snprintf(text, sizeof out->text, "a variable (compile with -g for its name and line)");
  return text;
}
