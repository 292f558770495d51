/* `print *` and `write (*, *)` of intrinsic types, and STOP. The end of the statement prints the record
 * with printf. A real number has the fewest digits that identify it; the last digit can differ from the host's. */
#include "fortran.h"

enum { WORDS = 40, STANDARD_OUTPUT = 6 };

typedef struct statement {
  i32 size, capacity;
  char *text;
} statement;

i32 __llvm_omp_vprintf(const char *format, void *arguments, u32 size);

FORTRAN(void *, ioBeginExternalListOutput, i32 unit, const char *file, i32 line) {
  if (unit != STANDARD_OUTPUT) {
    struct {
      const char *file;
      i32 line, unit;
    } words = {file, line, unit};
    __llvm_omp_vprintf("%s:%d: write: unit %d is not available in device code for GPUs\n", &words,
                       sizeof words);
    __builtin_trap();
  }
  statement *s = malloc(sizeof *s);
  if (!s) __builtin_trap();
  *s = (statement){0};
  return s;
}

static void put(statement *s, const char *text, i32 size) {
  if (s->size + size >= s->capacity) {
    i32 capacity = 2 * (s->size + size) + 100;
    char *block = malloc((u64)capacity);
    if (!block) __builtin_trap();
    if (s->text) {
      __builtin_memcpy(block, s->text, (u64)s->size);
      free(s->text);
    }
    s->text = block;
    s->capacity = capacity;
  }
  __builtin_memcpy(s->text + s->size, text, (u64)size);
  s->size += size;
  s->text[s->size] = 0;
}

FORTRAN(_Bool, ioOutputAscii, void *s, const char *text, u64 size) {
  put(s, " ", ((statement *)s)->size == 0);
  put(s, text, (i32)size);
  return 1;
}

/* Writes the digits before `end`. Returns their begin. */
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

static i32 compare_sum(const big *a, const big *b, i32 times, u32 factor, const big *limit) {
  big sum = *a;
  for (i32 i = 0; i < times; i++) big_add(&sum, b);
  big_multiply(&sum, factor);
  return big_compare(&sum, limit);
}

/* Writes the shortest digits that identify mantissa * 2**exponent among the numbers of this
 * precision (Steele and White, 1990). ratio: distance to the next number / distance to the previous number.
 * *point: digits before the decimal point. Returns the number of digits. */
static i32 shortest(u64 mantissa, i32 exponent, i32 ratio, char *digits, i32 *point) {
  big r = {{(u32)mantissa, (u32)(mantissa >> 32)}}, s = {{1}}, m = {{1}};
  i32 count = 0, is_even = !(mantissa & 1), is_low, is_high;
  big_shift(&r, exponent > 0 ? exponent + ratio : ratio);
  big_shift(&s, exponent > 0 ? ratio : ratio - exponent);
  if (exponent > 0) big_shift(&m, exponent);
  *point = 0;
  for (;; ++*point) {
    if (compare_sum(&r, &m, ratio, 1, &s) < (is_even ? 0 : 1)) break;
    big_multiply(&s, 10);
  }
  for (;; --*point) {
    if (compare_sum(&r, &m, ratio, 10, &s) >= (is_even ? 0 : 1)) break;
    big_multiply(&r, 10);
    big_multiply(&m, 10);
  }
  do {
    char digit = '0';
    big_multiply(&r, 10);
    big_multiply(&m, 10);
    for (; big_compare(&r, &s) >= 0; digit++) big_subtract(&r, &s);
    is_low = big_compare(&r, &m) < (is_even ? 1 : 0);
    is_high = compare_sum(&r, &m, ratio, 1, &s) >= (is_even ? 0 : 1);
    if (is_high && is_low) is_high = compare_sum(&r, &r, 1, 1, &s) >= 0;
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

static void put_special(statement *s, i32 is_nan, i32 is_negative) {
  if (is_nan)
    put(s, "NaN", 3);
  else
    put(s, is_negative ? "-Inf" : "Inf", is_negative ? 4 : 3);
}

static void put_real(statement *s, u64 bits, i32 size, i32 infinity, char letter) {
  char digits[24];
  u64 hidden = 1ull << size, mantissa = bits & (hidden - 1);
  i32 exponent = (i32)(bits >> size) & infinity, is_negative = bits >> size > (u64)infinity, point;
  if (exponent == infinity) {
    put_special(s, mantissa != 0, is_negative);
    return;
  }
  put(s, "-", is_negative);
  i32 ratio = exponent > 1 && !mantissa ? 2 : 1;
  if (exponent)
    mantissa |= hidden;
  else
    exponent = 1;
  if (mantissa) {
    i32 count = shortest(mantissa, exponent - infinity / 2 - size, ratio, digits, &point);
    put_digits(s, digits, count, point, letter);
  } else {
    put(s, "0.", 2);
  }
}

static void put_double(statement *s, const char *before, double number) {
  u64 bits;
  __builtin_memcpy(&bits, &number, sizeof bits);
  put(s, before, (i32)__builtin_strlen(before));
  put_real(s, bits, 52, 0x7ff, 'D');
}

static void put_float(statement *s, const char *before, float number) {
  u32 bits;
  __builtin_memcpy(&bits, &number, sizeof bits);
  put(s, before, (i32)__builtin_strlen(before));
  put_real(s, bits, 23, 0xff, 'E');
}

FORTRAN(_Bool, ioOutputReal64, void *s, double number) {
  put_double(s, " ", number);
  return 1;
}
FORTRAN(_Bool, ioOutputReal32, void *s, float number) {
  put_float(s, " ", number);
  return 1;
}
FORTRAN(_Bool, ioOutputComplex64, void *s, double real, double imaginary) {
  put_double(s, " (", real);
  put_double(s, ",", imaginary);
  put(s, ")", 1);
  return 1;
}
FORTRAN(_Bool, ioOutputComplex32, void *s, float real, float imaginary) {
  put_float(s, " (", real);
  put_float(s, ",", imaginary);
  put(s, ")", 1);
  return 1;
}

enum { INT128 = 11, LOGICAL16 = 13, LOGICAL64 = 15, COMPLEX32 = 34, COMPLEX64 = 35, LOGICAL8 = 39 };

static i32 put_element(statement *s, const descriptor *d, const char *at) {
  const float *single = (const void *)at;
  const double *real = (const void *)at;
  if (d->type < INT128)
    put_integer(s, integer_at(at, d->length));
  else if (d->type == LOGICAL8 || (d->type >= LOGICAL16 && d->type <= LOGICAL64))
    _FortranAioOutputLogical(s, integer_at(at, d->length) != 0);
  else if (d->type == TYPE_FLOAT)
    _FortranAioOutputReal32(s, *single);
  else if (d->type == TYPE_DOUBLE)
    _FortranAioOutputReal64(s, *real);
  else if (d->type == COMPLEX32)
    _FortranAioOutputComplex32(s, single[0], single[1]);
  else if (d->type == COMPLEX64)
    _FortranAioOutputComplex64(s, real[0], real[1]);
  else if (d->type == TYPE_CHAR)
    _FortranAioOutputAscii(s, at, d->length);
  else
    return 0;
  return 1;
}

FORTRAN(_Bool, ioOutputDescriptor, void *s, const descriptor *d) {
  for (i64 i = 0; i < elements_of(d); i++)
    if (!put_element(s, d, element_of(d, i))) {
      __llvm_omp_vprintf("print: a derived type is not available in device code for GPUs\n", 0, 0);
      __builtin_trap();
    }
  return 1;
}

FORTRAN(i32, ioEndIoStatement, void *cookie) {
  statement *s = cookie;
  put(s, "\n", 1);
  const char *text = s->text;
  __llvm_omp_vprintf("%s", &text, sizeof text);
  free(s->text);
  free(s);
  return 0;
}

/* STOP ends the kernel with an error, because device code cannot end the program. */
FORTRAN(void, StopStatement, i32 code, _Bool is_error, _Bool quiet) {
  if (!quiet)
    __llvm_omp_vprintf(is_error ? "Fortran ERROR STOP: code %d\n" : "Fortran STOP: code %d\n",
                       &code, sizeof code);
  __builtin_trap();
}

FORTRAN(void, StopStatementText, const char *text, u64 size, _Bool is_error, _Bool quiet) {
  statement s = {0};
  put(&s, text, (i32)size);
  const char *words = s.text;
  if (!quiet)
    __llvm_omp_vprintf(is_error ? "Fortran ERROR STOP: %s\n" : "Fortran STOP: %s\n", &words,
                       sizeof words);
  __builtin_trap();
}

FORTRAN(void, ReportFatalUserError, const char *message, const char *file, i32 line) {
  (void)file, (void)line;
  __llvm_omp_vprintf("%s\n", &message, sizeof message);
  __builtin_trap();
}
