/* Calls a function of a library that the process has not loaded. */
extern int absent_function(void);
int value(void) {
  return absent_function();
}
