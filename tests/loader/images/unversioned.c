/* A reference without a version binds to the default version, never to a hidden one. */
extern int thing_version(void);
extern int thing_only_hidden(void) __attribute__((weak));
int versions(void) {
  return thing_version() * 10 + (thing_only_hidden ? 1 : 0);
}
