/* Handlers around fork(2) (base/fork.h). They run in the forking thread. */
#define _GNU_SOURCE
#include "runtime/base/fork.h"

#include "runtime/base/lock.h"
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static solo_lock one_fork = SOLO_LOCK_INIT(SOLO_RANK_FORK); /* one thread forks at a time */
static _Atomic(const solo_fork_member *) members[SOLO_FORK_ORDERS];
static const solo_fork_member *taking_part[SOLO_FORK_ORDERS]; /* in this fork; under one_fork */

void solo_fork_join(solo_fork_order order, const solo_fork_member *member) {
  solo_store_release(&members[order], member); /* pairs with prepare */
}

static void prepare(void) {
  solo_lock_acquire(&one_fork);
  solo_lock_check_several(1);
  for (int i = 0; i < SOLO_FORK_ORDERS; i++) {
    taking_part[i] = solo_load_acquire(&members[i]); /* pairs with solo_fork_join */
    if (taking_part[i] && taking_part[i]->prepare) taking_part[i]->prepare();
  }
}

static void finish(void) {
  solo_lock_check_several(-1);
  solo_lock_release(&one_fork);
}

static void in_parent(void) {
  for (int i = SOLO_FORK_ORDERS; i-- > 0;)
    if (taking_part[i] && taking_part[i]->parent) taking_part[i]->parent();
  finish();
}

/* The process whose forks the handlers see; 0: there are no handlers; BUSY: a child's state is being repaired. */
static _Atomic int process;
enum { BUSY = -1 };

/* Repairs the child's state: of the members that took part, and of those that joined after the fork had begun. */
static void put_in_order(void) {
  solo_lock_forked(); /* the locks of threads that the child does not have are free */
  for (int i = SOLO_FORK_ORDERS; i-- > 0;) {
    const solo_fork_member *joined = solo_load_relaxed(&members[i]); /* the child has one thread */
    if (taking_part[i] && taking_part[i]->child)
      taking_part[i]->child();
    else if (!taking_part[i] && joined && joined->orphan)
      joined->orphan();
  }
}

static void in_child(void) {
  solo_store_relaxed(&process, getpid()); /* the child has one thread */
  put_in_order();
  finish();
}

/* Is this a child whose fork no handler saw? Then its state is repaired now. */
static void look_for_orphan(void) {
  int known = solo_load_relaxed(&process); /* written in this process below only */
  if (SOLO_LIKELY(known == getpid())) return;
  if (known != BUSY && solo_cas_relaxed(&process, &known, BUSY)) { /* one thread does it */
    for (int i = 0; i < SOLO_FORK_ORDERS; i++) taking_part[i] = NULL;
    put_in_order();
    solo_store_release(&process, getpid()); /* pairs with the load below */
  }
  while (solo_load_acquire(&process) == BUSY) sched_yield(); /* pairs with the store above */
}

void solo_fork_watch(void) {
  static _Atomic int watched;
  /* relaxed: only "once" matters; the plain look first keeps the line shared */
  if (solo_load_relaxed(&watched) || solo_exchange_relaxed(&watched, 1)) return;
  solo_store_relaxed(&process, getpid()); /* seen with any lock that the caller takes later */
  solo_lock_before_sleep(look_for_orphan);
  (void)pthread_atfork(prepare, in_parent, in_child);
}

/* glibc's, from 2.32 on; musl has none. Here it only tells apart the libc in which handlers cost nothing. */
extern char __libc_single_threaded SOLO_WEAK;

static _Atomic(char *)
    first_thread; /* an address of its thread-local storage; registration before main makes it main's */

void solo_fork_thread(void) {
  static _Thread_local char here;
  if (&__libc_single_threaded) {
    solo_fork_watch();
    return;
  }
  if (SOLO_UNLIKELY(solo_load_relaxed(&process) != 0)) { /* by the parent, if this is an orphan */
    look_for_orphan();
    return;
  }
  char *known = solo_load_relaxed(&first_thread); /* compared only */
  int is_first = known == &here || (!known && solo_cas_relaxed(&first_thread, &known, &here));
  if (!is_first) solo_fork_watch();
}
