/* The tree of copies in: what one server is being sent it gives on to the next (remote_tree.c).
 *
 * Threads: a queue's user. Errors: none; without memory there is no tree. */
#ifndef SOLO_REMOTE_TREE_H
#define SOLO_REMOTE_TREE_H

#include "backends/remote/remote.h"

/* A copy in of bytes that is about to be posted on the queue, by its user. */
typedef struct solo_remote_leaf {
  solo_bqueue *queue;
  const void *host;
  uint64_t device, bytes;
  uint32_t giver, tag; /* found: the server that has been told to give the bytes */
  uint32_t ready;      /* in how many steps they are there */
  int was_idle;
} solo_remote_leaf;

int solo_remote_tree_takes(const solo_bqueue *queue, uint64_t bytes);
/* Nonzero: a TAKE from that server is to be posted; else the bytes are sent from here. */
int solo_remote_tree_find(solo_remote_leaf *leaf);
/* It has been posted, as the queue's newest message. */
void solo_remote_tree_add(const solo_remote_leaf *leaf);
/* Copies of the queue (NULL: of all of the device) give nothing any more. */
void solo_remote_tree_forget(const solo_bdevice *device, const solo_bqueue *queue);
/* In a child of fork(2): all copies are the parent's. */
void solo_remote_leave_tree(void);

#endif
