/* Running threads cannot receive the initial value of an initial-exec variable. */
__thread int start_value __attribute__((tls_model("initial-exec"))) = 9;
int value(void) {
  return start_value;
}
