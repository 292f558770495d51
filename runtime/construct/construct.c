/* The life of a construct: what it enqueues, waits for, restores and ends (map/map.h). */
#define _GNU_SOURCE
#include "runtime/construct/nowait.h"

#include "runtime/device/fork.h"
#include "runtime/table/shadow.h"
#include "runtime/trace/observer.h"
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { PIN_LOOKS = 4, SPINS = 64 };

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
  c->id = next_id ? next_id : first_id();
  next_id = c->id + 1;
  c->closing = NULL;
  c->fresh = NULL;
  c->pins = NULL;
  c->restores = NULL;
  c->late = NULL;
  c->late_end = &c->late;
  c->blocks = NULL;
  c->pocket = NULL;
  c->enqueued = 0;
  c->keep = 0;
  c->lost = SOLO_OK;
}

solo_status solo_construct_open(solo_construct *c, solo_device *device, const char *where) {
  start(c, device, where);
  c->later = NULL;
  c->scratch = solo_scratch_begin();
  return solo_device_queue(device, &c->queue);
}

void solo_construct_open_later(solo_construct *c, solo_device *device, const char *where,
                               solo_later *later) {
  start(c, device, where);
  c->later = later;
}

solo_status solo_construct_wait(solo_construct *c) {
  if (!c->enqueued) return SOLO_OK;
  c->enqueued = 0;
  if (solo_device_is_synchronous(c->device)) return SOLO_OK;
  if (c->later) return solo_later_wait(c->later);
  solo_status status = solo_is_observed() ? solo_observe_wait(c->device, c->queue, c->where)
                                          : SOLO_OP(c->device->backend, queue_sync)(c->queue);
  if (status != SOLO_OK) solo_error_set_device(c->device->number);
  return status;
}

static void open_gates(solo_construct *c) {
  while (c->fresh) {
    solo_mapping *m = c->fresh;
    c->fresh = m->fresh;
    if (c->later) m->maker = NULL;
    solo_mapping_open_gate(m);
  }
}

solo_status solo_construct_open_gates(solo_construct *c) {
  if (!c->fresh) return SOLO_OK;
  if (c->later) return solo_later_publish(c->later);
  solo_status status = solo_construct_wait(c);
  open_gates(c);
  return status;
}

int solo_map_must_wait(solo_construct *c, solo_mapping *m) {
  uint32_t gate = solo_load_acquire(&m->gate); /* as in solo_map_is_others */
  if (gate == SOLO_GATE_QUEUED && solo_later_behind_gate(c, m) != SOLO_OK)
    c->lost = solo_error_last()->status;
  return gate != SOLO_GATE_OPEN && gate != SOLO_GATE_QUEUED;
}

solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) {
  int done = 0;
  if (!solo_device_is_synchronous(c->device))
    SOLO_TRY(solo_later_behind_closing(c, request, mapping, &done));
  if (done) return SOLO_OK;
  for (solo_mapping **link = &c->fresh; *link;) {
    solo_mapping *m = *link;
    if (solo_mapping_is_closing(m)) {
      SOLO_TRY(solo_construct_wait(c)); /* what is on its way to it */
      *link = m->fresh;
      if (c->later) solo_later_forget_made(c, m);
      solo_mapping_open_gate(m);
    } else {
      link = &m->fresh;
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
  if (c->later) solo_later_drop_pin(c, m);
}

/* One pin of a construct is enough: pins are few (6 bits), and a construct that waits for one of
 * its own would wait for ever. Looks at the latest only: alternating mappings stay cheap. */
static int has_pin(const solo_construct *c, const solo_mapping *m) {
  const solo_pin *pin = c->pins;
  for (int looks = 0; pin && looks < PIN_LOOKS; pin = pin->next, looks++)
    if (pin->mapping == m) return 1;
  return 0;
}

static void give_pins(solo_construct *c) {
  for (solo_pin *pin = c->pins; pin; pin = pin->next) solo_mapping_unpin(pin->mapping);
  c->pins = NULL;
}

/* Before waiting for somebody who may, at the end of a chain of others, wait for a pin of ours. */
static void drop_pins(solo_construct *c) {
  if (solo_construct_wait(c) != SOLO_OK) c->lost = solo_error_last()->status;
  give_pins(c);
}

solo_status solo_construct_let_others_go(solo_construct *c) {
  solo_status gates = solo_construct_open_gates(c);
  solo_status status = solo_construct_wait(c);
  give_pins(c);
  return gates == SOLO_OK ? status : gates;
}

solo_presence solo_construct_acquire_pin(solo_construct *c, const solo_request *request,
                                         solo_mapping **out_mapping) {
  for (;;) {
    uint64_t stamp; /* a pin needs none */
    solo_presence presence = solo_mapping_try(&c->device->mappings, request, out_mapping, &stamp);
    /* who closes it may be waiting for pins of ours; nothing of ours keeps it from going */
    if (presence == SOLO_LEAVING) return SOLO_ABSENT;
    if (presence != SOLO_FULL) {
      /* its maker's data comes first */
      if (presence != SOLO_ABSENT && solo_map_is_others(c, *out_mapping)) {
        drop_pins(c);
        solo_mapping_wait_gate(*out_mapping);
        (void)solo_map_is_others(c, *out_mapping); /* no: c comes behind it now, if need be */
      }
      return presence;
    }
    drop_pins(c);
    sched_yield(); /* the others' go when their work is done */
  }
}

void solo_construct_pin(solo_construct *c, solo_mapping *m) {
  if (has_pin(c, m)) {
    solo_mapping_unpin(m);
    return;
  }
  int later = c->keep || !solo_device_is_synchronous(c->device);
  solo_pin *pin = later ? solo_scratch_take(sizeof *pin) : NULL;
  if (pin) {
    *pin = (solo_pin){c->pins, m};
    c->pins = pin;
    if (c->later) solo_later_drop_pin(c, m);
    return;
  }
  /* synchronous, or no memory for the note: the work must be done before the pin may go */
  if (solo_construct_wait(c) != SOLO_OK) c->lost = solo_error_last()->status;
  solo_mapping_unpin(m);
}

solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how) {
  solo_mapping *m = held->mapping;
  solo_released done = SOLO_LIKELY(solo_device_is_synchronous(c->device) && !c->keep)
                           ? solo_mapping_release(m, held->stamp, held->ref, how)
                           : solo_mapping_release_pinned(m, held->stamp, held->ref, how);
  if (done == SOLO_RELEASED_PINNED) solo_construct_pin(c, m);
  if (done == SOLO_RELEASED_LAST) note_closing(c, m);
  return done;
}

solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how) {
  solo_released done = solo_construct_try_release(c, held, how);
  if (SOLO_LIKELY(done != SOLO_RELEASED_NOT)) return done;
  if (solo_construct_wait(c) != SOLO_OK) c->lost = solo_error_last()->status;
  done = solo_mapping_release(held->mapping, held->stamp, held->ref, how);
  if (done == SOLO_RELEASED_LAST) note_closing(c, held->mapping);
  return done;
}

static SOLO_COLD void removed_told(const solo_construct *c, const solo_mapping *m) {
  SOLO_INFO(SOLO_INFO_MAPPING_CHANGED, c->device->number,
            "Removing map entry with HstPtrBegin=0x%016lx, Size=%zu, Name=%s",
            (unsigned long)solo_load_relaxed(&m->begin), /* own mapping: constant */
            (size_t)(solo_load_relaxed(&m->end) - solo_load_relaxed(&m->begin)),
            m->name ? m->name : "unknown");
  if (!solo_is_observed() || !m->block) return;
  solo_event event;
  /* own mapping: constant */
  solo_observe_memory(&event, SOLO_EVENT_DELETE, c->device, 0, solo_load_relaxed(&m->device));
  solo_observe_end(&event, SOLO_OK);
}

SOLO_INLINE void say_removed(const solo_construct *c, const solo_mapping *m) {
  const uint32_t told = SOLO_INFO_MAPPING_CHANGED | SOLO_OBSERVED;
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & told)) removed_told(c, m); /* a switch */
}

static SOLO_NOINLINE void end_closing(solo_construct *c) {
  while (c->closing) {
    solo_mapping *m = c->closing;
    c->closing = m->next;
    say_removed(c, m);
    /* deleted under its maker's hands: he still has to open it. Acquire: as in wait_gate */
    if (SOLO_UNLIKELY(solo_load_acquire(&m->gate) != SOLO_GATE_OPEN)) solo_mapping_wait_gate(m);
    if (!solo_device_is_synchronous(c->device)) solo_later_settle(c->device, m);
    solo_block *block = solo_mapping_remove(&c->device->mappings, m);
    if (block) solo_pool_give(c->device, block);
  }
}

void solo_construct_land(solo_construct *c) {
  give_pins(c);
  for (solo_restore *r = c->restores; r; r = r->next) *r->pointer = r->value;
  c->restores = NULL;
  open_gates(c);
}

int solo_construct_end(solo_construct *c) {
  solo_mapping **at = &c->closing;
  while (*at) {
    solo_mapping *m = *at;
    /* acquire: pairs with open_gate; its maker has let go of it */
    if (solo_mapping_pins(m) || solo_load_acquire(&m->gate) != SOLO_GATE_OPEN) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    m->closer = NULL;
    say_removed(c, m);
    solo_block *block = solo_mapping_remove(&c->device->mappings, m);
    if (!block) continue;
    block->next = c->blocks;
    c->blocks = block;
  }
  return c->closing == NULL;
}

void solo_construct_empty_pocket(solo_construct *c) {
  if (!c->pocket) return;
  c->pocket->next = c->blocks;
  c->blocks = c->pocket;
  c->pocket = NULL;
}

void solo_construct_give_blocks(solo_construct *c) {
  solo_construct_empty_pocket(c);
  while (c->blocks) {
    solo_block *block = c->blocks;
    c->blocks = block->next;
    solo_pool_give(c->device, block);
  }
}

static solo_status close_all(solo_construct *c) {
  solo_status end = solo_construct_wait(c);
  if (SOLO_UNLIKELY(c->lost) && end == SOLO_OK) end = c->lost;
  solo_construct_land(c);
  if (c->closing) end_closing(c);
  if (c->blocks || c->pocket) solo_construct_give_blocks(c);
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

#define TOLD (SOLO_INFO_TRANSFER | SOLO_OBSERVED)

/* A copy that is to be printed, or observed, or both. */
static SOLO_COLD solo_status copy_told(const solo_construct *c, const solo_copy *copy) {
  unsigned long long to = copy->to, from = copy->from, bytes = copy->bytes;
  if (copy->direction == SOLO_COPY_IN)
    SOLO_INFO(SOLO_INFO_TRANSFER, c->device->number,
              "Copying data from host to device, HstPtr=0x%llx, TgtPtr=0x%llx, Size=%llu", from, to,
              bytes);
  else
    SOLO_INFO(SOLO_INFO_TRANSFER, c->device->number,
              "Copying data from device to host, TgtPtr=0x%llx, HstPtr=0x%llx, Size=%llu", from, to,
              bytes);
  return solo_observe_copy(c->device, c->queue, copy);
}

SOLO_INLINE solo_status copy(solo_construct *c, uint64_t to, uint64_t from, uint64_t bytes,
                             solo_copy_direction direction) {
  c->enqueued = 1;
  solo_status status =
      SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & TOLD) /* a switch */
          ? copy_told(c, &(solo_copy){to, from, bytes, direction, c->where})
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
    return solo_map_later(c, &(solo_late){.mapping = holder,
                                          .host = pointer,
                                          .value = value,
                                          .kind = SOLO_LATE_ATTACH,
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
  solo_words words;
  solo_fail(SOLO_INVALID, "%s, %p: its size is %s (%lld bytes)",
            solo_map_say(c, solo_map_name(list, i), &words), list->begins[i],
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

const char *solo_map_say(const solo_construct *c, const char *name, solo_words *out) {
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
