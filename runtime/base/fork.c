#define _GNU_SOURCE
#include "runtime/base/fork.h"

#include "runtime/base/lock.h"
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static solo_lock one_fork = SOLO_LOCK_INIT(SOLO_RANK_FORK);
static _Atomic(const solo_fork_member *) members[SOLO_FORK_ORDERS];
/* members[] as prepare() of the current fork found it; guarded by one_fork */
static const solo_fork_member *prepared_members[SOLO_FORK_ORDERS];

void solo_fork_register(solo_fork_order order, const solo_fork_member *member) {
  solo_store_release(&members[order], member); /* pairs with prepare(): member is initialised */
}

static void prepare(void) {
  solo_lock_acquire(&one_fork);
  solo_lock_check_several(1);
  for (int i = 0; i < SOLO_FORK_ORDERS; i++) {
    prepared_members[i] = solo_load_acquire(&members[i]); /* pairs with solo_fork_register */
    if (prepared_members[i] && prepared_members[i]->prepare) prepared_members[i]->prepare();
  }
}

static void finish(void) {
  solo_lock_check_several(-1);
  solo_lock_release(&one_fork);
}

static void in_parent(void) {
  for (int i = SOLO_FORK_ORDERS; i-- > 0;)
    if (prepared_members[i] && prepared_members[i]->parent) prepared_members[i]->parent();
  finish();
}

/* Id of the process that installed the handlers; 0: none; BUSY: a thread of a forked child repairs
 * the state. */
static _Atomic int process;
enum { BUSY = -1 };

static void put_in_order(void) {
  solo_lock_forked();
  for (int i = SOLO_FORK_ORDERS; i-- > 0;) {
    /* relaxed: the child has one thread */
    const solo_fork_member *joined = solo_load_relaxed(&members[i]);
    if (prepared_members[i] && prepared_members[i]->child)
      prepared_members[i]->child();
    else if (!prepared_members[i] && joined && joined->orphan)
      joined->orphan();
  }
}

static void in_child(void) {
  solo_store_relaxed(&process, getpid()); /* relaxed: the child has one thread */
  put_in_order();
  finish();
}

/* Repairs the state in the child of a fork that called no handlers.
 *
 * Invariant: one thread repairs; others wait until `process` is the child's id.
 * Ordering:  the release store pairs with the acquire load below.
 * Otherwise: a thread could wait for a lock that only a thread of the parent would unlock.
 */
static void repair_unprepared_child(void) {
  /* relaxed: the compare-and-swap validates it */
  int known = solo_load_relaxed(&process);
  if (SOLO_LIKELY(!known || known == getpid())) return;
  /* relaxed: only selects the repairing thread */
  if (known != BUSY && solo_cas_relaxed(&process, &known, BUSY)) {
    for (int i = 0; i < SOLO_FORK_ORDERS; i++) prepared_members[i] = NULL;
    put_in_order();
    solo_store_release(&process, getpid());
  }
  while (solo_load_acquire(&process) == BUSY) sched_yield();
}

void solo_fork_install_handlers(void) {
  int none = 0;
  if (solo_load_relaxed(&process)) return; /* relaxed: see the Invariant */
  /* Invariant: when a thread returns from here, `process` is nonzero and the function that runs
   *            before a sleep is set, in this process and in each child that is forked later.
   * Ordering:  this thread stores the function before the release compare-and-swap on `process`.
   * Otherwise: a child that another thread forks now could wait forever for a lock of this thread.
   */
  solo_lock_before_sleep(repair_unprepared_child);
  if (!solo_cas_acq_rel(&process, &none, getpid())) return;
  (void)pthread_atfork(prepare, in_parent, in_child);
}

/* glibc 2.32 and later define this variable, musl does not. */
extern char __libc_single_threaded SOLO_WEAK;

static _Atomic(char *)
    /* address of `here` in the first thread that uses solo */
    first_thread;

void solo_fork_begin_thread(void) {
  static _Thread_local char here;
  if (&__libc_single_threaded) {
    solo_fork_install_handlers();
    return;
  }
  /* relaxed: in a child, the inherited value starts the repair */
  if (SOLO_UNLIKELY(solo_load_relaxed(&process) != 0)) {
    repair_unprepared_child();
    return;
  }
  char *known = solo_load_relaxed(&first_thread); /* relaxed: the address is only compared */
  int is_first = known == &here || (!known && solo_cas_relaxed(&first_thread, &known, &here));
  if (!is_first) solo_fork_install_handlers();
}
