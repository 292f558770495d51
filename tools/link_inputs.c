/* The command line: that of GNU ld as compiler drivers write it, with a few options of our own, and
 * with those that clang gives its linker wrapper (this program stands in for it).
 */
#include "tools/link.h"

#include <stdlib.h>

/* Options of ld whose value is the next argument. */
static const char *const with_value[] = {"-o",
                                         "-m",
                                         "-T",
                                         "-z",
                                         "-e",
                                         "-u",
                                         "-h",
                                         "-y",
                                         "-A",
                                         "-b",
                                         "-c",
                                         "-F",
                                         "-f",
                                         "-G",
                                         "-R",
                                         "-Y",
                                         "-a",
                                         "-I",
                                         "-L",
                                         "-l",
                                         "-O",
                                         "-soname",
                                         "-rpath",
                                         "-rpath-link",
                                         "-dynamic-linker",
                                         "-Map",
                                         "-plugin",
                                         "-plugin-opt",
                                         "-version-script",
                                         "-dynamic-list",
                                         "-wrap",
                                         "-undefined",
                                         "-defsym",
                                         "-entry",
                                         "-init",
                                         "-fini",
                                         "-Ttext",
                                         "-Tdata",
                                         "-Tbss",
                                         "-assert",
                                         "-retain-symbols-file",
                                         "-script",
                                         "-default-script",
                                         "-sort-section",
                                         "-format",
                                         "-oformat",
                                         "-mri-script",
                                         "-trace-symbol",
                                         "-require-defined",
                                         "-output",
                                         "-library",
                                         "-library-path",
                                         "-dependency-file",
                                         "-exclude-libs",
                                         "-auxiliary",
                                         "-filter",
                                         "-section-start",
                                         "-export-dynamic-symbol",
                                         "-export-dynamic-symbol-list"};

bool solo_link_takes_value(const char *option) {
  if (option[0] == '-' && option[1] == '-' && option[2]) option++; /* --x is -x for long names */
  for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
    if (strcmp(option, with_value[i]) == 0) return true;
  return false;
}

/* Options that clang adds for its wrapper: they concern device links that do not happen here. */
static bool is_wrapper_option(const char *option) {
  static const char *const prefixes[] = {"--host-triple=",
                                         "--opt-level=",
                                         "--device-compiler=",
                                         "--device-linker=",
                                         "--cuda-path=",
                                         "--bitcode-library=",
                                         "--ptxas-arg=",
                                         "--pass-remarks",
                                         "--linker-arg=",
                                         "--triple=",
                                         "--arch=",
                                         "--offload-opt=",
                                         "--builtin-bitcode=",
                                         "--override-image=",
                                         "--should-extract=",
                                         "--wrapper-jobs=",
                                         "--wrapper-time-trace",
                                         "--compression-level="};
  static const char *const names[] = {"--device-debug", "--embed-bitcode", "--save-temps",
                                      "--compress",     "--dry-run",       "--print-wrapped-module",
                                      "--lto-emit-asm", "--clang-backend"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (solo_tool_after(option, prefixes[i])) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return false;
}

/* The level of optimisation, as clang tells its wrapper and the plug-in of linkers; is it that? */
static bool is_level(solo_link *link, const char *option) {
  const char *level = solo_tool_after(option, "--opt-level=O");
  if (!level) level = solo_tool_after(option, "-plugin-opt=O");
  if (level) link->optimisation = solo_tool_text("-O%s", level);
  return level != NULL;
}

/* Options of solo-link itself: taken out of the command line. */
static bool own_option(solo_link *link, const char *option) {
  const char *value;
  if ((value = solo_tool_after(option, "--host-devices="))) {
    char *end;
    link->copies = strtol(value, &end, 10);
    if (*end || link->copies < 1 || link->copies > 64)
      solo_tool_die("%s: a number from 1 to 64 is wanted", option);
  } else if ((value = solo_tool_after(option, "--libc="))) {
    if (strcmp(value, "musl") != 0 && strcmp(value, "glibc") != 0)
      solo_tool_die("%s: musl or glibc", option);
    link->libc = value;
  } else if ((value = solo_tool_after(option, "--host="))) {
    solo_tool_set_host(value);
  } else if ((value = solo_tool_after(option, "--linker-path="))) {
    link->linker = value;
  } else if ((value = solo_tool_after(option, "--clang="))) {
    link->clang = value;
  } else if ((value = solo_tool_after(option, "--device-link="))) {
    link->device_linker = value;
  } else if ((value = solo_tool_after(option, "--device-object="))) {
    link->device_object = value;
  } else if (strcmp(option, "--allow-host-only") == 0) {
    link->allow_host_only = true;
  } else if (strcmp(option, "--runtime-images") == 0) {
    link->runtime_images = true;
  } else if ((value = solo_tool_after(option, "--symbols-of="))) {
    solo_list_add(&link->symbols_of, value);
    link->runtime_images = true;
  } else if ((value = solo_tool_after(option, "--symbol="))) {
    solo_list_add(&link->symbols, value);
    link->runtime_images = true;
  } else if ((value = solo_tool_after(option, "--simt="))) {
    link->simt = value;
    link->runtime_images = true;
  } else if ((value = solo_tool_after(option, "--simt-llvm="))) {
    link->simt_llvm = value;
  } else if ((value = solo_tool_after(option, "--simt-opt="))) {
    link->simt_opt = value;
  } else if (strcmp(option, "--ptx") == 0) {
    link->ptx = true;
  } else if (strcmp(option, "--simt-checks") == 0) {
    link->simt_checks = true;
  } else if (strcmp(option, "--show") == 0 || strcmp(option, "--wrapper-verbose") == 0) {
    solo_tool_show_commands();
  } else {
    return is_level(link, option) || is_wrapper_option(option) ||
           solo_tool_after(option, "-plugin-opt="); /* link_lto.c takes its place */
  }
  return true;
}

/* --- libraries -------------------------------------------------------------------------------- */

/* Libraries of the system: nothing in them holds device code or needs a user's archive. */
static bool is_system_library(const char *name) {
  static const char *const names[] = {"c",      "m",       "gcc",  "gcc_eh", "gcc_s",
                                      "stdc++", "pthread", "dl",   "rt",     "c++",
                                      "c++abi", "unwind",  "util", "solo",   "atomic"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static void add_library(solo_link *link, const solo_list *dirs, const char *name, size_t argument,
                        bool whole) {
  if (is_system_library(name)) return;
  const char *exact = name[0] == ':' ? name + 1 : NULL;
  for (size_t i = 0; i < dirs->count; i++) {
    char *path = exact ? solo_tool_text("%s/%s", dirs->item[i], exact)
                       : solo_tool_text("%s/lib%s.a", dirs->item[i], name);
    if (!solo_tool_is_file(path)) continue;
    solo_link_add_file(link, path, argument, whole);
    return;
  }
}

/* The value of option "-x": joined, or the next argument. */
static const char *value_of(const solo_list *args, size_t *at, size_t letters) {
  const char *argument = args->item[*at];
  if (argument[letters]) return argument + letters;
  return *at + 1 < args->count ? args->item[++*at] : "";
}

static solo_list library_dirs(const solo_list *args) {
  solo_list dirs = {0};
  for (size_t i = 0; i < args->count; i++) {
    const char *path = solo_tool_after(args->item[i], "--library-path=");
    if (path)
      solo_list_add(&dirs, path);
    else if (solo_tool_after(args->item[i], "-L"))
      solo_list_add(&dirs, value_of(args, &i, 2));
    else if (solo_link_takes_value(args->item[i]))
      i++;
  }
  return dirs;
}

/* Runtimes of OpenMP and offloading that libsolo.a stands for, by -lNAME or by a path to
 * libNAME.a, libNAME.so or libNAME.so.N. */
static bool is_replaced(const char *argument) {
  static const char *const names[] = {
      "omp", "omptarget", "omptarget.devicertl", "gomp", "iomp5", "ompdevice", "solo"};
  const char *name = argument[0] == '-' ? solo_tool_after(argument, "-l")
                                        : solo_tool_after(solo_tool_base(argument), "lib");
  bool path = argument[0] != '-';
  for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
    const char *rest = solo_tool_after(name, names[i]);
    if (!rest) continue;
    if (path ? strcmp(rest, ".a") == 0 || strcmp(rest, ".so") == 0 || solo_tool_after(rest, ".so.")
             : !*rest)
      return true;
  }
  return false;
}

static void read_inputs(solo_link *link) {
  const solo_list *args = &link->arguments;
  solo_list dirs = library_dirs(args);
  bool whole = false;
  size_t library = SIZE_MAX;
  for (size_t i = 0; i < args->count; i++) {
    const char *argument = args->item[i];
    size_t place = i;
    if (strcmp(argument, "--whole-archive") == 0 || strcmp(argument, "-whole-archive") == 0) {
      whole = true;
    } else if (strcmp(argument, "--no-whole-archive") == 0 ||
               strcmp(argument, "-no-whole-archive") == 0) {
      whole = false;
    } else if (strcmp(argument, "--start-group") == 0 || strcmp(argument, "-(") == 0) {
      if (library == SIZE_MAX) library = place;
    } else if (solo_tool_after(argument, "-l")) {
      if (library == SIZE_MAX) library = place;
      add_library(link, &dirs, value_of(args, &i, 2), place, whole);
    } else if (solo_tool_after(argument, "-o") && strcmp(argument, "-o") != 0 &&
               !solo_tool_after(argument, "-oformat")) {
      link->output = argument + 2;
    } else if (strcmp(argument, "-o") == 0) {
      link->output = value_of(args, &i, 2);
    } else if (strcmp(argument, "-r") == 0 || strcmp(argument, "--relocatable") == 0) {
      link->relocatable = true;
    } else if (strcmp(argument, "--no-gc-sections") == 0) {
      link->gc = false;
    } else if (solo_link_takes_value(argument)) {
      i++;
    } else if (argument[0] != '-') {
      if (library == SIZE_MAX && solo_tool_ends(argument, ".a")) library = place;
      solo_link_add_file(link, argument, place, whole);
    }
  }
  link->first_library = library == SIZE_MAX ? args->count : library;
}

/* -lsolo_rex and its like: found beside libsolo.a, which solo-link chooses. */
static bool takes_way(solo_link *link, const char *argument) {
  const char *name = solo_tool_after(argument, "-l");
  for (size_t i = 0; name && i < SOLO_LINK_WAYS; i++)
    if (strcmp(name, solo_link_way_names[i]) == 0) return link->ways[i] = true;
  return false;
}

/* The linker answers, and links nothing. */
static bool is_question(const char *option) {
  static const char *const names[] = {"--version", "-version", "-V", "-v", "--print-output-format"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return false;
}

/* A dynamic program for the virtual GPU: it keeps its libraries, and only gets the image. */
static bool is_dynamic(const solo_link *link) {
  return link->simt && !link->libc;
}

void solo_link_read(solo_link *link, int argc, char **argv) {
  solo_list given = solo_tool_arguments(argc, argv);
  *link =
      (solo_link){.output = "a.out", .copies = 1, .gc = true, .simt_llvm = "19", .simt_opt = "2"};
  for (size_t i = 0; i < given.count; i++)
    if (!solo_tool_after(given.item[i], "--device-link="))
      solo_list_add(&link->wrapper_arguments, given.item[i]);
  bool placed = false; /* where -lomp stood: behind the objects, inside the group of libraries */
  for (size_t i = 0; i < given.count; i++) {
    const char *argument = given.item[i];
    if (own_option(link, argument) || takes_way(link, argument)) continue;
    /* the wrapper's, and the linker's for bitcode, with their values */
    if (strcmp(argument, "-mllvm") == 0 || strcmp(argument, "-plugin") == 0) {
      i++;
      continue;
    }
    if (is_replaced(argument) && !is_dynamic(link)) {
      if (!placed) solo_list_add(&link->arguments, "-lsolo");
      placed = true;
      if (strcmp(solo_tool_base(argument), "libsolo.a") == 0) link->library = argument;
      continue;
    }
    if (is_question(argument)) link->asks = true;
    solo_list_add(&link->arguments, argument);
    if (solo_link_takes_value(argument) && i + 1 < given.count)
      solo_list_add(&link->arguments, given.item[++i]);
  }
  if (is_dynamic(link)) link->gc = false;
  if (!link->linker) link->linker = solo_tool_binutil("ld");
  if (link->device_linker) return; /* its business */
  if (!link->relocatable) solo_link_join_bitcode(link);
  read_inputs(link);
}
