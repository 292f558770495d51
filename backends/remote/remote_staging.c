/* Staging areas of queues: pieces, and their copies to host memory. */
#include "backends/remote/remote_staging.h"
#include "backends/remote/remote_server_list.h"

#include <sched.h>
#include <string.h>

static _Atomic uint32_t arriving;   /* copies from devices that are not yet in host memory */
static _Atomic uint32_t deliveries; /* threads in solo_remote_deliver() */

/* Frees the pieces of completed messages, oldest first. Copies the data of device-to-host copies to
 * its destination. The caller holds the queue's lock. */
static void retire_pieces(solo_bqueue *queue, uint64_t completed) {
  while (queue->first_piece != queue->last_piece) {
    const solo_remote_piece *piece = &queue->pieces[queue->first_piece % SOLO_REMOTE_PIECES];
    if (piece->ticket > completed) return;
    if (piece->to) {
      memcpy(piece->to, queue->channel.staging + piece->offset, piece->bytes);
      /* Invariant: arriving counts the copies that have not reached host memory.
       * Ordering:  this release subtraction pairs with the acquire load in solo_remote_deliver().
       * Otherwise: a thread could see 0 but old host memory.
       */
      solo_sub_release(&arriving, 1);
    }
    queue->freed = piece->end;
    queue->first_piece++;
  }
}

static void deliver(solo_remote_server *server) {
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++) {
    solo_bqueue *queue = solo_load_acquire(&server->queues[n]); /* pairs with open_channel() */
    if (!queue) continue;
    solo_lock_acquire(&queue->lock);
    retire_pieces(queue, solo_remote_completed(&queue->channel));
    solo_lock_release(&queue->lock);
  }
}

void solo_remote_deliver(void) {
  if (SOLO_LIKELY(!solo_load_acquire(&arriving))) return; /* pairs with retire_pieces() */
  solo_add_relaxed(&deliveries, 1);                       /* ordered by the fence */
  /* Invariant: a closing thread sees deliveries > 0, or this thread does not find the removed
   *            queues.
   * Ordering:  this fence pairs with the fence in solo_remote_await_deliveries().
   * Otherwise: this thread could use a freed queue.
   */
  solo_fence_seq_cst();
  int count = solo_remote_server_count();
  for (int n = 0; n < count; n++) deliver(solo_remote_server_at(n));
  solo_sub_release(&deliveries, 1); /* pairs with solo_remote_await_deliveries() */
}

void solo_remote_await_deliveries(void) {
  solo_fence_seq_cst(); /* pairs with solo_remote_deliver() */
  while (solo_load_acquire(&deliveries)) (void)sched_yield();
}

void solo_remote_deliveries_reset_after_fork(void) {
  solo_store_relaxed(&arriving, 0); /* relaxed: the child has one thread */
  solo_store_relaxed(&deliveries, 0);
}

void solo_remote_drop_pieces(solo_bqueue *queue) {
  for (; queue->first_piece != queue->last_piece; queue->first_piece++)
    if (queue->pieces[queue->first_piece % SOLO_REMOTE_PIECES].to)
      solo_sub_release(&arriving, 1); /* pairs with solo_remote_deliver() */
  queue->freed = queue->staged;
}

/* First copies the bytes of copies that completed before the loss: another thread may already have
 * reported these copies as complete. */
void solo_remote_queue_abandon(solo_bqueue *queue) {
  solo_lock_acquire(&queue->lock);
  if (!solo_load_relaxed(&queue->is_abandoned)) { /* relaxed: written under the lock */
    queue->kept = solo_remote_completed(&queue->channel);
    retire_pieces(queue, queue->kept);
    solo_store_release(&queue->is_abandoned,
                       1); /* pairs with solo_remote_completed_before_loss() */
  }
  solo_remote_drop_pieces(queue);
  solo_lock_release(&queue->lock);
}

solo_status solo_remote_abandon_queue(solo_bqueue *queue) {
  solo_status status = solo_remote_fail_lost(&queue->channel);
  solo_remote_queue_abandon(queue);
  return status;
}

/* Returns whether `bytes` bytes are free at *out_start. The caller holds the queue's lock. */
static int fits(const solo_bqueue *queue, uint64_t bytes, uint64_t *out_start) {
  uint64_t start = queue->staged, at = start % SOLO_REMOTE_STAGING_BYTES;
  if (at + bytes > SOLO_REMOTE_STAGING_BYTES) start += SOLO_REMOTE_STAGING_BYTES - at;
  *out_start = start;
  return start + bytes - queue->freed <= SOLO_REMOTE_STAGING_BYTES &&
         queue->last_piece - queue->first_piece < SOLO_REMOTE_PIECES;
}

int solo_remote_find_space(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start,
                           uint64_t *out_oldest) {
  solo_lock_acquire(&queue->lock);
  int found = fits(queue, bytes, out_start);
  if (!found) {
    retire_pieces(queue, solo_remote_completed(&queue->channel));
    found = fits(queue, bytes, out_start);
  }
  *out_oldest = queue->pieces[queue->first_piece % SOLO_REMOTE_PIECES].ticket;
  solo_lock_release(&queue->lock);
  return found;
}

void solo_remote_add_piece(solo_bqueue *queue, const solo_remote_piece *piece) {
  solo_lock_acquire(&queue->lock);
  /* relaxed: other threads can wait for this copy only after this call */
  if (piece->to) solo_add_relaxed(&arriving, 1);
  queue->pieces[queue->last_piece++ % SOLO_REMOTE_PIECES] = *piece;
  queue->staged = piece->end;
  solo_lock_release(&queue->lock);
}
