/* Functions on CHARACTER values of kind 1. */
#include "fortran.h"

FORTRAN(i32, CharacterCompareScalar1, const u8 *a, const u8 *b, i64 size_a, i64 size_b) {
  i64 size = size_a > size_b ? size_a : size_b;
  for (i64 i = 0; i < size; i++) { /* blanks extend the shorter value */
    i32 x = i < size_a ? a[i] : ' ', y = i < size_b ? b[i] : ' ';
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

FORTRAN(i64, LenTrim1, const char *text, u64 size) {
  while (size && text[size - 1] == ' ') size--;
  return (i64)size;
}

FORTRAN(i64, Index1, const char *text, u64 size, const char *part, u64 part_size, _Bool is_back) {
  if (part_size > size) return 0;
  i64 last = (i64)(size - part_size), step = is_back ? -1 : 1;
  for (i64 at = is_back ? last : 0; at >= 0 && at <= last; at += step) {
    u64 i = 0;
    while (i < part_size && text[at + (i64)i] == part[i]) i++;
    if (i == part_size) return at + 1;
  }
  return 0;
}

/* Returns the first (is_back: last) position of a character that is in the set (wanted 1) or is not
 * (wanted 0). */
static i64 find(const char *text, u64 size, const char *set, u64 set_size, i32 is_back,
                i32 wanted) {
  for (u64 n = 0; n < size; n++) {
    u64 at = is_back ? size - 1 - n : n, i = 0;
    while (i < set_size && set[i] != text[at]) i++;
    if ((i < set_size) == wanted) return (i64)at + 1;
  }
  return 0;
}

FORTRAN(i64, Scan1, const char *text, u64 size, const char *set, u64 set_size, _Bool is_back) {
  return find(text, size, set, set_size, is_back, 1);
}
FORTRAN(i64, Verify1, const char *text, u64 size, const char *set, u64 set_size, _Bool is_back) {
  return find(text, size, set, set_size, is_back, 0);
}

static void begin_text(descriptor *to, u64 size) {
  begin_result(to, TYPE_CHAR, size, 0);
  allocate_result(to);
}

FORTRAN(void, Trim, descriptor *to, const descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  begin_text(to, (u64)_FortranALenTrim1(from->base, from->length));
  __builtin_memcpy(to->base, from->base, to->length);
}

FORTRAN(void, Repeat, descriptor *to, const descriptor *from, i64 count, const char *file,
        i32 line) {
  (void)file, (void)line;
  begin_text(to, from->length * (u64)(count > 0 ? count : 0));
  for (u64 at = 0; at < to->length; at += from->length)
    __builtin_memcpy(to->base + at, from->base, from->length);
}

static void adjust(descriptor *to, const descriptor *from, i32 is_left) {
  u64 size = from->length, trimmed = (u64)_FortranALenTrim1(from->base, size), blanks = 0;
  while (blanks < trimmed && from->base[blanks] == ' ') blanks++;
  begin_text(to, size);
  __builtin_memset(to->base, ' ', size);
  if (is_left)
    __builtin_memcpy(to->base, from->base + blanks, trimmed - blanks);
  else
    __builtin_memcpy(to->base + size - trimmed, from->base, trimmed);
}

FORTRAN(void, Adjustl, descriptor *to, const descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  adjust(to, from, 1);
}
FORTRAN(void, Adjustr, descriptor *to, const descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  adjust(to, from, 0);
}
