/* Locks of the API. A nested lock is a heap record. A plain lock uses only the first 32 bits of
 * omp_lock_t, because omp_lock_t of GCC has 4 bytes. */
#include "abi/include/omp.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

#include <stdlib.h>

_Static_assert(sizeof(omp_lock_t) >= sizeof(solo_lock), "a lock fits in omp_lock_t");

typedef struct nest_lock {
  solo_lock lock;
  _Atomic uintptr_t owner; /* address of the task that owns the lock; 0: unlocked */
  int32_t depth;
} nest_lock;

static solo_lock *plain(omp_lock_t *lock) {
  return (solo_lock *)(void *)lock;
}

/* A task owns a lock (OpenMP 5.2, 18.9), not a thread. */
static uintptr_t this_task(void) {
  return (uintptr_t)solo_kmp_self()->context.task;
}

static nest_lock *nested(omp_nest_lock_t *lock) {
  return *(nest_lock **)(void *)lock;
}

SOLO_EXPORT void omp_init_lock(omp_lock_t *lock) {
  solo_lock_init(plain(lock), SOLO_RANK_NONE);
}

SOLO_EXPORT void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_lock(lock);
}

SOLO_EXPORT void omp_destroy_lock(omp_lock_t *lock) {
  solo_lock_init(plain(lock), SOLO_RANK_NONE);
}

SOLO_EXPORT void omp_set_lock(omp_lock_t *lock) {
  solo_lock_acquire(plain(lock));
}

SOLO_EXPORT void omp_unset_lock(omp_lock_t *lock) {
  solo_lock_release(plain(lock));
}

SOLO_EXPORT int omp_test_lock(omp_lock_t *lock) {
  return solo_lock_try(plain(lock));
}

SOLO_EXPORT void omp_init_nest_lock(omp_nest_lock_t *lock) {
  nest_lock *made = calloc(1, sizeof *made);
  if (!made) solo_kmp_fatal("out of memory for a nested lock");
  lock->_lk = made;
}

SOLO_EXPORT void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_nest_lock(lock);
}

SOLO_EXPORT void omp_destroy_nest_lock(omp_nest_lock_t *lock) {
  free(lock->_lk);
  lock->_lk = NULL;
}

SOLO_EXPORT void omp_set_nest_lock(omp_nest_lock_t *lock) {
  nest_lock *l = nested(lock);
  uintptr_t self = this_task();
  if (solo_load_relaxed(&l->owner) != self) { /* relaxed: only this task stores its address */
    solo_lock_acquire(&l->lock);
    solo_store_relaxed(&l->owner, self); /* relaxed: stored under the lock */
  }
  l->depth++;
}

SOLO_EXPORT void omp_unset_nest_lock(omp_nest_lock_t *lock) {
  nest_lock *l = nested(lock);
  if (--l->depth) return;
  solo_store_relaxed(&l->owner, 0);
  solo_lock_release(&l->lock);
}

SOLO_EXPORT int omp_test_nest_lock(omp_nest_lock_t *lock) {
  nest_lock *l = nested(lock);
  /* relaxed: as in omp_set_nest_lock */
  uintptr_t self = this_task();
  if (solo_load_relaxed(&l->owner) != self) {
    if (!solo_lock_try(&l->lock)) return 0;
    solo_store_relaxed(&l->owner, self);
  }
  return ++l->depth;
}

#define LOCATED(kind, type)                                                                        \
  void __kmpc_init_##kind(kmpc_ident *loc, int32_t gtid, void **lock);                             \
  SOLO_EXPORT void __kmpc_init_##kind(kmpc_ident *loc, int32_t gtid, void **lock) {                \
    (void)loc, (void)gtid;                                                                         \
    omp_init_##kind((type *)(void *)lock);                                                         \
  }                                                                                                \
  void __kmpc_init_##kind##_with_hint(kmpc_ident *loc, int32_t gtid, void **lock, uintptr_t hint); \
  SOLO_EXPORT void __kmpc_init_##kind##_with_hint(kmpc_ident *loc, int32_t gtid, void **lock,      \
                                                  uintptr_t hint) {                                \
    (void)loc, (void)gtid, (void)hint;                                                             \
    omp_init_##kind((type *)(void *)lock);                                                         \
  }                                                                                                \
  void __kmpc_destroy_##kind(kmpc_ident *loc, int32_t gtid, void **lock);                          \
  SOLO_EXPORT void __kmpc_destroy_##kind(kmpc_ident *loc, int32_t gtid, void **lock) {             \
    (void)loc, (void)gtid;                                                                         \
    omp_destroy_##kind((type *)(void *)lock);                                                      \
  }                                                                                                \
  void __kmpc_set_##kind(kmpc_ident *loc, int32_t gtid, void **lock);                              \
  SOLO_EXPORT void __kmpc_set_##kind(kmpc_ident *loc, int32_t gtid, void **lock) {                 \
    (void)loc, (void)gtid;                                                                         \
    omp_set_##kind((type *)(void *)lock);                                                          \
  }                                                                                                \
  void __kmpc_unset_##kind(kmpc_ident *loc, int32_t gtid, void **lock);                            \
  SOLO_EXPORT void __kmpc_unset_##kind(kmpc_ident *loc, int32_t gtid, void **lock) {               \
    (void)loc, (void)gtid;                                                                         \
    omp_unset_##kind((type *)(void *)lock);                                                        \
  }                                                                                                \
  int __kmpc_test_##kind(kmpc_ident *loc, int32_t gtid, void **lock);                              \
  SOLO_EXPORT int __kmpc_test_##kind(kmpc_ident *loc, int32_t gtid, void **lock) {                 \
    (void)loc, (void)gtid;                                                                         \
    return omp_test_##kind((type *)(void *)lock);                                                  \
  }

LOCATED(lock, omp_lock_t)
LOCATED(nest_lock, omp_nest_lock_t)
