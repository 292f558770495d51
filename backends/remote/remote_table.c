/* The table of device servers; entries are never removed. */
#include "backends/remote/remote.h"
#include "backends/remote/remote_server_list.h"

#include "runtime/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static solo_remote_server *servers[SOLO_REMOTE_SERVERS];
static _Atomic int server_count;

int solo_remote_server_count(void) {
  return solo_load_acquire(&server_count); /* pairs with solo_remote_server_add() */
}

solo_remote_server *solo_remote_server_at(int n) {
  return servers[n];
}

int solo_remote_is_named(const char *address) {
  int count = solo_load_relaxed(&server_count); /* relaxed: the caller holds table_lock */
  for (int n = 0; n < count; n++)
    if (strcmp(servers[n]->address, address) == 0) return 1;
  return 0;
}

static void name_server(solo_remote_server *s, int n, int is_only) {
  const char *address = s->address;
  if (address[0] == '@' || strncmp(address, "mpi:", 4) == 0) {
    snprintf(s->title, sizeof s->title, "device server %.40s", address);
    snprintf(s->key, sizeof s->key, "%s", address + (address[0] == '@'));
  } else if (is_only) {
    snprintf(s->title, sizeof s->title, "the device server");
  } else {
    snprintf(s->title, sizeof s->title, "device server %d of SOLO_SERVER", n + 1);
    snprintf(s->key, sizeof s->key, "%d", n + 1);
  }
}

void solo_remote_server_add(char *address, int is_only) {
  int n = solo_load_relaxed(&server_count); /* relaxed: the caller holds table_lock */
  solo_remote_server *s = n < SOLO_REMOTE_SERVERS && address ? calloc(1, sizeof *s) : NULL;
  if (!s) {
    solo_warn("SOLO_SERVER: device server %.60s is ignored: too many servers or no memory",
              address ? address : "");
    free(address);
    return;
  }
  s->address = address;
  name_server(s, n, is_only);
  servers[n] = s;
  /* Invariant: entries below server_count are complete.
   * Ordering:  this release store pairs with the acquire load in solo_remote_server_count().
   * Otherwise: a reader could use a NULL entry.
   */
  solo_store_release(&server_count, n + 1);
}
