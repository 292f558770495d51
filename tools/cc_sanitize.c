/* -fsanitize=... applies to host code. Device code has no sanitizer runtime, except with
 * --sanitize-device. */
#include "tools/cc.h"

static bool names(const char *list, const char *name) {
  for (size_t size = strlen(name); list; list = strchr(list, ',')) {
    list += *list == ',';
    if (strncmp(list, name, size) == 0 && (!list[size] || list[size] == ',')) return true;
  }
  return false;
}

static bool is_on(const solo_cc_settings *s, const char *name) {
  bool on = false;
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *yes = solo_tool_skip_prefix(s->rest.item[i], "-fsanitize=");
    const char *no = solo_tool_skip_prefix(s->rest.item[i], "-fno-sanitize=");
    if (yes) on = on || !name || names(yes, name);
    if (no) on = on && !names(no, "all") && !(name && names(no, name));
  }
  return on;
}

void solo_cc_check_sanitizers(const solo_cc_settings *s) {
  static const char *const dynamic_only[] = {"address", "thread",    "memory",
                                             "leak",    "hwaddress", "dataflow"};
  for (size_t i = 0; s->is_static && i < sizeof dynamic_only / sizeof *dynamic_only; i++)
    if (is_on(s, dynamic_only[i]))
      solo_tool_die(
          "-fsanitize=%s: this sanitizer replaces functions of the C library and requires a "
          "dynamic program\n  hint: leave out --static; only -fsanitize=undefined works with it",
          dynamic_only[i]);
}

static void add_for_device(const solo_cc_settings *s, const char *option, solo_list *command) {
  solo_list_addf(command, "-Xopenmp-target=%s", solo_cc_triple(s));
  solo_list_add(command, option);
}

void solo_cc_add_sanitizers(const solo_cc_settings *s, solo_list *command) {
  if (s->only_prints || !solo_cc_has_host_target(s)) return;
  if (!s->sanitize_device && is_on(s, NULL)) add_for_device(s, "-fno-sanitize=all", command);
  /* Otherwise host and device code would write gcov counts to the same file. */
  if (!solo_cc_has_option(s, "-fprofile-arcs") && !solo_cc_has_option(s, "-ftest-coverage")) return;
  add_for_device(s, "-fno-profile-arcs", command);
  add_for_device(s, "-fno-test-coverage", command);
}

/* Links Archer, an OMPT tool that reports libomp's synchronisation to ThreadSanitizer. Otherwise
 * barriers cause false reports. */
static void add_archer(const char *clang, solo_list *command) {
  solo_list query = {0};
  solo_list_add(&query, clang);
  solo_list_add(&query, "-print-file-name=libarcher.so");
  const char *archer = solo_tool_run_for_line(&query);
  const char *defaults = solo_tool_text("%s/solo_tsan.o", solo_tool_library_dir("glibc"));
  if (solo_tool_is_file(defaults))
    solo_list_addf(command,
                   "-Wl,%s,--wrap=__kmpc_omp_task_alloc,--wrap=__kmpc_omp_target_task_alloc",
                   defaults);
  if (!archer || !strchr(archer, '/')) {
    solo_tool_warn("-fsanitize=thread: %s has no libarcher.so, so that the sanitizer does not see "
                   "barriers and tasks and reports false races\n  hint: install libomp-19-dev",
                   clang);
    return;
  }
  solo_list_addf(command, "-Wl,--push-state,--no-as-needed,%s,--pop-state", archer);
  solo_list_addf(command, "-Wl,-rpath,%.*s", (int)(strrchr(archer, '/') - archer), archer);
}

/* Sanitizers find symbols only in code that the dynamic linker has loaded, so device code becomes
 * part of the program. */
static void add_linked(const solo_cc_settings *s, const char *clang, solo_list *command) {
  solo_list_addf(command, "-B%s", solo_tool_helper_dir());
  solo_list_add(command, "-Wl,--linked");
  solo_list_addf(command, "-Wl,--clang=%s", clang);
  if (s->verbose) solo_list_add(command, "-Wl,--show");
}

/* Runs solo-link before Clang's linker wrapper (run_wrapper() in solo_link.c). */
void solo_cc_add_sanitizer_link(const solo_cc_settings *s, const char *clang, solo_list *command) {
  if (!is_on(s, NULL)) return;
  if (is_on(s, "thread") && !solo_cc_has_option(s, "-shared")) add_archer(clang, command);
  if (solo_cc_simt(s)) return; /* the virtual GPU's link ignores archives */
  if (s->sanitize_device && strcmp(s->targets, "host") == 0) {
    add_linked(s, clang, command);
    return;
  }
  solo_list query = {0};
  solo_list_add(&query, clang);
  solo_list_add(&query, "-print-prog-name=clang-linker-wrapper");
  const char *wrapper = solo_tool_run_for_line(&query);
  if (!wrapper) return;
  solo_list_addf(command, "-B%s", solo_tool_helper_dir());
  solo_list_addf(command, "-Wl,--device-link=%s", wrapper);
  if (!s->sanitize_device) return;
  solo_list_add(command, "-Xoffload-linker");
  solo_list_add(command, "-Wl,-z,undefs");
}
