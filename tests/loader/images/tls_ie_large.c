/* More initial-exec data than the loader's reserve. */
__thread int much[1000] __attribute__((tls_model("initial-exec")));
int value(void) {
  return much[3];
}
