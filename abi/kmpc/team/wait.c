/* Defines how a waiting thread spins. If each thread has a processor, the thread pauses, then
 * yields, and sleeps after KMP_BLOCKTIME. Otherwise the thread yields early and sleeps soon, because
 * the thread for which it waits may need this processor (docs/design/waiting.md). */
#define _GNU_SOURCE
#include "abi/kmpc/team/wait.h"

#include "abi/kmpc/affinity/mask.h"
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/worker_team.h"

#include <sched.h>

enum {
  PAUSES = 1000,
  PAUSES_PER_SEARCH = 100, /* pauses before the thread tests whether it shares its processor */
  PAUSES_PER_YIELD = 2,
  PAUSES_CROWDED = 30,
  SLICE_NS = 300000, /* a longer yield has cost a time slice */
  NO_YIELD_NS = 200000000,
  NO_YIELD_CROWDED_NS = 50000000,
  /* after this number of yields that cost slices, a thread of a crowded team sleeps instead of yielding */
  LOST_SLICES = 3,
  YIELDS_PER_SLICE = 8, /* number of cheap yields that offset one yield that cost a slice */
  MOVE_EVERY_NS = 10000000,
  /* rounds between clock readings, a power of two; few, because each round may last a time slice */
  CLOCK_EVERY = 4,
};

static int out_of_time(kmpc_backoff *backoff) {
  uint64_t limit = solo_load_relaxed(&solo_kmp_config()->blocktime_ns);
  if (limit == UINT64_MAX) return 0;
  if (backoff->round & (CLOCK_EVERY - 1)) return 0;
  uint64_t now = solo_now_ns();
  if (!backoff->since_ns) backoff->since_ns = now;
  return now - backoff->since_ns >= limit;
}

/* Moves a worker away from the processor of the primary thread. The kernel's load balancer may need
 * several ms for this. */
static SOLO_COLD void leave_shared_processor(kmpc_thread *self) {
  static _Thread_local uint64_t last_ns;
  uint64_t now = solo_now_ns();
  kmpc_mask mask;
  if (!self->worker || self->place >= 0 || now - last_ns < MOVE_EVERY_NS) return;
  last_ns = now;
  if (solo_kmp_mask_get(&mask) < 0) return;
  int cpu = sched_getcpu();
  if (!solo_kmp_mask_has(&mask, cpu)) return;
  uint64_t bit = (uint64_t)1 << cpu % 64;
  mask.bits[cpu / 64] ^= bit;
  if (!solo_kmp_mask_count(&mask) || solo_kmp_mask_set(&mask) < 0) return;
  mask.bits[cpu / 64] ^= bit;
  solo_kmp_mask_set(&mask);
}

static SOLO_COLD int shares_processor(void) {
  kmpc_thread *self = &solo_kmp_thread_record;
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  int32_t cpu = sched_getcpu() + 1;
  solo_store_relaxed(&self->cpu, cpu); /* relaxed: hints */
  if (!worker_team || !cpu) return 0;
  if (worker_team->master != self) return solo_load_relaxed(&worker_team->master_cpu) == cpu;
  solo_store_relaxed(&worker_team->master_cpu, cpu);
  for (int32_t i = 0; i < self->context.size - 1; i++) {
    const kmpc_thread *worker =
        solo_load_acquire(&worker_team->worker[i]->thread); /* pairs with worker_main */
    if (worker && solo_load_relaxed(&worker->cpu) == cpu) return 1;
  }
  return 0;
}

void solo_kmp_sleep_unless_over(kmpc_thread *self, kmpc_eventcount *event,
                                kmpc_eventcount *team_event, kmpc_is_over is_over, kmpc_help help,
                                void *what) {
  solo_kmp_sleep_unless(self, event, team_event, is_over, help, what);
}

void solo_kmp_await(kmpc_thread *self, kmpc_eventcount *event, kmpc_eventcount *team_event,
                    kmpc_is_over is_over, kmpc_help help, void *what) {
  solo_kmp_wait_in_team(self, event, team_event, is_over, help, what);
}

enum { ROOMY, CROWDED, NESTED, PASSIVE };
static const uint32_t yields_when[] = {[CROWDED] = 200, [NESTED] = 12, [PASSIVE] = 0};

/* The thread does not yield before this time (ns), because recent yields have cost time slices: a
 * thread that does not wait used the processor. */
static _Thread_local uint64_t no_yield_ns;
/* rises with each yield that costs a time slice, falls with each cheap yield */
static _Thread_local int32_t lost_slices;

static void yield_in_crowd(int32_t crowded) {
  uint64_t before = solo_now_ns();
  sched_yield();
  uint64_t now = solo_now_ns();
  if (SOLO_LIKELY(now - before < SLICE_NS)) {
    lost_slices -= lost_slices > 0;
    return;
  }
  lost_slices += YIELDS_PER_SLICE;
  if (crowded == CROWDED && lost_slices < LOST_SLICES * YIELDS_PER_SLICE) return;
  no_yield_ns = now + (crowded == CROWDED ? NO_YIELD_CROWDED_NS : NO_YIELD_NS);
  lost_slices = 0;
}

static int32_t how_crowded(void) {
  const kmpc_config *config = solo_kmp_config();
  const kmpc_context *context = &solo_kmp_thread_record.context;
  /* relaxed: settings */
  if (config->wait_policy == KMPC_WAIT_PASSIVE || solo_load_relaxed(&config->blocktime_ns) == 0)
    return PASSIVE;
  if (SOLO_LIKELY(context->around <= solo_kmp_procs())) return ROOMY;
  if (solo_load_relaxed(&config->has_blocktime)) return CROWDED;
  if (SOLO_UNLIKELY(no_yield_ns) && solo_now_ns() < no_yield_ns) return PASSIVE;
  return context->around == context->size ? CROWDED : NESTED;
}

int solo_kmp_spin(kmpc_backoff *backoff) {
  uint32_t round = backoff->round++;
  if (SOLO_UNLIKELY(round == 0)) {
    backoff->crowded = how_crowded();
    backoff->since_ns = 0;
  }
  if (SOLO_UNLIKELY(backoff->crowded)) {
    if (round < PAUSES_CROWDED) {
      solo_cpu_relax();
      return 1;
    }
    if (round < PAUSES_CROWDED + yields_when[backoff->crowded] ||
        /* relaxed: a setting */
        (backoff->crowded == CROWDED && solo_load_relaxed(&solo_kmp_config()->has_blocktime) &&
         !out_of_time(backoff))) {
      yield_in_crowd(backoff->crowded);
      return 1;
    }
    backoff->round = 0;
    return 0;
  }
  solo_cpu_relax();
  if (SOLO_UNLIKELY(round == PAUSES_PER_SEARCH) && shares_processor()) {
    leave_shared_processor(&solo_kmp_thread_record);
    backoff->round = round = PAUSES;
  }
  if (round < PAUSES) return 1;
  if (round % PAUSES_PER_YIELD == 0) sched_yield();
  if (!out_of_time(backoff)) return 1;
  backoff->round = 0;
  return 0;
}
