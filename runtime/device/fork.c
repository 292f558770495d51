/* Devices around fork(2) (fork.h). All of it runs in the forking thread. */
#include "runtime/device/fork.h"

#include "runtime/device/pool.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* Long enough for a lock's holder that gets no processor: 0.15 s were seen with 20 busy processes on two CPUs. A fork
 * waits so long only if a driver, under the lock, waits for a thread of its own that forks. */
#define PATIENCE_NS UINT64_C(10000000000)

/* Between prepare and parent or child: one thread forks at a time. */
static struct {
  int devices, numbering;
  uint8_t taken[SOLO_MAX_DEVICES]; /* all of the device's locks */
} now;

_Atomic(int (*)(uint64_t id)) solo_fork_is_mine;

/* Takes a lock under which drivers are called; 0: not within PATIENCE_NS, or the caller itself has it, since its
 * driver is what forks. */
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

/* Takes the locks in the order of their ranks. The numbering's lock is taken when it is free, since the search for devices may be what
 * forks; until it is held another thread may find devices, so they are looked at again. The other
 * locks are held for short pieces of work only, in which nobody forks. */
static void prepare(void) {
  solo_store_relaxed(
      &solo_device_fork_pending,
      1); /* relaxed: only a hint; a thread that sees it late delays the fork a little */
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

/* The tables' and pools' locks come after the registry's, which the registry takes itself. */
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

/* The device is lost in the child: what is open belongs to the parent's driver and is not touched again. */
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
  solo_store_relaxed(&device->nowait, NULL);        /* the child has one thread */
  solo_store_relaxed(&device->ready_generation, 0); /* the child has one thread */
}

static int nobodys(uint64_t id) {
  return (void)id, 0;
}

static void in_child(void) {
  int (*is_mine)(uint64_t id) =
      solo_load_relaxed(&solo_fork_is_mine); /* the child has one thread */
  if (!is_mine) is_mine = nobodys;
  in_parent(); /* gives back what was taken above */
  for (int i = 0; i < now.devices; i++) {
    solo_device *device = solo_devices[i];
    if (device->handle ? now.taken[i] && (device->info.flags & SOLO_DEVICE_SURVIVES_FORK)
                       : now.taken[i] || device->open_status != SOLO_OK)
      solo_mapping_forked(&device->mappings, is_mine);
    else
      lose(device);
  }
  /* found by a search that was going on: no thread of the child's has opened it */
  int known = solo_load_relaxed(&solo_devices_known); /* the child has one thread */
  for (int i = now.devices; i < known; i++) lose(solo_devices[i]);
}

/* A child whose fork took no locks: a device that another thread was opening is lost; one that was open keeps its tables as
 * they were at that instant, and its locks, which no thread of the child owns. */
static void orphan(void) {
  int (*is_mine)(uint64_t id) =
      solo_load_relaxed(&solo_fork_is_mine);          /* the child has one thread */
  int known = solo_load_relaxed(&solo_devices_known); /* one thread */
  for (int i = 0; i < known; i++) {
    solo_device *device = solo_devices[i];
    int is_ready = solo_load_relaxed(&device->ready_generation) != 0; /* one thread */
    if (is_ready && (device->info.flags & SOLO_DEVICE_SURVIVES_FORK))
      solo_mapping_forked(&device->mappings, is_mine ? is_mine : nobodys);
    else if (is_ready || solo_load_relaxed(&device->lock.word) != SOLO_LOCK_FREE) /* one thread */
      lose(device);
  }
}

void solo_fork_devices(void) {
  static const solo_fork_member devices = {prepare, in_parent, in_child, orphan};
  static const solo_fork_member tables = {prepare_tables, release_tables, release_tables, NULL};
  /* in this order: a fork in between finds no device whose table it would have to wait for */
  solo_fork_join(SOLO_FORK_TABLES, &tables);
  solo_fork_join(SOLO_FORK_DEVICES, &devices);
}
