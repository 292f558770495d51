/* How threads wait for one another: spin, yield, sleep.
 *
 * While a team fits the processors, a waiter pauses for some tens of us (the usual gap between two
 * regions), then mixes in yields so that others get the processor, and sleeps after KMP_BLOCKTIME.
 * When it has more threads than processors, whoever a waiter waits for may need this very
 * processor: it yields almost at once and sleeps after a few rounds (bench/kmpc measures both).
 */
#include "abi/kmpc/icv.h"

#include <sched.h>

enum {
  PAUSES = 300, /* about 10 us */
  PAUSES_PER_YIELD = 1,
  PAUSES_CROWDED = 30,
  YIELDS_CROWDED = 200,
  CLOCK_EVERY = 1024, /* rounds between looks at the clock; power of two */
};

/* After this many rounds a wait that may not spin for ever asks the clock. */
static int out_of_time(kmpc_backoff *backoff) {
  uint64_t limit = solo_kmp_config()->blocktime_ns;
  if (limit == UINT64_MAX) return 0;
  if (backoff->round & (CLOCK_EVERY - 1)) return 0;
  uint64_t now = solo_now_ns();
  if (!backoff->since_ns) backoff->since_ns = now;
  return now - backoff->since_ns >= limit;
}

int solo_kmp_spin(kmpc_backoff *backoff) {
  uint32_t round = backoff->round++;
  if (SOLO_UNLIKELY(round == 0)) {
    const kmpc_config *config = solo_kmp_config();
    backoff->crowded = solo_kmp_thread_record.now.size > solo_kmp_procs();
    if (config->wait_policy == KMPC_WAIT_PASSIVE || config->blocktime_ns == 0) backoff->crowded = 2;
    backoff->since_ns = 0;
  }
  if (SOLO_UNLIKELY(backoff->crowded)) {
    if (round < PAUSES_CROWDED) {
      solo_cpu_relax();
      return 1;
    }
    if (backoff->crowded == 2 || round >= PAUSES_CROWDED + YIELDS_CROWDED) {
      backoff->round = 0;
      return 0;
    }
    sched_yield();
    return 1;
  }
  solo_cpu_relax();
  if (round < PAUSES) return 1;
  if (round % PAUSES_PER_YIELD == 0) sched_yield();
  if (!out_of_time(backoff)) return 1;
  backoff->round = 0;
  return 0;
}

uint32_t solo_kmp_event_prepare(kmpc_event *event) {
  uint32_t key = solo_load_acquire(&event->word); /* pairs with solo_kmp_event_wake */
  /* seq_cst: either the notifier sees us or the condition that we check next is true */
  solo_add_seq_cst(&event->sleepers, 1);
  return key;
}

void solo_kmp_event_cancel(kmpc_event *event) {
  solo_sub_relaxed(&event->sleepers, 1); /* too many sleepers only cost an idle wake */
}

void solo_kmp_event_sleep(kmpc_event *event, uint32_t key) {
  solo_futex_wait(&event->word, key, 0);
  solo_kmp_event_cancel(event);
}

void solo_kmp_event_wake(kmpc_event *event) {
  solo_add_release(&event->word, 1); /* pairs with solo_kmp_event_prepare */
  solo_futex_wake(&event->word, INT32_MAX);
}
