/* Program of test_binding.sh: prints each device, or the reason why it is unusable. */
#include "abi/include/solo.h"

int main(void) {
  solo_explain(stdout);
  return 0;
}
