/* Description: checks that an error callback receives its own context while another thread
 * replaces the callback. */
#include "abi/include/solo.h"
#include "abi/policy.h"
#include "runtime/base/status.h"
#include "tests/unit/test.h"
#include <pthread.h>

enum { SWITCHES = 3000 };

static int contexts[2];
static _Atomic int mixed, done;
static int calls, last, switches;

static void called(int which, void *context) {
  calls++;
  switches += which != last;
  last = which;
  mixed += context != &contexts[which];
}

static void first(void *context, const solo_failure *failure) {
  (void)failure;
  called(0, context);
}

static void second(void *context, const solo_failure *failure) {
  (void)failure;
  called(1, context);
}

static void *replace(void *unused) {
  (void)unused;
  while (!done) {
    solo_set_error_callback(first, &contexts[0]);
    solo_set_error_callback(second, &contexts[1]);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  solo_set_error_callback(first, &contexts[0]);
  pthread_create(&thread, NULL, replace, NULL);
  solo_fail(SOLO_IO, "a failure of the test");
  while (switches < SWITCHES) tgt_failed(SOLO_IO, TGT_SETUP, NULL);
  done = 1;
  pthread_join(thread, NULL);
  CHECK_INT(mixed, 0);
  int before = calls;
  solo_set_error_callback(NULL, NULL);
  tgt_failed(SOLO_IO, TGT_SETUP, NULL);
  CHECK_INT(calls, before);
  return TEST_RESULT();
}
