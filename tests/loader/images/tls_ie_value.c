/* Initial-exec with an initial value: cannot be given to threads that run already. */
__thread int start_value __attribute__((tls_model("initial-exec"))) = 9;
int value(void) {
  return start_value;
}
