/* A child of fork(2): the connections, and what waits for them, are the parent's. The rings are not even mapped in the
 * child (remote_file.c), so nothing of that may be looked at; the child connects anew.
 *
 * Nothing is freed but the connection: another thread of the parent may have been changing a list at that instant. */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include "backends/remote/remote_fork.h"
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "backends/remote/remote_server_list.h"
#include "backends/remote/remote_staging.h"
#include "backends/remote/remote_tree.h"

#include <unistd.h>

static pid_t process; /* whose connections the table has; 0: nobody has asked for one */

static void leave(solo_remote_server *s) {
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++)
    solo_store_relaxed(&s->queues[n], NULL); /* the child's other threads come later */
  if (s->link) s->link->transport->close(s->link);
  s->link = NULL;
  s->users = 0;
  s->blocks = NULL;
  s->log = NULL;
}

void solo_remote_leave_parent(void) {
  pid_t now = getpid();
  if (SOLO_LIKELY(now == process)) return;
  int has_parent = process != 0;
  process = now;
  if (!has_parent) return;
  solo_remote_leave_fences();
  solo_remote_leave_deliveries();
  solo_remote_leave_tree();
  for (int n = 0; n < solo_remote_server_count(); n++) leave(solo_remote_server_at(n));
}
