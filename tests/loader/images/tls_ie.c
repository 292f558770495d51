/* Zero-initialized initial-exec variables. */
__thread int zero_count __attribute__((tls_model("initial-exec")));
static __thread long other __attribute__((tls_model("initial-exec"), aligned(16)));

int ie_next(void) {
  other += 2;
  return ++zero_count * 100 + (int)other;
}
__attribute__((noinline)) static int *general(void) {
  return &zero_count;
}
int ie_same(void) {
  return general() == &zero_count;
}
