/* The devices of the backends that this server was built with. */
#include "backends/remote/server/server.h"

#include <stdio.h>
#include <string.h>

static solo_lock table_lock = SOLO_LOCK_INIT; /* rank: device. Guards what follows. */
static server_device devices[SOLO_REMOTE_DEVICES];
static uint32_t device_count;
static int asked[8]; /* backends whose devices are in the table */

static int is_listed(const char *list, const char *word) {
  size_t length = strlen(word);
  while (*list) {
    size_t here = strcspn(list, ",");
    if (here == length && strncmp(list, word, length) == 0) return 1;
    list += here + (list[here] == ',');
  }
  return 0;
}

/* A driver is asked once: starting it is slow. One that has none is asked again. */
static void ask(int b, char *reason, size_t size) {
  const solo_backend *backend = solo_backends[b];
  int count = 0;
  if (asked[b]) return;
  if (backend->device_count(&count) != SOLO_OK) {
    size_t used = strlen(reason);
    if (used + 8 < size)
      snprintf(reason + used, size - used, "%s%s", used ? "; " : "", solo_error_last()->text);
    return;
  }
  asked[b] = 1;
  for (int n = 0; n < count && device_count < SOLO_REMOTE_DEVICES; n++)
    devices[device_count++] = (server_device){.backend = backend, .ordinal = n};
}

uint32_t server_find_devices(const char *backends, server_device **out, char *reason, size_t size) {
  uint32_t count = 0;
  reason[0] = 0;
  solo_lock_acquire(&table_lock);
  for (int b = 0; b < solo_backend_count && b < 8; b++)
    if (solo_backends[b] && strcmp(solo_backends[b]->name, "remote") != 0 &&
        is_listed(backends, solo_backends[b]->name))
      ask(b, reason, size);
  for (uint32_t n = 0; n < device_count; n++)
    if (is_listed(backends, devices[n].backend->name)) out[count++] = &devices[n];
  solo_lock_release(&table_lock);
  if (!count && !reason[0])
    snprintf(reason, size, "this server has no backend of '%.63s'", backends);
  return count;
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

void server_close_device(server_device *device) {
  solo_lock_acquire(&device->lock);
  if (--device->users == 0) device->backend->device_close(device->handle);
  solo_lock_release(&device->lock);
}
