/* The tree of copies to devices: a server that receives data sends it to the next server. For the
 * user of the queue. Without memory, copies use no tree. */
#ifndef SOLO_REMOTE_TREE_H
#define SOLO_REMOTE_TREE_H

#include "backends/remote/remote.h"

/* A copy to the device that the queue's user is about to post. */
typedef struct solo_remote_leaf {
  solo_bqueue *queue;
  const void *host;
  uint64_t device, bytes;
  uint32_t giver, tag; /* result: the source server */
  uint32_t ready;      /* result: depth of the copy in the tree, in steps */
  int was_idle;
} solo_remote_leaf;

int solo_remote_tree_takes(const solo_bqueue *queue, uint64_t bytes);
/* Nonzero: a TAKE from leaf->giver must be posted; else the program must send the data. */
int solo_remote_tree_find(solo_remote_leaf *leaf);
/* After the copy was posted as the newest message of the queue. */
void solo_remote_tree_add(const solo_remote_leaf *leaf);
/* Removes the copies of the queue (NULL: of the device) as sources. */
void solo_remote_tree_forget(const solo_bdevice *device, const solo_bqueue *queue);
/* In a child of fork(2). */
void solo_remote_leave_tree(void);

#endif
