/* solo-cc, solo-c++, solo-fc: Clang, flang with everything on the command line that OpenMP
 * offloading with solo needs. All their options pass through; they themselves compile, and in
 * static links find solo-link in place of their linker wrapper.
 */
#include "tools/solo_cc.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: %s [options] [options of clang] files...\n"
    "Compiles and links OpenMP programs with target regions, with Clang and solo.\n"
    "\n"
    "  --static           one fully static executable; device code for the CPU is linked in\n"
    "                     (C: with musl; C++: with glibc)\n"
    "  --musl, --glibc    choose the C library of a static program (give it to -c, too)\n"
    "  --targets=LIST     comma-separated: host, sm_NN (NVIDIA), gfxNNN (AMD)        [host]\n"
    "  --allow-host-only  with --static: leave GPU targets out instead of refusing them\n"
    "  --runtime-images   with --static: the whole library, for programs that register images\n"
    "  --symbols-of=IMAGE, --symbol=NAME\n"
    "                     with --static: symbols that images registered at run time will find\n"
    "  --host-devices=K   with --static: copies of global variables for K CPU devices\n"
    "  --profile          with --static: link what LIBOMPTARGET_PROFILE=FILE needs\n"
    "  --clang=COMMAND    the Clang to use, also from SOLO_CLANG                 [clang-19]\n"
    "  --show             print the commands that are run\n"
    "  --help             this text (clang --help lists the options of Clang)\n"
    "Without --static the program is an ordinary dynamic one: -lomptarget is solo's, host threads\n"
    "are libomp's.\n";

static const char fortran_help[] =
    "usage: %s [options] [options of flang] files...\n"
    "Compiles and links Fortran programs with OpenMP target regions, with flang and solo: one "
    "fully\n"
    "static executable (glibc), in which device code for the CPU is linked in.\n"
    "\n"
    "  --dynamic          an ordinary dynamic program instead: host threads are libomp's\n"
    "  --host-devices=K   copies of global variables for K CPU devices\n"
    "  --profile          link what LIBOMPTARGET_PROFILE=FILE needs\n"
    "  --flang=COMMAND    the flang to use, also from SOLO_FLANG                 [flang-22]\n"
    "  --show             print the commands that are run\n"
    "  --help             this text (flang --help lists the options of flang)\n";

static const char *name_of(const solo_cc_settings *s) {
  return s->fortran ? "solo-fc" : s->cxx ? "solo-c++" : "solo-cc";
}

/* --- the command line ------------------------------------------------------------------------- */

static solo_cc_stage stage_of(const char *option, solo_cc_stage before) {
  static const char *const compile[] = {"-c",         "-S",        "-fsyntax-only",
                                        "-emit-llvm", "--analyze", "-emit-ast"};
  static const char *const preprocess[] = {"-E", "-M", "-MM"};
  for (size_t i = 0; i < sizeof preprocess / sizeof *preprocess; i++)
    if (strcmp(option, preprocess[i]) == 0) return STAGE_PREPROCESS;
  for (size_t i = 0; i < sizeof compile / sizeof *compile; i++)
    if (strcmp(option, compile[i]) == 0 && before == STAGE_LINK) return STAGE_COMPILE;
  return before;
}

/* Options of Clang whose value is the next argument, as far as that could be taken for one of
 * ours. */
static bool takes_value(const char *option) {
  static const char *const names[] = {"-o",
                                      "-x",
                                      "-I",
                                      "-D",
                                      "-U",
                                      "-L",
                                      "-l",
                                      "-MF",
                                      "-MT",
                                      "-MQ",
                                      "-include",
                                      "-isystem",
                                      "-idirafter",
                                      "-iquote",
                                      "-imacros",
                                      "-Xclang",
                                      "-Xlinker",
                                      "-Xassembler",
                                      "-Xpreprocessor",
                                      "-T",
                                      "-u",
                                      "-arch",
                                      "-mllvm",
                                      "-target",
                                      "-z",
                                      "-Xopenmp-target"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return false;
}

static bool own_option(solo_cc_settings *s, const char *option) {
  const char *value;
  if (strcmp(option, "--static") == 0 || strcmp(option, "-static") == 0)
    s->is_static = true;
  else if (strcmp(option, "-static-pie") == 0)
    return !(s->is_static = true); /* Clang's, too */
  else if (strcmp(option, "--musl") == 0)
    s->is_static = s->musl = true;
  else if (strcmp(option, "--glibc") == 0)
    s->glibc = true;
  else if (s->fortran && strcmp(option, "--dynamic") == 0)
    s->dynamic = true;
  else if (strcmp(option, "--show") == 0)
    s->verbose = true;
  else if (strcmp(option, "--allow-host-only") == 0)
    s->allow_host_only = true;
  else if (strcmp(option, "--runtime-images") == 0)
    s->runtime_images = true;
  else if (strcmp(option, "--profile") == 0)
    solo_list_add(&s->for_linker, "-Wl,-u,solo_profile_start,-u,solo_info_start");
  else if ((value = solo_tool_after(option, "--targets=")))
    s->targets = value;
  else if ((value = solo_tool_after(option, s->fortran ? "--flang=" : "--clang=")))
    s->clang = value;
  else if (solo_tool_after(option, "--host-devices=") || solo_tool_after(option, "--symbol=") ||
           solo_tool_after(option, "--symbols-of="))
    solo_list_addf(&s->for_linker, "-Wl,%s", option);
  else
    return false;
  return true;
}

/* A source that Clang takes for C++, by its name or by -x. */
static bool has_cxx_source(const solo_cc_settings *s) {
  static const char *const ends[] = {".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".CPP", ".ii"};
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *argument = s->rest.item[i];
    if (strcmp(argument, "-xc++") == 0 || (strcmp(argument, "-x") == 0 && i + 1 < s->rest.count &&
                                           strcmp(s->rest.item[i + 1], "c++") == 0))
      return true;
    if (takes_value(argument)) {
      i++;
      continue;
    }
    for (size_t e = 0; argument[0] != '-' && e < sizeof ends / sizeof *ends; e++)
      if (solo_tool_ends(argument, ends[e])) return true;
  }
  return false;
}

static void parse(solo_cc_settings *s, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i];
    if (strcmp(argument, "--help") == 0) {
      printf(s->fortran ? fortran_help : help, name_of(s));
      exit(solo_tool_finish(0));
    }
    if (own_option(s, argument)) continue;
    s->stage = stage_of(argument, s->stage);
    if (strcmp(argument, "-") == 0) s->standard_input = true;
    solo_list_add(&s->rest, argument);
    if (takes_value(argument) && i + 1 < argc) solo_list_add(&s->rest, argv[++i]);
  }
  if (s->fortran) {
    if (s->musl)
      solo_tool_die("--musl: flang's runtime library is made for glibc; leave the option out");
    s->is_static = !s->dynamic;
    s->glibc = true;
  }
  if (s->musl && s->glibc) solo_tool_die("--musl and --glibc exclude each other");
  s->cxx_source = has_cxx_source(s);
  /* C++ needs headers that there are for glibc alone, under whatever name we were called */
  if (s->is_static && !s->cxx && !s->cxx_source && !s->glibc) s->musl = true;
}

/* --- commands --------------------------------------------------------------------------------- */

static const char *musl_include(void) {
  const char *given = getenv("SOLO_MUSL");
  if (given && *given) return solo_tool_text("%s/include", given);
  const char *places[] = {solo_tool_text("/usr/include/%s-linux-musl", solo_cc_machine()),
                          "/usr/local/musl/include", "/usr/lib/musl/include"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (solo_tool_is_file(solo_tool_text("%s/stdio.h", places[i]))) return places[i];
  solo_tool_die("musl's headers were not found; install musl-dev (package musl-tools), name their "
                "prefix in SOLO_MUSL, or use --glibc");
}

static void add_compile_options(const solo_cc_settings *s, const char *clang, solo_list *command) {
  if (s->musl) {
    solo_list_addf(command, "--target=%s", solo_cc_triple(s));
    solo_list_add(command, "-nostdlibinc");
    if (s->cxx) { /* neither headers nor runtime of C++ */
      solo_list_add(command, "-nostdinc++");
      solo_list_add(command, "-fno-exceptions");
      solo_list_add(command, "-fno-rtti");
    }
  }
  /* so that --gc-sections drops what is unused, and equal kernels are seen to be equal */
  if (s->is_static) {
    solo_list_add(command, "-ffunction-sections");
    solo_list_add(command, "-fdata-sections");
  }
  solo_list_add(command, "-fopenmp");
  if (!s->standard_input) solo_cc_add_targets(s, clang, command);
}

/* Behind the user's own -I and -isystem: our omp.h, musl's headers. */
static void add_headers(const solo_cc_settings *s, solo_list *command) {
  const char *include = solo_tool_include_dir();
  if (include) solo_list_addf(command, "-isystem%s", include);
  if (s->musl) solo_list_addf(command, "-isystem%s", musl_include());
}

static void add_static_link(const solo_cc_settings *s, solo_list *command) {
  if (!solo_list_has(&s->rest, "-static-pie")) solo_list_add(command, "-static");
  solo_list_addf(command, "-B%s", solo_tool_helper_dir());
  if (s->musl) solo_list_add(command, "-nostdlib"); /* solo-link adds musl's */
  solo_list_addf(command, "-Wl,--libc=%s", s->musl ? "musl" : "glibc");
  if (s->verbose) solo_list_add(command, "-Wl,--show");
  if (s->allow_host_only) solo_list_add(command, "-Wl,--allow-host-only");
  if (s->runtime_images) solo_list_add(command, "-Wl,--runtime-images");
  solo_list_add_all(command, &s->for_linker);
}

/* An ordinary dynamic program: -lomptarget finds our archive first. libomp and device images look
 * our interface up in the program's dynamic symbol table. */
static void add_dynamic_link(const solo_cc_settings *s, const char *clang, solo_list *command) {
  const char *libraries = solo_tool_library_dir("glibc"), *libomp = solo_cc_other_libomp(clang);
  solo_list_addf(command, "-L%s", libraries);
  if (libomp) solo_list_addf(command, "-L%s", libomp);
  static const char *const exported[] = {"__tgt_*", "omp_*", "ompx_*", "llvm_omp_*"};
  for (size_t i = 0; i < sizeof exported / sizeof *exported; i++)
    solo_list_addf(command, "-Wl,--export-dynamic-symbol=%s", exported[i]);
  const char *drivers = solo_tool_text("%s/libsolo_drv.so", libraries);
  if (strcmp(s->targets, "host") != 0 && solo_tool_is_file(drivers)) {
    solo_list_addf(command, "-Wl,--push-state,--no-as-needed,%s,--pop-state", drivers);
    solo_list_addf(command, "-Wl,-rpath,%s", libraries);
  }
  const char *device = solo_tool_device_library();
  if (strcmp(s->targets, "host") != 0 && device) solo_list_add(command, device);
}

static const char *choose_clang(const solo_cc_settings *s) {
  const char *clang = s->clang;
  if (!clang) clang = getenv(s->fortran ? "SOLO_FLANG" : "SOLO_CLANG");
  if (!clang || !*clang) clang = s->fortran ? "flang-22" : "clang-19";
  if (s->cxx && !strstr(solo_tool_base(clang), "++")) {
    /* clang-19 -> clang++-19 */
    const char *base = solo_tool_base(clang), *rest = solo_tool_after(base, "clang");
    if (rest) clang = solo_tool_text("%.*sclang++%s", (int)(base - clang), clang, rest);
  }
  if (!solo_tool_exists(clang))
    solo_tool_die("no such compiler: %s; install it (apt-get install %s), or name another with "
                  "%s",
                  clang, clang, s->fortran ? "--flang= or SOLO_FLANG" : "--clang= or SOLO_CLANG");
  return clang;
}

static bool has_option(const solo_cc_settings *s, const char *prefix) {
  for (size_t i = 0; i < s->rest.count; i++)
    if (solo_tool_after(s->rest.item[i], prefix)) return true;
  return false;
}

static void check(const solo_cc_settings *s) {
  if (s->standard_input && s->stage != STAGE_PREPROCESS)
    solo_tool_die("source from standard input ('-') cannot be compiled for offloading: Clang reads "
                  "it once per target; write it to a file and name that");
  if (has_option(s, "-foffload-lto") && s->is_static)
    solo_tool_die("-foffload-lto makes device code LLVM bitcode, which solo-link does not compile; "
                  "leave it out for --static");
  if (s->is_static && has_option(s, "-flto"))
    solo_tool_die("-flto makes objects LLVM bitcode, which solo-link does not read; leave it out "
                  "for --static");
  if (s->fortran && strcmp(s->targets, "host") != 0)
    solo_tool_die(
        "--targets=%s: flang's kernels for GPUs need a device runtime that no package has; "
        "only --targets=host",
        s->targets);
  if (s->is_static && has_option(s, "-shared"))
    solo_tool_die("%s makes executables; build shared libraries %s",
                  s->fortran ? "solo-fc without --dynamic" : "--static",
                  s->fortran ? "with it" : "without it");
}

/* By the last option that says; nothing said is -O0. */
static bool is_optimised(const solo_cc_settings *s) {
  bool optimised = false;
  for (size_t i = 0; i < s->rest.count; i++)
    if (strncmp(s->rest.item[i], "-O", 2) == 0) optimised = strcmp(s->rest.item[i], "-O0") != 0;
  return optimised;
}

static bool links(const solo_cc_settings *s) {
  bool asks = s->rest.count == 0 || has_option(s, "--version") || has_option(s, "-v") ||
              has_option(s, "-print") || has_option(s, "--print") || has_option(s, "-dump");
  return s->stage == STAGE_LINK && !(asks && s->rest.count <= 1);
}

static bool has_source(const solo_cc_settings *s) {
  static const char *const ends[] = {".f90", ".F90", ".f",   ".F",   ".for", ".f95", ".F95",
                                     ".f03", ".F03", ".f08", ".F08", ".f18", ".F18"};
  for (size_t i = 0; i < s->rest.count; i++)
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
      if (solo_tool_ends(s->rest.item[i], ends[e])) return true;
  return false;
}

/* The device runtime's loops go to flang as bitcode (abi/kmpc/fortran/device_inline.h), so that it can
 * inline a loop's body. flang knows no options about unused options, no sections per function, and
 * finds omp_lib. */
static void run_flang(const solo_cc_settings *s, const char *flang) {
  solo_list command = {0};
  solo_list_add(&command, flang);
  solo_list_add(&command, "-fopenmp");
  solo_cc_add_targets(s, flang, &command);
  const char *loops = is_optimised(s) && has_source(s) ? solo_tool_flang_loops() : NULL;
  if (loops) {
    solo_list_add(&command, "-Xflang");
    solo_list_add(&command, "-mlink-builtin-bitcode");
    solo_list_add(&command, "-Xflang");
    solo_list_add(&command, loops);
  }
  if (links(s) && s->is_static) add_static_link(s, &command);
  if (links(s) && !s->is_static) add_dynamic_link(s, flang, &command);
  solo_list_add_all(&command, &s->rest);
  solo_tool_exec(&command);
}

int main(int argc, char **argv) {
  const char *name = solo_tool_base(argv[0]);
  solo_cc_settings s = {
      .cxx = strstr(name, "++") != NULL, .fortran = solo_tool_ends(name, "-fc"), .targets = "host"};
  solo_tool_start(name_of(&s));
  parse(&s, argc, argv);
  check(&s);
  if (s.verbose) solo_tool_show_commands();

  solo_list command = {0};
  const char *clang = choose_clang(&s);
  if (s.fortran) run_flang(&s, clang);
  solo_list_add(&command, clang);
  /* not every step uses each of our options, and nobody shall be warned of that */
  solo_list_add(&command, "--start-no-unused-arguments");
  add_compile_options(&s, clang, &command);
  /* Link options stand in front, so that the user's come later and win. */
  if (links(&s) && s.is_static) add_static_link(&s, &command);
  if (links(&s) && !s.is_static) add_dynamic_link(&s, clang, &command);
  solo_list_add(&command, "--end-no-unused-arguments");
  solo_list_add_all(&command, &s.rest);
  solo_list_add(&command, "--start-no-unused-arguments");
  add_headers(&s, &command);
  solo_list_add(&command, "--end-no-unused-arguments");
  bool cxx_by_c = links(&s) && s.is_static && s.cxx_source && !s.cxx;
  bool amd_unoptimised = links(&s) && strstr(s.targets, "gfx") && !is_optimised(&s);
  if (!amd_unoptimised && !cxx_by_c && (!s.musl || !s.cxx)) solo_tool_exec(&command);
  int status = solo_tool_run(&command);
  if (status != 0 && amd_unoptimised)
    fputs("solo-cc: note: Clang 19 cannot link device code for AMD GPUs without optimisation; "
          "compile and link with -O1 or more\n",
          stderr);
  if (status != 0 && cxx_by_c)
    fputs("solo-cc: note: a C++ source, linked as C; solo-c++ adds the C++ library\n", stderr);
  if (status != 0 && s.musl && s.cxx)
    fputs(
        "solo-c++: note: with --musl there are no C++ library headers and no libstdc++ (Debian has "
        "none for musl); programs that need them link with --static, which uses glibc\n",
        stderr);
  return status;
}
