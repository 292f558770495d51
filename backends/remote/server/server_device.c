/* The devices of the linked backends. */
#include "backends/remote/remote_server.h"
#include "backends/remote/server/server.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BACKENDS = 8 };

/* guards the following variables */
static solo_lock table_lock = SOLO_LOCK_INIT(SOLO_RANK_NUMBERING);
static struct {
  server_device *devices; /* NULL: not enumerated yet, or no devices */
  uint32_t count;
} found[MOST_BACKENDS];

/* Enumerates a backend's devices. Called only until devices are found, because starting a driver is
 * slow. */
static solo_status count_devices(int b) {
  const solo_backend *backend = solo_backends[b];
  int count = 0;
  SOLO_TRY(backend->device_count(&count));
  if (count > SOLO_REMOTE_DEVICES / SOLO_REMOTE_FAMILIES)
    count = SOLO_REMOTE_DEVICES / SOLO_REMOTE_FAMILIES;
  server_device *devices = calloc((size_t)count, sizeof *devices);
  if (!devices) return solo_fail(SOLO_UNAVAILABLE, "the device server has no memory for devices");
  for (int n = 0; n < count; n++) devices[n] = (server_device){.backend = backend, .ordinal = n};
  found[b].devices = devices;
  found[b].count = (uint32_t)count;
  return SOLO_OK;
}

solo_status server_find_devices(const char *backend, server_device **out_first,
                                uint32_t *out_count) {
  solo_status status = SOLO_OK;
  int b = 0;
  while (b < solo_backend_count && b < MOST_BACKENDS &&
         (!solo_backends[b] || strcmp(solo_backends[b]->name, backend) != 0))
    b++;
  if (b == solo_backend_count || b == MOST_BACKENDS)
    return solo_fail(SOLO_UNAVAILABLE, "this device server was built without %s", backend);
  solo_lock_acquire(&table_lock);
  if (!found[b].devices) status = count_devices(b);
  *out_first = found[b].devices;
  *out_count = found[b].count;
  solo_lock_release(&table_lock);
  return status;
}

solo_status server_open_device(server_device *device, int number) {
  solo_status status = SOLO_OK;
  solo_lock_acquire(&device->lock);
  if (!device->users) {
    status = device->backend->device_open(device->ordinal, number, &device->handle, &device->info);
    if (status == SOLO_OK)
      solo_backend_device_describe(device->backend, device->handle, &device->info);
  }
  if (status == SOLO_OK) device->users++;
  solo_lock_release(&device->lock);
  return status;
}

static int is_gpu(const solo_backend *backend) {
  return backend && strcmp(backend->name, "host") != 0 && strcmp(backend->name, "simt") != 0;
}

solo_status solo_remote_hold_devices(int *out_count) {
  int held = 0;
  solo_status last = SOLO_UNAVAILABLE;
  for (int b = 0; b < solo_backend_count && b < MOST_BACKENDS; b++) {
    server_device *first;
    uint32_t count = 0;
    if (!is_gpu(solo_backends[b])) continue;
    solo_status status = server_find_devices(solo_backends[b]->name, &first, &count);
    for (uint32_t n = 0; status == SOLO_OK && n < count; n++) {
      status = server_open_device(&first[n], (int)n);
      held += status == SOLO_OK;
    }
    if (status != SOLO_OK) last = status;
  }
  *out_count = held;
  return held ? SOLO_OK : last;
}

void server_close_device(server_device *device) {
  solo_lock_acquire(&device->lock);
  if (--device->users == 0) device->backend->device_close(device->handle);
  solo_lock_release(&device->lock);
}
