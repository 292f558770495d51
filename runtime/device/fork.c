/* Handlers around fork(2) (fork.h). They run in the forking thread. */
#define _GNU_SOURCE
#include "runtime/device/fork.h"

#include "runtime/device/device.h"
#include "runtime/map/map.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define PATIENCE_NS UINT64_C(200000000)

/* Between prepare and its parent or child; guarded by one_fork. */
static struct {
  int devices;
  uint8_t taken[SOLO_MAX_DEVICES]; /* all of the device's locks */
} now;
static solo_lock one_fork = SOLO_LOCK_INIT(SOLO_RANK_FORK);

static _Atomic uint32_t pending; /* a thread is about to fork */

static _Atomic(char *) first_thread; /* its here; registration before main makes it main's */

void solo_fork_thread(void) {
  static _Thread_local char here;
  char *known = solo_load_relaxed(&first_thread); /* compared only */
  if (known == &here || (!known && solo_cas_relaxed(&first_thread, &known, &here))) return;
  solo_fork_watch();
}

/* Bounded by its patience: it may be the caller's driver that forks. */
void solo_device_lock(solo_device *device) {
  solo_fork_thread();
  while (SOLO_UNLIKELY(solo_load_relaxed(&pending))) sched_yield(); /* only a courtesy */
  solo_lock_acquire(&device->lock);
}

/* The others are held for short pieces of work only, in which nobody forks. */
static int take(solo_device *device) {
  uint64_t deadline = solo_now_ns() + PATIENCE_NS;
  while (!solo_lock_try(&device->lock)) {
    if (solo_now_ns() > deadline) return 0;
    sched_yield();
  }
  return 1;
}

static void prepare(void) {
  solo_lock_acquire(&one_fork);
  solo_store_relaxed(&pending, 1);                      /* who sees it late comes late */
  now.devices = solo_load_acquire(&solo_devices_known); /* pairs with number_devices */
  solo_lock_check_several(1);
  for (int i = 0; i < now.devices; i++) now.taken[i] = (uint8_t)take(solo_devices[i]);
  solo_lock_acquire(solo_registry_lock());
  for (int i = 0; i < now.devices; i++)
    if (now.taken[i]) solo_lock_acquire(&solo_devices[i]->mappings.lock);
  for (int i = 0; i < now.devices; i++)
    if (now.taken[i]) solo_lock_acquire(&solo_devices[i]->pool.lock);
  solo_store_relaxed(&pending, 0);
}

static void in_parent(void) {
  for (int i = now.devices; i-- > 0;) {
    if (!now.taken[i]) continue;
    solo_lock_release(&solo_devices[i]->pool.lock);
    solo_lock_release(&solo_devices[i]->mappings.lock);
    solo_lock_release(&solo_devices[i]->lock);
  }
  solo_lock_release(solo_registry_lock());
  solo_lock_check_several(-1);
  solo_lock_release(&one_fork);
}

/* What is open stays with the driver of the parent's; nothing of it is touched again. */
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
  device->handle = NULL;
  device->shared_queue = NULL;
  device->modules = NULL;
  device->open_queues = device->free_queues = NULL;
  device->openings++;
  solo_store_relaxed(&device->nowait, NULL);        /* the child has one thread */
  solo_store_relaxed(&device->ready_generation, 0); /* the child has one thread */
}

static void give_block(void *device, solo_block *block) {
  solo_pool_give(device, block);
}

static void in_child(void) {
  in_parent();        /* what was taken above */
  solo_lock_forked(); /* the locks of other threads are free */
  solo_registry_forked();
  for (int i = 0; i < now.devices; i++) {
    solo_device *device = solo_devices[i];
    if (device->handle ? now.taken[i] && (device->info.flags & SOLO_DEVICE_SURVIVES_FORK)
                       : now.taken[i] || device->open_status != SOLO_OK)
      solo_mapping_forked(&device->mappings, solo_construct_is_mine, give_block, device);
    else
      lose(device);
  }
}

void solo_fork_watch(void) {
  static _Atomic int watched;
  if (!solo_exchange_relaxed(&watched, 1)) /* only "once" matters */
    (void)pthread_atfork(prepare, in_parent, in_child);
}
