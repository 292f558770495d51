#include "runtime/device/fork.h"

#include "runtime/device/pool.h"
#include "runtime/table/large_counts.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* maximum time of a fork's wait for a lock */
#define PATIENCE_NS UINT64_C(10000000000)

/* Locks that the current fork holds. Valid from prepare() to in_parent() or in_child(). */
static struct {
  int devices, numbering;
  uint8_t locked[SOLO_MAX_DEVICES];
} now;

_Atomic(int (*)(uint64_t id)) solo_fork_construct_is_of_thread;

/* Returns 0 after a timeout, or if the calling thread owns the lock because its driver call forks. */
static int try_lock(solo_lock *lock) {
  if (solo_lock_is_own(lock)) return 0;
  uint64_t deadline = solo_now_ns() + PATIENCE_NS;
  while (!solo_lock_try(lock)) {
    if (solo_now_ns() > deadline) return 0;
    sched_yield();
  }
  return 1;
}

static void lock_devices(void) {
  int known = solo_load_acquire(&solo_devices_numbered); /* pairs with number_devices */
  for (; now.devices < known; now.devices++)
    now.locked[now.devices] = (uint8_t)try_lock(&solo_devices[now.devices]->lock);
}

/* Locks in the order of ranks. Until solo_device_numbering is locked, other threads can add
 * devices; therefore lock_devices() is called twice. try_lock() of solo_device_numbering fails if a
 * driver forks during the search for devices. */
static void prepare(void) {
  solo_store_relaxed(&solo_device_fork_pending, 1); /* relaxed: a hint */
  now.devices = 0;
  lock_devices();
  now.numbering = try_lock(&solo_device_numbering);
  lock_devices();
}

static void in_parent(void) {
  for (int i = now.devices; i-- > 0;)
    if (now.locked[i]) solo_lock_release(&solo_devices[i]->lock);
  if (now.numbering) solo_lock_release(&solo_device_numbering);
}

/* Runs after the registry is locked, because tables and pools have higher lock ranks. */
static void prepare_tables(void) {
  for (int i = 0; i < now.devices; i++)
    if (now.locked[i]) solo_lock_acquire(&solo_devices[i]->mappings.lock);
  for (int i = 0; i < now.devices; i++)
    if (now.locked[i]) solo_mapping_lock_shards(&solo_devices[i]->mappings);
  solo_large_lock();
  for (int i = 0; i < now.devices; i++)
    if (now.locked[i]) solo_lock_acquire(&solo_devices[i]->pool.lock);
  solo_store_relaxed(&solo_device_fork_pending, 0); /* relaxed: a hint */
}

static void release_tables(void) {
  solo_large_unlock();
  for (int i = now.devices; i-- > 0;) {
    if (!now.locked[i]) continue;
    solo_lock_release(&solo_devices[i]->pool.lock);
    solo_mapping_unlock_shards(&solo_devices[i]->mappings);
    solo_lock_release(&solo_devices[i]->mappings.lock);
  }
}

/* Marks the device as lost. Its handle, queues and modules belong to the parent's driver, so the
 * child does not use them. */
static void lose(solo_device *device) {
  solo_saved_error *why = calloc(1, sizeof *why);
  const char *name =
      device->handle && device->info.name[0] ? device->info.name : device->backend->name;
  int follows = !device->handle || (device->info.flags & SOLO_DEVICE_SURVIVES_FORK);
  free(device->open_error);
  device->open_status = SOLO_DEVICE_LOST;
  device->open_error = why;
  if (why) {
    why->status = SOLO_DEVICE_LOST;
    why->device = device->number;
    snprintf(
        why->text, sizeof why->text,
        follows
            ? "another thread opened or loaded %s when the process forked\n  hint: fork when no "
              "thread does so, or call exec in the child"
            : "%s was open when the process forked, and its driver does not work in a child\n  "
              "hint: fork before the first target construct, or call exec in the child",
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
  solo_store_relaxed(&device->nowait, NULL); /* relaxed: one thread */
  solo_store_relaxed(&device->ready_generation, 0);
}

static int belongs_to_no_thread(uint64_t id) {
  return (void)id, 0;
}

static void in_child(void) {
  /* relaxed, all loads here: the child has one thread */
  int (*is_of_thread)(uint64_t id) = solo_load_relaxed(&solo_fork_construct_is_of_thread);
  if (!is_of_thread) is_of_thread = belongs_to_no_thread;
  in_parent();
  for (int i = 0; i < now.devices; i++) {
    solo_device *device = solo_devices[i];
    if (device->handle ? now.locked[i] && (device->info.flags & SOLO_DEVICE_SURVIVES_FORK)
                       : now.locked[i] || device->open_status != SOLO_OK)
      solo_mapping_forked(&device->mappings, is_of_thread);
    else
      lose(device);
  }
  /* devices that another thread added during the fork are incomplete */
  int known = solo_load_relaxed(&solo_devices_numbered);
  for (int i = now.devices; i < known; i++) lose(solo_devices[i]);
}

/* Runs in a child that was forked without prepare(), so the fork holds no locks. An open device
 * works if its driver survives fork(2); a locked device is lost. */
static void orphan(void) {
  solo_large_init_lock();
  /* relaxed, all loads here: the child has one thread */
  int (*is_of_thread)(uint64_t id) = solo_load_relaxed(&solo_fork_construct_is_of_thread);
  int known = solo_load_relaxed(&solo_devices_numbered);
  for (int i = 0; i < known; i++) {
    solo_device *device = solo_devices[i];
    int is_ready = solo_load_relaxed(&device->ready_generation) != 0;
    if (is_ready && (device->info.flags & SOLO_DEVICE_SURVIVES_FORK))
      solo_mapping_forked(&device->mappings, is_of_thread ? is_of_thread : belongs_to_no_thread);
    else if (is_ready || solo_load_relaxed(&device->lock.word) != SOLO_LOCK_FREE)
      lose(device);
  }
}

void solo_fork_devices(void) {
  static const solo_fork_member devices = {prepare, in_parent, in_child, orphan};
  static const solo_fork_member tables = {prepare_tables, release_tables, release_tables, NULL};
  /* Registers `tables` first: if a fork occurs between the calls, now.devices is 0, so no table is
   * locked. */
  solo_fork_register(SOLO_FORK_TABLES, &tables);
  solo_fork_register(SOLO_FORK_DEVICES, &devices);
}
