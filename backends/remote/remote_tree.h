/* The copy tree (remote_tree.c). Only the thread that uses the queue calls these functions. If
 * memory is exhausted, data is sent without the tree. */
#ifndef SOLO_REMOTE_TREE_H
#define SOLO_REMOTE_TREE_H

#include "backends/remote/remote.h"

/* A copy to the device that is not yet posted. */
typedef struct solo_remote_leaf {
  solo_bqueue *queue;
  const void *host;
  uint64_t device, bytes;
  uint32_t source, tag; /* result: the source server, the tag of the transfer */
  uint32_t ready;
  int was_idle;
} solo_remote_leaf;

int solo_remote_tree_is_usable(const solo_bqueue *queue, uint64_t bytes);
/* Finds a source and requests the transfer. If nonzero, the caller posts a RECEIVE_FORWARDED from
 * leaf->source instead of the data. */
int solo_remote_tree_find(solo_remote_leaf *leaf);
/* Adds a posted copy as a source of later copies. */
void solo_remote_tree_add(const solo_remote_leaf *leaf);
/* Removes the copies of the queue (NULL: of all queues of the device) as sources. */
void solo_remote_tree_remove(const solo_bdevice *device, const solo_bqueue *queue);
void solo_remote_tree_reset_after_fork(void);

#endif
