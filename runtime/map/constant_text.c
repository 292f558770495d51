/* A recursive descent over the expressions that Clang prints: "2", "3UL", "2 * (4 - 1)". */
#include "runtime/map/constant_text.h"

#include <string.h>

enum { MAX_DEPTH = 32 };

typedef struct reader {
  const char *at, *end;
  int depth, failed;
} reader;

static char peek(reader *r) {
  while (r->at < r->end && *r->at == ' ') r->at++;
  return r->at < r->end ? *r->at : 0;
}

static int64_t sum(reader *r);

static int64_t literal(reader *r) {
  int64_t value = 0;
  const char *first = r->at;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *r->at - '0', &value))
      r->failed = 1;
  /* Clang prints literals in decimal; the text of another base has a leading 0 */
  if (r->at == first || (*first == '0' && r->at - first > 1)) r->failed = 1;
  while (r->at < r->end && strchr("uUlL", *r->at)) r->at++;
  return value;
}

static int64_t factor(reader *r) {
  char c = peek(r);
  if (++r->depth > MAX_DEPTH) r->failed = 1;
  int64_t value = 0;
  if (r->failed) return 0;
  if (c == '-' || c == '+') {
    r->at++;
    value = factor(r);
    if (c == '-' && __builtin_sub_overflow(0, value, &value)) r->failed = 1;
  } else if (c == '(') {
    r->at++;
    value = sum(r);
    if (peek(r) != ')') r->failed = 1;
    r->at++;
  } else {
    value = literal(r);
  }
  r->depth--;
  return value;
}

static int64_t product(reader *r) {
  int64_t value = factor(r);
  for (;;) {
    char c = peek(r);
    if (r->failed || (c != '*' && c != '/' && c != '%')) return value;
    r->at++;
    int64_t right = factor(r);
    if (c == '*') {
      if (__builtin_mul_overflow(value, right, &value)) r->failed = 1;
    } else if (right <= 0) {
      r->failed = 1;
    } else {
      value = c == '/' ? value / right : value % right;
    }
  }
}

static int64_t sum(reader *r) {
  int64_t value = product(r);
  for (;;) {
    char c = peek(r);
    if (r->failed || (c != '+' && c != '-')) return value;
    r->at++;
    int64_t right = product(r);
    if (c == '+' ? __builtin_add_overflow(value, right, &value)
                 : __builtin_sub_overflow(value, right, &value))
      r->failed = 1;
  }
}

int solo_constant_parse(const char *text, const char *end, int64_t *out_value) {
  reader r = {.at = text, .end = end};
  *out_value = sum(&r);
  return !peek(&r) && !r.failed;
}
