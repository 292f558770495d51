/* Local (IRELATIVE) and exported indirect functions. */
static int from_table[2] = {0, 500};
static int five(void) {
  return from_table[1] + 5;
}
static int (*choose(void))(void) {
  return from_table[1] ? five : 0; /* needs relocated data */
}
static int local_choice(void) __attribute__((ifunc("choose")));
int exported_choice(void) __attribute__((ifunc("choose")));
int (*choice_address)(void) = exported_choice;

int call_local(void) {
  return local_choice();
}
int call_exported(void) {
  return exported_choice() + choice_address();
}
