/* An array that is mapped to many devices at the same time goes by a tree: who is being sent it gives it on.
 *
 * What makes that right is the contract of a copy in (backend.h): until the queue has passed it nobody
 * writes to its source. The program can know that a queue has passed a copy by the queue's count
 * alone (a sync, an event), or by what has waited for the queue's events on other queues. So while the
 * count that the program sees has not reached the copy's ticket, its link is not lost, and no queue has
 * been made to wait for an event of its queue, the source holds what it held when the copy was posted;
 * and who posts another copy of the same bytes now promises the same for that one. Both bring the same
 * bytes, and the second device may have those of the first: we tell the first one's server that
 * it is to give them on as soon as they are there (a gift), and the second one's where they come from (TAKE).
 *
 * The giver gives before that copy is complete and before it looks at the queue's next message, so that
 * nothing ordered behind the copy can have changed the bytes, although it may have been posted
 * already. Where it has gone on when it is told, the taker is told that it is too late and asks the program
 * for the bytes, whose source is still valid: of its own copy. So nothing is lost if the giver's copy
 * fails: its bytes come all the same, or it is too late.
 *
 * Nothing may wait in a circle. The giver's queue waits until the taker's has come to the TAKE, so that must wait
 * for nothing else: a queue takes when it is idle, or when all that it has to do is to take from the
 * same giver, in the giver's order. Turns of queues then are a forest, since a turn's giver is older:
 * in the same turn as when it gave before, else the queue does not take from it.
 *
 * Threads: any; a queue's part is its user's. Errors: none; without memory there is no tree. */
#include "backends/remote/remote_tree.h"
#include "backends/remote/remote_half.h"
#include "backends/remote/remote_server_list.h"

#include <stdlib.h>

enum {
  LEAST_BYTES = 64 << 10, /* less is not worth a message more */
  FEW_PIECES = 64, /* so many are kept before those of which nothing is under way are sought */
};

/* A copy in that was posted. */
typedef struct holder {
  struct holder *next;
  solo_bqueue *queue;
  uint64_t ticket, turn;
  uint64_t device; /* address */
  uint32_t ready;  /* in how many steps it has its bytes, each giver giving to one at a time */
  uint32_t given;
} holder;

/* The copies of the same bytes of the host. */
typedef struct piece {
  struct piece *next;
  const void *host;
  uint64_t bytes;
  holder *holders;
} piece;

static solo_lock list_lock = SOLO_LOCK_INIT(SOLO_RANK_DRIVER_QUEUE); /* guards what follows */
static piece *pieces;
static uint32_t piece_count, most_pieces = FEW_PIECES;
static uint64_t turns;
static _Atomic uint32_t holders; /* how many: a look without the lock */

int solo_remote_tree_takes(const solo_bqueue *queue, uint64_t bytes) {
  return bytes >= LEAST_BYTES && queue->channel.link->transport->gift &&
         solo_remote_server_count() > 1;
}

/* Is the source certain to be as it was when the copy was posted? */
static int is_under_way(const holder *h) {
  const solo_remote_channel *c = &h->queue->channel;
  return solo_remote_completed(c) < h->ticket && !solo_remote_is_lost(c);
}

/* All below: the lock is held. */

static void drop_holder(holder **link) {
  holder *h = *link;
  *link = h->next;
  free(h);
  solo_sub_relaxed(&holders, 1); /* the lock orders what it counts */
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

/* Does the queue wait for nobody else, if it takes this? */
static int may_take(const solo_remote_leaf *leaf, const holder *h) {
  const solo_bqueue *q = leaf->queue;
  if (h->queue->device->server == q->device->server) return 0;
  return leaf->was_idle || (q->tree.until == q->channel.count && q->tree.giver == h->queue &&
                            q->tree.giver_turn == h->turn && q->tree.giver_ticket <= h->ticket);
}

/* Who can give soonest. That makes a binomial tree: each gives to as many as got it later. */
static holder *choose(const solo_remote_leaf *leaf, uint64_t *out_offset) {
  holder *best = NULL;
  for (piece *p = pieces; p; p = p->next) {
    uint64_t offset = (uint64_t)((uintptr_t)leaf->host - (uintptr_t)p->host);
    if (offset > p->bytes || leaf->bytes > p->bytes - offset) continue;
    drop_done(p);
    for (holder *h = p->holders; h; h = h->next) {
      if (!may_take(leaf, h) || (best && h->ready + h->given >= best->ready + best->given))
        continue;
      best = h;
      *out_offset = offset;
    }
  }
  return best;
}

static int ask(solo_remote_leaf *leaf, holder *h, uint64_t offset) {
  solo_bqueue *q = leaf->queue;
  solo_remote_link *link = h->queue->channel.link;
  solo_remote_gift gift = {.channel = h->queue->channel.number,
                           .server = q->channel.link->number,
                           .tag = solo_remote_next_tag(),
                           .ticket = h->ticket,
                           .device = h->device + offset,
                           .bytes = leaf->bytes};
  if (solo_remote_is_lost(&q->channel) || link->transport->gift(&h->queue->channel, &gift))
    return 0;
  if (leaf->was_idle) {
    q->tree.turn = ++turns;
    q->tree.giver = h->queue;
    q->tree.giver_turn = h->turn;
  }
  q->tree.giver_ticket = h->ticket;
  q->tree.until = q->channel.count + 1;
  leaf->giver = link->number;
  leaf->tag = gift.tag;
  leaf->ready = h->ready + ++h->given;
  return 1;
}

int solo_remote_tree_find(solo_remote_leaf *leaf) {
  solo_bqueue *q = leaf->queue;
  leaf->was_idle = solo_remote_completed(&q->channel) == q->channel.count;
  solo_lock_acquire(&list_lock);
  uint64_t offset = 0;
  holder *h = choose(leaf, &offset);
  int is_found = h && ask(leaf, h, offset);
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
    solo_add_relaxed(&holders, 1); /* the lock orders what it counts */
  }
  solo_lock_release(&list_lock);
  if (!p) free(h);
}

void solo_remote_tree_forget(const solo_bdevice *device, const solo_bqueue *queue) {
  /* relaxed: whoever has posted what is to be forgotten comes before us, as the contract wants */
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

void solo_remote_leave_tree(void) {
  solo_lock_acquire(&list_lock);
  pieces = NULL;
  piece_count = 0;
  solo_store_relaxed(&holders, 0); /* the lock orders what it counts */
  solo_lock_release(&list_lock);
}
