/* solo-cc, solo-c++, solo-fc: run Clang or flang with options for offloading. In static links Clang
 * then runs solo-link as its linker wrapper. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: %s [options] [options of clang] files...\n"
    "Compiles and links OpenMP programs with target regions. Calls Clang with the options that\n"
    "solo needs.\n"
    "\n"
    "  --static           link a fully static executable with device code for the CPU\n"
    "                     (C with musl, C++ with glibc); also use it with -c\n"
    "  --musl, --glibc    select the C library of a static program; also use it with -c\n"
    "  --host=HOST        compile for another machine, for which solo must be built:\n"
    "                     aarch64-linux-gnu, or riscv64-linux-gnu (without device code)\n"
    "  --targets=LIST     targets of device code, separated by commas: host, sm_NN (NVIDIA),\n"
    "                     gfxNNN (AMD); or a single target:                           [host]\n"
    "                     simt-sm_NN, simt-gfxNNN: code of this GPU for the virtual GPU\n"
    "                     ptx-sm_NN: PTX for old and new drivers; also a cubin if ptxas exists\n"
    "  --simt-checks      report data races and out-of-bounds accesses on the virtual GPU\n"
    "  --remote           with --static: allow GPU targets, with a device server (solo-server)\n"
    "  --device-link=TOOL tool that links the device images of a dynamic program: clang (Clang's\n"
    "                     linker wrapper) or solo (solo-link)                         [clang]\n"
    "  --allow-host-only  with --static: ignore GPU targets instead of an error\n"
    "  --runtime-images   with --static: link the whole library, so that the program can\n"
    "                     register images\n"
    "  --symbols-of=IMAGE, --symbol=NAME\n"
    "                     with --static: make symbols available to images registered later\n"
    "  --host-devices=K   with --static: link separate global variables for K CPU devices\n"
    "  --host-threads=exact  regions on the CPU device have the requested number of threads, also\n"
    "                     above the number of processors (default of SOLO_HOST_THREADS)\n"
    "  --profile          with --static: link the profiler of LIBOMPTARGET_PROFILE=FILE\n"
    "  --sanitize-device  apply -fsanitize=... also to device code for the CPU\n"
    "  --clang=COMMAND    Clang to call; also SOLO_CLANG                              [clang-19]\n"
    "  --show             print the commands\n"
    "  --help             print this text (clang --help lists the options of Clang)\n"
    "Without --static the program is dynamic: it contains solo's offload runtime and uses libomp\n"
    "for host threads.\n";

static const char fortran_help[] =
    "usage: %s [options] [options of flang] files...\n"
    "Compiles and links Fortran programs with OpenMP target regions. Calls flang. Links a fully\n"
    "static executable with glibc and device code for the CPU. Programs for GPUs are dynamic.\n"
    "\n"
    "  --targets=LIST     targets of device code, separated by commas: host, sm_NN (NVIDIA),\n"
    "                     gfxNNN (AMD); or a single target:                           [host]\n"
    "                     simt-sm_NN, simt-gfxNNN: code of this GPU for the virtual GPU\n"
    "  --simt-checks      report data races and out-of-bounds accesses on the virtual GPU\n"
    "  --dynamic          link a dynamic program that uses libomp for host threads\n"
    "  --host-devices=K   link separate global variables for K CPU devices\n"
    "  --host-threads=exact  regions on the CPU device have the requested number of threads, also\n"
    "                     above the number of processors (default of SOLO_HOST_THREADS)\n"
    "  --profile          link the profiler of LIBOMPTARGET_PROFILE=FILE\n"
    "  --flang=COMMAND    flang to call; also SOLO_FLANG                              [flang-22]\n"
    "  --show             print the commands\n"
    "  --help             print this text (flang --help lists the options of flang)\n";

static const char *name_of(const solo_cc_settings *s) {
  return s->fortran ? "solo-fc" : s->cxx ? "solo-c++" : "solo-cc";
}

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

static void set_device_link(solo_cc_settings *s, const char *linker) {
  s->own_images = strcmp(linker, "solo") == 0;
  if (!s->own_images && strcmp(linker, "clang") != 0)
    solo_tool_die("--device-link=%s: must be clang or solo", linker);
}

static void set_host_threads(solo_cc_settings *s, const char *how) {
  s->exact_threads = strcmp(how, "exact") == 0;
  if (!s->exact_threads && strcmp(how, "processors") != 0)
    solo_tool_die("--host-threads=%s: must be exact or processors", how);
}

static bool own_option(solo_cc_settings *s, const char *option) {
  const char *value;
  if (strcmp(option, "--static") == 0 || strcmp(option, "-static") == 0)
    s->is_static = true;
  else if (strcmp(option, "-static-pie") == 0)
    return !(s->is_static = true); /* false, because Clang also receives this option */
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
  else if ((value = solo_tool_skip_prefix(option, "--host-threads=")))
    set_host_threads(s, value);
  else if (strcmp(option, "--sanitize-device") == 0)
    s->sanitize_device = true;
  else if (strcmp(option, "--simt-checks") == 0)
    s->simt_checks = true;
  else if (!s->fortran && strcmp(option, "--remote") == 0)
    s->remote = true;
  else if (!s->fortran && (value = solo_tool_skip_prefix(option, "--device-link=")))
    set_device_link(s, value);
  else if (strcmp(option, "--profile") == 0)
    solo_list_add(&s->for_linker, "-Wl,-u,solo_profile_start");
  else if ((value = solo_tool_skip_prefix(option, "--targets=")))
    s->targets = value;
  else if (!s->fortran && (value = solo_tool_skip_prefix(option, "--host=")))
    solo_cc_set_host(s, value);
  else if ((value = solo_tool_skip_prefix(option, s->fortran ? "--flang=" : "--clang=")))
    s->clang = value;
  else if (solo_tool_skip_prefix(option, "--host-devices=") ||
           solo_tool_skip_prefix(option, "--symbol=") ||
           solo_tool_skip_prefix(option, "--symbols-of="))
    solo_list_addf(&s->for_linker, "-Wl,%s", option);
  else
    return false;
  return true;
}

static bool is_information_option(const char *option) {
  static const char *const names[] = {"-Wl,--version", "-Wl,-version", "-Wl,--help",
                                      "-dumpmachine",  "-dumpversion", "--version"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return solo_tool_skip_prefix(option, "-print-") || solo_tool_skip_prefix(option, "--print-");
}

static void add_clang_option(solo_cc_settings *s, const char *argument) {
  s->stage = stage_of(argument, s->stage);
  s->only_prints = s->only_prints || is_information_option(argument);
  if (strcmp(argument, "-pie") == 0) s->pie = true;
  if (strcmp(argument, "-no-pie") == 0 || strcmp(argument, "-nopie") == 0) s->pie = false;
  if (strcmp(argument, "--coverage") == 0 || strcmp(argument, "-coverage") == 0) {
    /* these two options, unlike --coverage, can be disabled for device code */
    solo_list_add(&s->rest, "-fprofile-arcs");
    argument = "-ftest-coverage";
  }
  solo_list_add(&s->rest, argument);
}

/* In static links, replaces -pie by -static-pie, because Clang rejects -static with -pie. */
static void join_pie(solo_cc_settings *s) {
  if (!s->is_static || !s->pie) return;
  for (size_t i = 0; i < s->rest.count; i++)
    if (strcmp(s->rest.item[i], "-pie") == 0) s->rest.item[i] = "-static-pie";
}

static void parse(solo_cc_settings *s, int argc, char **argv) {
  solo_list given = solo_tool_arguments(argc, argv);
  for (size_t i = 0; i < given.count; i++) {
    const char *argument = given.item[i];
    if (strcmp(argument, "--help") == 0) {
      printf(s->fortran ? fortran_help : help, name_of(s));
      exit(solo_tool_finish(0));
    }
    if (own_option(s, argument)) continue;
    add_clang_option(s, argument);
    if (solo_cc_option_has_value(argument) && i + 1 < given.count)
      solo_list_add(&s->rest, given.item[++i]);
  }
  if (s->fortran) {
    if (s->musl)
      solo_tool_die("--musl: flang's runtime library requires glibc\n  hint: leave the option out");
    s->own_images = solo_cc_has_gpu(s);
    if (s->own_images) s->dynamic = true; /* a static program cannot load a GPU driver */
    s->is_static = !s->dynamic;
    s->glibc = true;
  }
  if (s->musl && s->glibc) solo_tool_die("--musl and --glibc exclude each other");
  solo_cc_read_inputs(s);
  /* musl has no C++ headers, so C++ uses glibc. */
  if (s->is_static && !s->cxx && !s->cxx_source && !s->glibc && s->machine->offloads)
    s->musl = true;
  join_pie(s);
  s->only_prints = s->only_prints || (s->stage == STAGE_LINK && !s->has_input);
}

static const char *musl_include(const solo_cc_settings *s) {
  const char *given = getenv("SOLO_MUSL");
  if (given && *given) return solo_tool_text("%s/include", given);
  const char *places[] = {solo_tool_text("/usr/include/%s-linux-musl", s->machine->name),
                          solo_tool_text("/usr/%s-linux-musl/include", s->machine->name),
                          "/usr/local/musl/include", "/usr/lib/musl/include"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (solo_tool_is_file(solo_tool_text("%s/stdio.h", places[i]))) return places[i];
  solo_tool_die("musl's headers not found\n  hint: install musl-dev, set SOLO_MUSL to its prefix, "
                "or use --glibc");
}

/* Clang can preprocess standard input for one target only. */
static bool offloads(const solo_cc_settings *s) {
  return !s->only_prints && !(s->standard_input && s->stage == STAGE_PREPROCESS);
}

static bool has_variables_for_debuggers(const solo_cc_settings *s) {
  bool debug = false;
  for (size_t i = 0; i < s->rest.count; i++)
    if (solo_tool_skip_prefix(s->rest.item[i], "-g"))
      debug = strcmp(s->rest.item[i], "-g0") != 0 && strcmp(s->rest.item[i], "-g1") != 0 &&
              !solo_tool_skip_prefix(s->rest.item[i], "-gline-");
  return debug;
}

static void add_compile_options(const solo_cc_settings *s, const char *clang, solo_list *command) {
  if (s->musl || solo_tool_host()) solo_list_addf(command, "--target=%s", solo_cc_triple(s));
  if (s->musl) {
    solo_list_add(command, "-nostdlibinc");
    if (s->cxx) {
      solo_list_add(command, "-nostdinc++");
      solo_list_add(command, "-fno-exceptions");
      solo_list_add(command, "-fno-rtti");
    }
  }
  if (s->is_static) {
    solo_list_add(command, "-ffunction-sections");
    solo_list_add(command, "-fdata-sections");
  }
  if (!s->machine->offloads) { /* -Xclang: otherwise the compiler driver links libomp */
    solo_list_add(command, "-Xclang");
    solo_list_add(command, "-fopenmp");
    return;
  }
  /* Host code has DWARF 4 for Valgrind 3.19, device images DWARF 5 for gdb (images in memory). */
  solo_list_add(command, "-fdebug-default-version=4");
  if (!s->is_static && !s->only_prints && solo_cc_has_host_target(s)) {
    solo_list_addf(command, "-Xopenmp-target=%s", solo_cc_triple(s));
    solo_list_add(command, "-fdebug-default-version=5");
  }
  if (s->cxx && strcmp(s->targets, "host") != 0) /* otherwise `throw` would end a kernel */
    solo_list_add(command, "-Werror=openmp-target-exception");
  /* With -g Clang promises that no other thread changes shared variables. */
  if (strstr(solo_cc_simt(s) ? solo_cc_simt(s) : s->targets, "gfx") &&
      has_variables_for_debuggers(s)) {
    solo_list_add(command, "-Xarch_device");
    solo_list_add(command, "-mllvm=-enable-noalias-to-md-conversion=false");
  }
  if (s->only_prints) return; /* with -fopenmp, the linker wrapper would print its information */
  solo_list_add(command, "-fopenmp");
  if (offloads(s)) solo_cc_add_targets(s, clang, command);
}

/* Adds headers after the user's -I and -isystem folders. */
static void add_headers(const solo_cc_settings *s, const char *clang, solo_list *command) {
  const char *include = solo_tool_include_dir();
  if (include) solo_list_addf(command, "-isystem%s", include);
  if (offloads(s)) solo_cc_add_device_headers(s, clang, command);
  if (s->musl) solo_list_addf(command, "-isystem%s", musl_include(s));
}

static void add_plain_library(const solo_cc_settings *s, solo_list *command) {
  const char *folder = solo_tool_library_dir(s->musl ? "musl" : "glibc");
  solo_list_addf(command, "%s/libsolo.a", folder);
  solo_list_addf(command, "%s/libsolo_atomic.a", folder);
  if (!s->musl) {
    solo_list_add(command, "-lm");
    return;
  }
  const char *musl = getenv("SOLO_MUSL");
  static const char *const files[] = {"libc.a", "crt1.o", "crti.o", "crtn.o"};
  solo_list_add(command, "-nostdlib");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    solo_list_addf(command, "%s/lib/%s", musl, files[i]);
  solo_list_add(command, "-lgcc");
  solo_list_addf(command, "%s/lib/libc.a", musl);
}

static const char *choose_clang(const solo_cc_settings *s) {
  const char *clang = s->clang;
  if (!clang) clang = getenv(s->fortran ? "SOLO_FLANG" : "SOLO_CLANG");
  if (!clang || !*clang) clang = s->fortran ? "flang-22" : "clang-19";
  if (s->cxx && !strstr(solo_tool_base(clang), "++")) {
    const char *base = solo_tool_base(clang), *rest = solo_tool_skip_prefix(base, "clang");
    if (rest) clang = solo_tool_text("%.*sclang++%s", (int)(base - clang), clang, rest);
  }
  if (!solo_tool_exists(clang))
    solo_tool_die("no such compiler: %s\n  hint: install it (apt-get install %s), or name another "
                  "with %s" SOLO_SEE("missing-file"),
                  clang, clang, s->fortran ? "--flang= or SOLO_FLANG" : "--clang= or SOLO_CLANG");
  return clang;
}

static void check(const solo_cc_settings *s) {
  if (solo_list_has(&s->rest, "-fno-openmp"))
    solo_tool_die("-fno-openmp: the program would have no target regions\n  hint: leave it "
                  "out" SOLO_SEE("missing-fopenmp"));
  if (s->remote && (!s->musl || s->fortran || solo_cc_simt(s)))
    solo_tool_die("--remote is for static programs with musl (--static)\n  hint: leave it out; "
                  "other programs load GPU drivers themselves");
  bool links_library = solo_list_has(&s->rest, "-lsolo");
  for (size_t i = 0; i < s->rest.count; i++)
    links_library = links_library || strcmp(solo_tool_base(s->rest.item[i]), "libsolo.a") == 0;
  if (links_library && !s->is_static && s->stage == STAGE_LINK)
    solo_tool_die("libsolo.a (-lsolo) contains host threads, and the dynamic program uses libomp: "
                  "two OpenMP runtimes in one process\n  hint: leave -lsolo out (%s links the "
                  "device part), or link with --static" SOLO_SEE("two-runtimes"),
                  name_of(s));
  solo_cc_check_sanitizers(s);
  if (s->fortran && solo_cc_is_ptx(s))
    solo_tool_die("--targets=%s: not available for Fortran\n  hint: use --targets=%s", s->targets,
                  s->targets + strlen("ptx-"));
  if (s->is_static && solo_cc_has_option(s, "-shared"))
    solo_tool_die("%s links executables\n  hint: build shared libraries %s",
                  s->fortran ? "solo-fc without --dynamic" : "--static",
                  s->fortran ? "with it" : "without it");
}

static void explain_failure(const solo_cc_settings *s) {
  solo_cc_explain_host(s);
  if (solo_cc_links(s) && strstr(s->targets, "gfx") && !solo_cc_simt(s) && !solo_cc_is_optimised(s))
    fputs("solo-cc: note: Clang 19 cannot link device code for AMD GPUs without optimisation\n  "
          "hint: compile and link with -O1 or more\n",
          stderr);
  if (solo_cc_links(s) && s->is_static && s->cxx_source && !s->cxx)
    fputs("solo-cc: note: a C++ source is linked as C\n  hint: link with solo-c++, which adds the "
          "C++ library\n",
          stderr);
  if (s->musl && s->cxx)
    fputs("solo-c++: note: musl has no C++ library headers and no libstdc++\n  hint: use --static "
          "without --musl, which links with glibc\n",
          stderr);
}

int main(int argc, char **argv) {
  const char *name = solo_tool_base(argv[0]);
  solo_cc_settings s = {.cxx = strstr(name, "++") != NULL,
                        .fortran = solo_tool_has_suffix(name, "-fc"),
                        .targets = "host"};
  s.machine = solo_machine_native();
  solo_tool_start(name_of(&s));
  parse(&s, argc, argv);
  check(&s);
  solo_cc_check_host(&s);
  if (s.verbose) solo_tool_show_commands();

  solo_list command = {0};
  const char *clang = choose_clang(&s);
  solo_cc_check_version(clang);
  if (s.fortran) solo_cc_run_flang(&s, clang);
  solo_cc_prepare_inputs(&s);
  solo_list_add(&command, clang);
  solo_list_add(&command, "--start-no-unused-arguments");
  add_compile_options(&s, clang, &command);
  /* The user's options follow and override the options above. */
  if (solo_cc_links(&s) && s.is_static) solo_cc_add_static_link(&s, clang, &command);
  if (solo_cc_links(&s) && !s.is_static) solo_cc_add_dynamic_link(&s, clang, &command);
  if (solo_cc_links(&s) && solo_cc_simt(&s)) solo_cc_add_simt_link(&s, clang, &command);
  solo_list_add(&command, "--end-no-unused-arguments");
  solo_list_add_all(&command, &s.rest);
  solo_list_add(&command, "--start-no-unused-arguments");
  if (solo_cc_links(&s) && !s.machine->offloads) add_plain_library(&s, &command);
  add_headers(&s, clang, &command);
  solo_cc_add_sanitizers(&s, &command);
  solo_list_add(&command, "--end-no-unused-arguments");
  /* This process must remove a copy of standard input at the end. */
  if (!solo_cc_links(&s) && !s.standard_input && !(s.musl && s.cxx)) solo_tool_exec(&command);
  int status =
      solo_cc_links(&s) ? solo_cc_run_link(&command, name_of(&s)) : solo_tool_run(&command);
  if (status != 0) explain_failure(&s);
  return status;
}
