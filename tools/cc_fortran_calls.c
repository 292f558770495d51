/* Finds calls of Fortran library functions that solo's device library lacks. solo-link prints
 * the calls' source lines. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>

static const char prefix[] = "@_FortranA";

/* Returns the functions, one per line (abi/device/make.sh). */
static const char *read_names(void) {
  const char *device = solo_tool_device_library();
  if (!device) return "";
  char *path = solo_tool_text("%.*s/fortran.list", (int)(strrchr(device, '/') - device), device);
  if (!solo_tool_is_file(path)) return "";
  solo_span bytes = solo_tool_input(path);
  return solo_tool_text("%.*s", (int)bytes.size, (const char *)bytes.data);
}

static bool has_name(const char *names, const char *name) {
  size_t size = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at += size)
    if ((at == names || at[-1] == '\n') && at[size] == '\n') return true;
  return false;
}

static char *name_at(const char *at) {
  return solo_tool_text("%.*s", (int)strcspn(at, "(), "), at);
}

bool solo_cc_misses_fortran(const char *code) {
  const char *names = NULL;
  for (const char *at = code; (at = strstr(at, "\ndeclare ")); at++) {
    const char *name = at + 1 + strcspn(at + 1, "@\n");
    if (!solo_tool_skip_prefix(name, prefix)) continue;
    if (!names) names = read_names();
    if (!has_name(names, name_at(name + 1))) return true;
  }
  return false;
}

/* Returns N of the metadata node "NUMBER = !DILocation(line: N, ..."; 0: unknown. */
static int line_of(const char *code, const char *number) {
  const char *at = strstr(code, solo_tool_text("\n%s = ", number));
  const char *line = at ? strstr(at, "line: ") : NULL;
  if (!line || line > at + 1 + strcspn(at + 1, "\n")) return 0;
  return atoi(line + strlen("line: "));
}

char *solo_cc_fortran_calls(const char *code, const char *source) {
  const char *names = read_names();
  char *all = solo_tool_text("%s", ""), *items = solo_tool_text("%s", "");
  unsigned number = 1000000; /* above flang's numbers */
  for (const char *at = code; (at = strstr(at, prefix)); at++) {
    const char *end = at + strcspn(at, "\n"), *debug = strstr(at, "!dbg ");
    char *name = name_at(at + 1);
    if (!debug || debug > end || has_name(names, name)) continue;
    debug += strlen("!dbg ");
    int line = line_of(code, solo_tool_text("%.*s", (int)strcspn(debug, "\n, "), debug));
    all = solo_tool_text("%s!%u = !{!\"%s\", !\"%s:%d\"}\n", all, number, name, source, line);
    items = solo_tool_text("%s%s!%u", items, *items ? ", " : "", number++);
  }
  return solo_tool_text("!solo.fortran = !{%s}\n%s", items, all);
}
