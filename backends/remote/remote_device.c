/* Finding the server's devices, opening and closing them. */
#include "backends/remote/remote.h"

#include "runtime/base/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static solo_lock server_lock = SOLO_LOCK_INIT; /* rank: device. Guards server. */
static solo_remote_server *server;

static solo_status connect_server(solo_remote_server **out_server) {
  solo_remote_server *s = calloc(1, sizeof *s);
  if (!s) return solo_fail(SOLO_NOMEM, "remote: no host memory for a connection");
  int socket = -1;
  solo_status status = solo_remote_start(&socket);
  if (status == SOLO_OK)
    status = solo_remote_shm_connect(socket, solo_settings()->server_backends, &s->link);
  if (status != SOLO_OK) {
    free(s);
    return status;
  }
  s->transport = s->link->transport;
  solo_remote_shm_channel(s->link, 0, &s->control);
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

solo_status solo_remote_device_count(int *out_count) {
  solo_remote_server *s;
  *out_count = 0;
  solo_status status = get_server(&s);
  if (status != SOLO_OK) /* whatever it is: there is no device */
    return solo_fail(SOLO_UNAVAILABLE, "%s", solo_error_last()->text);
  *out_count = (int)s->link->welcome.device_count;
  release_server(s);
  return SOLO_OK;
}

static solo_remote_family family_of(const char *backend) {
  return strcmp(backend, "cuda") == 0  ? SOLO_REMOTE_CUDA
         : strcmp(backend, "hsa") == 0 ? SOLO_REMOTE_HSA
                                       : SOLO_REMOTE_CPU;
}

/* What the server says of a device, as far as it holds from here. */
static solo_status take_info(solo_bdevice *device, const solo_device_info *theirs) {
  const solo_remote_welcome *w = &device->server->link->welcome;
  const char *backend = w->backends[device->ordinal];
  solo_device_info *info = &device->info;
  *info = *theirs;
  info->name[sizeof info->name - 1] = 0;
  info->arch[sizeof info->arch - 1] = 0;
  info->uid[sizeof info->uid - 1] = 0;
  device->tells_all = (theirs->flags & SOLO_DEVICE_SYNCHRONOUS) != 0;
  info->flags &= SOLO_DEVICE_HAS_RTL;
  info->foreign_runtime = 0;
  info->carried_reads = 0;
  snprintf(info->name, sizeof info->name, "%.36s (%s on %.16s)", theirs->name, backend, w->host);
  snprintf(info->uid, sizeof info->uid, "%.22s/%.40s", w->host, theirs->uid);
  if (!info->arch[0] || !info->warp_size || !info->max_threads || !info->max_teams)
    return solo_fail(SOLO_INTERNAL, "remote: the device server describes device %d by zeros",
                     device->ordinal);
  return SOLO_OK;
}

static solo_status open_device(solo_remote_server *s, int ordinal, int number,
                               solo_bdevice **out_device) {
  if (ordinal < 0 || (uint32_t)ordinal >= s->link->welcome.device_count)
    return solo_fail(SOLO_INVALID, "remote: device %d does not exist: the server has %u", ordinal,
                     s->link->welcome.device_count);
  solo_bdevice *device = calloc(1, sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "remote: no host memory to open a device");
  device->server = s;
  device->ordinal = ordinal;
  device->number = number;
  device->family = family_of(s->link->welcome.backends[ordinal]);
  solo_device_info theirs;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_DEVICE_OPEN);
  if (m) {
    m->device = (uint32_t)ordinal;
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

solo_status solo_remote_device_open(int ordinal, int number, solo_bdevice **out_device,
                                    solo_device_info *out_info) {
  solo_remote_server *s;
  SOLO_TRY(get_server(&s));
  solo_status status = open_device(s, ordinal, number, out_device);
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
