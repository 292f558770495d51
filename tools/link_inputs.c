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

static bool takes_value(const char *option) {
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
  } else if ((value = solo_tool_after(option, "--linker-path="))) {
    link->linker = value;
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
  } else if (strcmp(option, "--simt-checks") == 0) {
    link->simt_checks = true;
  } else if (strcmp(option, "--show") == 0 || strcmp(option, "--wrapper-verbose") == 0) {
    solo_tool_show_commands();
  } else {
    return is_wrapper_option(option);
  }
  return true;
}

/* --- response files --------------------------------------------------------------------------- */

/* Words of a response file: blanks separate, quotes and backslashes protect. */
static void add_response(solo_list *out, solo_span text) {
  for (size_t at = 0; at < text.size;) {
    char c = (char)text.data[at];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      at++;
      continue;
    }
    char *word = solo_tool_alloc(text.size - at + 1), quote = 0;
    size_t size = 0;
    for (; at < text.size; at++) {
      c = (char)text.data[at];
      if (!quote && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) break;
      if (c == '\\' && at + 1 < text.size)
        word[size++] = (char)text.data[++at];
      else if (c == quote)
        quote = 0;
      else if (!quote && (c == '"' || c == '\''))
        quote = c;
      else
        word[size++] = c;
    }
    solo_list_add(out, word);
  }
}

static solo_list expand(int argc, char **argv) {
  solo_list out = {0};
  for (int i = 1; i < argc; i++) {
    solo_span text;
    if (argv[i][0] == '@' && solo_tool_map(argv[i] + 1, &text))
      add_response(&out, text);
    else
      solo_list_add(&out, argv[i]);
  }
  return out;
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
    else if (takes_value(args->item[i]))
      i++;
  }
  return dirs;
}

/* Offloading runtimes that libsolo.a stands for. */
static bool is_replaced(const char *argument) {
  static const char *const names[] = {"-lomp",  "-lomptarget", "-lomptarget.devicertl",
                                      "-lgomp", "-liomp5",     "-lompdevice",
                                      "-lsolo"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(argument, names[i]) == 0) return true;
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
    } else if (takes_value(argument)) {
      i++;
    } else if (argument[0] != '-') {
      if (library == SIZE_MAX && solo_tool_ends(argument, ".a")) library = place;
      solo_link_add_file(link, argument, place, whole);
    }
  }
  link->first_library = library == SIZE_MAX ? args->count : library;
}

/* A dynamic program for the virtual GPU: it keeps its libraries, and only gets the image. */
static bool is_dynamic(const solo_link *link) {
  return link->simt && !link->libc;
}

void solo_link_read(solo_link *link, int argc, char **argv) {
  solo_list given = expand(argc, argv);
  *link = (solo_link){.linker = "ld",
                      .output = "a.out",
                      .copies = 1,
                      .gc = true,
                      .simt_llvm = "19",
                      .simt_opt = "2"};
  bool placed = false; /* where -lomp stood: behind the objects, inside the group of libraries */
  for (size_t i = 0; i < given.count; i++) {
    const char *argument = given.item[i];
    if (own_option(link, argument)) continue;
    if (strcmp(argument, "-mllvm") == 0) { /* the wrapper's, with its value */
      i++;
      continue;
    }
    if (is_replaced(argument) && !is_dynamic(link)) {
      if (!placed) solo_list_add(&link->arguments, "-lsolo");
      placed = true;
      continue;
    }
    solo_list_add(&link->arguments, argument);
  }
  if (is_dynamic(link)) link->gc = false;
  read_inputs(link);
}
