/* Description: ROCR_VISIBLE_DEVICES selects the GPUs and their order. An invalid device number is
 * rejected, and the lack of GPUs is reported. */
#define _DEFAULT_SOURCE
#include "runtime/backend.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include "tests/unit/test.h"

extern const solo_backend solo_hsa_backend;
static const solo_backend *const b = &solo_hsa_backend;

/* expected: the last digit of the unique id of each device that must be visible */
static void see(const char *visible, const char *expected) {
  int count = -1, want = (int)strlen(expected);
  solo_bdevice *device;
  solo_device_info info;
  setenv("ROCR_VISIBLE_DEVICES", visible, 1);
  CHECK_INT(b->device_count(&count), want ? SOLO_OK : SOLO_UNAVAILABLE);
  CHECK_INT(count, want);
  if (!want) CHECK_HAS(solo_error_last()->text, "ROCR_VISIBLE_DEVICES");
  for (int i = 0; i < count; i++) {
    CHECK_INT(b->device_open(i, i, &device, &info), SOLO_OK);
    CHECK_INT(info.uid[strlen(info.uid) - 1], expected[i]);
    b->device_close(device);
  }
  CHECK_INT(b->device_open(count, 0, &device, &info), SOLO_INVALID);
}

int main(void) {
  setenv("SIM_DEVICES", "3", 1);
  see("0", "0");
  see("0,1,2", "012");
  see("2,0", "20");
  see("GPU-00000000000000a1", "1");
  see("1,GPU-00000000000000a0", "10");
  see("1,7,0", "1"); /* an invalid number ends the list */
  see("", "");
  see("-1", "");
  CHECK_INT(hsa_sim_live(NULL), 0);
  return TEST_RESULT();
}
