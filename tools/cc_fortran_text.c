/* Names, lines and functions in the text of flang's device code. */
#include "tools/cc_fortran_code.h"

static bool is_name(char c) {
  return c == '_' || c == '.' || c == '$' || c == '-' || (c >= '0' && c <= '9') ||
         (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

const char *solo_fc_end_of_name(const char *at) {
  if (at[1] == '"') return at + 2 + strcspn(at + 2, "\"") + 1;
  for (at++; is_name(*at);) at++;
  return at;
}

char *solo_fc_name_at(const char *at) {
  return solo_tool_text("%.*s", (int)(solo_fc_end_of_name(at) - at), at);
}

const char *solo_fc_find_name(const char *line, const char *name) {
  size_t size = strlen(name);
  for (const char *at = line; (at = strstr(at, name)); at += size)
    if (!is_name(at[size])) return at;
  return NULL;
}

bool solo_fc_is_label(const char *line) {
  return line[0] != ' ' && line[0] != '\n' && strchr(line, ':') != NULL;
}

char *solo_fc_replace(const char *line, const char *from, const char *to) {
  char *result = solo_tool_text("%s", line);
  size_t size = strlen(from);
  for (char *at = result; (at = strstr(at, from));) {
    size_t offset = (size_t)(at - result);
    result = solo_tool_text("%.*s%s%s", (int)offset, result, to, at + size);
    at = result + offset + strlen(to);
  }
  return result;
}

const char *solo_fc_replace_name(const char *line, const char *from, const char *to) {
  const char *at, *result = "";
  if (!solo_fc_find_name(line, from)) return line;
  for (; (at = solo_fc_find_name(line, from)); line = at + strlen(from))
    result = solo_tool_text("%s%.*s%s", result, (int)(at - line), line, to);
  return solo_tool_text("%s%s", result, line);
}

const char *solo_fc_operation(const char *line) {
  const char *text = line + strspn(line, " ");
  const char *value = *text == '%' ? solo_fc_end_of_name(text) : text;
  return solo_tool_skip_prefix(value, " = ") ? value + 3 : text;
}

bool solo_fc_copies_address(const char *line) {
  static const char *const operations[] = {"getelementptr ", "bitcast ", "phi ", "select ",
                                           "addrspacecast "};
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (solo_tool_skip_prefix(solo_fc_operation(line), operations[i])) return true;
  return false;
}

solo_list solo_fc_addresses_of(const solo_fc_module *m, const solo_fc_function *f,
                               const char *variable) {
  solo_list addresses = {0};
  solo_list_add(&addresses, variable);
  for (size_t i = 0; i < addresses.count; i++)
    for (size_t k = f->begin + 1; k < f->end; k++) {
      const char *line = m->lines.item[k];
      if (!solo_fc_copies_address(line) ||
          !solo_fc_find_name(solo_fc_operation(line), addresses.item[i]))
        continue;
      const char *result = solo_fc_name_at(line + strspn(line, " "));
      if (!solo_list_has(&addresses, result)) solo_list_add(&addresses, result);
    }
  return addresses;
}

solo_fc_function *solo_fc_function_named(const solo_fc_module *m, const char *name) {
  for (size_t i = 0; i < m->count; i++)
    if (strcmp(m->functions[i].name, name) == 0) return &m->functions[i];
  return NULL;
}

solo_list solo_fc_lines(const char *text) {
  solo_list lines = {0};
  while (*text) {
    size_t size = strcspn(text, "\n");
    size += text[size] == '\n';
    solo_list_add(&lines, solo_tool_text("%.*s", (int)size, text));
    text += size;
  }
  return lines;
}

void solo_fc_find_functions(solo_fc_module *m) {
  for (size_t i = 0; i < m->lines.count; i++) {
    const char *line = m->lines.item[i];
    if (!solo_tool_skip_prefix(line, "define ")) continue;
    m->functions = solo_tool_grow(m->functions, m->count, sizeof *m->functions);
    solo_fc_function *f = &m->functions[m->count++];
    *f = (solo_fc_function){.begin = i,
                            .name = solo_fc_name_at(strchr(line, '@')),
                            .is_internal = strstr(line, "define internal ") != NULL};
    f->is_serial = !f->is_internal;
    for (; m->lines.item[i][0] != '}'; i++)
      if (strstr(m->lines.item[i], "@__kmpc_target_init(")) f->is_kernel = true;
    f->end = i;
  }
}
