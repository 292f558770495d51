/* Indirect functions of the image: local (IRELATIVE) and exported. */
static int from_table[2] = {0, 500};
static int five(void) {
  return from_table[1] + 5;
}
static int (*choose(void))(void) {
  return from_table[1] ? five : 0; /* the resolver's own data must be in place */
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
