/* Links the device library of Fortran (abi/device/fortran_*.c), and rejects kernels that call
 * missing functions. */
#include "tools/link.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char prefix[] = "_FortranA";

static bool mentions(solo_span bytes) {
  size_t size = sizeof prefix - 1;
  for (size_t at = 0; at + size <= bytes.size; at++)
    if (bytes.data[at] == '_' && memcmp(bytes.data + at, prefix, size) == 0) return true;
  return false;
}

/* Returns "matmul" for "_FortranAMatmulReal8Real8". */
static char *intrinsic_of(const char *function) {
  static const char *const types[] = {"Real", "Integer", "Complex", "Logical", "Character", "Dim"};
  const char *name = function + sizeof prefix - 1;
  if (solo_tool_skip_prefix(name, "io")) return solo_tool_text("%s", "input or output");
  size_t size = strlen(name);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const char *type = strstr(name + 1, types[i]);
    if (type && (size_t)(type - name) < size) size = (size_t)(type - name);
  }
  char *text = solo_tool_text("%.*s", (int)size, name);
  for (size_t i = 0; i < size; i++) text[i] = (char)tolower((unsigned char)text[i]);
  while (size > 1 && (isdigit((unsigned char)text[size - 1]) || text[size - 1] == '_'))
    text[--size] = 0;
  return text;
}

/* Returns FILE:LINE of a call from metadata !{!"FUNCTION", !"FILE:LINE"}; NULL: unknown. */
static char *place_of(const char *code, const char *function) {
  const char *at = strstr(code, solo_tool_text("!{!\"%s\", !\"", function));
  if (!at) return NULL;
  at = strstr(at, ", !\"") + strlen(", !\"");
  return solo_tool_text("%.*s", (int)strcspn(at, "\""), at);
}

static void reject_undefined(const char *code) {
  unsigned count = 0;
  for (const char *at = code; (at = strstr(at, "\ndeclare ")); at++) {
    const char *name = at + strcspn(at, "@(") + 1;
    int size = (int)strcspn(name, "(");
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) continue;
    char *function = solo_tool_text("%.*s", size, name), *place = place_of(code, function);
    fprintf(stderr, "solo-link: error: %s%s'%s' (%s) is not available in device code for GPUs\n",
            place ? place : "", place ? ": " : "", intrinsic_of(function), function);
    count++;
  }
  if (count)
    solo_tool_die("%u functions of Fortran's library are missing\n  hint: call them outside of "
                  "target regions, or write loops; -O2 inlines more of them",
                  count);
}

static void run(const solo_list *command) {
  if (solo_tool_run(command) != 0) solo_tool_die("%s failed", command->item[0]);
}

void solo_link_check_fortran(const char *disassembler, const char *bitcode) {
  if (!mentions(solo_tool_input(bitcode))) return;
  char *text = solo_tool_temporary("fortran.ll");
  solo_list command = {0};
  solo_list_add(&command, disassembler);
  solo_list_add(&command, bitcode);
  solo_list_add(&command, "-o");
  solo_list_add(&command, text);
  run(&command);
  solo_span code = solo_tool_input(text);
  reject_undefined(solo_tool_text("%.*s", (int)code.size, (const char *)code.data));
}

static bool any_mentions(const solo_list *files) {
  for (size_t i = 0; i < files->count; i++)
    if (mentions(solo_tool_input(files->item[i]))) return true;
  return false;
}

solo_list solo_link_add_fortran(const char *version, const solo_list *files, const char *library) {
  if (!any_mentions(files)) return *files;
  const char *linker = solo_tool_text("llvm-link-%s", version);
  char *joined = solo_tool_temporary("joined.bc"), *out = solo_tool_temporary("fortran.bc");
  solo_list join = {0}, add = {0}, result = {0};
  solo_list_add(&join, linker);
  solo_list_add_all(&join, files);
  solo_list_add(&join, "-o");
  solo_list_add(&join, joined);
  run(&join);
  solo_list_add(&add, linker);
  solo_list_add(&add, "--only-needed");
  solo_list_add(&add, "--internalize");
  solo_list_add(&add, "--suppress-warnings");
  solo_list_add(&add, joined);
  if (solo_tool_is_file(library)) solo_list_add(&add, library);
  solo_list_add(&add, "-o");
  solo_list_add(&add, out);
  run(&add);
  solo_link_check_fortran(solo_tool_text("llvm-dis-%s", version), out);
  solo_list_add(&result, out);
  return result;
}
