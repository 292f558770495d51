#include "backends/remote/remote.h"
#include "backends/remote/remote_area.h"
#include "backends/remote/remote_fence.h"
#include "backends/remote/remote_server_list.h"
#include "backends/remote/remote_staging.h"
#include "backends/remote/remote_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the device's unique id. The id contains the server's key, because a machine may run
 * several servers. If host name and key are too long, a hash replaces their end. */
static void write_uid(char *uid, size_t size, const solo_remote_server *s,
                      const char *from_server) {
  enum { MOST = 22 };
  char where[sizeof s->key + sizeof s->link->welcome.host + 1];
  int length =
      snprintf(where, sizeof where, "%s%s%s", s->link->welcome.host, s->key[0] ? "+" : "", s->key);
  if (length > MOST) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *at = where; *at; at++) hash = (hash ^ (uint8_t)*at) * 16777619u;
    snprintf(where + MOST - 9, 10, "~%08x", hash);
  }
  snprintf(uid, size, "%.22s/%.40s", where, from_server);
}

/* Copies the server's description of the device, except for properties that are wrong in the
 * client, such as host addresses. */
static solo_status copy_info(solo_bdevice *device, const solo_device_info *from_server) {
  const solo_remote_server *s = device->server;
  const char *backend = solo_remote_family_name(device->family);
  solo_device_info *info = &device->info;
  *info = *from_server;
  info->name[sizeof info->name - 1] = 0;
  info->arch[sizeof info->arch - 1] = 0;
  info->uid[sizeof info->uid - 1] = 0;
  device->reports_all_completions = (from_server->flags & SOLO_DEVICE_SYNCHRONOUS) != 0;
  device->is_in_server = (from_server->flags & SOLO_DEVICE_SURVIVES_FORK) != 0;
  device->has_exact_blocks = (from_server->flags & SOLO_DEVICE_EXACT_BLOCKS) != 0;
  info->init_kernel[sizeof info->init_kernel - 1] = 0;
  info->fini_kernel[sizeof info->fini_kernel - 1] = 0;
  info->flags &= SOLO_DEVICE_HAS_RTL | SOLO_DEVICE_HEAP_FROM_HOST | SOLO_DEVICE_STRUCTORS_BY_HOST;
  info->foreign = NULL; /* foreign and unified_hint point into the server's process */
  info->unified_hint = NULL;
  info->inline_data_reads = 0;
  snprintf(info->name, sizeof info->name, "%.36s (%s on %.16s)", from_server->name, backend,
           s->link->welcome.host);
  snprintf(info->where, sizeof info->where, "%.40s on %.24s, process %d, driver %s%s",
           s->title + (strncmp(s->title, "the ", 4) == 0 ? 4 : 0), s->link->welcome.host,
           s->link->welcome.process, backend, s->link->copies_directly ? ", over MPI" : "");
  write_uid(info->uid, sizeof info->uid, s, from_server->uid);
  if (!info->arch[0] || !info->warp_size || !info->max_threads || !info->max_teams)
    return solo_fail(SOLO_INTERNAL, "remote: %s sent an incomplete description of device %d",
                     s->title, device->ordinal);
  return SOLO_OK;
}

/* Closes a device that the server opened but the client rejects. Otherwise the next attempt to open
 * it would fail. The caller holds the server's lock. */
static SOLO_COLD void close_rejected(solo_remote_server *s, uint32_t handle) {
  solo_remote_plain *m = solo_remote_try_message(&s->control, sizeof *m, SOLO_REMOTE_DEVICE_CLOSE);
  if (!m) return;
  m->device = handle;
  /* does not wait for the answer, which the answer to the next message overwrites */
  (void)solo_remote_post(&s->control, m);
}

static solo_status open_device(solo_remote_server *s, solo_remote_family family, int ordinal,
                               int number, solo_bdevice **out_device) {
  SOLO_TRY(solo_remote_find_devices(s, family));
  uint32_t local = (uint32_t)ordinal - s->numbers[family].first;
  if (local >= s->devices[family].count)
    return solo_fail(SOLO_UNAVAILABLE, "remote: %s has %u devices now, it had %u", s->title,
                     s->devices[family].count, s->numbers[family].count);
  uint32_t handle = s->devices[family].first + local;
  solo_bdevice *device = calloc(1, sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "remote: no host memory to open a device");
  device->server = s;
  device->ordinal = (int)handle;
  device->number = number;
  device->family = family;
  solo_lock_init(&device->between_lock, SOLO_RANK_DRIVER);
  solo_lock_init(&device->memory_lock, SOLO_RANK_DRIVER);
  solo_device_info from_server;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_DEVICE_OPEN);
  if (m) {
    m->device = handle;
    m->number = (uint32_t)number;
  }
  solo_status status = solo_remote_call(s, m, &from_server, sizeof from_server);
  if (status == SOLO_OK) {
    status = copy_info(device, &from_server);
    if (status != SOLO_OK) close_rejected(s, handle);
  }
  solo_lock_release(&s->lock);
  if (status == SOLO_OK)
    *out_device = device;
  else
    free(device);
  return status;
}

solo_status solo_remote_open_device(solo_remote_family family, int ordinal, int number,
                                    solo_bdevice **out_device, solo_device_info *out_info) {
  solo_remote_server *s = solo_remote_server_of(family, ordinal);
  if (!s) { /* the devices are not counted yet */
    int count;
    SOLO_TRY(solo_remote_count_devices(family, &count));
    s = solo_remote_server_of(family, ordinal);
  }
  if (!s)
    return solo_fail(SOLO_INVALID, "remote: device %d of kind %s does not exist", ordinal,
                     solo_remote_family_name(family));
  SOLO_TRY(solo_remote_server_use(s));
  solo_status status = open_device(s, family, ordinal, number, out_device);
  if (status == SOLO_OK) {
    *out_info = (*out_device)->info;
    solo_remote_start_log(*out_device);
  } else {
    solo_remote_server_release(s);
  }
  return status;
}

/* Also frees the closed queues: no event refers to them any more. */
void solo_remote_device_close(solo_bdevice *device) {
  solo_remote_server *s = device->server;
  solo_remote_tree_remove(device, NULL);
  if (device->between) solo_remote_queue_close(device, device->between);
  if (s->log) solo_remote_fetch_work(s);
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_DEVICE_CLOSE);
  if (m) {
    m->device = (uint32_t)device->ordinal;
    /* fails if the server is lost; then the server has closed the device */
    (void)solo_remote_call(s, m, NULL, 0);
  }
  for (solo_bqueue *queue = device->idle; queue; queue = queue->next_idle) {
    s->channel_used[queue->channel.number] = 0;
    /* Invariant: a queue that deliver() finds is not freed before solo_remote_await_deliveries()
     *            returns.
     * Ordering:  this store precedes the fence in solo_remote_await_deliveries(), which pairs with
     *            the fence in solo_remote_deliver().
     * Otherwise: another thread could deliver into a freed queue.
     */
    solo_store_release(&s->queues[queue->channel.number], NULL);
  }
  solo_lock_release(&s->lock);
  solo_remote_ranges_free(device);
  solo_remote_area_close_device(device);
  solo_remote_fences_remove_device(device);
  solo_remote_await_deliveries();
  while (device->idle) {
    solo_bqueue *queue = device->idle;
    device->idle = queue->next_idle;
    solo_remote_drop_pieces(queue);
    free(queue);
  }
  solo_remote_server_release(s);
  free(device);
}

#ifdef SOLO_CHECK
static uint64_t count_own(solo_remote_server *s) {
  uint64_t count = 0;
  solo_lock_acquire(&s->lock);
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++) /* relaxed: under the lock */
    count += solo_load_relaxed(&s->queues[n]) != NULL;
  count += s->blocks != NULL;
  count += (uint64_t)s->users; /* without table_lock: no other thread uses the server */
  count += (uint64_t)solo_load_relaxed(&s->cut_blocks); /* relaxed: statistics */
  solo_lock_release(&s->lock);
  return count;
}

static uint64_t count_objects(solo_remote_server *s) {
  uint64_t count = 0;
  if (!s->link || !s->link->transport->is_alive(s->link)) return count_own(s);
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_COUNT_OBJECTS);
  if (solo_remote_call(s, m, &count, sizeof count) != SOLO_OK) count = 0;
  solo_lock_release(&s->lock);
  return count ? count + (uint64_t)solo_load_relaxed(&s->cut_blocks) : 0; /* relaxed: statistics */
}

long solo_remote_objects(void) {
  uint64_t count = 0;
  for (int n = 0; n < solo_remote_server_count(); n++)
    count += count_objects(solo_remote_server_at(n));
  return (long)count;
}
#endif
