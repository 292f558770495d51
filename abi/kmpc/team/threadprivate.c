/* threadprivate variables without thread-local storage. For each variable the compiler emits a pointer
 * to a cache: an array with the address of each thread's copy, by thread number. A cache that is too
 * short is replaced. Old caches are never freed, because threads may still read them. */
#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/thread.h"

#include <stdlib.h>
#include <string.h>

typedef void *(*constructor)(void *object);
typedef void *(*copier)(void *object, void *original);
typedef void (*destructor)(void *object);
typedef void *(*vector_constructor)(void *object, size_t count);
typedef void *(*vector_copier)(void *object, void *original, size_t count);
typedef void (*vector_destructor)(void *object, size_t count);

typedef struct registered {
  void *original;
  constructor make;
  copier copy;
  vector_constructor make_many;
  vector_copier copy_many;
  size_t count;
  void *image;
  struct registered *next;
} registered;

static solo_lock lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static registered *variables;

enum { GROWTH = 64 };
typedef struct cache_head {
  int32_t capacity;
} cache_head;
_Static_assert(sizeof(cache_head) <= sizeof(void *),
               "cache_head fits into one element of the cache");

static cache_head *head_of(void **cache) {
  return (cache_head *)(void *)(cache - 1);
}

static registered *find(const void *original) {
  registered *r = variables;
  while (r && r->original != original) r = r->next;
  return r;
}

static registered *add(void *original) {
  registered *r = calloc(1, sizeof *r);
  if (!r) solo_kmp_fatal("out of memory for a threadprivate variable");
  r->original = original;
  r->next = variables;
  variables = r;
  return r;
}

void __kmpc_threadprivate_register(kmpc_ident *loc, void *data, constructor make, copier copy,
                                   destructor destroy);
SOLO_EXPORT void __kmpc_threadprivate_register(kmpc_ident *loc, void *data, constructor make,
                                               copier copy, destructor destroy) {
  (void)loc, (void)destroy; /* like libomp in its workers, solo does not destroy copies */
  solo_lock_acquire(&lock);
  registered *r = find(data);
  if (!r) r = add(data);
  r->make = make;
  r->copy = copy;
  solo_lock_release(&lock);
}

void __kmpc_threadprivate_register_vec(kmpc_ident *loc, void *data, vector_constructor make,
                                       vector_copier copy, vector_destructor destroy, size_t count);
SOLO_EXPORT void __kmpc_threadprivate_register_vec(kmpc_ident *loc, void *data,
                                                   vector_constructor make, vector_copier copy,
                                                   vector_destructor destroy, size_t count) {
  (void)loc, (void)destroy;
  solo_lock_acquire(&lock);
  registered *r = find(data);
  if (!r) r = add(data);
  r->make_many = make;
  r->copy_many = copy;
  r->count = count;
  solo_lock_release(&lock);
}

static void save_initial_bytes(void *original, size_t size) {
  registered *r = find(original);
  if (!r) r = add(original);
  if (r->image) return;
  r->image = malloc(size);
  if (!r->image) solo_kmp_fatal("out of memory for a threadprivate variable");
  memcpy(r->image, original, size);
}

static void *new_copy(void *original, size_t size, int32_t gtid) {
  if (gtid == 0) return original;
  solo_lock_acquire(&lock);
  registered *r = find(original);
  solo_lock_release(&lock);
  void *copy = malloc(size);
  if (!copy) solo_kmp_fatal("out of memory for a threadprivate variable");
  if (r->make)
    r->make(copy);
  else if (r->make_many)
    r->make_many(copy, r->count);
  else if (r->copy)
    r->copy(copy, original);
  else if (r->copy_many)
    r->copy_many(copy, original, r->count);
  else
    memcpy(copy, r->image, size);
  return copy;
}

static void **grow(void **_Atomic *shared, void *original, size_t size, int32_t gtid) {
  solo_lock_acquire(&lock);
  save_initial_bytes(original, size);
  /* relaxed: the lock orders writers */
  void **cache = solo_load_relaxed(shared);
  int32_t have = cache ? head_of(cache)->capacity : 0;
  if (gtid >= have) {
    int32_t capacity = (gtid / GROWTH + 1) * GROWTH;
    void **longer = calloc((size_t)capacity + 1, sizeof *longer);
    if (!longer) solo_kmp_fatal("out of memory for threadprivate variables");
    longer++;
    head_of(longer)->capacity = capacity;
    if (cache) memcpy(longer, cache, (size_t)have * sizeof *longer);
    /* Invariant: a published array has its capacity and all previous copies.
     * Ordering:  this release store pairs with the acquire load in __kmpc_threadprivate_cached().
     * Otherwise: a thread could create a second copy.
     */
    solo_store_release(shared, longer);
    cache = longer;
  }
  solo_lock_release(&lock);
  return cache;
}

void *__kmpc_threadprivate_cached(kmpc_ident *loc, int32_t gtid, void *data, size_t size,
                                  void ***shared_cache);
SOLO_EXPORT void *__kmpc_threadprivate_cached(kmpc_ident *loc, int32_t gtid, void *data,
                                              size_t size, void ***shared_cache) {
  (void)loc, (void)gtid;
  void **_Atomic *shared = (void **_Atomic *)shared_cache;
  int32_t own_gtid = solo_kmp_self()->gtid;
  void **cache = solo_load_acquire(shared); /* pairs with grow */
  if (SOLO_UNLIKELY(!cache || own_gtid >= head_of(cache)->capacity))
    cache = grow(shared, data, size, own_gtid);
  if (SOLO_UNLIKELY(!cache[own_gtid])) {
    void *copy = new_copy(data, size, own_gtid);
    solo_lock_acquire(&lock); /* another thread can have replaced the array in grow() */
    solo_load_relaxed(shared)[own_gtid] = copy;
    solo_lock_release(&lock);
    return copy;
  }
  return cache[own_gtid];
}

void *__kmpc_threadprivate(kmpc_ident *loc, int32_t gtid, void *data, size_t size);
SOLO_EXPORT void *__kmpc_threadprivate(kmpc_ident *loc, int32_t gtid, void *data, size_t size) {
  (void)loc, (void)gtid, (void)size;
  solo_kmp_fatal("__kmpc_threadprivate(%p): only the cached form is supported; compile with "
                 "-fopenmp-use-tls",
                 data);
}
