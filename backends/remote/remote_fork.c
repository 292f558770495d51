/* Resets the state of all servers in a child of fork(2). The connections belong to the parent, and
 * the child does not map the rings. Lists are not freed, because a thread of the parent may have
 * been changing them during the fork. */
#define _POSIX_C_SOURCE 200809L
#include "backends/remote/remote_fork.h"
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "backends/remote/remote_server_list.h"
#include "backends/remote/remote_staging.h"
#include "backends/remote/remote_tree.h"

#include <unistd.h>

static pid_t process; /* process that owns the connections; 0: none */

static void leave(solo_remote_server *s) {
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++)
    solo_store_relaxed(&s->queues[n], NULL); /* relaxed: the child has one thread */
  if (s->link) s->link->transport->close(s->link);
  s->link = NULL;
  s->users = 0;
  s->blocks = NULL;
  s->log = NULL;
}

void solo_remote_reset_after_fork(void) {
  pid_t now = getpid();
  if (SOLO_LIKELY(now == process)) return;
  int has_parent = process != 0;
  process = now;
  if (!has_parent) return;
  solo_remote_fences_reset_after_fork();
  solo_remote_deliveries_reset_after_fork();
  solo_remote_tree_reset_after_fork();
  for (int n = 0; n < solo_remote_server_count(); n++) leave(solo_remote_server_at(n));
}
