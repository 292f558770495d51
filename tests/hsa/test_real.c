/* Description: with Debian's libhsa-runtime64.so.1 and without an AMD GPU, the backend reports the
 * runtime's error. */
#include "runtime/backend.h"

#include "tests/unit/test.h"

extern const solo_backend solo_hsa_backend;

int main(void) {
  int count = 7;
  FILE *kfd = fopen("/dev/kfd", "rb");
  if (kfd) TEST_SKIP("this machine has an AMD GPU's driver");
  CHECK_INT(solo_hsa_backend.device_count(&count), SOLO_UNAVAILABLE);
  CHECK_INT(count, 0);
  CHECK_HAS(solo_error_last()->text, "hsa: the runtime does not start: 0x1008: HSA_STATUS_ERROR");
  CHECK_HAS(solo_error_last()->text, "/dev/kfd");
  return TEST_RESULT();
}
