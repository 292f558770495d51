/* solo-fc: runs flang. For GPUs it compiles each source once per target to LLVM code, and once for
 * the host with the images of all targets. flang alone would pass NVIDIA's code to ptxas, which
 * rejects undefined functions of the device runtime. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>

bool solo_cc_is_optimised(const solo_cc_settings *s) {
  bool optimised = false;
  for (size_t i = 0; i < s->rest.count; i++)
    if (strncmp(s->rest.item[i], "-O", 2) == 0) optimised = strcmp(s->rest.item[i], "-O0") != 0;
  return optimised;
}

bool solo_cc_links(const solo_cc_settings *s) {
  return s->stage == STAGE_LINK && !s->only_prints;
}

static bool is_source(const char *name) {
  static const char *const ends[] = {".f90", ".F90", ".f",   ".F",   ".for", ".FOR", ".f95", ".F95",
                                     ".f03", ".F03", ".f08", ".F08", ".f18", ".F18", ".cuf"};
  for (size_t e = 0; name[0] != '-' && e < sizeof ends / sizeof *ends; e++)
    if (solo_tool_has_suffix(name, ends[e])) return true;
  return false;
}

static bool has_source(const solo_cc_settings *s) {
  for (size_t i = 0; i < s->rest.count; i++)
    if (is_source(s->rest.item[i])) return true;
  return false;
}

static void add_words(solo_list *command, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) solo_list_add(command, words[i]);
}
#define ADD(command, ...)                                                                          \
  add_words(command, (const char *const[]){__VA_ARGS__},                                           \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Makes flang inline the loop functions of the CPU's device runtime
 * (abi/kmpc/fortran/device_inline.h). */
static void add_loops(const solo_cc_settings *s, solo_list *command) {
  const char *loops = solo_cc_is_optimised(s) && has_source(s) ? solo_tool_flang_loops() : NULL;
  if (loops) ADD(command, "-Xflang", "-mlink-builtin-bitcode", "-Xflang", loops);
}

/* Returns the Clang of flang's LLVM version: only this Clang processes flang's bitcode. */
static const char *clang_of(const char *flang) {
  const char *base = solo_tool_base(flang), *rest = solo_tool_skip_prefix(base, "flang");
  const char *clang = solo_tool_text("%.*sclang%s", (int)(base - flang), flang, rest ? rest : "");
  if (rest && solo_tool_skip_prefix(rest, "-new")) clang = solo_tool_text("clang%s", rest + 4);
  if (!solo_tool_exists(clang))
    solo_tool_die("device code for GPUs needs %s, which is not installed\n  hint: install the "
                  "packages %s and llvm%s",
                  clang, clang, rest ? rest : "");
  return clang;
}

static const char *tool_of(const char *clang, const char *name) {
  solo_list query = {0};
  ADD(&query, clang);
  solo_list_addf(&query, "-print-prog-name=%s", name);
  const char *path = solo_tool_run_for_line(&query);
  if (!path || !solo_tool_exists(path))
    solo_tool_die("device code for GPUs needs %s of %s, which is not installed\n  hint: "
                  "install the package llvm%s",
                  name, clang, solo_tool_base(clang) + strlen("clang"));
  return path;
}

static solo_list targets_of(const solo_cc_settings *s) {
  solo_list targets = {0};
  char *copy = solo_tool_text("%s", solo_cc_simt(s) ? solo_cc_simt(s) : s->targets);
  for (char *target = strtok(copy, ","); target; target = strtok(NULL, ","))
    if (!solo_list_has(&targets, target)) solo_list_add(&targets, target);
  return targets;
}

static const char *triples_of(const solo_cc_settings *s, const solo_list *targets) {
  solo_list triples = {0};
  const char *all = NULL;
  for (size_t i = 0; i < targets->count; i++) {
    const char *triple = solo_cc_triple_of(s, targets->item[i]);
    if (solo_list_has(&triples, triple)) continue;
    solo_list_add(&triples, triple);
    all = all ? solo_tool_text("%s,%s", all, triple) : triple;
  }
  return all;
}

typedef struct arguments {
  solo_list sources, options, link; /* link: objects, libraries and linker options */
  const char *output;
} arguments;

static bool is_for_linker(const char *argument) {
  static const char *const prefixes[] = {"-l", "-L", "-Wl,", "-static", "-shared", "-Xlinker"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (solo_tool_skip_prefix(argument, prefixes[i])) return true;
  return argument[0] != '-';
}

static arguments sort_arguments(const solo_cc_settings *s) {
  arguments a = {0};
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *argument = s->rest.item[i];
    if (solo_tool_skip_prefix(argument, "-o") && !solo_tool_skip_prefix(argument, "-object")) {
      a.output = argument[2] ? argument + 2 : i + 1 < s->rest.count ? s->rest.item[++i] : NULL;
    } else if (is_source(argument)) {
      solo_list_add(&a.sources, argument);
      solo_list_add(&a.link, argument); /* link_program() passes its object instead */
    } else {
      solo_list *to = is_for_linker(argument) ? &a.link : &a.options;
      if (strcmp(argument, "-c") != 0) solo_list_add(to, argument);
      if (solo_cc_option_has_value(argument) && i + 1 < s->rest.count)
        solo_list_add(to, s->rest.item[++i]);
    }
  }
  return a;
}

/* Returns true for options about which flang warns. */
static bool is_only_for_sources(const char *option) {
  static const char *const prefixes[] = {"-J",    "-I",   "-D",     "-U",       "-module-dir",
                                         "-std=", "-cpp", "-nocpp", "-W",       "-w",
                                         "-O",    "-m",   "-x",     "-pedantic"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (solo_tool_skip_prefix(option, prefixes[i])) return true;
  return solo_tool_skip_prefix(option, "-f") && !solo_tool_skip_prefix(option, "-fuse-ld") &&
         !solo_tool_skip_prefix(option, "-flto");
}

static void add_link_options(const arguments *a, solo_list *command) {
  for (size_t i = 0; i < a->options.count; i++) {
    const char *option = a->options.item[i];
    bool has_value = solo_cc_option_has_value(option) && i + 1 < a->options.count;
    if (!is_only_for_sources(option) && strcmp(option, "-Xflang") != 0) {
      solo_list_add(command, option);
      if (has_value) solo_list_add(command, a->options.item[i + 1]);
    }
    i += has_value;
  }
}

static void run(const solo_list *command) {
  int status = solo_tool_run(command);
  if (status != 0) exit(status);
}

static const char *file_for(const char *source, const char *target, const char *end) {
  static unsigned number;
  return solo_tool_temporary(
      solo_tool_text("%u-%s-%s.%s", number++, solo_tool_base(source), target, end));
}

static solo_list device_command(const solo_cc_settings *s, const char *flang, const char *target) {
  solo_list command = {0};
  ADD(&command, flang, "-fopenmp", "--offload-device-only");
  solo_list_addf(&command, "-fopenmp-targets=%s", solo_cc_triple_of(s, target));
  return command;
}

static const char *compile_host_device(const solo_cc_settings *s, const char *flang,
                                       const arguments *a, const char *source) {
  const char *out = file_for(source, "host", "o");
  solo_list command = device_command(s, flang, "host");
  add_loops(s, &command);
  solo_list_add_all(&command, &a->options);
  ADD(&command, "-c", source, "-o", out);
  run(&command);
  return out;
}

/* LLVM's optimisations are disabled: solo_cc_share_private() must precede them. */
static char *compile_text(const solo_cc_settings *s, const char *flang, const arguments *a,
                          const char *source, const char *target, const char *more) {
  const char *out = file_for(source, target, "ll");
  solo_list command = device_command(s, flang, target);
  solo_list_addf(&command, "--offload-arch=%s", target);
  ADD(&command, "-nogpulib", "-S", "-emit-llvm");
  solo_list_add_all(&command, &a->options);
  ADD(&command, "-mllvm", "-opt-bisect-limit=0", "-mllvm", "-opt-bisect-verbose=0");
  if (more) ADD(&command, more, "-w");
  ADD(&command, source, "-o", out);
  run(&command);
  solo_span text = solo_tool_input(out);
  return solo_tool_text("%.*s", (int)text.size, (const char *)text.data);
}

static char *optimise(const solo_cc_settings *s, const char *clang, const char *text,
                      const char *source, const char *target) {
  const char *in = file_for(source, target, "ll"), *out = file_for(source, target, "opt.ll");
  solo_tool_write(in, text, strlen(text));
  solo_list command = {0};
  ADD(&command, tool_of(clang, "opt"), "-S");
  if (solo_cc_simt(s)) ADD(&command, "-openmp-opt-disable-state-machine-rewrite");
  solo_list_addf(&command, "-passes=lto-pre-link<O%s>", solo_cc_level(s));
  ADD(&command, in, "-o", out);
  run(&command);
  solo_span code = solo_tool_input(out);
  return solo_tool_text("%.*s", (int)code.size, (const char *)code.data);
}

static const char *compile_device(const solo_cc_settings *s, const char *flang, const arguments *a,
                                  const char *source, const char *target) {
  if (strcmp(target, "host") == 0) return compile_host_device(s, flang, a, source);
  solo_cc_code kind = solo_tool_skip_prefix(target, "sm_") ? SOLO_CC_NVIDIA : SOLO_CC_AMD;
  const char *clang = clang_of(flang);
  char *text = compile_text(s, flang, a, source, target, NULL);
  if (kind == SOLO_CC_AMD) text = solo_cc_mend_complex(text);
  text = solo_cc_share_private(solo_cc_mend_reductions(text), kind);
  text = solo_cc_serialise_lanes(text, kind);
  if (solo_cc_is_optimised(s)) text = optimise(s, clang, text, source, target);
  text = solo_cc_repair_fortran(text, kind);
  if (solo_cc_misses_fortran(text)) {
    char *located = compile_text(s, flang, a, source, target, "-gline-tables-only");
    text = solo_tool_text("%s%s", text, solo_cc_fortran_calls(located, source));
  }
  const char *mended = file_for(source, target, "mended.ll"), *out = file_for(source, target, "bc");
  solo_tool_write(mended, text, strlen(text));
  solo_list assemble = {0};
  ADD(&assemble, tool_of(clang, "llvm-as"), mended, "-o", out);
  run(&assemble);
  return out;
}

static const char *pack(const solo_cc_settings *s, const char *flang, const arguments *a,
                        const char *source, const solo_list *targets) {
  const char *out = file_for(source, "all", "offload");
  solo_list command = {0};
  ADD(&command, solo_tool_sibling("solo-pack"), "create", "--format=offload", "-o", out);
  for (size_t i = 0; i < targets->count; i++) {
    const char *target = targets->item[i];
    const char *arch = strcmp(target, "host") == 0 ? "" : target;
    const char *file = compile_device(s, flang, a, source, target);
    solo_list_addf(&command, "file=%s,triple=%s,arch=%s,kind=openmp", file,
                   solo_cc_triple_of(s, target), arch);
  }
  run(&command);
  return out;
}

static const char *compile(const solo_cc_settings *s, const char *flang, const arguments *a,
                           const char *source, const char *out) {
  solo_list targets = targets_of(s), command = {0};
  const char *images = pack(s, flang, a, source, &targets);
  ADD(&command, flang, "-fopenmp", "--offload-host-only", "-c");
  solo_list_addf(&command, "-fopenmp-targets=%s", triples_of(s, &targets));
  ADD(&command, "-Xflang");
  solo_list_addf(&command, "-fembed-offload-object=%s", images);
  solo_list_add_all(&command, &a->options);
  ADD(&command, "-w", source, "-o", out);
  run(&command);
  return out;
}

static const char *object_name(const char *source) {
  const char *base = solo_tool_base(source);
  return solo_tool_text("%.*s.o", (int)(strrchr(base, '.') - base), base);
}

static void add_device_runtimes(const char *clang, const solo_list *targets, solo_list *command) {
  for (size_t i = 0; i < targets->count; i++) {
    const char *target = targets->item[i];
    if (strcmp(target, "host") == 0) continue;
    solo_list files = solo_cc_runtimes_of(clang, target);
    if (!files.count)
      solo_tool_die("solo has no device runtime for %s with %s\n  hint: install clang-19 and "
                    "libomp-19-dev and run ninja",
                    target, clang);
    for (size_t k = 0; k < files.count; k++)
      solo_list_addf(command, "-Wl,--device-runtime=%s=%s", target, files.item[k]);
  }
}

static int link_program(const solo_cc_settings *s, const char *flang, const arguments *a,
                        const solo_list *objects) {
  const char *clang = clang_of(flang);
  solo_list targets = targets_of(s), command = {0};
  ADD(&command, flang, "-fopenmp");
  solo_list_addf(&command, "-fopenmp-targets=%s", triples_of(s, &targets));
  if (s->is_static)
    solo_cc_add_static_link(s, flang, &command);
  else
    solo_cc_add_dynamic_link(s, clang, &command);
  if (solo_cc_simt(s))
    solo_cc_add_simt_link(s, clang, &command);
  else
    add_device_runtimes(clang, &targets, &command);
  add_link_options(a, &command);
  for (size_t i = 0, source = 0; i < a->link.count; i++)
    solo_list_add(&command, is_source(a->link.item[i]) ? objects->item[source++] : a->link.item[i]);
  if (a->output) ADD(&command, "-o", a->output);
  return solo_cc_run_link(&command, "solo-fc");
}

static int run_for_gpus(const solo_cc_settings *s, const char *flang) {
  arguments a = sort_arguments(s);
  solo_list objects = {0};
  bool links = solo_cc_links(s);
  if (!links && a.output && a.sources.count > 1)
    solo_tool_die("-o names one output, but %zu sources are compiled and not linked",
                  a.sources.count);
  for (size_t i = 0; i < a.sources.count; i++) {
    const char *source = a.sources.item[i];
    const char *out = links      ? file_for(source, "host", "o")
                      : a.output ? a.output
                                 : object_name(source);
    solo_list_add(&objects, compile(s, flang, &a, source, out));
  }
  return links ? link_program(s, flang, &a, &objects) : 0;
}

void solo_cc_run_flang(const solo_cc_settings *s, const char *flang) {
  bool compiles = solo_cc_links(s) || (s->stage == STAGE_COMPILE && solo_list_has(&s->rest, "-c"));
  bool gpu = strcmp(s->targets, "host") != 0;
  if (gpu && compiles && !s->only_prints) exit(run_for_gpus(s, flang));
  solo_list command = {0};
  ADD(&command, flang, "-fopenmp");
  if (!gpu) {
    solo_cc_add_targets(s, flang, &command);
    add_loops(s, &command);
  }
  if (solo_cc_links(s) && s->is_static) solo_cc_add_static_link(s, flang, &command);
  if (solo_cc_links(s) && !s->is_static) solo_cc_add_dynamic_link(s, flang, &command);
  solo_list_add_all(&command, &s->rest);
  if (solo_cc_links(s)) exit(solo_cc_run_link(&command, "solo-fc"));
  solo_tool_exec(&command);
}
