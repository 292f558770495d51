/* Runs before Clang's linker wrapper in links of dynamic programs with sanitizers (cc_sanitize.c).
 * The wrapper would also link a sanitizer's archive into images. Therefore it receives an object
 * instead, which it links only into the program. */
#include "tools/link.h"

#include <stdlib.h>

/* Returns whether the argument is a sanitizer's archive under --whole-archive. */
static bool is_runtime(const solo_list *args, size_t at) {
  const char *base = solo_tool_base(args->item[at]);
  return at > 0 && solo_tool_skip_prefix(base, "libclang_rt.") &&
         solo_tool_has_suffix(base, ".a") && strcmp(args->item[at - 1], "--whole-archive") == 0;
}

static const char *as_object(const char *archive) {
  char *out = solo_tool_temporary(solo_tool_text("%s.o", solo_tool_base(archive)));
  solo_list command = {0};
  const char *const words[] = {"ld", "-r", "--whole-archive", archive, "-o", out};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) solo_list_add(&command, words[i]);
  if (solo_tool_run(&command) != 0) solo_tool_die("cannot convert %s to an object", archive);
  return out;
}

void solo_link_dynamic(const solo_link *link) {
  solo_list command = {0};
  solo_list_add(&command, link->device_linker);
  for (size_t i = 0; i < link->wrapper_arguments.count; i++) {
    const char *argument = link->wrapper_arguments.item[i];
    solo_list_add(&command,
                  is_runtime(&link->wrapper_arguments, i) ? as_object(argument) : argument);
  }
  exit(solo_tool_run(&command));
}
