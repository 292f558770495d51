/* Handlers around fork(2) (base/fork.h). They run in the forking thread. */
#define _GNU_SOURCE
#include "runtime/base/fork.h"

#include "runtime/base/lock.h"
#include <pthread.h>

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

static void in_child(void) {
  solo_lock_forked(); /* the locks of threads that the child does not have are free */
  for (int i = SOLO_FORK_ORDERS; i-- > 0;)
    if (taking_part[i] && taking_part[i]->child) taking_part[i]->child();
  finish();
}

void solo_fork_watch(void) {
  static _Atomic int watched;
  /* relaxed: only "once" matters; the plain look first keeps the line shared */
  if (!solo_load_relaxed(&watched) && !solo_exchange_relaxed(&watched, 1))
    (void)pthread_atfork(prepare, in_parent, in_child);
}

/* glibc's, from 2.32 on. musl has none and does not tell: there a thread
 * that has not used solo yet may fork during the main thread's first use of a device. */
extern char __libc_single_threaded SOLO_WEAK;

static int is_single_threaded(void) {
  return !&__libc_single_threaded || __libc_single_threaded;
}

static _Atomic(char *) first_thread; /* its here; registration before main makes it main's */

void solo_fork_thread(void) {
  static _Thread_local char here;
  char *known = solo_load_relaxed(&first_thread); /* compared only */
  int is_first = known == &here || (!known && solo_cas_relaxed(&first_thread, &known, &here));
  if (!is_first || !is_single_threaded()) solo_fork_watch();
}
