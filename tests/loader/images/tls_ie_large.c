/* More initial-exec data than the loader has reserved: the image must be rejected. */
__thread int much[1000] __attribute__((tls_model("initial-exec")));
int value(void) {
  return much[3];
}
