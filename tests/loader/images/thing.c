/* Implements thing.h. */
#include "thing.h"
#include <pthread.h>

int thing_array[8] = {10, 11, 12, 13, 14, 15, 16, 17};
__thread int thing_tls = 77;
static int words[64], count;

int thing_add(int a, int b) {
  return a + b;
}
int thing_version_old(void) {
  return 1;
}
int thing_version_new(void) {
  return 2;
}
__asm__(".symver thing_version_old, thing_version@THING_1");
__asm__(".symver thing_version_new, thing_version@@THING_2");

int thing_hidden_impl(void) {
  return 3;
}
__asm__(".symver thing_hidden_impl, thing_only_hidden@THING_1");

void thing_log(int word) {
  if (count < 64) words[count++] = word;
}
int thing_read_log(int *out, int most) {
  int n = count < most ? count : most;
  for (int i = 0; i < n; i++) out[i] = words[i];
  count = 0;
  return n;
}
static int times_three(int x) {
  return 3 * x;
}
static int (*choose(void))(int) {
  return times_three;
}
int thing_chosen(int x) __attribute__((ifunc("choose")));

void thing_call(void (*f)(void *), void *context) {
  f(context);
}
