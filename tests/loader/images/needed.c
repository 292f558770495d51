extern int absent_function(void);
int value(void) {
  return absent_function();
}
