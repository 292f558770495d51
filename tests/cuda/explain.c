/* The program of test_binding.sh: says which devices there are and why others are not. */
#include "abi/include/solo.h"

int main(void) {
  solo_explain(stdout);
  return 0;
}
