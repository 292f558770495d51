/* The semantics of map: what a list of map entries does to a device's mapping table and memory when
 * a construct begins, ends or updates (OpenMP 5.2, 5.8; 6.0 where Clang 22 emits it; abi-facts 5).
 *
 * A construct works on one device from one thread:
 *
 *   solo_construct c;
 *   solo_construct_open(&c, device, where)
 *   solo_map_begin(&c, &list, slots)      references taken, data to the device enqueued
 *   ... launch ...
 *   solo_map_end(&c, &list, slots)        references given back, data from the device enqueued
 *   solo_construct_close(&c, status)      waits, restores shadow pointers, ends closed mappings
 *
 * Each phase may be used alone (target enter data, exit data, data). close must always be called
 * and returns the first error. After a failed begin everything that begin took is given back: a
 * failed construct leaves no trace in the table.
 *
 * Ownership: lists are borrowed; slots are the caller's (one per entry), connecting begin and end
 * of one construct so that nothing is looked up twice. Threads: a construct belongs to its thread.
 * Nobody waits for another construct's mapping while others wait for his (settle).
 */
#ifndef SOLO_MAP_ARGS_H
#define SOLO_MAP_ARGS_H

#include "runtime/base/scratch.h"
#include "runtime/device/device.h"
#include "runtime/trace/info.h"

/* Map-type bits (abi-facts 5.1). */
#define SOLO_MAP_TO             UINT64_C(0x1)
#define SOLO_MAP_FROM           UINT64_C(0x2)
#define SOLO_MAP_ALWAYS         UINT64_C(0x4)
#define SOLO_MAP_DELETE         UINT64_C(0x8)
#define SOLO_MAP_PTR_AND_OBJ    UINT64_C(0x10)
#define SOLO_MAP_TARGET_PARAM   UINT64_C(0x20)
#define SOLO_MAP_RETURN_PARAM   UINT64_C(0x40)
#define SOLO_MAP_PRIVATE        UINT64_C(0x80)
#define SOLO_MAP_LITERAL        UINT64_C(0x100)
#define SOLO_MAP_IMPLICIT       UINT64_C(0x200)
#define SOLO_MAP_CLOSE          UINT64_C(0x400)
#define SOLO_MAP_PRESENT        UINT64_C(0x1000)
#define SOLO_MAP_HOLD           UINT64_C(0x2000)
#define SOLO_MAP_ATTACH         UINT64_C(0x4000)
#define SOLO_MAP_FB_NULLIFY     UINT64_C(0x8000)
#define SOLO_MAP_NON_CONTIGUOUS UINT64_C(0x100000000000)
#define SOLO_MAP_MEMBER_OF      UINT64_C(0xffff000000000000)
#define SOLO_MAP_MEMBER_SHIFT   48

typedef struct solo_map_list {
  int32_t count;
  void **bases; /* RETURN_PARAM entries are written */
  void **begins;
  const int64_t *sizes;
  const int64_t *types;
  void **names;   /* may be NULL, and each */
  void **mappers; /* may be NULL, and each */
} solo_map_list;

enum solo_slot_flags {
  SOLO_SLOT_COUNTED = 1,         /* begin took a reference to mapping */
  SOLO_SLOT_POINTER_COUNTED = 2, /* ... to pointer */
  SOLO_SLOT_HOST = 4,            /* not in the table: the host's memory serves (unified) */
  SOLO_SLOT_LAST = 8,            /* end gave the last reference back */
  SOLO_SLOT_FETCHED = 16,        /* end has fetched it already */
};

typedef struct solo_map_slot {
  solo_mapping *mapping;             /* NULL: absent or host */
  solo_mapping *pointer;             /* PTR_AND_OBJ: the mapping that holds the pointer */
  uint64_t version, pointer_version; /* of their references */
  solo_devptr device;                /* of the entry's begin; 0: absent */
  uintptr_t base;                    /* host base, the pointer followed for PTR_AND_OBJ */
  uint32_t flags;
} solo_map_slot;

typedef struct solo_restore solo_restore;

typedef struct solo_construct {
  solo_device *device;
  solo_bqueue *queue;
  const char *copied;    /* LIBOMPTARGET_INFO: the map name of what is being copied */
  const char *where;     /* source location as the compiler wrote it (";file;function;line;..") */
  uint64_t id;           /* never 0; tells this construct's new and closing mappings from others' */
  solo_mapping *closing; /* what close ends, linked by next */
  solo_mapping *new_mappings;       /* gates to open, linked by fresh */
  struct solo_in_flight *in_flight; /* given back after the wait; in scratch memory */
  solo_restore *restores; /* host pointers to write back after the wait; in scratch memory */
  struct solo_deferred_copy
      *deferred; /* what waits for others' gates (settle), in scratch memory */
  struct solo_deferred_copy **deferred_end;
  solo_block *blocks; /* private copies, given back after the wait */
  solo_block
      *inherited_block; /* of a mapping taken over (construct/nowait.h): for a new one, or blocks */
  solo_scratch_mark scratch;
  uint32_t enqueued;       /* something is in the queue: close must wait */
  uint32_t keep;           /* mappings given back are read once more: pin them on any device */
  solo_status wait_status; /* an early wait failed: close reports it */
  struct solo_nowait_op *nowait; /* it ends later (construct/nowait.h); NULL: at close */
} solo_construct;

solo_status solo_construct_open(solo_construct *c, solo_device *device,
                                const char *where) SOLO_MUST_CHECK;
solo_status solo_construct_close(solo_construct *c, solo_status status) SOLO_MUST_CHECK;

/* Refuses a list that cannot be read: a number of entries below zero or above INT32_MAX, or entries
 * without their arrays. who: was given it. */
solo_status solo_map_list_error(const solo_map_list *list,
                                const char *who) SOLO_MUST_CHECK SOLO_COLD;
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_map_check(const solo_map_list *list, const char *who) {
  if (SOLO_LIKELY(list->count == 0 ||
                  (list->count > 0 && list->bases && list->begins && list->sizes && list->types)))
    return SOLO_OK;
  return solo_map_list_error(list, who);
}

/* Is this the id of a construct of the calling thread? */
int solo_construct_is_mine(uint64_t id);

/* slots: one per entry (kernels), or NULL. */
solo_status solo_map_begin(solo_construct *c, const solo_map_list *list,
                           solo_map_slot *slots) SOLO_MUST_CHECK;
/* The same from the entry first on, which is not simply present; those before it have their slots
 * filled already (launch/present.h). */
solo_status solo_map_begin_from(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                                int32_t first) SOLO_MUST_CHECK;
/* After the whole of begin (and the kernel's arguments): opens the gates of what begin made, then
 * waits for those of others' new mappings that it met, and sends what had to come after their data.
 * Not before: a mapping whose gate is open is seen by others, with all its members. */
solo_status solo_map_run_deferred(solo_construct *c) SOLO_MUST_CHECK;
/* Begins, settles and waits, for constructs whose end is a call of its own. */
solo_status solo_map_enter(solo_construct *c, const solo_map_list *list) SOLO_MUST_CHECK;
/* Gives back what a successful begin took, and moves no data: the region never ran. */
void solo_map_undo(solo_construct *c, const solo_map_list *list, solo_map_slot *slots);
solo_status solo_map_end(solo_construct *c, const solo_map_list *list,
                         solo_map_slot *slots) SOLO_MUST_CHECK;
solo_status solo_map_update(solo_construct *c, const solo_map_list *list) SOLO_MUST_CHECK;

/* Waits for what this construct enqueued. */
solo_status solo_construct_wait(solo_construct *c) SOLO_MUST_CHECK;

/* Opens the gates of this construct's new mappings, after the data is there (settle, close). */
solo_status solo_construct_publish_data(solo_construct *c) SOLO_MUST_CHECK;

/* A turn of waiting, with gates of one's own shut, for another construct to end a mapping that the
 * request overlaps: only the gates of what has been deleted under this construct's hands are
 * opened, since he may wait for those. Where he ends later (construct/nowait.h), c may come behind him
 * instead. */
solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) SOLO_MUST_CHECK;

/* A reference to give back. */
typedef struct solo_held {
  solo_mapping *mapping;
  uint64_t version;
  solo_ref ref;
} solo_held;

/* Waits, opens the gates and gives the pins back: nobody waits for c any more. */
solo_status solo_construct_let_others_go(solo_construct *c) SOLO_MUST_CHECK;

/* Gives a reference back, safely under enqueued work: pinned until close, or noted for closing
 * (LAST), or nothing was left of it (GONE). */
solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how);

/* The same, but NOT, and nothing done, where it would have to wait for the work because no pin can
 * be had: for who still wants something of the mapping. */
solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how);

/* Looks a range up and pins its mapping (request->ref is SOLO_REF_IN_FLIGHT), for a construct that is in
 * no begin: gives the pins it has back first when there are too many, after waiting for its work.
 * What another thread is closing is absent. */
solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping);

/* Takes over a pin, to be given back at close. */
void solo_construct_note_in_flight(solo_construct *c, solo_mapping *mapping);

/* --- parts, shared by map_*.c ----------------------------------------------------------------- */

SOLO_INLINE const char *solo_map_name(const solo_map_list *list, int32_t i) {
  return list->names ? (const char *)list->names[i] : NULL;
}

/* "'a' (file.c:12)" for messages, from a map name ";a;file.c;12;3;;" or, without one, from where.
 * Written to and returned as text. */
typedef struct solo_map_description {
  char text[200];
} solo_map_description;
const char *solo_map_describe(const solo_construct *c, const char *name,
                              solo_map_description *out) SOLO_COLD;

/* The variable of a map name, "a[0:10]", as stock's messages have it; NULL: "unknown". */
typedef struct solo_map_variable {
  char text[120];
} solo_map_variable;
const char *solo_map_variable_of(const char *name, solo_map_variable *out) SOLO_COLD;

/* Notes of what the next copies are, where they are told. */
SOLO_INLINE void solo_map_note_copied(solo_construct *c, const char *name) {
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & SOLO_INFO_TRANSFER)) /* only a message */
    c->copied = name;
}

/* Enqueues a copy; host ranges must stay until close. */
solo_status solo_map_copy_in(solo_construct *c, solo_devptr to, const void *from,
                             uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_map_copy_out(solo_construct *c, void *to, solo_devptr from,
                              uint64_t bytes) SOLO_MUST_CHECK;

/* Copies a mapped range with its attached pointers kept right on the receiving side. */
solo_status solo_map_send(solo_construct *c, solo_mapping *mapping, uintptr_t begin,
                          uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_map_fetch(solo_construct *c, solo_mapping *mapping, uintptr_t begin,
                           uint64_t bytes) SOLO_MUST_CHECK;

/* Makes the device's copy of the pointer at host address pointer hold value; noted as shadow. */
typedef enum solo_attach { SOLO_ATTACH_IF_DIFFERENT, SOLO_ATTACH_AGAIN } solo_attach;
solo_status solo_map_attach(solo_construct *c, solo_mapping *holder, uintptr_t pointer,
                            uint64_t value, solo_attach how) SOLO_MUST_CHECK;

/* The mapping that contains a range which the construct itself should have mapped; no reference is
 * taken. 0: none, or another thread is ending it. Never waits. */
int solo_map_present(const solo_construct *c, uintptr_t begin, uint64_t size,
                     solo_mapping **out_mapping);

/* Does another construct still send this mapping's data? Then nothing may be sent to it yet. Where
 * it is in a queue already, c comes behind it there, and the answer is no. */
int solo_map_must_wait(solo_construct *c, solo_mapping *m);
SOLO_INLINE int solo_map_is_others(solo_construct *c, solo_mapping *m) {
  /* relaxed: equal only if this very construct wrote it; acquire: its data is there; pairs with
   * solo_mapping_data_ready */
  return solo_load_relaxed(&m->creator) != c->id &&
         SOLO_UNLIKELY(solo_load_acquire(&m->data_state) != SOLO_DATA_READY) &&
         solo_map_must_wait(c, m);
}

/* Stock's words for what the present modifier asks for and is not there; host address and bytes. */
#define SOLO_MAP_ABSENT_TEXT(modifier)                                                             \
  "device mapping required by 'present' " modifier " modifier does not exist for host address "    \
  "0x%016lx (%llu bytes)"

/* What settle is to do with such a mapping (map/deferred_copy.c). */
typedef enum solo_deferred_kind {
  SOLO_DEFERRED_WAIT,   /* nothing more */
  SOLO_DEFERRED_SEND,   /* [host, host + bytes) of it */
  SOLO_DEFERRED_ATTACH, /* the pointer at host in it is to hold value */
  SOLO_DEFERRED_COPY,   /* bytes from host to device address value in it */
} solo_deferred_kind;

typedef struct solo_deferred_copy {
  struct solo_deferred_copy *next;
  solo_mapping *mapping;
  uintptr_t host;
  uint64_t bytes, value;
  solo_deferred_kind kind;
  solo_attach how;
} solo_deferred_copy;

solo_status solo_map_defer(solo_construct *c, const solo_deferred_copy *what) SOLO_MUST_CHECK;

/* All ATTACH entries of a list, after everything else of it is mapped (map/attach.c). */
solo_status solo_map_attach_all(solo_construct *c, const solo_map_list *list) SOLO_MUST_CHECK;

/* Calls the mapper of entry i and hands its components to then, as a list without mappers
 * (mapper.c). */
typedef solo_status solo_map_then(solo_construct *c, const solo_map_list *list,
                                  solo_map_slot *slots);
solo_status solo_map_with_mapper(solo_construct *c, const solo_map_list *list, int32_t i,
                                 solo_map_then *then) SOLO_MUST_CHECK;

/* Finds what an earlier begin mapped for entry i, into a zeroed slot (map/end.c). */
solo_status solo_map_look_up(solo_construct *c, const solo_map_list *list, int32_t i,
                             solo_map_slot *slot) SOLO_MUST_CHECK;

/* The error of an entry whose range is bad. */
solo_status solo_map_range_error(const solo_construct *c, const solo_map_list *list,
                                 int32_t i) SOLO_COLD;
SOLO_INLINE int solo_map_range_is_bad(uintptr_t begin, int64_t size) {
  return size < 0 || (uint64_t)size > UINTPTR_MAX - begin;
}

/* A non-contiguous update (map/strided.c). */
solo_status solo_map_update_strided(solo_construct *c, const solo_map_list *list,
                                    int32_t i) SOLO_MUST_CHECK;

#endif
