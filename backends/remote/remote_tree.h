/* The copy tree: a server that receives data sends it to the next. For the queue's user. Without
 * memory there is no tree. */
#ifndef SOLO_REMOTE_TREE_H
#define SOLO_REMOTE_TREE_H

#include "backends/remote/remote.h"

/* A copy to the device, before its post. */
typedef struct solo_remote_leaf {
  solo_bqueue *queue;
  const void *host;
  uint64_t device, bytes;
  uint32_t giver, tag; /* result: the source */
  uint32_t ready;      /* depth in the tree, in steps */
  int was_idle;
} solo_remote_leaf;

int solo_remote_tree_is_usable(const solo_bqueue *queue, uint64_t bytes);
/* Nonzero: the caller must post a TAKE from leaf->giver instead of sending data. */
int solo_remote_tree_find(solo_remote_leaf *leaf);
/* After the post. */
void solo_remote_tree_add(const solo_remote_leaf *leaf);
/* Removes sources: copies of the queue (NULL: of the device). */
void solo_remote_tree_remove(const solo_bdevice *device, const solo_bqueue *queue);
/* In a child of fork(2). */
void solo_remote_tree_reset_after_fork(void);

#endif
