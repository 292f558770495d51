/* A small image for test_damage.c. */
#include <string.h>
static const char *const words[] = {"a", "bc", "def"};
int total = 3;
static __thread int thread_total = 1;
__attribute__((constructor)) static void start(void) {
  total++;
}
int value(void) {
  thread_total += total;
  return (int)strlen(words[total % 3]) + thread_total;
}
