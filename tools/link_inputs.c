/* Reads the options of GNU ld, solo-link and clang-linker-wrapper. */
#include "tools/link.h"
#include "tools/machine.h"

#include <stdlib.h>

/* Options of clang-linker-wrapper without effect in solo-link. */
static bool is_wrapper_option(const char *option) {
  static const char *const prefixes[] = {
      "--opt-level=",         "--device-compiler=",  "--bitcode-library=", "--ptxas-arg=",
      "--pass-remarks",       "--linker-arg=",       "--triple=",          "--arch=",
      "--offload-opt=",       "--override-image=",   "--should-extract=",  "--wrapper-jobs=",
      "--wrapper-time-trace", "--compression-level="};
  static const char *const names[] = {"--device-debug", "--embed-bitcode", "--save-temps",
                                      "--compress",     "--dry-run",       "--print-wrapped-module",
                                      "--lto-emit-asm", "--clang-backend"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (solo_tool_skip_prefix(option, prefixes[i])) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return false;
}

static bool is_level(solo_link *link, const char *option) {
  const char *level = solo_tool_skip_prefix(option, "--opt-level=O");
  if (!level) level = solo_tool_skip_prefix(option, "-plugin-opt=O");
  if (level) link->optimisation = solo_tool_text("-O%s", level);
  return level != NULL;
}

/* Selects the target machine if a build calls clang without solo-cc. */
static void link_for(const char *triple) {
  const solo_machine *machine = solo_machine_named(triple);
  if (machine && machine != solo_machine_native() && !solo_tool_host())
    solo_tool_set_host(solo_tool_text("%s-linux-gnu", machine->name));
}

/* Clang 22 passes NVIDIA's device runtime as "--device-linker=TRIPLE=-lNAME" or
 * "--builtin-bitcode=TRIPLE=FILE". */
static bool is_image_option(solo_link *link, const char *option) {
  const char *value;
  if ((value = solo_tool_skip_prefix(option, "--cuda-path="))) {
    link->cuda_path = value;
  } else if ((value = solo_tool_skip_prefix(option, "--builtin-bitcode="))) {
    const char *file = strchr(value, '=');
    if (file && solo_tool_skip_prefix(value, "nvptx"))
      solo_list_add(&link->builtin_bitcode, file + 1);
  } else if ((value = solo_tool_skip_prefix(option, "--device-runtime="))) {
    solo_list_add(&link->device_runtimes, value);
  } else if ((value = solo_tool_skip_prefix(option, "--device-linker="))) {
    const char *given = strchr(value, '=');
    if (given && !solo_tool_skip_prefix(value, "nvptx")) return true;
    given = given ? given + 1 : value;
    if (solo_tool_skip_prefix(given, "-L")) solo_list_add(&link->device_folders, given + 2);
    if (solo_tool_skip_prefix(given, "-l")) solo_list_add(&link->device_libraries, given + 2);
  } else {
    return false;
  }
  return true;
}

static void find_device_libraries(solo_link *link) {
  solo_list found = {0};
  for (size_t i = 0; i < link->device_libraries.count; i++)
    for (size_t k = 0; k < link->device_folders.count; k++) {
      char *path = solo_tool_text("%s/lib%s.a", link->device_folders.item[k],
                                  link->device_libraries.item[i]);
      if (!solo_tool_is_file(path)) continue;
      solo_list_add(&found, path);
      break;
    }
  link->device_libraries = found;
}

static bool own_option(solo_link *link, const char *option) {
  const char *value;
  if ((value = solo_tool_skip_prefix(option, "--host-devices="))) {
    char *end;
    link->copies = strtol(value, &end, 10);
    if (*end || link->copies < 1 || link->copies > 64)
      solo_tool_die("%s: not a number from 1 to 64", option);
  } else if ((value = solo_tool_skip_prefix(option, "--libc="))) {
    if (strcmp(value, "musl") != 0 && strcmp(value, "glibc") != 0)
      solo_tool_die("%s: must be musl or glibc", option);
    link->libc = value;
  } else if ((value = solo_tool_skip_prefix(option, "--host="))) {
    solo_tool_set_host(value);
  } else if ((value = solo_tool_skip_prefix(option, "--host-triple="))) {
    link_for(value);
  } else if ((value = solo_tool_skip_prefix(option, "--linker-path="))) {
    link->linker = value;
  } else if ((value = solo_tool_skip_prefix(option, "--clang="))) {
    link->clang = value;
  } else if ((value = solo_tool_skip_prefix(option, "--device-link="))) {
    link->device_linker = value;
  } else if ((value = solo_tool_skip_prefix(option, "--device-object="))) {
    link->device_object = value;
  } else if (strcmp(option, "--allow-host-only") == 0) {
    link->allow_host_only = true;
  } else if (strcmp(option, "--runtime-images") == 0) {
    link->runtime_images = true;
  } else if (strcmp(option, "--images") == 0) {
    link->images = true;
  } else if (strcmp(option, "--linked") == 0) {
    link->linked = true;
  } else if (strcmp(option, "--remote") == 0) {
    link->remote = link->images = link->runtime_images = true;
  } else if ((value = solo_tool_skip_prefix(option, "--symbols-of="))) {
    solo_list_add(&link->symbols_of, value);
    link->runtime_images = true;
  } else if ((value = solo_tool_skip_prefix(option, "--symbol="))) {
    solo_list_add(&link->symbols, value);
    link->runtime_images = true;
  } else if ((value = solo_tool_skip_prefix(option, "--simt="))) {
    link->simt = value;
    link->runtime_images = true;
  } else if ((value = solo_tool_skip_prefix(option, "--simt-llvm="))) {
    link->simt_llvm = value;
  } else if ((value = solo_tool_skip_prefix(option, "--simt-opt="))) {
    link->simt_opt = value;
  } else if (strcmp(option, "--ptx") == 0) {
    link->ptx = true;
  } else if (strcmp(option, "--simt-checks") == 0) {
    link->simt_checks = true;
  } else if (strcmp(option, "--show") == 0 || strcmp(option, "--wrapper-verbose") == 0) {
    solo_tool_show_commands();
  } else {
    return is_level(link, option) || is_image_option(link, option) || is_wrapper_option(option) ||
           solo_tool_skip_prefix(option, "-plugin-opt=");
  }
  return true;
}

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

static const char *value_of(const solo_list *args, size_t *at, size_t letters) {
  const char *argument = args->item[*at];
  if (argument[letters]) return argument + letters;
  return *at + 1 < args->count ? args->item[++*at] : "";
}

static solo_list library_dirs(const solo_list *args) {
  solo_list dirs = {0};
  for (size_t i = 0; i < args->count; i++) {
    const char *path = solo_tool_skip_prefix(args->item[i], "--library-path=");
    if (path)
      solo_list_add(&dirs, path);
    else if (solo_tool_skip_prefix(args->item[i], "-L"))
      solo_list_add(&dirs, value_of(args, &i, 2));
    else if (solo_link_option_has_value(args->item[i]))
      i++;
  }
  return dirs;
}

/* Returns true for OpenMP runtimes that libsolo.a replaces: -lNAME, -l:FILE, libNAME.a, libNAME.so*. */
static bool is_replaced(const char *argument) {
  static const char *const names[] = {
      "omp", "omptarget", "omptarget.devicertl", "gomp", "iomp5", "ompdevice", "solo"};
  const char *given = solo_tool_skip_prefix(argument, "-l:");
  bool path = given || argument[0] != '-';
  const char *name = path ? solo_tool_skip_prefix(solo_tool_base(given ? given : argument), "lib")
                          : solo_tool_skip_prefix(argument, "-l");
  for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
    const char *rest = solo_tool_skip_prefix(name, names[i]);
    if (!rest) continue;
    if (path ? strcmp(rest, ".a") == 0 || strcmp(rest, ".so") == 0 ||
                   solo_tool_skip_prefix(rest, ".so.")
             : !*rest)
      return true;
  }
  return false;
}

static void add_device_runtimes(solo_link *link) {
  solo_list query = {0};
  const char *bundled = solo_tool_device_library();
  if (bundled) solo_link_add_file(link, bundled, link->arguments.count, false);
  if (!link->clang) return;
  solo_list_add(&query, link->clang);
  solo_list_add(&query, "-print-file-name=libomptarget.devicertl.a");
  const char *path = solo_tool_run_for_line(&query);
  if (path && solo_tool_is_file(path)) solo_link_add_file(link, path, link->arguments.count, false);
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
    } else if (solo_tool_skip_prefix(argument, "-l")) {
      if (library == SIZE_MAX) library = place;
      add_library(link, &dirs, value_of(args, &i, 2), place, whole);
    } else if (solo_tool_skip_prefix(argument, "-o") && strcmp(argument, "-o") != 0 &&
               !solo_tool_skip_prefix(argument, "-oformat")) {
      link->output = argument + 2;
    } else if (strcmp(argument, "-o") == 0) {
      link->output = value_of(args, &i, 2);
    } else if (strcmp(argument, "-r") == 0 || strcmp(argument, "--relocatable") == 0) {
      link->relocatable = true;
    } else if (strcmp(argument, "--no-gc-sections") == 0) {
      link->gc = false;
    } else if (solo_link_option_has_value(argument)) {
      i++;
    } else if (argument[0] != '-') {
      if (library == SIZE_MAX && solo_tool_has_suffix(argument, ".a")) library = place;
      solo_link_add_file(link, argument, place, whole);
    }
  }
  link->first_library = library == SIZE_MAX ? args->count : library;
  if (link->images && link->libc) add_device_runtimes(link);
}

const char *const solo_link_library_names[SOLO_LINK_LIBRARY_COUNT] = {"solo_rex", "solo_hip",
                                                                      "solo_cuda"};

static bool select_optional_library(solo_link *link, const char *argument) {
  const char *name = solo_tool_skip_prefix(argument, "-l");
  for (size_t i = 0; name && i < SOLO_LINK_LIBRARY_COUNT; i++)
    if (strcmp(name, solo_link_library_names[i]) == 0) return link->ways[i] = true;
  return false;
}

static bool is_information_option(const char *option) {
  static const char *const names[] = {"--version", "-version", "-V", "-v", "--print-output-format"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return false;
}

static bool is_dynamic(const solo_link *link) {
  return (link->simt || link->images || link->linked) && !link->libc;
}

/* For musl of another machine, Clang 22 passes this machine's ld. */
static const char *linker_of(const char *given) {
  const char *host = solo_tool_host();
  int is_for_it =
      given && (!host || strstr(given, host) || strcmp(solo_tool_base(given), "ld") != 0);
  return is_for_it ? given : solo_tool_binutil("ld");
}

static bool is_library(const char *argument, const char *name) {
  const char *rest = solo_tool_skip_prefix(argument, "-l");
  if (rest && *rest != ':') return strcmp(rest, name) == 0;
  if (!rest && argument[0] == '-') return false;
  return strcmp(rest ? rest + 1 : solo_tool_base(argument), solo_tool_text("lib%s.a", name)) == 0;
}

/* libgfortran.a refers weakly to these functions, and calls all of them if one is linked. */
static void add_threads_of_gfortran(solo_link *link) {
  static const char *const names[] = {
      "__pthread_key_create", "pthread_cond_broadcast", "pthread_cond_destroy",
      "pthread_cond_init",    "pthread_cond_wait",      "pthread_create",
      "pthread_getspecific",  "pthread_join",           "pthread_key_create",
      "pthread_key_delete",   "pthread_mutex_destroy",  "pthread_mutex_init",
      "pthread_mutex_lock",   "pthread_mutex_trylock",  "pthread_mutex_unlock",
      "pthread_self",         "pthread_setspecific"};
  bool found = false;
  for (size_t i = 0; i < link->arguments.count; i++)
    found = found || is_library(link->arguments.item[i], "gfortran");
  if (!found || !link->libc || strcmp(link->libc, "glibc") != 0) return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    solo_list_addf(&link->arguments, "--undefined=%s", names[i]);
}

void solo_link_read(solo_link *link, int argc, char **argv) {
  solo_list given = solo_tool_arguments(argc, argv);
  *link =
      (solo_link){.output = "a.out", .copies = 1, .gc = true, .simt_llvm = "19", .simt_opt = "2"};
  for (size_t i = 0; i < given.count; i++)
    if (!solo_tool_skip_prefix(given.item[i], "--device-link="))
      solo_list_add(&link->wrapper_arguments, given.item[i]);
  bool placed = false;
  for (size_t i = 0; i < given.count; i++) {
    const char *argument = given.item[i];
    if (own_option(link, argument) || select_optional_library(link, argument)) continue;
    /* skips the option and its value (wrapper, LTO plug-in) */
    if (strcmp(argument, "-mllvm") == 0 || strcmp(argument, "-plugin") == 0) {
      i++;
      continue;
    }
    if (is_replaced(argument) && !is_dynamic(link)) {
      if (!placed) solo_list_add(&link->arguments, "-lsolo");
      placed = true;
      if (strcmp(solo_tool_base(argument), "libsolo.a") == 0) link->library = argument;
      if (is_library(argument, "gomp"))
        fprintf(stderr, "solo-link: note: %s is left out, because libsolo.a replaces it\n",
                argument);
      continue;
    }
    if (is_information_option(argument)) link->only_prints = true;
    solo_list_add(&link->arguments, argument);
    if (solo_link_option_has_value(argument) && i + 1 < given.count)
      solo_list_add(&link->arguments, given.item[++i]);
  }
  add_threads_of_gfortran(link);
  if (is_dynamic(link)) link->gc = false;
  link->linker = linker_of(link->linker);
  if (link->device_linker) return;
  find_device_libraries(link);
  if (!link->relocatable) solo_link_join_bitcode(link);
  read_inputs(link);
}
