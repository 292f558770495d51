/* Undefined weak references, weak definitions, defined weak references. */
extern int nobody_has_this(void) __attribute__((weak));
extern int nobody_has_this_data __attribute__((weak));
extern int thing_add(int, int) __attribute__((weak));
__attribute__((weak)) int weak_value(void) {
  return 8;
}
int weak_sum(void) {
  return (nobody_has_this ? 1 : 0) + (&nobody_has_this_data ? 2 : 0) +
         (thing_add ? thing_add(40, 0) : 4) + weak_value();
}
