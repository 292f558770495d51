/* What queues use while the control thread may take it away: a module, another device. A queue says what it uses
 * and then looks whether it is still there; the control thread makes it be gone and then looks who uses it. One of the
 * two sees the other if between the two steps of each there is a fence. The queue's would be part of every launch
 * and wait for all that was stored before it; so the kernel runs it on the queue's processor, when the control thread asks
 * for it (membarrier(2); 10 us). */
#define _GNU_SOURCE
#include "backends/remote/server/server.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* of membarrier(2): musl has no header of them */
enum { MEMBARRIER_PRIVATE_EXPEDITED = 1 << 3, MEMBARRIER_REGISTER_PRIVATE_EXPEDITED = 1 << 4 };
enum {
  SPIN_NS = 100 * 1000, /* before naps */
  NAP_NS = 50 * 1000,
};

_Atomic int server_uses_are_fenced;

static int membarrier(int command) {
  return (int)syscall(SYS_membarrier, command, 0, 0);
}

/* While the process has one thread the kernel has nobody to wait for, which takes 3 us, later 19 ms. */
__attribute__((constructor)) static void register_early(void) {
  (void)membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED);
}

void server_prepare_uses(void) {
#if SOLO_TSAN /* which knows nothing of membarrier */
  int is_fenced = 1;
#else
  /* once more costs nothing; an old kernel has it not, or a filter of system calls refuses it */
  int is_fenced = membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) != 0;
#endif
  solo_store_relaxed(&server_uses_are_fenced, is_fenced); /* the same each time */
}

static void await_end_of_use(const server_queue *q, uint64_t use) {
  const struct timespec nap = {.tv_nsec = NAP_NS};
  uint64_t end = solo_now_ns() + SPIN_NS;
  while (solo_load_acquire(&q->uses) == use) /* pairs with server_end_use */
    if (solo_now_ns() < end)
      (void)sched_yield();
    else
      (void)nanosleep(&nap, NULL);
}

void server_await_users(server_client *client, const server_device *device) {
  solo_fence_seq_cst(); /* pairs with server_begin_use, and the next with those that have none */
  const struct timespec nap = {.tv_nsec = NAP_NS};
  /* relaxed: written before. It fails only for want of memory in the kernel, and must not be left out */
  if (!solo_load_relaxed(&server_uses_are_fenced))
    while (membarrier(MEMBARRIER_PRIVATE_EXPEDITED) != 0) (void)nanosleep(&nap, NULL);
  for (uint32_t n = 1; n < SOLO_REMOTE_CHANNELS; n++) {
    server_queue *q = solo_load_relaxed(&client->queues[n]); /* written by this thread */
    uint64_t use =
        q ? solo_load_acquire(&q->uses) : 0; /* pairs with server_begin_use and end_use */
    if (use & 1 && solo_load_relaxed(&q->used) == device) await_end_of_use(q, use);
  }
}
