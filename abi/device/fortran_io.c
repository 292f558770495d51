/* Device code: `print *` and `write (*, *)` of texts, integers, logicals and reals, and STOP. A
 * record is printed with printf when the statement ends. Lines have no maximum length. A real
 * number is printed with the smallest number of digits that identifies it, as on the host. */
#include "fortran.h"

enum { LINE = 1000, WORDS = 40 };

typedef struct statement {
  i32 size;
  char text[LINE];
} statement;

i32 __llvm_omp_vprintf(const char *format, void *arguments, u32 size);

FORTRAN(void *, ioBeginExternalListOutput, i32 unit, const char *file, i32 line) {
  (void)unit, (void)file, (void)line;
  statement *s = malloc(sizeof *s);
  if (!s) __builtin_trap();
  s->size = 0;
  return s;
}

static void put(statement *s, const char *text, i32 size) {
  for (i32 i = 0; i < size && s->size < LINE - 1; i++) s->text[s->size++] = text[i];
}

FORTRAN(_Bool, ioOutputAscii, void *s, const char *text, u64 size) {
  put(s, " ", ((statement *)s)->size == 0);
  put(s, text, (i32)size);
  return 1;
}

/* Writes the digits before `end`. Returns the address of the first digit. */
static char *digits_of(u64 number, char *end) {
  do *--end = (char)('0' + number % 10);
  while (number /= 10);
  return end;
}

static void put_integer(statement *s, i64 number) {
  char text[24], *end = text + sizeof text;
  char *at = digits_of(number < 0 ? -(u64)number : (u64)number, end);
  if (number < 0) *--at = '-';
  put(s, " ", 1);
  put(s, at, (i32)(end - at));
}

FORTRAN(_Bool, ioOutputInteger8, void *s, i8 number) {
  put_integer(s, number);
  return 1;
}
FORTRAN(_Bool, ioOutputInteger16, void *s, i16 number) {
  put_integer(s, number);
  return 1;
}
FORTRAN(_Bool, ioOutputInteger32, void *s, i32 number) {
  put_integer(s, number);
  return 1;
}
FORTRAN(_Bool, ioOutputInteger64, void *s, i64 number) {
  put_integer(s, number);
  return 1;
}
FORTRAN(_Bool, ioOutputLogical, void *s, _Bool is_true) {
  put(s, is_true ? " T" : " F", 2);
  return 1;
}

/* Integers of up to 1160 bits, base 2**32, the lowest word first. */
typedef struct big {
  u32 word[WORDS];
} big;

static void big_multiply(big *b, u32 factor) {
  u64 carry = 0;
  for (i32 i = 0; i < WORDS; i++) {
    carry += (u64)b->word[i] * factor;
    b->word[i] = (u32)carry;
    carry >>= 32;
  }
}

static void big_shift(big *b, i32 bits) {
  for (; bits >= 31; bits -= 31) big_multiply(b, 1u << 31);
  big_multiply(b, 1u << bits);
}

static i32 big_compare(const big *a, const big *b) {
  for (i32 i = WORDS - 1; i >= 0; i--)
    if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
  return 0;
}

static void big_add(big *a, const big *b) {
  u64 carry = 0;
  for (i32 i = 0; i < WORDS; i++) {
    carry += (u64)a->word[i] + b->word[i];
    a->word[i] = (u32)carry;
    carry >>= 32;
  }
}

static void big_subtract(big *a, const big *b) {
  i64 borrow = 0;
  for (i32 i = 0; i < WORDS; i++) {
    borrow += (i64)a->word[i] - b->word[i];
    a->word[i] = (u32)borrow;
    borrow >>= 32;
  }
}

/* Writes the shortest digits that identify mantissa * 2**exponent among the numbers of this
 * precision (Steele and White, 1990). *point: number of digits before the decimal point. Returns
 * the number of digits. */
static i32 shortest(u64 mantissa, i32 exponent, char *digits, i32 *point) {
  big r = {{(u32)mantissa, (u32)(mantissa >> 32)}}, s = {{1}}, m = {{1}}, sum;
  i32 count = 0, is_even = !(mantissa & 1), is_low, is_high;
  big_shift(&r, exponent > 0 ? exponent + 1 : 1);
  big_shift(&s, exponent > 0 ? 1 : 1 - exponent);
  if (exponent > 0) big_shift(&m, exponent);
  *point = 0;
  for (;; ++*point) { /* until (r + m) / s is less than 1 */
    sum = r;
    big_add(&sum, &m);
    if (big_compare(&sum, &s) < (is_even ? 0 : 1)) break;
    big_multiply(&s, 10);
  }
  for (;; --*point) { /* until 10 (r + m) / s is at least 1 */
    sum = r;
    big_add(&sum, &m);
    big_multiply(&sum, 10);
    if (big_compare(&sum, &s) >= (is_even ? 0 : 1)) break;
    big_multiply(&r, 10);
    big_multiply(&m, 10);
  }
  do {
    char digit = '0';
    big_multiply(&r, 10);
    big_multiply(&m, 10);
    for (; big_compare(&r, &s) >= 0; digit++) big_subtract(&r, &s);
    is_low = big_compare(&r, &m) < (is_even ? 1 : 0);
    sum = r;
    big_add(&sum, &m);
    is_high = big_compare(&sum, &s) >= (is_even ? 0 : 1);
    if (is_high && is_low) {
      sum = r;
      big_add(&sum, &r);
      is_high = big_compare(&sum, &s) >= 0;
    }
    digits[count++] = (char)(digit + is_high);
  } while (!is_low && !is_high);
  return count;
}

static void put_digits(statement *s, const char *digits, i32 count, i32 point, char letter) {
  char text[64], *end = text + sizeof text, *at;
  i32 is_fixed = point >= 0 && point <= (letter == 'D' ? 17 : 9);
  i32 before = is_fixed ? point : 1;
  for (i32 i = 0; i < before; i++) put(s, i < count ? digits + i : "0", 1);
  put(s, ".", 1);
  if (count > before) put(s, digits + before, count - before);
  if (is_fixed) return;
  put(s, point - 1 < 0 ? "E-" : "E+", 2);
  at = digits_of((u64)(point - 1 < 0 ? 1 - point : point - 1), end);
  if (end - at == 1) put(s, "0", 1);
  put(s, at, (i32)(end - at));
}

static void put_real(statement *s, i32 is_negative, u64 mantissa, i32 exponent, char letter) {
  char digits[24];
  i32 point = 1, count = 0;
  put(s, is_negative ? " -" : " ", is_negative ? 2 : 1);
  if (mantissa) count = shortest(mantissa, exponent, digits, &point);
  if (!count) digits[count++] = '0';
  if (!mantissa) {
    put(s, "0.", 2);
    return;
  }
  put_digits(s, digits, count, point, letter);
}

static void put_special(statement *s, i32 is_nan, i32 is_negative) {
  if (is_nan)
    put(s, " NaN", 4);
  else
    put(s, is_negative ? " -Inf" : " Inf", is_negative ? 5 : 4);
}

FORTRAN(_Bool, ioOutputReal64, void *s, double number) {
  u64 bits, hidden = 1ull << 52;
  __builtin_memcpy(&bits, &number, sizeof bits);
  i32 exponent = (i32)(bits >> 52 & 0x7ff), is_negative = bits >> 63 != 0;
  u64 mantissa = bits & (hidden - 1);
  if (exponent == 0x7ff)
    put_special(s, mantissa != 0, is_negative);
  else if (exponent)
    put_real(s, is_negative, mantissa | hidden, exponent - 1075, 'D');
  else
    put_real(s, is_negative, mantissa, -1074, 'D');
  return 1;
}

FORTRAN(_Bool, ioOutputReal32, void *s, float number) {
  u32 bits, hidden = 1u << 23;
  __builtin_memcpy(&bits, &number, sizeof bits);
  i32 exponent = (i32)(bits >> 23 & 0xff), is_negative = bits >> 31 != 0;
  u32 mantissa = bits & (hidden - 1);
  if (exponent == 0xff)
    put_special(s, mantissa != 0, is_negative);
  else if (exponent)
    put_real(s, is_negative, mantissa | hidden, exponent - 150, 'E');
  else
    put_real(s, is_negative, mantissa, -149, 'E');
  return 1;
}

FORTRAN(i32, ioEndIoStatement, void *cookie) {
  statement *s = cookie;
  s->text[s->size] = 0;
  const char *text = s->text;
  __llvm_omp_vprintf("%s\n", &text, sizeof text);
  free(s);
  return 0;
}

/* A program cannot end in device code, so STOP ends the kernel with an error. */
FORTRAN(void, StopStatement, i32 code, _Bool is_error, _Bool quiet) {
  if (!quiet)
    __llvm_omp_vprintf(is_error ? "Fortran ERROR STOP: code %d\n" : "Fortran STOP: code %d\n",
                       &code, sizeof code);
  __builtin_trap();
}

FORTRAN(void, StopStatementText, const char *text, u64 size, _Bool is_error, _Bool quiet) {
  statement s = {0};
  put(&s, text, (i32)size);
  s.text[s.size] = 0;
  const char *words = s.text;
  if (!quiet)
    __llvm_omp_vprintf(is_error ? "Fortran ERROR STOP: %s\n" : "Fortran STOP: %s\n", &words,
                       sizeof words);
  __builtin_trap();
}
