/* Prints the facts of the included header (tests/offload/abi.sh). */
#include <stddef.h>
#include <stdio.h>

int main(void) {
#define FACT(text, value) printf("%s %lld\n", text, (long long)(value));
#include "facts.h"
  return 0;
}
