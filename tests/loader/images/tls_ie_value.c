/* An initial-exec variable with an initial value: the image must be rejected, because threads that
 * run already cannot receive the value. */
__thread int start_value __attribute__((tls_model("initial-exec"))) = 9;
int value(void) {
  return start_value;
}
