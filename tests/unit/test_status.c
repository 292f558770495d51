/* Description: the per-thread error record: text, status, device, notes, and that it is per thread.
 */
#include "runtime/base/status.h"

#include "tests/unit/test.h"
#include <pthread.h>

static void *other_thread(void *unused) {
  (void)unused;
  CHECK_INT(solo_error_last()->status, SOLO_OK);
  CHECK_INT(solo_fail(SOLO_IO, "other"), SOLO_IO);
  return NULL;
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
  solo_error_set_device(3);
  CHECK_TEXT(solo_error_last()->text, "launch of k failed at x.c:7");
  CHECK_INT(solo_error_last()->device, 3);

  pthread_t thread;
  pthread_create(&thread, NULL, other_thread, NULL);
  pthread_join(thread, NULL);
  CHECK_INT(solo_error_last()->status, SOLO_DEVICE_LOST);

  for (int i = 0; i < 200; i++) solo_error_note("%s", "0123456789");
  CHECK_INT(strlen(solo_error_last()->text), SOLO_ERROR_TEXT - 1);

  for (int i = 0; i < SOLO_STATUS_COUNT; i++) CHECK(solo_status_text((solo_status)i)[0]);
  CHECK_TEXT(solo_status_name(SOLO_OVERLAP), "OVERLAP");
  CHECK_TEXT(solo_status_name((solo_status)999), "UNKNOWN");
  return TEST_RESULT();
}
