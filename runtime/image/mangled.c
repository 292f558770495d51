#include "runtime/image/mangled.h"

#include <stdbool.h>
#include <string.h>

enum { UNSIZED = 0, POINTER = 8, CANDIDATES = 64, DEEPEST = 16 };

typedef struct reader {
  const char *at;
  int depth;
  /* number of substitution candidates; size[]: sizes of their types */
  uint32_t candidates;
  uint8_t size[CANDIDATES];
} reader;

static bool read_type(reader *r, uint8_t *out_size);

static void add_candidate(reader *r, uint8_t size) {
  if (r->candidates < CANDIDATES) r->size[r->candidates] = size;
  r->candidates++;
}

static bool read_source_name(reader *r) {
  size_t length = 0;
  if (*r->at < '1' || *r->at > '9') return false;
  while (*r->at >= '0' && *r->at <= '9') {
    length = length * 10 + (size_t)(*r->at++ - '0');
    if (length > 4096) return false;
  }
  for (; length; length--)
    if (!*r->at++) return false;
  return true;
}

/* Reads a nested name. Each prefix is a substitution candidate, except the full name of a function. */
static bool read_nested(reader *r, bool is_type) {
  while (*r->at == 'K' || *r->at == 'V' || *r->at == 'r') r->at++;
  while (*r->at != 'E') {
    if (!read_source_name(r)) return false;
    if (is_type || *r->at != 'E') add_candidate(r, UNSIZED);
  }
  r->at++;
  return true;
}

/* S_ is the first candidate, S0_ the second; base 36. */
static bool read_substitution(reader *r, uint8_t *out_size) {
  uint32_t index = 0;
  if (*r->at == '_') {
    r->at++;
  } else {
    for (; *r->at && *r->at != '_'; r->at++) {
      bool digit = *r->at >= '0' && *r->at <= '9', letter = *r->at >= 'A' && *r->at <= 'Z';
      if ((!digit && !letter) || index > CANDIDATES) return false;
      index = index * 36 + (uint32_t)(digit ? *r->at - '0' : *r->at - 'A' + 10);
    }
    if (*r->at++ != '_') return false;
    index++;
  }
  if (index >= r->candidates || index >= CANDIDATES) return false;
  *out_size = r->size[index];
  return true;
}

static bool read_builtin(reader *r, uint8_t *out_size) {
  static const struct {
    char letter;
    uint8_t size;
  } types[] = {{'v', UNSIZED},
               {'b', 1},
               {'h', 1},
               {'t', 2},
               {'i', 4},
               {'j', 4},
               {'l', 8},
               {'m', 8},
               {'x', 8},
               {'y', 8},
               {'c', SOLO_MANGLED_EXTENDED | 1},
               {'a', SOLO_MANGLED_EXTENDED | 1},
               {'s', SOLO_MANGLED_EXTENDED | 2},
               {'f', SOLO_MANGLED_FLOAT | 4},
               {'d', SOLO_MANGLED_FLOAT | 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (*r->at == types[i].letter) {
      r->at++;
      *out_size = types[i].size;
      return true;
    }
  return false;
}

static bool read_unqualified(reader *r, uint8_t *out_size) {
  char c = *r->at;
  *out_size = UNSIZED;
  if (c >= '1' && c <= '9') {
    if (!read_source_name(r)) return false;
    add_candidate(r, UNSIZED);
    return *r->at != 'I'; /* a template has its arguments here: not supported */
  }
  if (c == 'N') {
    r->at++;
    return read_nested(r, true);
  }
  if (c == 'S') {
    r->at++;
    return read_substitution(r, out_size);
  }
  return read_builtin(r, out_size);
}

static bool read_type(reader *r, uint8_t *out_size) {
  char c = *r->at;
  bool points = c == 'P' || c == 'R' || c == 'O', qualifies = c == 'K' || c == 'V' || c == 'r';
  if (!points && !qualifies) return read_unqualified(r, out_size);
  if (++r->depth > DEEPEST) return false;
  while (qualifies && (*r->at == 'K' || *r->at == 'V' || *r->at == 'r'))
    r->at++; /* several qualifiers are one candidate */
  if (points) r->at++;
  if (!read_type(r, out_size)) return false;
  r->depth--;
  if (points) *out_size = POINTER;
  add_candidate(r, *out_size);
  return true;
}

solo_status solo_mangled_parameters(const char *name, uint8_t *out_sizes, uint32_t *out_count) {
  reader r = {.at = name};
  if (strncmp(r.at, "_Z", 2) != 0) return SOLO_NOT_FOUND;
  r.at += 2;
  if (*r.at == 'L') r.at++;
  bool nested = *r.at == 'N';
  r.at += nested;
  if (!(nested ? read_nested(&r, false) : read_source_name(&r))) return SOLO_NOT_FOUND;
  *out_count = 0;
  if (strcmp(r.at, "v") == 0) return SOLO_OK;
  do {
    uint8_t size;
    if (*out_count == SOLO_MANGLED_MOST || !read_type(&r, &size) || size == UNSIZED)
      return SOLO_NOT_FOUND;
    out_sizes[(*out_count)++] = size;
  } while (*r.at && *r.at != '.'); /* '.': suffix of a clone of the function */
  return SOLO_OK;
}
