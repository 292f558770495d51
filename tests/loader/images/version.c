/* Two versions of a name, and a name with only a hidden version. */
extern int old_one(void);
extern int new_one(void);
extern int hidden_one(void);
__asm__(".symver old_one, thing_version@THING_1");
__asm__(".symver new_one, thing_version@THING_2");
__asm__(".symver hidden_one, thing_only_hidden@THING_1");
int versions(void) {
  return old_one() * 100 + new_one() * 10 + hidden_one();
}
