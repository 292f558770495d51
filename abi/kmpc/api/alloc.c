/* omp_alloc and related functions. A header before each block has the base, size and allocator, so
 * that omp_free needs no allocator. If the host cannot access the memory, the header is in a list
 * instead. */
#include "abi/include/omp.h"
#include "abi/kmpc/api/allocator.h"
#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/thread.h"
#include "abi/memspace.h"
#include "runtime/base/lock.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ALIGNMENT = 16 };

typedef struct header {
  void *base;
  size_t size;
  size_t total; /* bytes counted in the allocator's pool_size */
  omp_allocator_handle_t owner;
} header;
_Static_assert(sizeof(header) % LEAST_ALIGNMENT == 0, "blocks stay aligned behind a header");

typedef struct request {
  size_t size, alignment;
  omp_allocator_handle_t handle;
} request;

/* These functions of the core are NULL in a program without the core. */
#pragma weak llvm_omp_target_alloc_host
#pragma weak llvm_omp_target_alloc_shared
#pragma weak llvm_omp_target_alloc_device
#pragma weak llvm_omp_target_free_host
#pragma weak llvm_omp_target_free_shared
#pragma weak llvm_omp_target_free_device
#pragma weak llvm_omp_target_lock_mem
#pragma weak llvm_omp_target_unlock_mem
#pragma weak omp_target_memcpy
#pragma weak omp_target_memset
#pragma weak omp_get_initial_device

static omp_memspace_handle_t space_of(omp_allocator_handle_t handle) {
  const kmpc_allocator *a = solo_kmp_allocator_of(handle);
  if (a) return a->space;
  switch (handle) {
  case llvm_omp_target_host_mem_alloc:
    return llvm_omp_target_host_mem_space;
  case llvm_omp_target_shared_mem_alloc:
    return llvm_omp_target_shared_mem_space;
  case llvm_omp_target_device_mem_alloc:
    return llvm_omp_target_device_mem_space;
  default:
    return SOLO_MEMSPACE_DEFAULT;
  }
}

static int device(void) {
  return solo_kmp_self()->context.task->icvs->default_device;
}

static int is_apart_predefined(omp_memspace_handle_t space) {
  return space == llvm_omp_target_device_mem_space && llvm_omp_target_alloc_device;
}

/* Returns whether the host cannot access memory of the space. Headers of blocks in such a space are in
 * `list`. */
static int is_apart(omp_memspace_handle_t space) {
  const solo_memspace *s = solo_memspace_of(space);
  return s ? s->device != SOLO_MEMSPACE_HOST && !s->shared : is_apart_predefined(space);
}

static int device_of(omp_memspace_handle_t space) {
  const solo_memspace *s = solo_memspace_of(space);
  return s ? s->device : device();
}

static int is_paged(const kmpc_allocator *a) {
  const solo_memspace *s = a ? solo_memspace_of(a->space) : NULL;
  return a && (s ? s->device == SOLO_MEMSPACE_HOST : a->is_partitioned);
}

static void *raw_alloc(omp_memspace_handle_t space, size_t bytes) {
  const solo_memspace *s = solo_memspace_of(space);
  if (s) return solo_memspaces.alloc(s, bytes);
  if (is_apart_predefined(space)) return llvm_omp_target_alloc_device(bytes, device());
  if (space == llvm_omp_target_host_mem_space && llvm_omp_target_alloc_host)
    return llvm_omp_target_alloc_host(bytes, device());
  if (space == llvm_omp_target_shared_mem_space && llvm_omp_target_alloc_shared)
    return llvm_omp_target_alloc_shared(bytes, device());
  return malloc(bytes);
}

static void raw_free(omp_memspace_handle_t space, void *base, size_t bytes) {
  const solo_memspace *s = solo_memspace_of(space);
  if (s)
    solo_memspaces.free(s, base, bytes);
  else if (is_apart_predefined(space))
    llvm_omp_target_free_device(base, device());
  else if (space == llvm_omp_target_host_mem_space && llvm_omp_target_alloc_host)
    llvm_omp_target_free_host(base, device());
  else if (space == llvm_omp_target_shared_mem_space && llvm_omp_target_alloc_shared)
    llvm_omp_target_free_shared(base, device());
  else
    free(base);
}

static int reserve_bytes(kmpc_allocator *a, size_t bytes) {
  if (!a || !a->pool) return 1;
  size_t used = solo_load_relaxed(&a->used); /* relaxed, all: only a number of bytes */
  do {
    if (used > a->pool || bytes > a->pool - used) return 0;
  } while (!solo_cas_relaxed(&a->used, &used, used + bytes));
  return 1;
}

static void release_bytes(kmpc_allocator *a, size_t bytes) {
  if (a && a->pool) solo_sub_relaxed(&a->used, bytes);
}

typedef struct listed {
  struct listed *next;
  header header;
} listed;
static solo_lock list_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static listed *list;
static _Atomic size_t listing;

static void *listed_block(const request *r, kmpc_allocator *a) {
  listed *l = malloc(sizeof *l);
  void *base = l && reserve_bytes(a, r->size) ? raw_alloc(space_of(r->handle), r->size) : NULL;
  if (!base) {
    free(l);
    return NULL;
  }
  l->header = (header){.base = base, .size = r->size, .total = r->size, .owner = r->handle};
  solo_lock_acquire(&list_lock);
  l->next = list;
  list = l;
  solo_lock_release(&list_lock);
  /* relaxed: the thread that frees the block receives its address after this addition */
  solo_add_relaxed(&listing, 1);
  return base;
}

/* Returns the list entry of a block; NULL: the block has a header. remove: nonzero: unlinks the
 * entry. */
static listed *find_listed(const void *block, int remove) {
  if (!solo_load_relaxed(&listing)) return NULL; /* relaxed: see listed_block */
  solo_lock_acquire(&list_lock);
  listed **at = &list;
  while (*at && (*at)->header.base != block) at = &(*at)->next;
  listed *found = *at;
  if (found && remove) {
    *at = found->next;
    solo_sub_relaxed(&listing, 1);
  }
  solo_lock_release(&list_lock);
  return found;
}

/* The header is at the end of a separate page before the block. */
static void *paged_block(const request *r, kmpc_allocator *a) {
  const solo_memspace *s = solo_memspace_of(a->space);
  size_t page = solo_memspaces.round(1), size = solo_memspaces.round(r->size);
  if (!size || size > SIZE_MAX - page || r->alignment > page || a->alignment > page) return NULL;
  if (!reserve_bytes(a, page + size)) return NULL;
  char *base = s ? solo_memspaces.alloc(s, page + size) : solo_memspaces.pages(page + size);
  if (base && a->is_partitioned &&
      solo_memspaces.place(a->partitioner, a->partitioner_argument, a->space, base + page,
                           r->size) != 0) {
    solo_memspaces.free_pages(base, page + size);
    base = NULL;
  }
  if (!base) {
    release_bytes(a, page + size);
    return NULL;
  }
  ((header *)(base + page))[-1] =
      (header){.base = base, .size = r->size, .total = page + size, .owner = r->handle};
  return base + page;
}

static void *block(const request *r) {
  kmpc_allocator *a = solo_kmp_allocator_of(r->handle);
  omp_memspace_handle_t space = space_of(r->handle);
  if (is_apart(space)) return listed_block(r, a);
  if (is_paged(a)) return paged_block(r, a);
  size_t alignment = r->alignment > LEAST_ALIGNMENT ? r->alignment : LEAST_ALIGNMENT;
  if (a && a->alignment > alignment) alignment = a->alignment;
  if (r->size > SIZE_MAX - alignment - sizeof(header)) return NULL;
  size_t total = r->size + alignment + sizeof(header);
  if (!reserve_bytes(a, total)) return NULL;
  char *base = raw_alloc(space, total);
  if (!base) {
    release_bytes(a, total);
    return NULL;
  }
  uintptr_t user = ((uintptr_t)base + sizeof(header) + alignment - 1) & ~(uintptr_t)(alignment - 1);
  header *h = (header *)user - 1;
  *h = (header){.base = base, .size = r->size, .total = total, .owner = r->handle};
  if (a && a->pinned && llvm_omp_target_lock_mem) llvm_omp_target_lock_mem(base, total, device());
  return (void *)user;
}

static void *allocate(request r) {
  if (r.size == 0 || (r.alignment & (r.alignment - 1))) return NULL;
  if (r.handle == omp_null_allocator) r.handle = omp_get_default_allocator();
  void *memory = block(&r);
  while (!memory && solo_kmp_allocator_of(r.handle)) {
    const kmpc_allocator *a = solo_kmp_allocator_of(r.handle);
    if (a->fallback == omp_atv_null_fb) return NULL;
    if (a->fallback == omp_atv_abort_fb)
      solo_kmp_fatal(
          "omp_alloc: cannot allocate %zu bytes, and the fallback of the allocator is abort_fb",
          r.size);
    r.handle = a->fallback == omp_atv_allocator_fb ? a->next : omp_default_mem_alloc;
    memory = block(&r);
  }
  return memory;
}

static void *zeroed(request r, size_t count) {
  if (count && r.size > SIZE_MAX / count) return NULL;
  r.size *= count;
  void *memory = allocate(r);
  const listed *l = memory ? find_listed(memory, 0) : NULL;
  if (l && omp_target_memset)
    omp_target_memset(memory, 0, r.size, device_of(space_of(l->header.owner)));
  else if (memory)
    memset(memory, 0, r.size);
  return memory;
}

SOLO_EXPORT void *omp_alloc(size_t size, omp_allocator_handle_t handle) {
  return allocate((request){.size = size, .handle = handle});
}

SOLO_EXPORT void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t handle) {
  return allocate((request){.size = size, .alignment = alignment, .handle = handle});
}

SOLO_EXPORT void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t handle) {
  return zeroed((request){.size = size, .handle = handle}, count);
}

SOLO_EXPORT void *omp_aligned_calloc(size_t alignment, size_t count, size_t size,
                                     omp_allocator_handle_t handle) {
  return zeroed((request){.size = size, .alignment = alignment, .handle = handle}, count);
}

SOLO_EXPORT void omp_free(void *ptr, omp_allocator_handle_t handle) {
  (void)handle;
  if (!ptr) return;
  listed *l = find_listed(ptr, 1);
  header h = l ? l->header : ((const header *)ptr)[-1];
  kmpc_allocator *a = solo_kmp_allocator_of(h.owner);
  free(l);
  if (!l && a && a->pinned && llvm_omp_target_unlock_mem)
    llvm_omp_target_unlock_mem(h.base, device());
  release_bytes(a, h.total);
  if (!l && is_paged(a))
    solo_memspaces.free_pages(h.base, h.total);
  else
    raw_free(space_of(h.owner), h.base, h.total);
}

static void copy_block(void *to, const void *from, size_t bytes) {
  const listed *a = find_listed(to, 0), *b = find_listed(from, 0);
  if ((!a && !b) || !omp_target_memcpy) {
    memcpy(to, from, bytes);
    return;
  }
  int host = omp_get_initial_device();
  omp_target_memcpy(to, from, bytes, 0, 0, a ? device_of(space_of(a->header.owner)) : host,
                    b ? device_of(space_of(b->header.owner)) : host);
}

/* If the allocator stays the same, its pool_size need not suffice for both blocks: `used` does not
 * include the old block during the allocation of the new block. */
static void *replace(size_t size, const header *old, omp_allocator_handle_t handle) {
  kmpc_allocator *a = handle == old->owner ? solo_kmp_allocator_of(handle) : NULL;
  release_bytes(a, old->total);
  void *memory = omp_alloc(size, handle);
  if (a && a->pool) solo_add_relaxed(&a->used, old->total); /* relaxed: only a number of bytes */
  return memory;
}

SOLO_EXPORT void *omp_realloc(void *ptr, size_t size, omp_allocator_handle_t handle,
                              omp_allocator_handle_t free_handle) {
  if (!ptr) return omp_alloc(size, handle);
  if (size == 0) {
    omp_free(ptr, free_handle);
    return NULL;
  }
  const listed *l = find_listed(ptr, 0);
  const header *h = l ? &l->header : (const header *)ptr - 1;
  void *memory = replace(size, h, handle ? handle : h->owner);
  if (!memory) return NULL;
  copy_block(memory, ptr, h->size < size ? h->size : size);
  omp_free(ptr, free_handle);
  return memory;
}

SOLO_EXPORT void omp_set_default_allocator(omp_allocator_handle_t handle) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_icvs value = *self->context.task->icvs;
  value.allocator = handle ? (uint64_t)handle : omp_default_mem_alloc;
  self->context.task->icvs = solo_kmp_icvs_intern(&value);
}

SOLO_EXPORT omp_allocator_handle_t omp_get_default_allocator(void) {
  uint64_t handle = solo_kmp_self()->context.task->icvs->allocator;
  return (omp_allocator_handle_t)(handle ? handle : solo_kmp_allocator_setting());
}

void *__kmpc_alloc(int32_t gtid, size_t size, omp_allocator_handle_t handle);
SOLO_EXPORT void *__kmpc_alloc(int32_t gtid, size_t size, omp_allocator_handle_t handle) {
  (void)gtid;
  return omp_alloc(size, handle);
}

void *__kmpc_aligned_alloc(int32_t gtid, size_t alignment, size_t size,
                           omp_allocator_handle_t handle);
SOLO_EXPORT void *__kmpc_aligned_alloc(int32_t gtid, size_t alignment, size_t size,
                                       omp_allocator_handle_t handle) {
  (void)gtid;
  return omp_aligned_alloc(alignment, size, handle);
}

void *__kmpc_calloc(int32_t gtid, size_t count, size_t size, omp_allocator_handle_t handle);
SOLO_EXPORT void *__kmpc_calloc(int32_t gtid, size_t count, size_t size,
                                omp_allocator_handle_t handle) {
  (void)gtid;
  return omp_calloc(count, size, handle);
}

void *__kmpc_realloc(int32_t gtid, void *ptr, size_t size, omp_allocator_handle_t handle,
                     omp_allocator_handle_t free_handle);
SOLO_EXPORT void *__kmpc_realloc(int32_t gtid, void *ptr, size_t size,
                                 omp_allocator_handle_t handle,
                                 omp_allocator_handle_t free_handle) {
  (void)gtid;
  return omp_realloc(ptr, size, handle, free_handle);
}

void __kmpc_free(int32_t gtid, void *ptr, omp_allocator_handle_t handle);
SOLO_EXPORT void __kmpc_free(int32_t gtid, void *ptr, omp_allocator_handle_t handle) {
  (void)gtid;
  omp_free(ptr, handle);
}

omp_allocator_handle_t __kmpc_init_allocator(int32_t gtid, omp_memspace_handle_t space, int count,
                                             omp_alloctrait_t traits[]);
SOLO_EXPORT omp_allocator_handle_t __kmpc_init_allocator(int32_t gtid, omp_memspace_handle_t space,
                                                         int count, omp_alloctrait_t traits[]) {
  (void)gtid;
  return omp_init_allocator(space, count, traits);
}

void __kmpc_destroy_allocator(int32_t gtid, omp_allocator_handle_t handle);
SOLO_EXPORT void __kmpc_destroy_allocator(int32_t gtid, omp_allocator_handle_t handle) {
  (void)gtid;
  omp_destroy_allocator(handle);
}

void __kmpc_set_default_allocator(int32_t gtid, omp_allocator_handle_t handle);
SOLO_EXPORT void __kmpc_set_default_allocator(int32_t gtid, omp_allocator_handle_t handle) {
  (void)gtid;
  omp_set_default_allocator(handle);
}

omp_allocator_handle_t __kmpc_get_default_allocator(int32_t gtid);
SOLO_EXPORT omp_allocator_handle_t __kmpc_get_default_allocator(int32_t gtid) {
  (void)gtid;
  return omp_get_default_allocator();
}
