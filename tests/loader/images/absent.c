/* A library that the program is not linked with. */
int absent_function(void) {
  return 1;
}
