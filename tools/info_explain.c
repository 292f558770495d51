/* solo-info --explain: prints a section of docs/troubleshooting.md, which install.sh copies to
 * share/solo. Messages name the sections (SOLO_SEE). */
#define _GNU_SOURCE
#include "runtime/base/settings.h"
#include "tools/info.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static solo_span read_page(void) {
  solo_span page;
  const char *folder = solo_tool_program_dir();
  static const char *const places[] = {"../share/solo", "../../docs"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (solo_tool_map(solo_tool_text("%s/%s/troubleshooting.md", folder, places[i]), &page))
      return page;
  solo_tool_die("%s/../share/solo/troubleshooting.md is missing\n  hint: install solo again",
                folder);
}

static const char *end_of_line(const char *at, const char *end) {
  const char *line = memchr(at, '\n', (size_t)(end - at));
  return line ? line : end;
}

int solo_info_explain(const char *section) {
  solo_span page = read_page();
  const char *at = (const char *)page.data, *end = at + page.size;
  solo_list names = {0};
  bool inside = false, found = false;
  while (at < end) {
    const char *line_end = end_of_line(at, end);
    if (line_end - at > 3 && memcmp(at, "## ", 3) == 0) {
      const char *name = solo_tool_text("%.*s", (int)(line_end - at - 3), at + 3);
      solo_list_add(&names, name);
      inside = section && strcmp(name, section) == 0;
      found = found || inside;
    }
    if (inside) printf("%.*s\n", (int)(line_end - at), at);
    at = line_end + (line_end < end);
  }
  if (found) return 0;
  if (section) fprintf(stderr, "solo-info: error: no section '%s'\n", section);
  fputs("sections:", section ? stderr : stdout);
  for (size_t i = 0; i < names.count; i++) fprintf(section ? stderr : stdout, " %s", names.item[i]);
  fputs("\n", section ? stderr : stdout);
  return section != NULL;
}

/* Whether `name` differs from `known` by one inserted, deleted, replaced or swapped character, or
 * only in case. */
static bool is_similar(const char *name, const char *known) {
  if (strcasecmp(name, known) == 0) return true;
  size_t same = 0, length = strlen(name), other = strlen(known);
  while (name[same] && name[same] == known[same]) same++;
  const char *a = name + same, *b = known + same;
  return (length == other && strcmp(a + 1, b + 1) == 0) ||
         (length == other + 1 && strcmp(a + 1, b) == 0) ||
         (other == length + 1 && strcmp(a, b + 1) == 0) ||
         (length == other && a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0);
}

static const char *const variables[] = {
#define XX(field, variable, ...) variable,
    SOLO_SETTINGS_MAP(XX) SOLO_SERVER_SETTINGS_MAP(XX) SOLO_SIMT_SETTINGS_MAP(XX)
        SOLO_REX_SETTINGS_MAP(XX) SOLO_THREAD_SETTINGS_MAP(XX)
#undef XX
            "SOLO_CLANG",
    "SOLO_FLANG", "SOLO_MUSL"};

static void check_variable(const char *name) {
  static const char *const prefixes[] = {"SOLO_", "LIBOMPTARGET_", "SIMT_"};
  const char *similar = NULL;
  bool has_prefix = false;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    if (strcmp(name, variables[i]) == 0) return;
    if (is_similar(name, variables[i])) similar = variables[i];
  }
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    has_prefix = has_prefix || solo_tool_skip_prefix(name, prefixes[i]);
  if (similar || (has_prefix && !solo_tool_skip_prefix(name, "SOLO_TEST_")))
    solo_tool_warn("the environment variable %s is unknown%s%s" SOLO_SEE("wrong-variable"), name,
                   similar ? "\n  hint: use " : "", similar ? similar : "");
}

void solo_info_check_variables(void) {
  for (char **entry = environ; *entry; entry++)
    check_variable(solo_tool_text("%.*s", (int)strcspn(*entry, "="), *entry));
}
