/* omp_alloc and its family: allocators, memory spaces, pools and fall-backs.
 *
 * All host memory spaces are ordinary memory. Every block but those of device memory has a header
 * in front that says where the block begins, how large it is and whose it is, so that omp_free
 * needs no allocator. A pool is a budget, kept per allocator.
 *
 * Ownership: an allocator belongs to the program until omp_destroy_allocator; blocks to whoever
 * frees them. Errors: NULL, or what the allocator's fallback trait says.
 */
#include "abi/include/omp.h"
#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/thread.h"

#include <stdlib.h>
#include <string.h>

enum { PREDEFINED_LAST = 8, LEAST_ALIGNMENT = 16 };

typedef struct allocator {
  omp_memspace_handle_t space;
  size_t alignment;
  size_t pool; /* 0: no limit */
  _Atomic size_t used;
  omp_alloctrait_value_t fallback;
  omp_allocator_handle_t next; /* allocator_fb */
  int pinned;
} allocator;

typedef struct header {
  void *base;
  size_t size;  /* the program's */
  size_t total; /* with header and padding; what the pool is charged */
  omp_allocator_handle_t owner;
} header;
_Static_assert(sizeof(header) % LEAST_ALIGNMENT == 0, "blocks stay aligned behind a header");

typedef struct request {
  size_t size, alignment;
  omp_allocator_handle_t handle;
} request;

/* The core's, where it is linked: memory that devices see. */
#pragma weak llvm_omp_target_alloc_host
#pragma weak llvm_omp_target_alloc_shared
#pragma weak llvm_omp_target_alloc_device
#pragma weak llvm_omp_target_free_host
#pragma weak llvm_omp_target_free_shared
#pragma weak llvm_omp_target_free_device
#pragma weak llvm_omp_target_lock_mem
#pragma weak llvm_omp_target_unlock_mem

static int is_predefined(omp_allocator_handle_t handle) {
  return (uintptr_t)handle <= PREDEFINED_LAST ||
         (handle >= llvm_omp_target_host_mem_alloc && handle <= llvm_omp_target_device_mem_alloc);
}

static allocator *of(omp_allocator_handle_t handle) {
  return is_predefined(handle) ? NULL : (allocator *)(uintptr_t)handle;
}

static omp_memspace_handle_t space_of(omp_allocator_handle_t handle) {
  const allocator *a = of(handle);
  if (a) return a->space;
  switch (handle) {
  case llvm_omp_target_host_mem_alloc:
    return llvm_omp_target_host_mem_space;
  case llvm_omp_target_shared_mem_alloc:
    return llvm_omp_target_shared_mem_space;
  case llvm_omp_target_device_mem_alloc:
    return llvm_omp_target_device_mem_space;
  default:
    return omp_default_mem_space;
  }
}

static int device(void) {
  return solo_kmp_self()->context.task->icvs->default_device;
}

/* --- raw memory of a space ---------------------------------------------------------------------*/

static void *raw_alloc(omp_memspace_handle_t space, size_t bytes) {
  if (space == llvm_omp_target_host_mem_space && llvm_omp_target_alloc_host)
    return llvm_omp_target_alloc_host(bytes, device());
  if (space == llvm_omp_target_shared_mem_space && llvm_omp_target_alloc_shared)
    return llvm_omp_target_alloc_shared(bytes, device());
  return malloc(bytes);
}

static void raw_free(omp_memspace_handle_t space, void *base) {
  if (space == llvm_omp_target_host_mem_space && llvm_omp_target_alloc_host)
    llvm_omp_target_free_host(base, device());
  else if (space == llvm_omp_target_shared_mem_space && llvm_omp_target_alloc_shared)
    llvm_omp_target_free_shared(base, device());
  else
    free(base);
}

/* --- blocks ------------------------------------------------------------------------------------*/

static int reserve_threads(allocator *a, size_t bytes) {
  if (!a || !a->pool) return 1;
  size_t used = solo_load_relaxed(&a->used); /* a budget: orders nothing */
  do {
    if (bytes > a->pool - used) return 0;
  } while (!solo_cas_relaxed(&a->used, &used, used + bytes)); /* a budget */
  return 1;
}

static void release_threads(allocator *a, size_t bytes) {
  if (a && a->pool) solo_sub_relaxed(&a->used, bytes); /* a budget */
}

static void *block(const request *r) {
  allocator *a = of(r->handle);
  omp_memspace_handle_t space = space_of(r->handle);
  if (space == llvm_omp_target_device_mem_space && llvm_omp_target_alloc_device)
    return llvm_omp_target_alloc_device(r->size, device()); /* the host cannot write a header */
  size_t alignment = r->alignment > LEAST_ALIGNMENT ? r->alignment : LEAST_ALIGNMENT;
  if (a && a->alignment > alignment) alignment = a->alignment;
  if (r->size > SIZE_MAX - alignment - sizeof(header)) return NULL;
  size_t total = r->size + alignment + sizeof(header);
  if (!reserve_threads(a, total)) return NULL;
  char *base = raw_alloc(space, total);
  if (!base) {
    release_threads(a, total);
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
  while (!memory && of(r.handle)) {
    const allocator *a = of(r.handle);
    if (a->fallback == omp_atv_null_fb) return NULL;
    if (a->fallback == omp_atv_abort_fb)
      solo_kmp_fatal("omp_alloc: %zu bytes cannot be had and the allocator's fallback is abort_fb",
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
  if (memory)
    memset(memory, 0, r.size); /* device memory that the host cannot reach is not for calloc */
  return memory;
}

/* --- omp_ --------------------------------------------------------------------------------------*/

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
  if (!ptr) return;
  if (handle && space_of(handle) == llvm_omp_target_device_mem_space &&
      llvm_omp_target_alloc_device) {
    llvm_omp_target_free_device(ptr, device());
    return;
  }
  const header *h = (const header *)ptr - 1;
  allocator *a = of(h->owner);
  if (a && a->pinned && llvm_omp_target_unlock_mem) llvm_omp_target_unlock_mem(h->base, device());
  release_threads(a, h->total);
  raw_free(space_of(h->owner), h->base);
}

SOLO_EXPORT void *omp_realloc(void *ptr, size_t size, omp_allocator_handle_t handle,
                              omp_allocator_handle_t free_handle) {
  if (!ptr) return omp_alloc(size, handle);
  if (size == 0) {
    omp_free(ptr, free_handle);
    return NULL;
  }
  const header *h = (const header *)ptr - 1;
  void *memory = omp_alloc(size, handle ? handle : h->owner);
  if (!memory) return NULL;
  memcpy(memory, ptr, h->size < size ? h->size : size);
  omp_free(ptr, free_handle);
  return memory;
}

/* --- allocators --------------------------------------------------------------------------------*/

/* Applies one trait; 0: it makes no sense. */
static int apply(allocator *a, const omp_alloctrait_t *trait) {
  switch (trait->key) {
  case omp_atk_alignment:
    a->alignment = trait->value;
    return trait->value && !(trait->value & (trait->value - 1));
  case omp_atk_pool_size:
    a->pool = trait->value;
    return trait->value > 0;
  case omp_atk_fallback:
    a->fallback = (omp_alloctrait_value_t)trait->value;
    if (trait->value == omp_atv_default) a->fallback = omp_atv_default_mem_fb;
    return a->fallback >= omp_atv_default_mem_fb && a->fallback <= omp_atv_allocator_fb;
  case omp_atk_fb_data:
    a->next = (omp_allocator_handle_t)trait->value;
    return 1;
  case omp_atk_pinned:
    a->pinned = trait->value == omp_atv_true;
    return 1;
  case omp_atk_sync_hint:
  case omp_atk_access:
  case omp_atk_partition:
    return 1; /* any thread may use any block; partition is the system's */
  default:
    return 0;
  }
}

SOLO_EXPORT omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                                      omp_alloctrait_t traits[]) {
  allocator *a = calloc(1, sizeof *a);
  if (!a) return omp_null_allocator;
  a->space = space;
  a->fallback = omp_atv_default_mem_fb;
  a->next = omp_default_mem_alloc;
  for (int i = 0; i < count; i++) {
    if (apply(a, &traits[i])) continue;
    free(a);
    return omp_null_allocator;
  }
  return (omp_allocator_handle_t)(uintptr_t)a;
}

SOLO_EXPORT void omp_destroy_allocator(omp_allocator_handle_t handle) {
  free(of(handle));
}

SOLO_EXPORT void omp_set_default_allocator(omp_allocator_handle_t handle) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_icvs value = *self->context.task->icvs;
  value.allocator = handle ? (uint64_t)handle : omp_default_mem_alloc;
  self->context.task->icvs = solo_kmp_icvs_intern(&value);
}

SOLO_EXPORT omp_allocator_handle_t omp_get_default_allocator(void) {
  return (omp_allocator_handle_t)solo_kmp_self()->context.task->icvs->allocator;
}

/* --- what compilers call: the same with a thread number in front
 * --------------------------------*/

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
