/* Splits the expression of a map name into subscripts, and a subscript at its colons. Colons inside
 * of brackets, literals, ?: and C++ names do not separate. */
#include "runtime/map/section_text.h"

#include "runtime/map/constant_text.h"

#include <string.h>

typedef struct span {
  const char *begin, *end;
} span;

/* Returns the end of the literal, bracketed text or character at c. */
static const char *skip(const char *c, const char *end) {
  if (*c == '\'' || *c == '"') {
    char quote = *c++;
    while (c < end && *c != quote) c += *c == '\\' ? 2 : 1;
    return c < end ? c + 1 : end;
  }
  int depth = 0;
  for (; c < end; c++) {
    if (*c == '(' || *c == '[' || *c == '{') depth++;
    if (*c == ')' || *c == ']' || *c == '}') depth--;
    if (depth <= 0) return c + 1;
    if (*c == '\'' || *c == '"') c = skip(c, end) - 1;
  }
  return end;
}

/* In C++, "::" before an identifier belongs to a name. In C it is always a section with an omitted
 * length. */
static int is_scope(const char *c, const char *end, int is_c) {
  if (is_c || c + 2 >= end || c[1] != ':') return 0;
  char next = c[2];
  return next == '_' || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
}

static solo_section_term term(span s, solo_section_term omitted) {
  solo_section_term out = {0, 0};
  while (s.begin < s.end && *s.begin == ' ') s.begin++;
  if (s.begin == s.end) return omitted;
  out.known = solo_constant_parse(s.begin, s.end, &out.value);
  return out;
}

static int split(span text, int is_c, solo_subscript *out) {
  span part[3] = {{text.begin, text.end}, {text.end, text.end}, {text.end, text.end}};
  int colons = 0, conditions = 0;
  for (const char *c = text.begin; c < text.end; c = skip(c, text.end)) {
    if (*c == '?') conditions++;
    if (*c != ':') continue;
    if (is_scope(c, text.end, is_c)) {
      c++;
    } else if (conditions) {
      conditions--;
    } else {
      if (++colons > 2) return 0;
      part[colons - 1].end = c;
      part[colons] = (span){c + 1, text.end};
    }
  }
  const solo_section_term zero = {1, 0}, one = {1, 1}, unknown = {0, 0};
  out->is_section = colons > 0;
  out->lower = term(part[0], zero);
  out->length = colons ? term(part[1], unknown) : one;
  out->step = term(part[2], one);
  return 1;
}

static int ends_in_c(const char *file) {
  size_t length = strcspn(file, ";");
  return length > 2 && file[length - 2] == '.' && file[length - 1] == 'c';
}

void solo_section_parse(const char *name, solo_section_text *out) {
  out->count = 0;
  if (!name || *name != ';') return;
  const char *begin = name + 1, *end = begin + strcspn(begin, ";");
  int is_c = *end && ends_in_c(end + 1), count = 0;
  span brackets[SOLO_SECTION_SUBSCRIPTS];
  for (const char *c = begin, *next; c < end; c = next) {
    next = skip(c, end);
    if (*c == ' ') continue;
    if (*c != '[') {
      count = 0;
      continue;
    }
    if (next[-1] != ']' || count == SOLO_SECTION_SUBSCRIPTS) return;
    brackets[count++] = (span){c + 1, next - 1};
  }
  for (int i = 0; i < count; i++)
    if (!split(brackets[i], is_c, &out->at[i])) return;
  out->count = count;
}
