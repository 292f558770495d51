/* Connections to the servers of SOLO_SERVER, with one numbering of all their devices. An entry of
 * the table always represents the same server. A lost connection is replaced when no device of the
 * server is open. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "backends/remote/remote_server_list.h"
#include "backends/remote/remote_staging.h"
#include "backends/remote/remote_tree.h"

#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* guards is_read, numbered and members of servers */
static solo_lock table_lock = SOLO_LOCK_INIT(SOLO_RANK_DRIVER);
static int is_read;
static uint32_t numbered[SOLO_REMOTE_FAMILIES];

/* Adds the servers of the MPI job. If none exist, adds one entry; connecting to it fails with the
 * reason. */
static void add_ranks(void) {
  int count = solo_remote_mpi_servers();
  for (int n = 1; n <= count || n == 1; n++) {
    char address[24];
    snprintf(address, sizeof address, "mpi:%d", n);
    solo_remote_server_add(strdup(address), 0);
  }
}

/* Reads SOLO_SERVER. Each entry starts a process, so a program may be listed several times. */
static void read_list(void) {
  const char *list = solo_server_settings()->server;
  is_read = 1;
  if (solo_remote_is_in_job()) {
    add_ranks();
    return;
  }
  if (!list) list = "";
  int is_only = !strchr(list, ',');
  do {
    size_t length = strcspn(list, ",");
    char *address = strndup(list, length);
    if (address && address[0] == '@' && solo_remote_is_named(address)) {
      solo_warn("SOLO_SERVER lists %s twice: the second entry is ignored", address);
      free(address);
    } else if (length || is_only) {
      solo_remote_server_add(address, is_only);
    } else {
      free(address);
    }
    list += length + (list[length] == ',');
  } while (*list);
}

static solo_status connect_to(const char *address, solo_remote_link **out_link) {
  int socket = -1;
  /* NULL in a program without MPI */
  if (solo_remote_mpi_connect && strncmp(address, "mpi:", 4) == 0)
    return solo_remote_mpi_connect(atoi(address + 4), out_link);
  SOLO_TRY(solo_remote_start(address, &socket));
  return solo_remote_shm_connect(socket, out_link);
}

/* Stores the reason. Warns if other servers exist, because their devices are used, and no error
 * would report the reason. */
static void keep_reason(solo_remote_server *s) {
  int is_news = !s->reason;
  free(s->reason);
  s->reason = strdup(solo_error_last()->text);
  if (is_news && solo_remote_server_count() > 1)
    solo_warn("%s is skipped: %s", s->title, s->reason ? s->reason : "no memory");
}

static solo_status connect_server(solo_remote_server *s) {
  solo_status status = connect_to(s->address, &s->link);
  if (status != SOLO_OK) {
    s->link = NULL;
    keep_reason(s);
    return status;
  }
  free(s->reason);
  s->reason = NULL;
  snprintf(s->link->title, sizeof s->link->title, "%s", s->title);
  memset(s->channel_used, 0, sizeof s->channel_used);
  memset(s->module_used, 0, sizeof s->module_used);
  memset(s->kernel_used, 0, sizeof s->kernel_used);
  memset(s->devices, 0, sizeof s->devices);
  memset(s->images, 0, sizeof s->images);
#ifdef SOLO_CHECK
  solo_store_relaxed(&s->cut_blocks, 0); /* relaxed: statistics */
#endif
  solo_remote_channel_of(s->link, 0, &s->control);
  s->channel_used[0] = 1;
  return SOLO_OK;
}

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

/* Resets the state of all servers once in each child of fork(2). The connections belong to the
 * parent, and the child does not map the rings. Lists are not freed, because a thread of the parent
 * may have been changing them during the fork. The caller holds table_lock. */
static void reset_after_fork(void) {
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

solo_status solo_remote_server_use(solo_remote_server *s) {
  solo_status status = SOLO_OK;
  solo_lock_acquire(&table_lock);
  reset_after_fork();
  if (s->link && !s->users && !s->link->transport->is_alive(s->link)) {
    s->link->transport->close(s->link);
    s->link = NULL;
  }
  if (!s->link) status = connect_server(s);
  if (status == SOLO_OK) s->users++;
  solo_lock_release(&table_lock);
  return status;
}

void solo_remote_server_release(solo_remote_server *s) {
  solo_lock_acquire(&table_lock);
  s->users--;
  solo_lock_release(&table_lock);
}

const char *solo_remote_family_name(solo_remote_family family) {
  static const char *const words[] = {[SOLO_REMOTE_CUDA] = "cuda",
                                      [SOLO_REMOTE_HSA] = "hsa",
                                      [SOLO_REMOTE_HOST] = "host",
                                      [SOLO_REMOTE_SIMT] = "simt"};
  return words[family];
}

static int has_drivers(void) {
  for (int i = 0; i < solo_backend_count; i++)
    if (solo_backends[i] && strcmp(solo_backends[i]->name, "cuda") == 0) return 1;
  return 0;
}

/* Returns the enabled families. Default: in an MPI job, all but simt; otherwise the GPUs, if
 * SOLO_SERVER is set or the program has no GPU driver. */
static const char *wanted_families(void) {
  const char *setting = solo_server_settings()->backends;
  if (setting && *setting) return setting;
  if (solo_remote_is_in_job()) return "cuda,hsa,host";
  return solo_server_settings()->server || (!setting && !has_drivers()) ? "cuda,hsa" : "";
}

int solo_remote_family_is_enabled(solo_remote_family family) {
  const char *word = solo_remote_family_name(family), *list = wanted_families();
  size_t length = strlen(word);
  while (*list) {
    size_t here = strcspn(list, ",");
    if (here == length && strncmp(list, word, length) == 0) return 1;
    list += here + (list[here] == ',');
  }
  return 0;
}

solo_status solo_remote_find_devices(solo_remote_server *s, solo_remote_family family) {
  uint32_t found[2];
  solo_status status = SOLO_OK;
  solo_lock_acquire(&s->lock);
  if (!s->devices[family].count) {
    solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_FIND_DEVICES);
    if (m) m->object = family;
    status = solo_remote_call(s, m, found, sizeof found);
    if (status == SOLO_OK && (!found[1] || found[1] > SOLO_REMOTE_DEVICES ||
                              /* a subtraction, because a sum could wrap */
                              found[0] > SOLO_REMOTE_DEVICES - found[1]))
      status = solo_fail(
          SOLO_UNAVAILABLE,
          "remote: %s reports %u devices from number %u: the valid range is 1 to %d devices",
          s->title, found[1], found[0], SOLO_REMOTE_DEVICES);
    if (status == SOLO_OK) {
      s->devices[family].first = found[0];
      s->devices[family].count = found[1];
    }
  }
  solo_lock_release(&s->lock);
  return status;
}

/* Assigns permanent numbers, once. New devices follow all numbered devices. */
static void number_devices(solo_remote_server *s, solo_remote_family family) {
  solo_lock_acquire(&table_lock);
  if (!s->numbers[family].count) {
    s->numbers[family].first = numbered[family];
    s->numbers[family].count = s->devices[family].count;
    numbered[family] += s->devices[family].count;
  }
  solo_lock_release(&table_lock);
}

static solo_status count_server(solo_remote_server *s, solo_remote_family family) {
  SOLO_TRY(solo_remote_server_use(s));
  solo_status status = solo_remote_find_devices(s, family);
  if (status == SOLO_OK) number_devices(s, family);
  solo_remote_server_release(s);
  return status;
}

static void append(char *text, size_t size, const char *title, const char *reason) {
  size_t used = strlen(text);
  if (used + 8 < size)
    snprintf(text + used, size - used, "%s%s%s%s", used ? "; " : "", title, *title ? ": " : "",
             reason);
}

solo_status solo_remote_count_devices(solo_remote_family family, int *out_count) {
  *out_count = 0;
  if (!solo_remote_family_is_enabled(family))
    return solo_fail(
        SOLO_UNAVAILABLE,
        "SOLO_SERVER_BACKENDS does not list this kind of device (kinds: cuda, hsa, host, simt)");
  solo_lock_acquire(&table_lock);
  if (!is_read) read_list();
  solo_lock_release(&table_lock);
  char text[SOLO_ERROR_TEXT] = "";
  int count = solo_remote_server_count(), numbers = 0;
  for (int n = 0; n < count; n++)
    if (count_server(solo_remote_server_at(n), family) != SOLO_OK)
      append(text, sizeof text, count > 1 ? solo_remote_server_at(n)->title : "",
             solo_error_last()->text);
  solo_lock_acquire(&table_lock);
  numbers = (int)numbered[family];
  solo_lock_release(&table_lock);
  *out_count = numbers;
  return numbers ? SOLO_OK : solo_fail(SOLO_UNAVAILABLE, "%s", text);
}

void solo_remote_describe_missing(solo_remote_family family, char *text, size_t size) {
  int count = solo_remote_server_count();
  text[0] = 0;
  solo_lock_acquire(&table_lock);
  for (int n = 0; n < count && numbered[family]; n++) {
    const solo_remote_server *s = solo_remote_server_at(n);
    if (s->reason)
      append(text, size, s->title, s->reason);
    else if (!s->numbers[family].count)
      append(text, size, s->title, "it has no such device");
  }
  solo_lock_release(&table_lock);
}

solo_remote_server *solo_remote_server_of(solo_remote_family family, int ordinal) {
  solo_remote_server *found = NULL;
  int count = solo_remote_server_count();
  solo_lock_acquire(&table_lock);
  for (int n = 0; n < count && !found; n++) {
    uint32_t first = solo_remote_server_at(n)->numbers[family].first;
    if (ordinal >= (int)first &&
        (uint32_t)ordinal - first < solo_remote_server_at(n)->numbers[family].count)
      found = solo_remote_server_at(n);
  }
  solo_lock_release(&table_lock);
  return found;
}
