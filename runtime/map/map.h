/* The effect of a map list on a device's mapping table and memory when a construct begins, ends or
 * updates (OMP 5.8; abi-facts 5; docs/design/map-rules.md).
 *
 *   solo_construct_open, solo_map_begin, launch, solo_map_end, solo_construct_close
 *
 * Each phase between open and close can be omitted. A failed begin releases all that it acquired.
 *
 * Ownership: the caller owns lists and slots. Each entry has one slot, which passes results of
 * begin to end. Threads: one thread uses a construct.
 */
#ifndef SOLO_MAP_MAP_H
#define SOLO_MAP_MAP_H

#include "runtime/construct/construct.h"

/* map-type bits (abi-facts 5.1) */
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
  void **bases; /* begin writes the bases of RETURN_PARAM entries */
  void **begins;
  const int64_t *sizes;
  const int64_t *types;
  void **names;   /* NULL: no names; an element may be NULL */
  void **mappers; /* NULL: no mappers; an element may be NULL */
} solo_map_list;

enum solo_slot_flags {
  SOLO_SLOT_COUNTED = 1,         /* begin acquired a reference on mapping */
  SOLO_SLOT_POINTER_COUNTED = 2, /* begin acquired a reference on pointer */
  SOLO_SLOT_HOST = 4,            /* unified memory: the region uses the host's memory */
  SOLO_SLOT_LAST = 8,            /* end released the last reference */
  SOLO_SLOT_FETCHED = 16,        /* end copied the data to the host */
  SOLO_SLOT_MADE = 32,           /* begin created the mapping */
  SOLO_SLOT_FILLED = 64,         /* begin copied the data before publication */
};

typedef struct solo_map_slot {
  solo_mapping *mapping; /* NULL: absent, or the host's memory is used */
  solo_mapping *pointer; /* PTR_AND_OBJ: the mapping that contains the pointer */
  uint64_t version, pointer_version;
  solo_devptr device; /* device address of the entry's begin; 0: absent */
  uintptr_t base;     /* base address of the entry; PTR_AND_OBJ: of the pointee */
  uint32_t flags;
} solo_map_slot;

/* Rejects a list with an invalid count or without its arrays. The second argument is the called
 * function, for the message. */
solo_status solo_map_list_error(const solo_map_list *list,
                                const char *caller) SOLO_MUST_CHECK SOLO_COLD;
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_map_check(const solo_map_list *list,
                                                       const char *caller) {
  if (SOLO_LIKELY(list->count == 0 ||
                  (list->count > 0 && list->bases && list->begins && list->sizes && list->types)))
    return SOLO_OK;
  return solo_map_list_error(list, caller);
}

solo_status solo_map_begin(solo_construct *c, const solo_map_list *list,
                           solo_map_slot *slots) SOLO_MUST_CHECK;
/* Begins the entries from `first` on; the slots before it are already set. The caller has tried the
 * short path for entry `first`, without success. */
solo_status solo_map_begin_from(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                                int32_t first) SOLO_MUST_CHECK;
/* Called after begin: enqueues the recorded transfers and waits for data that other constructs
 * copy. */
solo_status solo_map_submit_list(solo_construct *c) SOLO_MUST_CHECK;
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_map_submit(solo_construct *c) {
  return SOLO_LIKELY(!c->transfers && !c->new_mappings && c->wait_status == SOLO_OK)
             ? SOLO_OK
             : solo_map_submit_list(c);
}
solo_status solo_map_enter(solo_construct *c, const solo_map_list *list) SOLO_MUST_CHECK;
/* Releases the references that begin acquired; copies nothing. */
void solo_map_undo(solo_construct *c, const solo_map_list *list, solo_map_slot *slots);
solo_status solo_map_end(solo_construct *c, const solo_map_list *list,
                         solo_map_slot *slots) SOLO_MUST_CHECK;
solo_status solo_map_update(solo_construct *c, const solo_map_list *list) SOLO_MUST_CHECK;

SOLO_INLINE const char *solo_map_name(const solo_map_list *list, int32_t i) {
  return list->names ? (const char *)list->names[i] : NULL;
}

typedef struct solo_map_range {
  uintptr_t begin, base;
  uint64_t size;
  uint64_t type;
  const char *name;
  solo_ref ref;              /* SOLO_REF_NONE: a member, for which its parent has the reference */
  const solo_map_list *list; /* NULL: the range is the pointer of a pointer-and-pointee entry */
  int32_t index;
  int32_t missed; /* nonzero: solo_mapping_acquire_present has found nothing */
  uint32_t flags;
} solo_map_range;

/* Reports a range that extends beyond the mapping `old` of variable `name` (may be NULL). */
solo_status solo_map_overlap_error(const solo_construct *c, const solo_map_range *r,
                                   const solo_index_range *old, const char *name) SOLO_COLD;
solo_status solo_map_full_error(const solo_construct *c, const solo_map_range *r) SOLO_COLD;

/* Text such as "'a' (file.c:12)" from a map name ";a;file.c;12;3;;"; without a name from c->where. */
typedef struct solo_map_description {
  char text[200];
} solo_map_description;
const char *solo_map_describe(const solo_construct *c, const char *name,
                              solo_map_description *out) SOLO_COLD;
/* Appends the variable to the last error if its text does not contain the variable. */
void solo_map_note_variable(const solo_construct *c, const char *name) SOLO_COLD;

/* Text of LLVM's libomptarget. Arguments: "map type" or "motion", host address, bytes. */
#define SOLO_MAP_ABSENT_TEXT                                                                       \
  "device mapping required by 'present' %s modifier does not exist for host address 0x%016lx "     \
  "(%llu bytes)"

typedef enum solo_map_moment {
  SOLO_MAP_MOMENT_BEGIN,
  SOLO_MAP_MOMENT_END,
  SOLO_MAP_MOMENT_UPDATE
} solo_map_moment;

solo_status solo_map_absent_error(const solo_construct *c, uintptr_t begin, uint64_t bytes,
                                  const char *name, solo_map_moment moment) SOLO_COLD;

/* Copy a range. The attached pointers of the receiving side are preserved. */
solo_status solo_map_send(solo_construct *c, solo_mapping *mapping, uintptr_t begin,
                          uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_map_copy_back(solo_construct *c, solo_mapping *mapping, uintptr_t begin,
                               uint64_t bytes) SOLO_MUST_CHECK;

/* Called after the reference of entry i was released: copies the entry to the host if its map type
 * requires it. */
solo_status solo_map_fetch_entry(solo_construct *c, const solo_map_list *list, int32_t i,
                                 const solo_map_slot *slot) SOLO_MUST_CHECK;

/* Sets the device copy of the pointer at t->host to t->value and records the attachment. *t must
 * stay valid until solo_construct_close. */
solo_status solo_map_attach(solo_construct *c, const solo_transfer *t) SOLO_MUST_CHECK;

/* Returns whether the range is mapped and not CLOSING. Acquires no reference, because the
 * construct's entries hold one. Never waits. */
int solo_map_present(const solo_construct *c, uintptr_t begin, uint64_t size,
                     solo_mapping **out_mapping);

/* Returns whether the construct reads host memory that earlier nowait constructs may write:
 * pointers that the runtime follows, or data that mappers read. */
typedef enum solo_map_phase { SOLO_MAP_BEGINS, SOLO_MAP_ENDS } solo_map_phase;
int solo_map_reads_host(const solo_map_list *list, solo_map_phase phase);

/* Processes ATTACH entries. Called after all other entries are mapped. */
void solo_map_attach_all(solo_construct *c, const solo_map_list *list);

/* Called with the components of entry i as a list without mappers. */
typedef solo_status solo_map_then(solo_construct *c, const solo_map_list *list,
                                  solo_map_slot *slots);
solo_status solo_map_with_mapper(solo_construct *c, const solo_map_list *list, int32_t i,
                                 solo_map_then *then) SOLO_MUST_CHECK;

/* Expands the mappers of a list into scratch memory. */
solo_status solo_map_without_mappers(const solo_map_list *list, solo_map_list *out) SOLO_MUST_CHECK;

/* Finds the mapping that an earlier begin created for entry i. The caller passes a zeroed slot. */
solo_status solo_map_find(solo_construct *c, const solo_map_list *list, int32_t i,
                          solo_map_slot *slot) SOLO_MUST_CHECK;

solo_status solo_map_range_error(const solo_construct *c, const solo_map_list *list,
                                 int32_t i) SOLO_COLD;
SOLO_INLINE int solo_map_range_is_bad(uintptr_t begin, int64_t size) {
  return size < 0 || (uint64_t)size > UINTPTR_MAX - begin;
}
/* Returns whether the address is in the first page, as that of p[i] is if p is NULL. */
SOLO_INLINE int solo_map_is_null(uintptr_t begin) {
  return begin < 4096;
}

/* strided.c: the two forms of strided updates. Stepped: a contiguous entry with a step in its name. */
solo_status solo_map_update_strided(solo_construct *c, const solo_map_list *list,
                                    int32_t i) SOLO_MUST_CHECK;
int solo_map_is_stepped(const solo_map_list *list, int32_t i) SOLO_COLD;
solo_status solo_map_update_stepped(solo_construct *c, const solo_map_list *list,
                                    int32_t i) SOLO_MUST_CHECK SOLO_COLD;
solo_status solo_map_refuse_stepped_mapper(solo_construct *c, const solo_map_list *list,
                                           int32_t i) SOLO_MUST_CHECK SOLO_COLD;

#endif
