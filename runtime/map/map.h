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
 * No construct waits for another one's data before it has published its own (map/submit.c).
 */
#ifndef SOLO_MAP_MAP_H
#define SOLO_MAP_MAP_H

#include "runtime/construct/construct.h"

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
  SOLO_SLOT_HOST = 4,            /* not in the table: the host's memory is used (unified) */
  SOLO_SLOT_LAST = 8,            /* end gave the last reference back */
  SOLO_SLOT_FETCHED = 16,        /* end has fetched it already */
  SOLO_SLOT_MADE = 32,           /* begin made the mapping for this entry */
  SOLO_SLOT_FILLED = 64,         /* ... and its data was there before anybody saw it */
};

typedef struct solo_map_slot {
  solo_mapping *mapping;             /* NULL: absent or host */
  solo_mapping *pointer;             /* PTR_AND_OBJ: the mapping that holds the pointer */
  uint64_t version, pointer_version; /* of their references */
  solo_devptr device;                /* of the entry's begin; 0: absent */
  uintptr_t base;                    /* host base, the pointer followed for PTR_AND_OBJ */
  uint32_t flags;
} solo_map_slot;

/* Refuses a list that cannot be read: a number of entries below zero or above INT32_MAX, or entries
 * without their arrays. who: the function that was given it. */
solo_status solo_map_list_error(const solo_map_list *list,
                                const char *who) SOLO_MUST_CHECK SOLO_COLD;
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_map_check(const solo_map_list *list, const char *who) {
  if (SOLO_LIKELY(list->count == 0 ||
                  (list->count > 0 && list->bases && list->begins && list->sizes && list->types)))
    return SOLO_OK;
  return solo_map_list_error(list, who);
}

/* slots: one per entry (kernels), or NULL. */
solo_status solo_map_begin(solo_construct *c, const solo_map_list *list,
                           solo_map_slot *slots) SOLO_MUST_CHECK;
/* The same from the entry first on, which is not simply present; those before it have their slots
 * filled already (launch/present.h). */
solo_status solo_map_begin_from(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                                int32_t first) SOLO_MUST_CHECK;
/* After the whole of begin (and the kernel's arguments): sends what begin noted, and waits for the
 * data of other constructs' new mappings that it met (map/submit.c). */
solo_status solo_map_submit_list(solo_construct *c) SOLO_MUST_CHECK;
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_map_submit(solo_construct *c) {
  return SOLO_LIKELY(!c->transfers && !c->new_mappings && c->wait_status == SOLO_OK)
             ? SOLO_OK
             : solo_map_submit_list(c);
}
/* Begins, submits and waits, for constructs whose end is a call of its own. */
solo_status solo_map_enter(solo_construct *c, const solo_map_list *list) SOLO_MUST_CHECK;
/* Gives back what a successful begin took, and moves no data: the region never ran. */
void solo_map_undo(solo_construct *c, const solo_map_list *list, solo_map_slot *slots);
solo_status solo_map_end(solo_construct *c, const solo_map_list *list,
                         solo_map_slot *slots) SOLO_MUST_CHECK;
solo_status solo_map_update(solo_construct *c, const solo_map_list *list) SOLO_MUST_CHECK;

/* --- parts, shared by the files of runtime/map ------------------------------------------------ */

SOLO_INLINE const char *solo_map_name(const solo_map_list *list, int32_t i) {
  return list->names ? (const char *)list->names[i] : NULL;
}

/* One range to map. */
typedef struct solo_map_range {
  uintptr_t begin, base;
  uint64_t size;
  uint64_t type;
  const char *name;
  solo_ref ref;              /* SOLO_REF_NONE: a member, its parent counts */
  const solo_map_list *list; /* NULL: a pointer on the way to a pointee */
  int32_t index;             /* in list */
  int32_t missed;            /* nonzero: solo_mapping_acquire_present has just found nothing */
  uint32_t flags;            /* solo_mapping_flags of a new mapping */
} solo_map_range;

/* The range sticks out of the mapping [begin, end) of the variable name (which may be NULL). */
solo_status solo_map_overlap_error(const solo_construct *c, const solo_map_range *r,
                                   const solo_index_range *old, const char *name) SOLO_COLD;
/* The range's mapping has as many references as can be counted. */
solo_status solo_map_full_error(const solo_construct *c, const solo_map_range *r) SOLO_COLD;

/* "'a' (file.c:12)" for messages, from a map name ";a;file.c;12;3;;" or, without one, from where.
 * Written to and returned as text. */
typedef struct solo_map_description {
  char text[200];
} solo_map_description;
const char *solo_map_describe(const solo_construct *c, const char *name,
                              solo_map_description *out) SOLO_COLD;
/* Appends to the last record which variable it was, unless its text does already. */
void solo_map_note_variable(const solo_construct *c, const char *name) SOLO_COLD;

/* Stock's words for what the present modifier asks for and is not there: "map type" or "motion", host
 * address, bytes. */
#define SOLO_MAP_ABSENT_TEXT                                                                       \
  "device mapping required by 'present' %s modifier does not exist for host address 0x%016lx "     \
  "(%llu bytes)"

/* Which part of a construct asked for what is not there. */
typedef enum solo_map_moment {
  SOLO_MAP_MOMENT_BEGIN,
  SOLO_MAP_MOMENT_END,
  SOLO_MAP_MOMENT_UPDATE
} solo_map_moment;

/* A range (begin, bytes, name of the variable) has the present modifier and is not present. */
solo_status solo_map_absent_error(const solo_construct *c, uintptr_t begin, uint64_t bytes,
                                  const char *name, solo_map_moment moment) SOLO_COLD;

/* Copies a mapped range with its attached pointers kept right on the receiving side. */
solo_status solo_map_send(solo_construct *c, solo_mapping *mapping, uintptr_t begin,
                          uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_map_fetch(solo_construct *c, solo_mapping *mapping, uintptr_t begin,
                           uint64_t bytes) SOLO_MUST_CHECK;

/* Fetches what entry i maps, if that is due at the end of its construct, which has given the slot's
 * reference back (map/end.c). */
solo_status solo_map_fetch_entry(solo_construct *c, const solo_map_list *list, int32_t i,
                                 const solo_map_slot *slot) SOLO_MUST_CHECK;

/* Makes the device's copy of the pointer at t->host, in t->mapping, hold t->value; noted as shadow.
 * t stays until close. */
solo_status solo_map_attach(solo_construct *c, const solo_transfer *t) SOLO_MUST_CHECK;

/* The mapping that contains a range which the construct itself should have mapped; no reference is
 * taken. 0: none, or another thread is ending it. Never waits. */
int solo_map_present(const solo_construct *c, uintptr_t begin, uint64_t size,
                     solo_mapping **out_mapping);

/* Does the list make its construct read host memory that earlier nowait constructs may still write:
 * pointers to follow when it begins, mappers always? */
typedef enum solo_map_phase { SOLO_MAP_BEGINS, SOLO_MAP_ENDS } solo_map_phase;
int solo_map_reads_host(const solo_map_list *list, solo_map_phase phase);

/* All ATTACH entries of a list, after everything else of it is mapped (map/attach.c). */
void solo_map_attach_all(solo_construct *c, const solo_map_list *list);

/* Calls the mapper of entry i and hands its components to then, as a list without mappers
 * (mapper.c). */
typedef solo_status solo_map_then(solo_construct *c, const solo_map_list *list,
                                  solo_map_slot *slots);
solo_status solo_map_with_mapper(solo_construct *c, const solo_map_list *list, int32_t i,
                                 solo_map_then *then) SOLO_MUST_CHECK;

/* The list in scratch memory, with the components of its mappers in place of the entries that have these (mapper.c). */
solo_status solo_map_without_mappers(const solo_map_list *list, solo_map_list *out) SOLO_MUST_CHECK;

/* Finds what an earlier begin mapped for entry i, into a zeroed slot (map/end.c). */
solo_status solo_map_look_up(solo_construct *c, const solo_map_list *list, int32_t i,
                             solo_map_slot *slot) SOLO_MUST_CHECK;

/* The error of an entry whose range is bad, or has no memory on the host and is to be copied. */
solo_status solo_map_range_error(const solo_construct *c, const solo_map_list *list,
                                 int32_t i) SOLO_COLD;
SOLO_INLINE int solo_map_range_is_bad(uintptr_t begin, int64_t size) {
  return size < 0 || (uint64_t)size > UINTPTR_MAX - begin;
}
/* Nothing lies there: elements of an array whose pointer is NULL. */
SOLO_INLINE int solo_map_is_null(uintptr_t begin) {
  return begin < 4096;
}

/* A non-contiguous update (map/strided.c). */
solo_status solo_map_update_strided(solo_construct *c, const solo_map_list *list,
                                    int32_t i) SOLO_MUST_CHECK;

#endif
