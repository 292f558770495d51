/* Parses steps from ";a[1:3:2][0:4];file;line;column;;". */
#include "runtime/map/section_step.h"

#include <string.h>

static const char *opening(const char *begin, const char *end) {
  int depth = 0;
  for (const char *c = end; c >= begin; c--) {
    if (*c == ']') depth++;
    if (*c == '[' && --depth == 0) return c;
  }
  return NULL;
}

/* 0: not constant or ambiguous. */
static uint64_t step_in(const char *from, const char *to) {
  const char *colon[2] = {NULL, NULL};
  int depth = 0, colons = 0;
  for (const char *c = from; c < to; c++) {
    if (*c == '(' || *c == '[' || *c == '{') depth++;
    if (*c == ')' || *c == ']' || *c == '}') depth--;
    if (*c == '?' || (*c == ':' && c[1] == ':')) return 0; /* a ? b : c, or a C++ name with :: */
    if (*c == ':' && depth == 0 && colons++ < 2) colon[colons - 1] = c;
  }
  if (colons < 2) return 1;
  uint64_t step = 0;
  const char *c = colon[1] + 1;
  while (c < to && *c == ' ') c++;
  for (; c < to && *c >= '0' && *c <= '9'; c++) step = step * 10 + (uint64_t)(*c - '0');
  while (c < to && strchr("uUlL ", *c)) c++;
  return colons == 2 && c == to ? step : 0;
}

uint64_t solo_section_step(const char *name, int from_last) {
  if (!name || *name != ';') return 0;
  const char *begin = name + 1, *end = begin + strcspn(begin, ";");
  for (;; from_last--) {
    while (end > begin && end[-1] == ' ') end--;
    if (end == begin || end[-1] != ']') return 0;
    const char *open = opening(begin, end - 1);
    if (!open) return 0;
    if (from_last == 0) return step_in(open + 1, end - 1);
    end = open;
  }
}
