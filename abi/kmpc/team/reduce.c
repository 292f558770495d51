/* Reductions: selects the method. The result of __kmpc_reduce() directs the compiled code: 1 = add with
 * plain operations (the caller holds the lock), 2 = add with atomic operations, 0 = already added.
 * Teams of up to four threads, and teams with more threads than processors, use the lock: atomics
 * are slower for arrays (bench/q_threads.c), and the runtime cannot determine whether a variable is
 * an array. Other teams use a tree (reduce_tree.c), except in stealable regions (fork.c), in which one
 * thread can run several parts, and with OMP_CANCELLATION. Leagues: league_reduce.c. */
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/league.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

enum { ADDED = 0, PLAIN = 1, ATOMIC = 2 };
enum { METHOD_NONE, METHOD_CRITICAL, METHOD_ATOMIC, METHOD_TREE, METHOD_LEAGUE };
enum { TREE_ABOVE = 4 };

typedef struct reduction {
  const kmpc_ident *loc;
  kmpc_part part;
} reduction;

/* All threads compute the same result. */
static int can_tree(const kmpc_thread *self, const reduction *r) {
  const kmpc_team *team = self->context.team;
  if (!r->part.data || !r->part.combine || !team->worker_team || solo_kmp_config()->cancellation)
    return 0;
  return !(solo_kmp_region_word(self, team->worker_team) & KMPC_STEALABLE);
}

static int32_t choose(const kmpc_thread *self, const reduction *r) {
  const kmpc_team *team = self->context.team;
  const kmpc_league *league = team->league;
  int across_league =
      league && league->width > 1 && (league->shared || team->flags & KMPC_TEAM_LEAGUE);
  if (!team->worker_team && !across_league) return METHOD_NONE;
  int32_t forced = solo_kmp_config()->reduction;
  if (forced == KMPC_REDUCE_CRITICAL) return METHOD_CRITICAL;
  if (forced == KMPC_REDUCE_ATOMIC && r->loc && r->loc->flags & KMPC_IDENT_ATOMIC_REDUCE)
    return METHOD_ATOMIC;
  if (!across_league && forced != KMPC_REDUCE_ATOMIC) {
    int is_large = self->context.size > TREE_ABOVE && self->context.size <= solo_kmp_procs();
    if ((forced == KMPC_REDUCE_TREE || is_large) && can_tree(self, r)) return METHOD_TREE;
  }
  if (across_league && !league->shared && !forced && r->part.data && r->part.combine)
    return METHOD_LEAGUE;
  return METHOD_CRITICAL;
}

static int32_t begin(const reduction *r, solo_lock *lock) {
  kmpc_thread *self = solo_kmp_self();
  int32_t method = choose(self, r);
  if (method == METHOD_TREE) {
    int32_t punctual = solo_kmp_config()->reduction != KMPC_REDUCE_TREE;
    if (solo_kmp_reduce_tree(self, &r->part, punctual)) return ADDED;
    method = METHOD_CRITICAL;
  }
  if (method == METHOD_LEAGUE) {
    if (solo_kmp_league_reduce(self, r->part.data, r->part.combine, lock)) return ADDED;
    method = METHOD_CRITICAL;
  }
  /* stored last: tasks that this thread ran while it waited may have overwritten reduce_method */
  self->reduce_method = method;
  if (method == METHOD_ATOMIC) return ATOMIC;
  if (method == METHOD_CRITICAL) solo_lock_acquire(lock);
  return PLAIN;
}

static kmpc_thread *end(solo_lock *lock) {
  kmpc_thread *self = &solo_kmp_thread_record;
  if (self->reduce_method == METHOD_CRITICAL) solo_lock_release(lock);
  return self;
}

/* lock: the first 32 bits of a kmpc_critical_name (sync.c). */
int32_t __kmpc_reduce_nowait(kmpc_ident *loc, int32_t gtid, int32_t variables, size_t size,
                             void *data, void (*combine)(void *, void *), solo_lock *lock);
SOLO_EXPORT int32_t __kmpc_reduce_nowait(kmpc_ident *loc, int32_t gtid, int32_t variables,
                                         size_t size, void *data, void (*combine)(void *, void *),
                                         solo_lock *lock) {
  (void)gtid, (void)variables;
  return begin(&(reduction){loc, {data, size, combine}}, lock);
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
  (void)gtid, (void)variables;
  int32_t what = begin(&(reduction){loc, {data, size, combine}}, lock);
  if (what == ADDED) solo_kmp_barrier(&solo_kmp_thread_record); /* makes the result visible */
  return what;
}

void __kmpc_end_reduce(kmpc_ident *loc, int32_t gtid, solo_lock *lock);
SOLO_EXPORT void __kmpc_end_reduce(kmpc_ident *loc, int32_t gtid, solo_lock *lock) {
  (void)loc, (void)gtid;
  solo_kmp_barrier(end(lock));
}
