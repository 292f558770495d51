/* Description: checks that a host thread checks its condition again, and searches for work again,
 * before the thread sleeps. Otherwise the thread could miss a notification. */
#define _GNU_SOURCE
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/wait.h"
#include "tests/unit/test.h"
#include <pthread.h>
#include <unistd.h>

static kmpc_eventcount event;
static _Atomic uint32_t over;
static int helped;

static int is_over(void *what) {
  (void)what;
  return solo_load_acquire(&over) != 0; /* pairs with the store in notifying_thread() */
}

static int help_once(kmpc_thread *self, kmpc_search look) {
  (void)self, (void)look;
  return !helped++;
}

static void *notifying_thread(void *unused) {
  usleep(20000);
  solo_store_seq_cst(&over, 1); /* pairs with the load in is_over() */
  solo_kmp_notify(&event);
  return unused;
}

int main(void) {
  kmpc_thread *self = solo_kmp_self();
  alarm(10); /* ends the test if a wake-up is lost */
  over = 1;
  solo_kmp_sleep_unless(self, &event, NULL, is_over, solo_kmp_no_help, NULL);
  over = 0;
  solo_kmp_sleep_unless(self, &event, NULL, is_over, help_once, NULL);
  CHECK_INT(helped, 1);
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, notifying_thread, NULL), 0);
  solo_kmp_wait(self, &event, is_over, solo_kmp_no_help, NULL);
  CHECK_INT(solo_load_relaxed(&over), 1);
  pthread_join(thread, NULL);
  CHECK_INT(solo_load_relaxed(&event.sleepers), 0);
  return TEST_RESULT();
}
