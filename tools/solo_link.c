/* solo-link: replaces clang-linker-wrapper. Makes device code a part of the program, adds
 * libsolo.a, and runs the host linker. */
#include "tools/link.h"
#include "tools/machine.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: solo-link [options] [options of ld] objects archives...\n"
    "Links OpenMP programs with target regions. Device code for the CPU, from the sections\n"
    ".llvm.offloading of objects and archives, becomes ordinary code of the program. libsolo.a\n"
    "replaces -lomp and -lomptarget. solo-cc --static calls solo-link.\n"
    "\n"
    "  --libc=musl|glibc     add libsolo.a for this C library; musl: also start files and libc.a\n"
    "  --host=HOST           link for another machine (aarch64-linux-gnu)\n"
    "  --host-devices=K      link K copies of the device code: separate global variables for K\n"
    "                        CPU devices (SOLO_HOST_DEVICES=K)\n"
    "  --device-object=FILE  write only the device code, as one object, to FILE\n"
    "  --runtime-images      link the whole library, so that the program can register images;\n"
    "                        automatic if an object calls __tgt_register_lib or similar functions\n"
    "  --simt=TARGET         make an image for the virtual GPU from bitcode for a GPU (sm_90,\n"
    "                        gfx90a); without --libc in a dynamic program\n"
    "  --ptx                 with --simt=sm_NN: make PTX instead; also a cubin if ptxas exists\n"
    "  --simt-llvm=VERSION   with --simt: version of the LLVM tools                  [19]\n"
    "  --simt-opt=LEVEL      with --simt: optimisation level                         [2]\n"
    "  --simt-checks         with --simt: report data races and out-of-bounds accesses\n"
    "  --images              in a dynamic program (without --libc): make and register the device\n"
    "                        images with nvlink and ptxas (NVIDIA), lld (AMD), a compiler (CPU)\n"
    "  --linked              in a dynamic program (without --libc): link device code for the CPU\n"
    "                        as ordinary code\n"
    "  --remote              with --libc=musl: use the devices of a device server (solo-server)\n"
    "                        and add the images for GPUs\n"
    "  --symbols-of=IMAGE    make the symbols available that the CPU image IMAGE, a shared "
    "object,\n"
    "                        needs when it is registered\n"
    "  --symbol=NAME         make one symbol available\n"
    "  --allow-host-only     accept objects that contain device code only for GPUs\n"
    "  --linker-path=LINKER  host linker                                             [ld]\n"
    "  --clang=COMMAND       Clang that compiles LLVM bitcode (-flto)\n"
    "  --show                print the commands\n"
    "  --help                print this text\n"
    "Other options are passed to the host linker. Exit status: 0: linked, 1: error of solo-link,\n"
    "otherwise that of the host linker.\n";

static const char *find_file(const solo_list *args, const char *name) {
  for (size_t i = 0; i < args->count; i++) {
    const char *dir = solo_tool_skip_prefix(args->item[i], "-L");
    if (!dir || !*dir) continue;
    char *path = solo_tool_text("%s/%s", dir, name);
    if (solo_tool_is_file(path)) return path;
  }
  return NULL;
}

static const char *musl_dir(const solo_link *link) {
  const solo_machine *machine = solo_machine_for_elf(link->machine);
  const char *name = (machine ? machine : solo_machine_native())->name;
  const char *places[] = {solo_tool_text("/usr/lib/%s-linux-musl", name),
                          solo_tool_text("/usr/%s-linux-musl/lib", name), "/usr/local/musl/lib",
                          "/usr/lib/musl/lib", "/usr/lib"};
  const char *given = getenv("SOLO_MUSL");
  if (given && *given) return solo_tool_text("%s/lib", given);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (solo_tool_is_file(solo_tool_text("%s/libc.a", places[i])) &&
        solo_tool_is_file(solo_tool_text("%s/rcrt1.o", places[i])))
      return places[i];
  solo_tool_die(
      "musl's libc.a not found\n  hint: install musl-dev, or set SOLO_MUSL to its prefix");
}

static bool is_glibc_dir(const char *dir) {
  char *real = realpath(dir, NULL);
  return real && (strcmp(real, "/usr/lib") == 0 || strcmp(real, "/usr/lib64") == 0 ||
                  strcmp(real, "/lib") == 0 || strstr(real, "-linux-gnu/lib") ||
                  (strstr(real, "/lib/") && solo_tool_has_suffix(real, "-linux-gnu")));
}

static void add_libraries(solo_list *command, const solo_link *link, const char *libsolo) {
  const char *name = strrchr(libsolo, '/') + 1;
  for (size_t i = 0; i < SOLO_LINK_LIBRARY_COUNT; i++)
    if (link->ways[i])
      solo_list_addf(command, "%.*slib%s.a", (int)(name - libsolo), libsolo,
                     solo_link_library_names[i]);
  solo_list_add(command, libsolo);
  const char *atomics = solo_tool_text("%.*slibsolo_atomic.a", (int)(name - libsolo), libsolo);
  if (solo_tool_is_file(atomics)) solo_list_add(command, atomics);
}

/* For musl on another machine, Clang 22 does not pass libgcc.a's folder. */
static const char *find_libgcc(const solo_list *args) {
  const char *compilers[] = {solo_tool_binutil("gcc"), "clang-19", "clang-22", "clang"};
  const char *found = find_file(args, "libgcc.a");
  for (size_t i = 0; !found && i < sizeof compilers / sizeof *compilers; i++) {
    solo_list query = {0};
    if (!solo_tool_exists(compilers[i])) continue;
    solo_list_add(&query, compilers[i]);
    solo_list_add(&query, "-print-libgcc-file-name");
    found = solo_tool_run_for_line(&query);
    if (found && !solo_tool_is_file(found)) found = NULL;
  }
  return found;
}

static void wrap_musl(solo_list *command, const solo_link *link, const char *libsolo) {
  const solo_list *args = &link->arguments;
  const char *musl = musl_dir(link);
  bool pie = solo_list_has(args, "-pie");
  const char *begin = find_file(args, pie ? "crtbeginS.o" : "crtbeginT.o");
  const char *end = find_file(args, pie ? "crtendS.o" : "crtend.o");
  const char *libgcc = find_libgcc(args), *unwinder = find_file(args, "libgcc_eh.a");
  solo_list_addf(command, "%s/%s", musl, pie ? "rcrt1.o" : "crt1.o");
  solo_list_addf(command, "%s/crti.o", musl);
  if (begin && end) solo_list_add(command, begin);
  solo_list_addf(command, "-L%s", musl);
  for (size_t i = 0; i < args->count; i++) {
    const char *dir = solo_tool_skip_prefix(args->item[i], "-L");
    if (strcmp(args->item[i], "-lsolo") == 0 || (dir && is_glibc_dir(dir))) continue;
    solo_list_add(command, args->item[i]);
  }
  solo_list_add(command, "--start-group");
  add_libraries(command, link, libsolo);
  if (libgcc) solo_list_add(command, libgcc);
  if (unwinder) solo_list_add(command, unwinder);
  solo_list_addf(command, "%s/libc.a", musl);
  solo_list_add(command, "--end-group");
  if (begin && end) solo_list_add(command, end);
  solo_list_addf(command, "%s/crtn.o", musl);
}

/* PLAIN: gold and mold, which never remove __start_/__stop_ sections and reject additional linker
 * scripts. */
typedef enum linker_kind {
  LINKER_PLAIN,
  LINKER_LLD_OR_BEFORE, /* lld, or GNU ld before 2.39 */
  LINKER_GNU            /* 2.39 or later; supports READONLY sections */
} linker_kind;

static linker_kind linker_kind_of(const solo_link *link) {
  solo_list query = {0};
  solo_list_add(&query, link->linker);
  solo_list_add(&query, "--version");
  const char *version = solo_tool_run_for_line(&query);
  if (version && (strstr(version, "gold") || strstr(version, "mold "))) return LINKER_PLAIN;
  if (!version || strncmp(version, "GNU ld", 6) != 0) return LINKER_LLD_OR_BEFORE;
  /* The version is the last word, as in "GNU ld (GNU Binutils for Debian) 2.40". */
  int major = 0, minor = 0;
  const char *last = version;
  for (const char *c = version; *c && *c != '\n'; c++)
    if (*c == ' ') last = c;
  if (sscanf(last, "%d.%d", &major, &minor) != 2) return LINKER_LLD_OR_BEFORE;
  return major > 2 || (major == 2 && minor >= 39) ? LINKER_GNU : LINKER_LLD_OR_BEFORE;
}

static void add_script(solo_list *command, const solo_link *link, const char *name) {
  const char *script = solo_tool_text("%s/%s", solo_tool_library_dir(link->libc), name);
  if (!solo_tool_is_file(script)) return;
  solo_list_add(command, "-T");
  solo_list_add(command, script);
}

/* Adds scripts that place start-up code in few pages (start.ld) and, in a program at a fixed
 * address, constants near the code (constants.ld). A user's linker script disables both. */
static void add_start_order(solo_list *command, const solo_link *link, linker_kind kind) {
  for (size_t i = 0; i < link->arguments.count; i++) {
    const char *argument = link->arguments.item[i];
    if (solo_tool_skip_prefix(argument, "-T") || solo_tool_skip_prefix(argument, "--script"))
      return;
  }
  add_script(command, link, "start.ld");
  if (kind == LINKER_GNU && !solo_list_has(&link->arguments, "-pie"))
    add_script(command, link, "constants.ld");
}

static void put_library(solo_list *command, const solo_link *link, const char *libsolo) {
  const solo_list *args = &link->arguments;
  bool placed = false;
  for (size_t i = 0; i < args->count; i++) {
    bool here = strcmp(args->item[i], "-lsolo") == 0;
    if (here && libsolo)
      add_libraries(command, link, libsolo);
    else
      solo_list_add(command, args->item[i]);
    placed = placed || here;
  }
  if (!placed && libsolo) add_libraries(command, link, libsolo);
}

static bool has_tool(const solo_link *link) {
  for (size_t i = 0; i < link->unit_count; i++) {
    solo_elf_symbol symbol;
    for (uint32_t s = 1;
         link->unit[i].selected && solo_symtab_next(&link->unit[i].table, &s, &symbol);)
      if (solo_symbol_defines(&symbol) && strcmp(symbol.name, "ompt_start_tool") == 0) return true;
  }
  return false;
}

/* Returns whether LIBOMPTARGET_INFO may print map lists. */
static bool needs_map_lists(const solo_link *link) {
  for (size_t i = 0; i < link->unit_count; i++) {
    const solo_unit *unit = &link->unit[i];
    if (unit->selected && unit->entries && unit->has_lines) return true;
    solo_elf_symbol symbol;
    for (uint32_t s = 1; unit->selected && solo_symtab_next(&unit->table, &s, &symbol);)
      if (strcmp(symbol.name, "ompx_dump_mapping_tables") == 0) return true;
  }
  return false;
}

static const char *choose_library(const solo_link *link) {
  if (!link->libc) return link->library;
  bool musl = strcmp(link->libc, "musl") == 0;
  const char *folder = solo_tool_library_dir(musl && link->simt     ? "musl-simt"
                                             : musl && link->remote ? "musl-remote"
                                                                    : link->libc);
  const char *smaller = solo_tool_text("%s/libsolo_linked.a", folder);
  if (!link->runtime_images && solo_tool_is_file(smaller)) return smaller;
  return solo_tool_text("%s/libsolo.a", folder);
}

/* The linker's messages name the file before the symbol. */
typedef struct missing {
  const char *device;
  bool in_device;
  char *symbol;
} missing;

static void note_missing(void *context, const char *line) {
  missing *m = context;
  const char *symbol = strstr(line, "undefined reference to `");
  if (strstr(line, m->device))
    m->in_device = true;
  else if (strstr(line, ".o: ") || strstr(line, ".o:("))
    m->in_device = false;
  if (!symbol || !m->in_device || m->symbol) return;
  symbol = strchr(symbol, '`') + 1;
  m->symbol = solo_tool_text("%.*s", (int)strcspn(symbol, "'"), symbol);
}

static void link_program(solo_link *link, const char *device) {
  const char *symbols = solo_link_symbols(link);
  if (symbols) solo_list_insert(&link->arguments, link->first_library, symbols);
  if (device && link->simt) /* the virtual GPU's code calls libm */
    solo_list_insert(&link->arguments, link->first_library, "-lm");
  if (device) solo_list_insert(&link->arguments, link->first_library, device);
  solo_list command = {0};
  solo_list_add(&command, link->linker);
  linker_kind kind = linker_kind_of(link);
  if (link->gc) solo_list_add(&command, "--gc-sections");
  if (link->gc && kind != LINKER_PLAIN) {
    /* Without this, --gc-sections removes the entries, to which only __start_/__stop_ symbols
     * refer. */
    solo_list_add(&command, "-z");
    solo_list_add(&command, "nostart-stop-gc");
    solo_list_add(&command, "-z");
    solo_list_add(&command, "noseparate-code");
  }
  if (has_tool(link)) {
    solo_list_add(&command, "-u");
    solo_list_add(&command, "solo_ompt_start");
  }
  if (needs_map_lists(link)) {
    solo_list_add(&command, "-u");
    solo_list_add(&command, "solo_print");
  }
  bool musl = link->libc && strcmp(link->libc, "musl") == 0;
  if (musl) { /* static musl programs never make the relro area read-only */
    solo_list_add(&command, "-z");
    solo_list_add(&command, "norelro");
    solo_list_add(&command, "-z");
    solo_list_add(&command, "common-page-size=16");
    if (link->gc && kind != LINKER_PLAIN) add_start_order(&command, link, kind);
  }
  const char *libsolo = choose_library(link);
  if (musl)
    wrap_musl(&command, link, libsolo);
  else
    put_library(&command, link, libsolo);
  missing m = {.device = device ? solo_tool_base(device) : "solo: none"};
  int status = solo_tool_run_watched(&command, note_missing, &m);
  const char *reason = status != 0 ? solo_tool_write_error(link->output) : NULL;
  if (reason) solo_tool_die("cannot write %s: %s" SOLO_SEE("disk-full"), link->output, reason);
  if (m.symbol)
    fprintf(stderr,
            "solo-link: note: device code (%s) uses '%s', which no linked object or library "
            "defines\n  hint: name the object or the library that defines it\n",
            m.device, m.symbol);
  if (status != 0) exit(status);
}

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

/* Runs Clang's linker wrapper in links of dynamic programs with sanitizers (cc_sanitize.c).
 * Instead of a sanitizer's archive, which would also become part of images, the wrapper receives
 * an object. */
static _Noreturn void run_wrapper(const solo_link *link) {
  solo_list command = {0};
  solo_list_add(&command, link->device_linker);
  for (size_t i = 0; i < link->wrapper_arguments.count; i++) {
    const char *argument = link->wrapper_arguments.item[i];
    solo_list_add(&command,
                  is_runtime(&link->wrapper_arguments, i) ? as_object(argument) : argument);
  }
  exit(solo_tool_run(&command));
}

static const char *make_device_code(solo_link *link) {
  if (link->simt) return solo_link_simt(link);
  if (link->images) solo_link_images(link);
  const char *linked = link->libc || !link->images ? solo_link_device(link) : NULL;
  return linked || !link->image_files.count ? linked : solo_link_emit_images(link);
}

int main(int argc, char **argv) {
  solo_tool_start("solo-link");
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0) {
      fputs(help, stdout);
      return solo_tool_finish(0);
    }
  solo_link link;
  solo_link_read(&link, argc, argv);
  if (link.device_linker) run_wrapper(&link);
  if (link.relocatable ||
      /* -r joins the .llvm.offloading sections, which the final link reads */
      (link.only_prints && !link.unit_count)) {
    solo_list command = {0};
    solo_list_add(&command, link.linker);
    solo_list_add_all(&command, &link.arguments);
    solo_tool_exec(&command);
  }
  if (!link.unit_count) solo_tool_die("no object to link\n  hint: see solo-link --help");
  solo_link_select(&link);
  solo_link_check_machine(&link);
  solo_link_check_libc(&link);
  solo_link_check_requires(&link);
  solo_link_check_runtimes(&link);
  const char *device = make_device_code(&link);
  if (link.device_object) {
    if (!device)
      solo_tool_die(
          "no device code for the CPU in these objects\n  hint: compile them with solo-cc");
    return 0;
  }
  link_program(&link, device);
  return 0;
}
