/* Finding the server's devices, opening and closing them. */
#include "backends/remote/remote.h"

#include "runtime/base/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static solo_lock server_lock = SOLO_LOCK_INIT(SOLO_RANK_DRIVER); /* guards server */
static solo_remote_server *server;

static solo_status connect_server(solo_remote_server **out_server) {
  solo_remote_server *s = calloc(1, sizeof *s);
  if (!s) return solo_fail(SOLO_NOMEM, "remote: no host memory for a connection");
  solo_status status;
  if (solo_remote_mpi_is_wanted && solo_remote_mpi_is_wanted()) {
    status = solo_remote_mpi_connect(0, &s->link);
  } else {
    int socket = -1;
    status = solo_remote_start(&socket);
    if (status == SOLO_OK) status = solo_remote_shm_connect(socket, &s->link);
  }
  if (status != SOLO_OK) {
    free(s);
    return status;
  }
  s->transport = s->link->transport;
  solo_remote_channel_of(s->link, 0, &s->control);
  s->channel_used[0] = 1;
  *out_server = s;
  return SOLO_OK;
}

/* A server that is lost makes place for another when none of its devices is open any more. */
static solo_status get_server(solo_remote_server **out_server) {
  solo_status status = SOLO_OK;
  solo_lock_acquire(&server_lock);
  if (server && !server->users && !server->transport->is_alive(server->link)) {
    server->transport->close(server->link);
    free(server);
    server = NULL;
  }
  if (!server) status = connect_server(&server);
  if (status == SOLO_OK) server->users++;
  *out_server = server;
  solo_lock_release(&server_lock);
  return status;
}

static void release_server(solo_remote_server *s) {
  solo_lock_acquire(&server_lock);
  s->users--;
  solo_lock_release(&server_lock);
}

const char *solo_remote_word(solo_remote_family family) {
  static const char *const words[] = {
      [SOLO_REMOTE_CUDA] = "cuda", [SOLO_REMOTE_HSA] = "hsa", [SOLO_REMOTE_HOST] = "host"};
  return words[family];
}

int solo_remote_is_wanted(solo_remote_family family) {
  const char *word = solo_remote_word(family), *list = solo_settings()->server_backends;
  size_t length = strlen(word);
  while (*list) {
    size_t here = strcspn(list, ",");
    if (here == length && strncmp(list, word, length) == 0) return 1;
    list += here + (list[here] == ',');
  }
  return 0;
}

/* Asks once for devices of the family; the server starts its driver only now. */
static solo_status find_devices(solo_remote_server *s, solo_remote_family family) {
  uint32_t found[2];
  solo_status status = SOLO_OK;
  solo_lock_acquire(&s->lock);
  if (!s->devices[family].count) {
    solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_FIND_DEVICES);
    if (m) m->object = family;
    status = solo_remote_call(s, m, found, sizeof found);
    if (status == SOLO_OK && (found[1] > SOLO_REMOTE_DEVICES || found[0] > SOLO_REMOTE_DEVICES))
      status =
          solo_fail(SOLO_UNAVAILABLE, "remote: the device server tells of %u devices", found[1]);
    if (status == SOLO_OK) {
      s->devices[family].first = found[0];
      s->devices[family].count = found[1];
    }
  }
  solo_lock_release(&s->lock);
  return status;
}

solo_status solo_remote_count_devices(solo_remote_family family, int *out_count) {
  solo_remote_server *s;
  *out_count = 0;
  if (!solo_remote_is_wanted(family))
    return solo_fail(SOLO_UNAVAILABLE,
                     "no such device of a server is wanted (SOLO_SERVER_BACKENDS names those that "
                     "are: cuda, hsa, host)");
  solo_status status = get_server(&s);
  if (status == SOLO_OK) {
    status = find_devices(s, family);
    *out_count = status == SOLO_OK ? (int)s->devices[family].count : 0;
    release_server(s);
  }
  if (status == SOLO_OK && *out_count) return SOLO_OK;
  char text[SOLO_ERROR_TEXT]; /* whatever it is: there is no device */
  snprintf(text, sizeof text, "%s", solo_error_last()->text);
  return solo_fail(SOLO_UNAVAILABLE, "%s", text);
}

/* What the server says of a device, as far as it holds from here. */
static solo_status take_info(solo_bdevice *device, const solo_device_info *theirs) {
  const solo_remote_welcome *w = &device->server->link->welcome;
  const char *backend = solo_remote_word(device->family);
  solo_device_info *info = &device->info;
  *info = *theirs;
  info->name[sizeof info->name - 1] = 0;
  info->arch[sizeof info->arch - 1] = 0;
  info->uid[sizeof info->uid - 1] = 0;
  device->tells_all = (theirs->flags & SOLO_DEVICE_SYNCHRONOUS) != 0;
  device->is_in_server = (theirs->flags & SOLO_DEVICE_SURVIVES_FORK) != 0;
  info->init_kernel[sizeof info->init_kernel - 1] = 0;
  info->fini_kernel[sizeof info->fini_kernel - 1] = 0;
  info->flags &= SOLO_DEVICE_HAS_RTL | SOLO_DEVICE_HEAP_FROM_HOST | SOLO_DEVICE_STRUCTORS_BY_HOST;
  info->foreign = NULL; /* pointers of another process */
  info->unified_hint = NULL;
  info->inline_data_reads = 0;
  snprintf(info->name, sizeof info->name, "%.36s (%s on %.16s)", theirs->name, backend, w->host);
  snprintf(info->uid, sizeof info->uid, "%.22s/%.40s", w->host, theirs->uid);
  if (!info->arch[0] || !info->warp_size || !info->max_threads || !info->max_teams)
    return solo_fail(SOLO_INTERNAL, "remote: the device server describes device %d by zeros",
                     device->ordinal);
  return SOLO_OK;
}

static solo_status open_device(solo_remote_server *s, solo_remote_family family, int ordinal,
                               int number, solo_bdevice **out_device) {
  SOLO_TRY(find_devices(s, family));
  if (ordinal < 0 || (uint32_t)ordinal >= s->devices[family].count)
    return solo_fail(SOLO_INVALID, "remote: device %d does not exist: the server has %u", ordinal,
                     s->devices[family].count);
  uint32_t handle = s->devices[family].first + (uint32_t)ordinal;
  solo_bdevice *device = calloc(1, sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "remote: no host memory to open a device");
  device->server = s;
  device->ordinal = (int)handle;
  device->number = number;
  device->family = family;
  solo_device_info theirs;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_DEVICE_OPEN);
  if (m) {
    m->device = handle;
    m->number = (uint32_t)number;
  }
  solo_status status = solo_remote_call(s, m, &theirs, sizeof theirs);
  if (status == SOLO_OK) status = take_info(device, &theirs);
  solo_lock_release(&s->lock);
  if (status == SOLO_OK)
    *out_device = device;
  else
    free(device);
  return status;
}

solo_status solo_remote_open_device(solo_remote_family family, int ordinal, int number,
                                    solo_bdevice **out_device, solo_device_info *out_info) {
  solo_remote_server *s;
  SOLO_TRY(get_server(&s));
  solo_status status = open_device(s, family, ordinal, number, out_device);
  if (status == SOLO_OK)
    *out_info = (*out_device)->info;
  else
    release_server(s);
  return status;
}

/* Queues that were closed go only here, where no event can point at them any more. */
void solo_remote_device_close(solo_bdevice *device) {
  solo_remote_server *s = device->server;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_DEVICE_CLOSE);
  if (m) {
    m->device = (uint32_t)device->ordinal;
    (void)solo_remote_call(s, m, NULL, 0); /* lost: it is closed, too */
  }
  while (device->idle) {
    solo_bqueue *queue = device->idle;
    device->idle = queue->next_idle;
    s->channel_used[queue->channel.number] = 0;
    solo_store_release(&s->queues[queue->channel.number], NULL); /* pairs with deliver */
    free(queue);
  }
  solo_lock_release(&s->lock);
  release_server(s);
  free(device);
}

#ifdef SOLO_CHECK
long solo_remote_objects(void) {
  uint64_t count = 0;
  if (!server || !server->transport->is_alive(server->link)) return 0;
  solo_lock_acquire(&server->lock);
  solo_remote_plain *m =
      solo_remote_message(&server->control, sizeof *m, SOLO_REMOTE_COUNT_OBJECTS);
  if (solo_remote_call(server, m, &count, sizeof count) != SOLO_OK) count = 0;
  solo_lock_release(&server->lock);
  return (long)count;
}
#endif
