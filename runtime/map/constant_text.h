/* Evaluates integer constant expressions in the text of a variable's name. */
#ifndef SOLO_MAP_CONSTANT_TEXT_H
#define SOLO_MAP_CONSTANT_TEXT_H

#include <stdint.h>

/* Returns nonzero and sets *out_value if [text, end) consists of decimal literals, parentheses and
 * + - * / %. */
int solo_constant_parse(const char *text, const char *end, int64_t *out_value);

#endif
