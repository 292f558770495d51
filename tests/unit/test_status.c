/* Description: checks the error record of each thread: text, status, device, notes. */
#include "runtime/base/status.h"

#include "tests/unit/test.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *other_thread(void *unused) {
  (void)unused;
  CHECK_INT(solo_error_last()->status, SOLO_OK);
  CHECK_INT(solo_fail(SOLO_IO, "other"), SOLO_IO);
  return NULL;
}

/* Sets many errors, in several threads at a time. One thread uses the static buffer for texts. The
 * other threads use heap buffers until they end. Later threads reuse the buffers. */
static void *fails_often(void *unused) { /* CHECK is not thread-safe */
  (void)unused;
  intptr_t wrong = 0;
  for (int i = 0; i < 1000; i++) {
    char expected[48];
    snprintf(expected, sizeof expected, "failure %d of %p", i, (void *)expected);
    wrong += solo_fail(SOLO_IO, "failure %d of %p", i, (void *)expected) != SOLO_IO;
    wrong += strcmp(solo_error_last()->text, expected) != 0;
  }
  return (void *)wrong;
}

static void check_kept(void) {
  solo_fail_vendor(SOLO_DEVICE_LOST, 5, "first");
  solo_error_set_device(2);
  solo_saved_error *kept = solo_error_save_on_heap();
  solo_fail(SOLO_IO, "second");
  CHECK_INT(solo_error_restore(kept), SOLO_DEVICE_LOST);
  CHECK_TEXT(solo_error_last()->text, "first");
  CHECK_INT(solo_error_last()->vendor_code, 5);
  CHECK_INT(solo_error_last()->device, 2);
  free(kept);
  /* the error could not be stored, because there was no memory */
  CHECK_INT(solo_error_restore_or_fail(NULL, SOLO_NOMEM), SOLO_NOMEM);
  CHECK_TEXT(solo_error_last()->text, "out of host memory");
  solo_error_clear();
  solo_error_note("nothing failed");
  CHECK_TEXT(solo_error_last()->text, "");
}

static solo_status fails_through_try(void) {
  SOLO_TRY(solo_fail_vendor(SOLO_DEVICE_LOST, 719, "launch of %s failed", "k"));
  return SOLO_OK;
}

int main(void) {
  CHECK_INT(solo_error_last()->status, SOLO_OK);
  CHECK_INT(fails_through_try(), SOLO_DEVICE_LOST);
  CHECK_TEXT(solo_error_last()->text, "launch of k failed");
  CHECK_INT(solo_error_last()->vendor_code, 719);
  CHECK_INT(solo_error_last()->device, -1);
  solo_error_note(" at %s:%d", "x.c", 7);
  CHECK_INT(solo_error_set_device(3), SOLO_DEVICE_LOST);
  CHECK_TEXT(solo_error_last()->text, "launch of k failed at x.c:7");
  CHECK_INT(solo_error_last()->device, 3);

  pthread_t thread;
  pthread_create(&thread, NULL, other_thread, NULL);
  pthread_join(thread, NULL);
  CHECK_INT(solo_error_last()->status, SOLO_DEVICE_LOST);

  pthread_t many[4];
  for (int i = 0; i < 4; i++) pthread_create(&many[i], NULL, fails_often, NULL);
  for (int i = 0; i < 4; i++) {
    void *wrong;
    pthread_join(many[i], &wrong);
    CHECK_INT((intptr_t)wrong, 0);
  }
  CHECK_TEXT(solo_error_last()->text, "launch of k failed at x.c:7");

  for (int i = 0; i < 200; i++) solo_error_note("%s", "0123456789");
  CHECK_INT(strlen(solo_error_last()->text), SOLO_ERROR_TEXT - 1);

  check_kept();
  for (int i = 0; i < SOLO_STATUS_COUNT; i++) CHECK(solo_status_text((solo_status)i)[0]);
  CHECK_TEXT(solo_status_name(SOLO_OVERLAP), "OVERLAP");
  CHECK_TEXT(solo_status_name((solo_status)999), "UNKNOWN");
  return TEST_RESULT();
}
