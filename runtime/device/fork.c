/* All of it runs in the forking thread. */
#include "runtime/device/fork.h"

#include "runtime/device/pool.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* A lock's holder may get no processor for 0.15 s under load. The full time passes only if a driver
 * call under the lock waits for a forking thread of the driver. */
#define PATIENCE_NS UINT64_C(10000000000)

/* Valid between prepare and parent or child. */
static struct {
  int devices, numbering;
  uint8_t taken[SOLO_MAX_DEVICES]; /* nonzero: all locks of the device are held */
} now;

_Atomic(int (*)(uint64_t id)) solo_fork_is_mine;

/* 0: not within PATIENCE_NS, or the caller owns the lock because its driver forks. */
static int take(solo_lock *lock) {
  if (solo_lock_is_own(lock)) return 0;
  uint64_t deadline = solo_now_ns() + PATIENCE_NS;
  while (!solo_lock_try(lock)) {
    if (solo_now_ns() > deadline) return 0;
    sched_yield();
  }
  return 1;
}

static void take_devices(void) {
  int known = solo_load_acquire(&solo_devices_known); /* pairs with number_devices */
  for (; now.devices < known; now.devices++)
    now.taken[now.devices] = (uint8_t)take(&solo_devices[now.devices]->lock);
}

/* Locks in the order of ranks. The numbering lock may be unavailable, because a search for devices
 * may fork. Until it is held, another thread may add devices, so devices are locked twice. */
static void prepare(void) {
  solo_store_relaxed(&solo_device_fork_pending,
                     1); /* relaxed: a hint; a late reader delays the fork */
  now.devices = 0;
  take_devices();
  now.numbering = take(&solo_device_numbering);
  take_devices();
}

static void in_parent(void) {
  for (int i = now.devices; i-- > 0;)
    if (now.taken[i]) solo_lock_release(&solo_devices[i]->lock);
  if (now.numbering) solo_lock_release(&solo_device_numbering);
}

/* These ranks follow the registry's lock, which the registry acquires. */
static void prepare_tables(void) {
  for (int i = 0; i < now.devices; i++)
    if (now.taken[i]) solo_lock_acquire(&solo_devices[i]->mappings.lock);
  for (int i = 0; i < now.devices; i++)
    if (now.taken[i]) solo_mapping_lock_shards(&solo_devices[i]->mappings);
  for (int i = 0; i < now.devices; i++)
    if (now.taken[i]) solo_lock_acquire(&solo_devices[i]->pool.lock);
  solo_store_relaxed(&solo_device_fork_pending, 0); /* relaxed: a hint */
}

static void release_tables(void) {
  for (int i = now.devices; i-- > 0;) {
    if (!now.taken[i]) continue;
    solo_lock_release(&solo_devices[i]->pool.lock);
    solo_mapping_unlock_shards(&solo_devices[i]->mappings);
    solo_lock_release(&solo_devices[i]->mappings.lock);
  }
}

/* Marks a device lost in the child. Its resources belong to the parent's driver and are not
 * touched. */
static void lose(solo_device *device) {
  solo_kept_error *why = calloc(1, sizeof *why);
  const char *name =
      device->handle && device->info.name[0] ? device->info.name : device->backend->name;
  int follows = !device->handle || (device->info.flags & SOLO_DEVICE_SURVIVES_FORK);
  free(device->open_error);
  device->open_status = SOLO_DEVICE_LOST;
  device->open_error = why;
  if (why) {
    why->status = SOLO_DEVICE_LOST;
    why->device = device->number;
    snprintf(why->text, sizeof why->text,
             follows
                 ? "%s was being opened or loaded by another thread when the process forked: fork "
                   "while no thread does so, or exec in the child"
                 : "%s was in use when the process forked, and its driver does not follow into a "
                   "child: fork before the first target construct, or exec in the child",
             name);
  }
  solo_lock_init(&device->lock, SOLO_RANK_DEVICE);
  device->handle = NULL;
  device->shared_queue = NULL;
  device->modules = NULL;
  device->open_queues = device->idle_queues = NULL;
  device->caches = device->idle_caches = NULL;
  device->pool.magazines = NULL;
  device->openings++;
  solo_store_relaxed(&device->nowait, NULL);        /* relaxed: one thread */
  solo_store_relaxed(&device->ready_generation, 0); /* relaxed: one thread */
}

static int nobodys(uint64_t id) {
  return (void)id, 0;
}

static void in_child(void) {
  int (*is_mine)(uint64_t id) = solo_load_relaxed(&solo_fork_is_mine); /* relaxed: one thread */
  if (!is_mine) is_mine = nobodys;
  in_parent();
  for (int i = 0; i < now.devices; i++) {
    solo_device *device = solo_devices[i];
    if (device->handle ? now.taken[i] && (device->info.flags & SOLO_DEVICE_SURVIVES_FORK)
                       : now.taken[i] || device->open_status != SOLO_OK)
      solo_mapping_forked(&device->mappings, is_mine);
    else
      lose(device);
  }
  /* found during the fork; no thread of the child opened it */
  int known = solo_load_relaxed(&solo_devices_known); /* relaxed: one thread */
  for (int i = now.devices; i < known; i++) lose(solo_devices[i]);
}

/* A child whose fork acquired no locks. An open device keeps its tables and locks; a device that
 * was being opened is lost. */
static void orphan(void) {
  int (*is_mine)(uint64_t id) = solo_load_relaxed(&solo_fork_is_mine); /* relaxed: one thread */
  int known = solo_load_relaxed(&solo_devices_known);                  /* relaxed: one thread */
  for (int i = 0; i < known; i++) {
    solo_device *device = solo_devices[i];
    int is_ready = solo_load_relaxed(&device->ready_generation) != 0; /* relaxed: one thread */
    if (is_ready && (device->info.flags & SOLO_DEVICE_SURVIVES_FORK))
      solo_mapping_forked(&device->mappings, is_mine ? is_mine : nobodys);
    /* relaxed: one thread */
    else if (is_ready || solo_load_relaxed(&device->lock.word) != SOLO_LOCK_FREE)
      lose(device);
  }
}

void solo_fork_devices(void) {
  static const solo_fork_member devices = {prepare, in_parent, in_child, orphan};
  static const solo_fork_member tables = {prepare_tables, release_tables, release_tables, NULL};
  /* tables first: a fork in between sees no device */
  solo_fork_join(SOLO_FORK_TABLES, &tables);
  solo_fork_join(SOLO_FORK_DEVICES, &devices);
}
