/* A library that the image needs and the process has not loaded. */
int absent_function(void) {
  return 1;
}
