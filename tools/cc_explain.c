/* Explains failed links by their undefined symbols. The linker's messages are also printed,
 * unchanged. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct findings {
  char *gcc; /* an undefined symbol of libgomp: GCC compiled the object */
  char *undefined;
  char *device; /* undefined symbol in a device link */
} findings;

/* Returns the undefined symbol in a message of ld, lld or nvlink, or NULL. */
static char *missing_symbol(const char *line) {
  static const char *const words[] = {"undefined reference to ",
                                      "undefined symbol: ", "Undefined reference to "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *at = strstr(line, words[i]);
    if (!at) continue;
    at += strlen(words[i]);
    at += *at == '`' || *at == '\'';
    return solo_tool_text("%.*s", (int)strcspn(at, "'\n"), at);
  }
  return NULL;
}

static void look_at(void *context, const char *line) {
  findings *f = context;
  char *symbol = missing_symbol(line);
  if (symbol && solo_tool_skip_prefix(symbol, "GOMP_"))
    f->gcc = symbol;
  else if (symbol)
    f->undefined = symbol;
  if (strstr(line, "clang-linker-wrapper: error: 'clang' failed") ||
      strstr(line, "clang-linker-wrapper: error: 'clang++' failed"))
    f->device = f->undefined;
}

static void explain(const findings *f, const char *tool) {
  if (f->gcc)
    fprintf(stderr,
            "%s: note: '%s' is a function of GCC's libgomp that solo does not have\n  "
            "hint: compile the object with %s (Clang) instead of gcc -fopenmp\n",
            tool, f->gcc, tool);
  if (f->device)
    fprintf(
        stderr,
        "%s: note: device code uses '%s', which no linked object or library defines for the "
        "device\n  hint: put the function between '#pragma omp begin declare target' and '#pragma "
        "omp end declare target' and compile it with %s, or link the library that defines it\n",
        tool, f->device, tool);
}

int solo_cc_run_link(solo_list *command, const char *tool) {
  findings f = {0};
  if (isatty(STDERR_FILENO)) solo_list_insert(command, 1, "-fcolor-diagnostics");
  int status = solo_tool_run_watched(command, look_at, &f);
  if (status != 0) explain(&f, tool);
  return status;
}
