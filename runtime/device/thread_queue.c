/* Queues of host threads. */
#include "runtime/device/thread_queue.h"

#include "runtime/device/queue_pool.h"
#include <pthread.h>

static _Thread_local solo_queue_lease *own_queues;
static pthread_key_t at_thread_end;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void give_back(void *list) {
  own_queues = NULL; /* destructors that run later may use a device again */
  for (solo_queue_lease *lease = list, *next; lease; lease = next) {
    next = lease->next;
    solo_queue_return(lease);
  }
}

static void make_key(void) {
  (void)pthread_key_create(&at_thread_end, give_back);
}

solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) {
  solo_queue_lease **at = &own_queues, *lease;
  while (*at && (*at)->device != device) at = &(*at)->next;
  lease = *at;
  if (SOLO_UNLIKELY(!lease || solo_queue_is_stale(lease))) {
    solo_queue_lease *stale = lease;
    SOLO_TRY(solo_queue_take(device, &lease));
    lease->next = stale ? stale->next : NULL; /* in its place, or the last */
    *at = lease;
    if (stale) solo_queue_return(stale);
    pthread_once(&key_once, make_key);
    pthread_setspecific(at_thread_end, own_queues);
  }
  *out_queue = lease->queue;
  return SOLO_OK;
}
