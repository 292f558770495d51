/* The text of flang's device code, between the files of solo-fc. Lines end with a line break. */
#ifndef SOLO_FC_H
#define SOLO_FC_H

#include "tools/cc.h"

typedef struct solo_fc_function {
  size_t begin, end; /* lines: "define ...", "}" */
  const char *name;
  bool is_kernel, is_internal;
  enum { SOLO_FC_UNKNOWN, SOLO_FC_NONE, SOLO_FC_SOME } effects; /* outside of parallel regions */
  bool is_serial, has_region; /* executes serial code; may execute a parallel region */
} solo_fc_function;

typedef struct solo_fc_module {
  solo_list lines;
  solo_fc_function *functions;
  size_t count;
} solo_fc_module;

/* Returns the end of the name at `at` ("%NAME", "@NAME"; NAME may be quoted). */
const char *solo_fc_end_of_name(const char *at);
char *solo_fc_name_at(const char *at);
/* Returns the place of the name in the line, or NULL. */
const char *solo_fc_find_name(const char *line, const char *name);
char *solo_fc_replace(const char *line, const char *from, const char *to);
const char *solo_fc_replace_name(const char *line, const char *from, const char *to);
/* Returns the operation of a line: the text after "%NAME = ", or after the indentation. */
const char *solo_fc_operation(const char *line);
bool solo_fc_copies_address(const char *line);

bool solo_fc_is_label(const char *line);
solo_list solo_fc_lines(const char *text);
void solo_fc_find_functions(solo_fc_module *m);
solo_fc_function *solo_fc_function_named(const solo_fc_module *m, const char *name);
/* Returns the registers in f with addresses in the variable. */
solo_list solo_fc_addresses_of(const solo_fc_module *m, const solo_fc_function *f,
                               const char *variable);
void solo_fc_select_modes(solo_fc_module *m);

/* Returns the line with generic pointers. */
char *solo_fc_generic_line(const char *line);
/* Returns the end of the type, or NULL if the type is unknown. */
const char *solo_fc_size_of_type(const solo_fc_module *m, const char *type, uint64_t *out_bytes);

#endif
