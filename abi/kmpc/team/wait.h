/* Waiting: test, help, spin, sleep. All sleeps in abi/kmpc are here. Callers pass two constant
 * functions, which the compiler inlines:
 * - is_over(what): the condition. The thread that makes it true notifies the event count.
 * - help(self): executes other work. A thread that creates such work also notifies the event count.
 *
 * Invariant: a waiter counts itself as a sleeper (eventcount.h), calls both functions, and then sleeps.
 * Otherwise: the waiter could sleep although a task became ready (tests/kmpc/wait_stress.c).
 */
#ifndef SOLO_KMPC_WAIT_H
#define SOLO_KMPC_WAIT_H

#include "abi/kmpc/kmpc.h"

typedef struct kmpc_backoff {
  uint32_t round;
  int32_t crowded;
  uint64_t since_ns;
} kmpc_backoff;

/* Pauses or yields. Returns 0 if the thread should sleep; the next call then begins with pauses
 * again. */
int solo_kmp_spin(kmpc_backoff *backoff);

typedef int (*kmpc_is_over)(void *what);
typedef int (*kmpc_help)(kmpc_thread *self, kmpc_search search);

SOLO_INLINE void solo_kmp_sleep_unless(kmpc_thread *self, kmpc_eventcount *event,
                                       kmpc_eventcount *team_event, kmpc_is_over is_over,
                                       kmpc_help help, void *what) {
  uint32_t key = solo_kmp_eventcount_prepare(event, team_event);
  if (!is_over(what) && !help(self, KMPC_SEARCH_LAST)) solo_kmp_eventcount_sleep(event, key);
  solo_kmp_eventcount_leave(event);
  if (team_event) solo_kmp_eventcount_leave(team_event);
}

void solo_kmp_sleep_unless_over(kmpc_thread *self, kmpc_eventcount *event,
                                kmpc_eventcount *team_event, kmpc_is_over is_over, kmpc_help help,
                                void *what) SOLO_COLD;

/* Waits until is_over(what). The thread sleeps on `event`. If team_event is not NULL, it is the team's
 * event count, and new tasks also wake the thread. */
SOLO_INLINE void solo_kmp_wait_in_team(kmpc_thread *self, kmpc_eventcount *event,
                                       kmpc_eventcount *team_event, kmpc_is_over is_over,
                                       kmpc_help help, void *what) {
  kmpc_backoff backoff = {0};
  while (!is_over(what)) {
    if (help(self, KMPC_SEARCH_QUICK)) {
      backoff.round = 0;
    } else if (SOLO_UNLIKELY(!solo_kmp_spin(&backoff))) {
      (void)help(self, KMPC_SEARCH_BEFORE_SLEEP);
      solo_kmp_sleep_unless_over(self, event, team_event, is_over, help, what);
    }
  }
}

SOLO_INLINE void solo_kmp_wait(kmpc_thread *self, kmpc_eventcount *event, kmpc_is_over is_over,
                               kmpc_help help, void *what) {
  solo_kmp_wait_in_team(self, event, NULL, is_over, help, what);
}

void solo_kmp_await(kmpc_thread *self, kmpc_eventcount *event, kmpc_eventcount *team_event,
                    kmpc_is_over is_over, kmpc_help help, void *what);

/* For short waits: never sleeps, so no thread needs to notify. */
SOLO_INLINE void solo_kmp_spin_until(kmpc_is_over is_over, void *what) {
  kmpc_backoff backoff = {0};
  while (!is_over(what))
    if (!solo_kmp_spin(&backoff)) backoff.round = 0;
}

SOLO_INLINE int solo_kmp_no_help(kmpc_thread *self, kmpc_search search) {
  (void)self, (void)search;
  return 0;
}

/* `help` of barriers and joins. */
SOLO_INLINE int solo_kmp_help(kmpc_thread *self, kmpc_search search) {
  /* pairs with solo_kmp_task_team_make */
  if (SOLO_LIKELY(!solo_load_acquire(&self->context.team->task_team))) return 0;
  return solo_load_acquire(&solo_kmp_task_ops)
      ->run_one(self, search); /* pairs with solo_kmp_tasks_begin */
}

SOLO_INLINE int solo_kmp_tasks_are_done(kmpc_team *team) {
  /* pairs with solo_kmp_task_team_make; the second load pairs with solo_kmp_tasks_begin */
  if (SOLO_LIKELY(!solo_load_acquire(&team->task_team))) return 1;
  return solo_load_acquire(&solo_kmp_task_ops)->all_done(team);
}

#endif
