/* Functions of C for strings and memory. */
typedef unsigned char u8;
typedef unsigned long size;

/* no_builtin: a loop must not become a call of its function */
#define CALLED __attribute__((weak, visibility("hidden"), no_builtin))

CALLED void *memset(void *to, int byte, size count) {
  for (size i = 0; i < count; i++) ((u8 *)to)[i] = (u8)byte;
  return to;
}
CALLED void *memcpy(void *restrict to, const void *restrict from, size count) {
  for (size i = 0; i < count; i++) ((u8 *)to)[i] = ((const u8 *)from)[i];
  return to;
}
CALLED void *memmove(void *to, const void *from, size count) {
  u8 *t = to;
  const u8 *f = from;
  if (t < f)
    for (size i = 0; i < count; i++) t[i] = f[i];
  else
    while (count--) t[count] = f[count];
  return to;
}
CALLED int memcmp(const void *a, const void *b, size count) {
  const u8 *x = a, *y = b;
  for (; count; count--, x++, y++)
    if (*x != *y) return *x - *y;
  return 0;
}
CALLED void *memchr(const void *in, int byte, size count) {
  for (const u8 *p = in; count; count--, p++)
    if (*p == (u8)byte) return (void *)p;
  return 0;
}
CALLED size strlen(const char *text) {
  size length = 0;
  while (text[length]) length++;
  return length;
}
CALLED int strncmp(const char *a, const char *b, size count) {
  for (; count; count--, a++, b++) {
    if (*a != *b) return (u8)*a - (u8)*b;
    if (!*a) return 0;
  }
  return 0;
}
CALLED int strcmp(const char *a, const char *b) {
  return strncmp(a, b, ~(size)0);
}
CALLED char *strchr(const char *text, int byte) {
  for (;; text++) {
    if (*text == (char)byte) return (char *)text;
    if (!*text) return 0;
  }
}
CALLED char *strcpy(char *restrict to, const char *restrict from) {
  for (size i = 0; (to[i] = from[i]); i++)
    ;
  return to;
}
