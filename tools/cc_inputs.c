/* Finds and prepares the inputs. */
#include "tools/cc.h"

#include <errno.h>
#include <stdio.h>

/* Returns whether the option's value is the next argument. Lists only options with values that
 * could be mistaken for options of solo-cc. */
bool solo_cc_option_has_value(const char *option) {
  static const char *const names[] = {"-o",
                                      "-x",
                                      "-I",
                                      "-D",
                                      "-U",
                                      "-L",
                                      "-l",
                                      "-MF",
                                      "-MJ",
                                      "-MT",
                                      "-MQ",
                                      "-include",
                                      "-isystem",
                                      "-idirafter",
                                      "-iquote",
                                      "-imacros",
                                      "-Xclang",
                                      "-Xflang",
                                      "-J",
                                      "-module-dir",
                                      "-Xlinker",
                                      "-Xassembler",
                                      "-Xpreprocessor",
                                      "-T",
                                      "-u",
                                      "-arch",
                                      "-mllvm",
                                      "-target",
                                      "-z",
                                      "-Xopenmp-target",
                                      "-Xoffload-linker",
                                      "-Xarch_host",
                                      "-Xarch_device",
                                      "-B",
                                      "--param",
                                      "--sysroot",
                                      "-isysroot",
                                      "-dumpdir"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return false;
}

bool solo_cc_has_option(const solo_cc_settings *s, const char *prefix) {
  for (size_t i = 0; i < s->rest.count; i++)
    if (solo_tool_skip_prefix(s->rest.item[i], prefix)) return true;
  return false;
}

/* Calls visit for each input with the language of -x (NULL: determined by the suffix). visit
 * returns the input's index, which changes if visit inserts an argument. */
typedef size_t visit_input(solo_cc_settings *s, size_t at, const char *language);

static void each_input(solo_cc_settings *s, visit_input *visit) {
  const char *language = NULL;
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *argument = s->rest.item[i], *joined = solo_tool_skip_prefix(argument, "-x");
    if (strcmp(argument, "-x") == 0 && i + 1 < s->rest.count)
      language = s->rest.item[++i];
    else if (joined && *joined && strcmp(argument, "-xtarget") != 0)
      language = joined;
    else if (solo_cc_option_has_value(argument))
      i++;
    else if (argument[0] != '-' || !argument[1])
      i = visit(s, i, language && strcmp(language, "none") == 0 ? NULL : language);
  }
}

static size_t note_input(solo_cc_settings *s, size_t at, const char *language) {
  static const char *const ends[] = {".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".CPP", ".ii"};
  const char *name = s->rest.item[at];
  s->has_input = true;
  if (strcmp(name, "-") == 0) s->standard_input = true;
  if (language) s->cxx_source = s->cxx_source || solo_tool_skip_prefix(language, "c++");
  for (size_t e = 0; !language && e < sizeof ends / sizeof *ends; e++)
    if (solo_tool_has_suffix(name, ends[e])) s->cxx_source = true;
  return at;
}

void solo_cc_read_inputs(solo_cc_settings *s) {
  each_input(s, note_input);
}

/* Copies standard input to a file "-", because Clang reads a source once per target. The file's
 * name preserves Clang's default object name. */
static void copy_standard_input(solo_cc_settings *s, size_t at) {
  char *copy = solo_tool_temporary("-"), buffer[1 << 16];
  FILE *out = fopen(copy, "wb");
  size_t size;
  if (!out) solo_tool_die_of_write(copy);
  while ((size = fread(buffer, 1, sizeof buffer, stdin)) > 0)
    if (fwrite(buffer, 1, size, out) != size) break;
  if (ferror(stdin) || ferror(out) || fclose(out) != 0)
    solo_tool_die("cannot copy standard input to %s: %s", copy, strerror(errno));
  s->rest.item[at] = copy;
}

/* Returns the language of preprocessed source, or NULL. */
static const char *source_language(const char *name, const char *language) {
  if (language && strcmp(language, "cpp-output") == 0) return "c";
  if (language && strcmp(language, "c++-cpp-output") == 0) return "c++";
  if (language) return NULL;
  return solo_tool_has_suffix(name, ".i") ? "c" : solo_tool_has_suffix(name, ".ii") ? "c++" : NULL;
}

static size_t prepare_input(solo_cc_settings *s, size_t at, const char *language) {
  const char *name = s->rest.item[at], *source = source_language(name, language);
  /* Ends the effect of the previous input's -x. (After the last input, Clang would warn about
   * -x.) */
  if (s->has_language_option) {
    solo_list_insert(&s->rest, at++, solo_tool_text("-x%s", language ? language : "none"));
    s->has_language_option = false;
  }
  /* Clang reports an error for standard input without -x. */
  if (strcmp(name, "-") == 0 && language) copy_standard_input(s, at);
  /* The macros of preprocessed source are expanded for the CPU: other targets cannot use it. */
  if (!source || strcmp(s->targets, "host") != 0) return at;
  solo_list_insert(&s->rest, at, solo_tool_text("-x%s", source));
  s->has_language_option = true;
  return at + 1;
}

void solo_cc_prepare_inputs(solo_cc_settings *s) {
  if (s->stage == STAGE_PREPROCESS || s->fortran) return;
  each_input(s, prepare_input);
  if (s->standard_input) solo_list_add(&s->rest, "-iquote.");
}
