/* Uses of modules and devices by queues (server_begin_use()). A launch executes no fence; instead,
 * the control thread executes membarrier(2) before it frees an object. */
#define _GNU_SOURCE
#include "backends/remote/server/server.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* musl has no header for these constants */
enum { MEMBARRIER_PRIVATE_EXPEDITED = 1 << 3, MEMBARRIER_REGISTER_PRIVATE_EXPEDITED = 1 << 4 };
enum {
  SPIN_NS = 100 * 1000,
  SLEEP_NS = 50 * 1000,
};

_Atomic int server_uses_are_fenced;

static int membarrier(int command) {
  return (int)syscall(SYS_membarrier, command, 0, 0);
}

/* Registers before main, because registration is fast only in a process with one thread. */
__attribute__((constructor)) static void register_early(void) {
  (void)membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED);
}

void server_prepare_uses(void) {
#if SOLO_TSAN /* TSan does not model membarrier */
  int is_fenced = 1;
#else
  /* fails on old kernels and under seccomp */
  int is_fenced = membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) != 0;
#endif
  /* relaxed: all threads store the same value */
  solo_store_relaxed(&server_uses_are_fenced, is_fenced);
}

static void await_end_of_use(const server_queue *q, uint64_t use) {
  const struct timespec interval = {.tv_nsec = SLEEP_NS};
  uint64_t end = solo_now_ns() + SPIN_NS;
  while (solo_load_acquire(&q->uses) == use) /* pairs with server_end_use() */
    if (solo_now_ns() < end)
      (void)sched_yield();
    else
      (void)nanosleep(&interval, NULL);
}

void server_await_users(server_client *client, const server_device *device) {
  /* Invariant: after this call no queue uses an object that was removed before it.
   * Ordering:  this fence and membarrier pair with the fence in server_begin_use(): either the
   *            queue does not find the object, or this thread sees the use.
   * Otherwise: a module could be unloaded during a launch.
   */
  solo_fence_seq_cst();
  const struct timespec interval = {.tv_nsec = SLEEP_NS};
  /* relaxed: constant. membarrier fails only if the kernel lacks memory */
  if (!solo_load_relaxed(&server_uses_are_fenced))
    while (membarrier(MEMBARRIER_PRIVATE_EXPEDITED) != 0) (void)nanosleep(&interval, NULL);
  for (uint32_t n = 1; n < SOLO_REMOTE_CHANNELS; n++) {
    /* relaxed: no other writer */
    server_queue *q = solo_load_relaxed(&client->queues[n]);
    uint64_t use =
        /* pairs with server_begin_use(), server_end_use() */
        q ? solo_load_acquire(&q->uses) : 0;
    if (use & 1 && solo_load_relaxed(&q->used) == device) await_end_of_use(q, use);
  }
}
