/* The one wait of the host threads: look, help, spin, prepare, look and help again, sleep.
 *
 * Every thread that waits for another until something is true does it here, and nothing else in abi/kmpc sleeps. Waits
 * that are too short to sleep are solo_kmp_spin_until. Beside them stand a few loops of a fixed number of pauses, after
 * which a thread goes on whether or not the other has come (team/fork.c, team/reduce_tree.c, task/run.c). Two things
 * can end a sleep, and both are looked for after the waiter has counted itself as a sleeper (team/eventcount.h proves
 * that then none is missed):
 *   is_over(what)  what the thread waits for. The thread that makes it true notifies the event.
 *   help(self)     work that the thread can do meanwhile. Work on which somebody's progress may depend is announced
 *                  with a notify of the event, too; a task that its own thread can still run need not be.
 * A wait that asked only the first of the two before it slept would sleep on although an event was fulfilled between
 * its last help and its sleep (tests/kmpc/wait_stress.c).
 *
 * The functions are constants where they are called, so that the compiler makes a loop of its own for each caller.
 *
 * Threads: self is the calling thread. Ownership: what is the caller's. Errors: none.
 */
#ifndef SOLO_KMPC_WAIT_H
#define SOLO_KMPC_WAIT_H

#include "abi/kmpc/kmpc.h"

/* How a thread spins: begins as {0}. */
typedef struct kmpc_backoff {
  uint32_t round;
  int32_t crowded;
  uint64_t since_ns;
} kmpc_backoff;

/* One step of a wait: pauses or yields. 0: has spun long enough; the next call starts over. */
int solo_kmp_spin(kmpc_backoff *backoff);

typedef int (*kmpc_is_over)(void *what);
typedef int (*kmpc_help)(kmpc_thread *self, kmpc_look look); /* 0: found nothing to do */

/* The second half: sleeps once, unless it is over or there is something to do. */
SOLO_INLINE void solo_kmp_sleep_unless(kmpc_thread *self, kmpc_eventcount *event,
                                       kmpc_eventcount *team_event, kmpc_is_over is_over,
                                       kmpc_help help, void *what) {
  uint32_t key = solo_kmp_eventcount_prepare(event, team_event);
  if (!is_over(what) && !help(self, KMPC_LOOK_LAST)) solo_kmp_eventcount_sleep(event, key);
  solo_kmp_eventcount_leave(event);
  if (team_event) solo_kmp_eventcount_leave(team_event);
}

/* The same as a function: who sleeps has the time for calls. */
void solo_kmp_fall_asleep(kmpc_thread *self, kmpc_eventcount *event, kmpc_eventcount *team_event,
                          kmpc_is_over is_over, kmpc_help help, void *what) SOLO_COLD;

/* Returns when it is over. event: the thread's own, notified by those for whom it waits; team_event (NULL: none):
 * its team's, which others notify for work to help with (solo_kmp_notify_team). */
SOLO_INLINE void solo_kmp_wait_in_team(kmpc_thread *self, kmpc_eventcount *event,
                                       kmpc_eventcount *team_event, kmpc_is_over is_over,
                                       kmpc_help help, void *what) {
  kmpc_backoff backoff = {0};
  while (!is_over(what)) {
    if (help(self, KMPC_LOOK_QUICK)) {
      backoff.round = 0;
    } else if (SOLO_UNLIKELY(!solo_kmp_spin(&backoff))) {
      (void)help(self, KMPC_LOOK_LEAVE);
      solo_kmp_fall_asleep(self, event, team_event, is_over, help, what);
    }
  }
}

SOLO_INLINE void solo_kmp_wait(kmpc_thread *self, kmpc_eventcount *event, kmpc_is_over is_over,
                               kmpc_help help, void *what) {
  solo_kmp_wait_in_team(self, event, NULL, is_over, help, what);
}

/* The same as a function, for waits that are rare or long. */
void solo_kmp_await(kmpc_thread *self, kmpc_eventcount *event, kmpc_eventcount *team_event,
                    kmpc_is_over is_over, kmpc_help help, void *what);

/* For waits so short that the thread that ends them notifies nobody: never sleeps. */
SOLO_INLINE void solo_kmp_spin_until(kmpc_is_over is_over, void *what) {
  kmpc_backoff backoff = {0};
  while (!is_over(what))
    if (!solo_kmp_spin(&backoff)) backoff.round = 0;
}

/* The help of waits in which a thread runs no tasks. */
SOLO_INLINE int solo_kmp_no_help(kmpc_thread *self, kmpc_look look) {
  (void)self, (void)look;
  return 0;
}

/* The help of barriers and joins: any task of the team. */
SOLO_INLINE int solo_kmp_help(kmpc_thread *self, kmpc_look look) {
  /* pairs with solo_kmp_task_team_make */
  if (SOLO_LIKELY(!solo_load_acquire(&self->context.team->task_team))) return 0;
  return solo_load_acquire(&solo_kmp_task_ops)
      ->run_one(self, look); /* pairs with solo_kmp_tasks_begin */
}

/* Is no task of the team unfinished? */
SOLO_INLINE int solo_kmp_tasks_are_done(kmpc_team *team) {
  /* both pair with solo_kmp_task_team_make */
  if (SOLO_LIKELY(!solo_load_acquire(&team->task_team))) return 1;
  return solo_load_acquire(&solo_kmp_task_ops)->all_done(team);
}

#endif
