/* The copy tree: if several devices receive the same host data concurrently, servers that
 * receive the data forward it to other servers. A source must still have the posted data
 * (is_under_way), and transfers must not wait in a cycle (can_receive).
 * docs/design/mpi-transport.md has the proofs. */
#include "backends/remote/remote_tree.h"
#include "backends/remote/remote_half.h"
#include "backends/remote/remote_server_list.h"

#include <stdlib.h>

enum {
  LEAST_BYTES = 64 << 10, /* for smaller copies a request costs too much */
  FEW_PIECES = 64,        /* pieces before drop_empty() is first called */
};

/* An incomplete copy of a piece to a device: a possible source. */
typedef struct holder {
  struct holder *next;
  solo_bqueue *queue;
  uint64_t ticket, turn;
  uint64_t device;
  uint32_t ready; /* depth in the tree: number of steps until the data arrives */
  uint32_t given; /* number of transfers requested from this holder */
} holder;

typedef struct piece {
  struct piece *next;
  const void *host;
  uint64_t bytes;
  holder *holders;
} piece;

static solo_lock list_lock = SOLO_LOCK_INIT(SOLO_RANK_DRIVER_QUEUE);
static piece *pieces;
static uint32_t piece_count, most_pieces = FEW_PIECES;
static uint64_t turns;
static _Atomic uint32_t holders; /* read without the lock */

int solo_remote_tree_is_usable(const solo_bqueue *queue, uint64_t bytes) {
  return bytes >= LEAST_BYTES && queue->channel.link->transport->forward &&
         solo_remote_server_count() > 1;
}

/* Returns whether the holder's copy is incomplete.
 * Invariant: host memory is unchanged while the copy is incomplete. The program may change the
 *            memory only after it has acquired the completion (solo_remote_completed()), or after a
 *            wait for an event, for which solo_remote_queue_wait_event() removes the holder.
 * Otherwise: a target could receive later data.
 */
static int is_under_way(const holder *h) {
  const solo_remote_channel *c = &h->queue->channel;
  return solo_remote_completed(c) < h->ticket && !solo_remote_is_lost(c);
}

/* The callers of the static functions below hold list_lock. */

static void drop_holder(holder **link) {
  holder *h = *link;
  *link = h->next;
  free(h);
  solo_sub_relaxed(&holders, 1);
}

static void drop_done(piece *p) {
  for (holder **link = &p->holders; *link;)
    if (is_under_way(*link))
      link = &(*link)->next;
    else
      drop_holder(link);
}

static void drop_empty(void) {
  for (piece **link = &pieces, *p; (p = *link);) {
    if (p->holders) {
      link = &p->next;
      continue;
    }
    *link = p->next;
    free(p);
    piece_count--;
  }
}

static piece *find_piece(const void *host, uint64_t bytes) {
  piece *p = pieces;
  while (p && (p->host != host || p->bytes != bytes)) p = p->next;
  return p;
}

/* Returns whether the leaf may receive from the holder.
 * Invariant: all waits of a queue are for one busy period of one source, in the order of its
 *            messages. Thus the waits form a forest.
 * Otherwise: servers could wait for each other in a cycle.
 */
static int can_receive(const solo_remote_leaf *leaf, const holder *h) {
  const solo_bqueue *q = leaf->queue;
  if (h->queue->device->server == q->device->server) return 0;
  return leaf->was_idle || (q->tree.until == q->channel.count && q->tree.source == h->queue &&
                            q->tree.source_turn == h->turn && q->tree.source_ticket <= h->ticket);
}

/* Returns the holder that can send first. Thus the transfers form a binomial tree. */
static holder *choose(const solo_remote_leaf *leaf, uint64_t *out_offset) {
  holder *best = NULL;
  for (piece *p = pieces; p; p = p->next) {
    uint64_t offset = (uint64_t)((uintptr_t)leaf->host - (uintptr_t)p->host);
    if (offset > p->bytes || leaf->bytes > p->bytes - offset) continue;
    drop_done(p);
    for (holder *h = p->holders; h; h = h->next) {
      if (!can_receive(leaf, h) || (best && h->ready + h->given >= best->ready + best->given))
        continue;
      best = h;
      *out_offset = offset;
    }
  }
  return best;
}

static int request_forward(solo_remote_leaf *leaf, holder *h, uint64_t offset) {
  solo_bqueue *q = leaf->queue;
  solo_remote_link *link = h->queue->channel.link;
  solo_remote_forward forward = {.channel = h->queue->channel.number,
                                 .server = q->channel.link->number,
                                 .tag = solo_remote_next_tag(),
                                 .ticket = h->ticket,
                                 .device = h->device + offset,
                                 .bytes = leaf->bytes};
  if (solo_remote_is_lost(&q->channel) || link->transport->forward(&h->queue->channel, &forward))
    return 0;
  if (leaf->was_idle) {
    q->tree.turn = ++turns;
    q->tree.source = h->queue;
    q->tree.source_turn = h->turn;
  }
  q->tree.source_ticket = h->ticket;
  q->tree.until = q->channel.count + 1;
  leaf->source = link->number;
  leaf->tag = forward.tag;
  leaf->ready = h->ready + ++h->given;
  return 1;
}

int solo_remote_tree_find(solo_remote_leaf *leaf) {
  solo_bqueue *q = leaf->queue;
  leaf->was_idle = solo_remote_completed(&q->channel) == q->channel.count;
  solo_lock_acquire(&list_lock);
  uint64_t offset = 0;
  holder *h = choose(leaf, &offset);
  int is_found = h && request_forward(leaf, h, offset);
  if (!is_found && leaf->was_idle) q->tree.turn = ++turns;
  solo_lock_release(&list_lock);
  return is_found;
}

static piece *add_piece(const solo_remote_leaf *leaf) {
  if (piece_count >= most_pieces) {
    for (piece *p = pieces; p; p = p->next) drop_done(p);
    drop_empty();
    most_pieces = 2 * piece_count + FEW_PIECES;
  }
  piece *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (piece){.next = pieces, .host = leaf->host, .bytes = leaf->bytes};
  pieces = p;
  piece_count++;
  return p;
}

void solo_remote_tree_add(const solo_remote_leaf *leaf) {
  solo_bqueue *q = leaf->queue;
  holder *h = calloc(1, sizeof *h);
  if (!h) return;
  solo_lock_acquire(&list_lock);
  piece *p = find_piece(leaf->host, leaf->bytes);
  if (!p) p = add_piece(leaf);
  if (p) {
    *h = (holder){.next = p->holders,
                  .queue = q,
                  .ticket = q->channel.count,
                  .turn = q->tree.turn,
                  .device = leaf->device,
                  .ready = leaf->ready};
    p->holders = h;
    solo_add_relaxed(&holders, 1); /* relaxed: written under the lock */
  }
  solo_lock_release(&list_lock);
  if (!p) free(h);
}

void solo_remote_tree_remove(const solo_bdevice *device, const solo_bqueue *queue) {
  /* relaxed: the backend's contract orders posts before this call */
  if (SOLO_LIKELY(!solo_load_relaxed(&holders))) return;
  solo_lock_acquire(&list_lock);
  for (piece *p = pieces; p; p = p->next)
    for (holder **link = &p->holders; *link;)
      if ((*link)->queue->device == device && (!queue || (*link)->queue == queue))
        drop_holder(link);
      else
        link = &(*link)->next;
  drop_empty();
  solo_lock_release(&list_lock);
}

void solo_remote_tree_reset_after_fork(void) {
  solo_lock_acquire(&list_lock);
  pieces = NULL;
  piece_count = 0;
  solo_store_relaxed(&holders, 0); /* relaxed: written under the lock */
  solo_lock_release(&list_lock);
}
