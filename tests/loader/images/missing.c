/* Refers to an undefined symbol. */
extern int undefined_function(int);
int value(void) {
  return undefined_function(1);
}
