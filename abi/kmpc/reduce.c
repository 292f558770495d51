/* Reductions: which method, and the lock of the critical one.
 *
 * The compiler's code combines: 1 = "add yours now, plainly" (we make it exclusive), 2 = "add yours
 * with atomics". A blocking reduction ends with a barrier in end_reduce, which every thread calls.
 * The initial thread of a league's team reduces across the league; in flang's kernels every thread
 * of the teams' parallel regions does (kmpc_league.shared).
 */
#include "abi/kmpc/crew.h"

enum { PLAIN = 1, ATOMIC = 2 };
enum { FORCE_CRITICAL = 1, FORCE_ATOMIC = 2 }; /* KMP_FORCE_REDUCTION */
enum { METHOD_NONE, METHOD_CRITICAL, METHOD_ATOMIC };
enum { ATOMICS_MOST = 4 }; /* more variables than this: one lock is cheaper */

static int32_t choose(kmpc_thread *self, const kmpc_ident *loc, int32_t variables) {
  const kmpc_team *team = self->now.team;
  const kmpc_league *league = team->league;
  int across_league =
      league && league->width > 1 && (league->shared || team->flags & KMPC_TEAM_LEAGUE);
  if (!team->crew && !across_league) return METHOD_NONE;
  int can_atomic = loc && (loc->flags & KMPC_IDENT_ATOMIC_REDUCE);
  switch (solo_kmp_config()->reduction) {
  case FORCE_CRITICAL:
    return METHOD_CRITICAL;
  case FORCE_ATOMIC:
    return can_atomic ? METHOD_ATOMIC : METHOD_CRITICAL;
  default:
    return can_atomic && variables <= ATOMICS_MOST ? METHOD_ATOMIC : METHOD_CRITICAL;
  }
}

static int32_t begin(const kmpc_ident *loc, int32_t variables, solo_lock *lock) {
  kmpc_thread *self = solo_kmp_self();
  self->reduce_method = choose(self, loc, variables);
  if (self->reduce_method == METHOD_ATOMIC) return ATOMIC;
  if (self->reduce_method == METHOD_CRITICAL) solo_lock_acquire(lock);
  return PLAIN;
}

static kmpc_thread *end(solo_lock *lock) {
  kmpc_thread *self = &solo_kmp_thread_record;
  if (self->reduce_method == METHOD_CRITICAL) solo_lock_release(lock);
  return self;
}

/* lock: the first word of a critical section's name. */
int32_t __kmpc_reduce_nowait(kmpc_ident *loc, int32_t gtid, int32_t variables, size_t size,
                             void *data, void (*combine)(void *, void *), solo_lock *lock);
SOLO_EXPORT int32_t __kmpc_reduce_nowait(kmpc_ident *loc, int32_t gtid, int32_t variables,
                                         size_t size, void *data, void (*combine)(void *, void *),
                                         solo_lock *lock) {
  (void)gtid, (void)size, (void)data, (void)combine;
  return begin(loc, variables, lock);
}

void __kmpc_end_reduce_nowait(kmpc_ident *loc, int32_t gtid, solo_lock *lock);
SOLO_EXPORT void __kmpc_end_reduce_nowait(kmpc_ident *loc, int32_t gtid, solo_lock *lock) {
  (void)loc, (void)gtid;
  end(lock);
}

int32_t __kmpc_reduce(kmpc_ident *loc, int32_t gtid, int32_t variables, size_t size, void *data,
                      void (*combine)(void *, void *), solo_lock *lock);
SOLO_EXPORT int32_t __kmpc_reduce(kmpc_ident *loc, int32_t gtid, int32_t variables, size_t size,
                                  void *data, void (*combine)(void *, void *), solo_lock *lock) {
  (void)gtid, (void)size, (void)data, (void)combine;
  return begin(loc, variables, lock);
}

void __kmpc_end_reduce(kmpc_ident *loc, int32_t gtid, solo_lock *lock);
SOLO_EXPORT void __kmpc_end_reduce(kmpc_ident *loc, int32_t gtid, solo_lock *lock) {
  (void)loc, (void)gtid;
  solo_kmp_barrier(end(lock));
}
