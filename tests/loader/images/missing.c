/* Refers to an undefined symbol. */
extern int nobody_at_all_has_this(int);
int value(void) {
  return nobody_at_all_has_this(1);
}
