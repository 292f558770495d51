/* A library that the program does not link. */
int absent_function(void) {
  return 1;
}
