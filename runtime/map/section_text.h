/* Subscripts of array sections, parsed from the text of a variable's name (compiled with -g). */
#ifndef SOLO_MAP_SECTION_TEXT_H
#define SOLO_MAP_SECTION_TEXT_H

#include <stdint.h>

enum { SOLO_SECTION_SUBSCRIPTS = 16 };

typedef struct solo_section_term {
  int known; /* the text is a constant expression */
  int64_t value;
} solo_section_term;

/* An index [i] is stored as [i:1]. If omitted, lower is 0, length is unknown, and step is 1. */
typedef struct solo_subscript {
  int is_section;
  solo_section_term lower, length, step;
} solo_subscript;

typedef struct solo_section_text {
  int count; /* subscripts at the end of the expression; 0: none, or the parser rejects the text */
  solo_subscript at[SOLO_SECTION_SUBSCRIPTS];
} solo_section_text;

/* Parses ";a[1:3:2][0:4];file.c;line;column;;". name may be NULL. */
void solo_section_parse(const char *name, solo_section_text *out);

/* Quick test before the parser: returns nonzero if the expression has two colons. */
static inline int solo_section_may_have_step(const char *name) {
  int colons = 0;
  if (*name == ';') name++;
  for (; *name && *name != ';'; name++) colons += *name == ':';
  return colons >= 2;
}

#endif
