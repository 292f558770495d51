/* Links device images. NVIDIA: joins bitcode and compiles it to PTX; ptxas makes cubins, which
 * nvlink joins. Without ptxas the image is PTX, which the driver compiles. AMD: lld. CPU: the C
 * compiler. */
#include "tools/link.h"

#include <stdlib.h>

static void run(const solo_list *command, const solo_image_target *target) {
  if (solo_tool_run(command) != 0)
    solo_tool_die("the link of device code for %s%s%s failed (%s)", target->triple,
                  *target->arch ? " " : "", target->arch, solo_tool_base(command->item[0]));
}

static char *output(const solo_image_target *target, const char *end) {
  static unsigned number;
  return solo_tool_temporary(solo_tool_text("image-%u-%s.%s", number++,
                                            *target->arch ? target->arch : target->triple, end));
}

static void need_clang(const solo_link *link, const solo_image_target *target) {
  if (!link->clang)
    solo_tool_die("device code for %s %s is LLVM bitcode and needs Clang\n  hint: link with "
                  "solo-cc, or use --clang=",
                  target->triple, target->arch);
}

static const char *llvm_tool(const solo_link *link, const char *name) {
  solo_list query = {0};
  solo_list_add(&query, link->clang);
  solo_list_addf(&query, "-print-prog-name=%s", name);
  const char *path = solo_tool_run_for_line(&query);
  if (!path || !solo_tool_exists(path))
    solo_tool_die("LLVM bitcode needs %s of %s, which is not installed\n  hint: install llvm-19 "
                  "and lld-19 (for clang-19)",
                  name, link->clang);
  return path;
}

static const char *level_of(const solo_link *link) {
  return link->optimisation ? link->optimisation : "-O2";
}

static const char *toolkit(const solo_link *link, const char *name) {
  const char *folder = getenv("CUDA_PATH");
  if (!folder || !*folder) folder = link->cuda_path;
  const char *path = solo_tool_text("%s/bin/%s", folder ? folder : "/usr/local/cuda", name);
  if (solo_tool_is_file(path)) return path;
  return !folder && solo_tool_exists(name) ? name : NULL;
}

/* Writes a module with references, so that llvm-link --only-needed adds the definitions. */
static const char *write_wanted(const solo_image_target *target, const solo_list *wanted) {
  char *path = output(target, "wanted.ll"), *uses = solo_tool_text("%s", "");
  char *text = solo_tool_text("target triple = \"%s\"\n", target->triple);
  for (size_t i = 0; i < wanted->count; i++) {
    text = solo_tool_text("%sdeclare void @\"%s\"()\n", text, wanted->item[i]);
    uses = solo_tool_text("%s%sptr @\"%s\"", uses, i ? ", " : "", wanted->item[i]);
  }
  bool is_amd = solo_tool_skip_prefix(target->triple, "amdgcn") != NULL;
  text = solo_tool_text("%s@llvm.compiler.used = appending %sglobal [%zu x ptr] [%s], section "
                        "\"llvm.metadata\"\n",
                        text, is_amd ? "addrspace(1) " : "", wanted->count, uses);
  solo_tool_write(path, text, strlen(text));
  return path;
}

/* Calls of these functions appear after unused functions are removed. */
static void add_kept(const solo_image_target *target, solo_list *command) {
  static const char *const names[] = {"__kmpc_get_hardware_thread_id_in_block",
                                      "__kmpc_get_hardware_num_threads_in_block",
                                      "__kmpc_get_warp_size",
                                      "__kmpc_barrier_simple_spmd",
                                      "__kmpc_barrier_simple_generic",
                                      "__kmpc_kernel_parallel",
                                      "__kmpc_kernel_end_parallel",
                                      "_ZN4impl15setCriticalLockEP10omp_lock_t",
                                      "_ZN4impl17unsetCriticalLockEP10omp_lock_t",
                                      "__kmpc_is_spmd_exec_mode",
                                      "__kmpc_alloc_shared",
                                      "__kmpc_free_shared"};
  /* AMD: LLVM warns if no kernel calls the last three. */
  size_t count = sizeof names / sizeof *names;
  if (solo_tool_skip_prefix(target->triple, "amdgcn")) count -= 3;
  solo_list kept = {0};
  for (size_t i = 0; i < count; i++) solo_list_add(&kept, names[i]);
  solo_list_add(command, "--suppress-warnings");
  solo_list_add(command, write_wanted(target, &kept));
}

/* Lazy files can depend on each other, therefore two rounds. */
static const char *join_bitcode(const solo_link *link, const solo_image_target *target,
                                const solo_image_inputs *files) {
  const char *linker = llvm_tool(link, "llvm-link"), *joined = output(target, "joined.bc");
  solo_list command = {0};
  solo_list_add(&command, linker);
  solo_list_add(&command, "-o");
  solo_list_add(&command, joined);
  solo_list_add_all(&command, &files->bitcode);
  if (link->device_runtimes.count) add_kept(target, &command);
  if (files->wanted.count && files->lazy_bitcode.count)
    solo_list_add(&command, write_wanted(target, &files->wanted));
  run(&command, target);
  for (int round = 0; round < 2 && files->lazy_bitcode.count; round++) {
    const char *more = output(target, "more.bc");
    solo_list again = {0};
    solo_list_add(&again, linker);
    solo_list_add(&again, "--only-needed");
    solo_list_add(&again, "--suppress-warnings");
    solo_list_add(&again, "-o");
    solo_list_add(&again, more);
    solo_list_add(&again, joined);
    solo_list_add_all(&again, &files->lazy_bitcode);
    run(&again, target);
    joined = more;
  }
  if (link->device_runtimes.count) solo_link_check_fortran(llvm_tool(link, "llvm-dis"), joined);
  return joined;
}

/* Without a toolkit Clang 22 would select PTX 4.2. */
static void add_ptx_version(const solo_link *link, solo_list *command) {
  if (toolkit(link, "ptxas")) return;
  solo_list_add(command, "-Xclang");
  solo_list_add(command, "-target-feature");
  solo_list_add(command, "-Xclang");
  solo_list_add(command, "+ptx80");
}

static solo_list runtimes_of(const solo_link *link, const solo_image_target *target) {
  solo_list files = {0};
  for (size_t i = 0; i < link->device_runtimes.count; i++) {
    const char *rest = solo_tool_skip_prefix(link->device_runtimes.item[i], target->arch);
    if (rest && *rest == '=') solo_list_add(&files, rest + 1);
  }
  if (!solo_tool_skip_prefix(target->triple, "nvptx")) return files;
  const char *ptxas = toolkit(link, "ptxas");
  if (files.count && ptxas && strchr(ptxas, '/')) {
    char *math = solo_tool_text("%.*s/../nvvm/libdevice/libdevice.10.bc",
                                (int)(strrchr(ptxas, '/') - ptxas), ptxas);
    if (solo_tool_is_file(math)) solo_list_add(&files, math);
  }
  solo_list_add_all(&files, &link->builtin_bitcode);
  return files;
}

/* type: "ptx" or "o" */
static const char *compile_bitcode(const solo_link *link, const solo_image_target *target,
                                   const solo_image_inputs *files, const char *type) {
  bool nvidia = strcmp(type, "ptx") == 0;
  need_clang(link, target);
  const char *text = output(target, type);
  solo_list command = {0};
  solo_list_add(&command, link->clang);
  solo_list_addf(&command, "--target=%s", target->triple);
  solo_list_addf(&command, nvidia ? "-march=%s" : "-mcpu=%s", target->arch);
  if (nvidia)
    add_ptx_version(link, &command);
  else
    solo_list_add(&command, "-mcode-object-version=5"); /* as Clang 19 does */
  if (!nvidia) solo_list_add(&command, "-w"); /* about shared memory in functions without callers */
  const char *joined = join_bitcode(link, target, files);
  const char *const words[] = {level_of(link),
                               "-nogpulib",
                               "-Wno-override-module",
                               "-Wno-linker-warnings",
                               "-Wno-pass-failed",
                               "-Wno-backend-plugin",
                               "-Wno-unknown-cuda-version",
                               nvidia ? "-S" : "-c",
                               "-xir",
                               joined,
                               "-o",
                               text};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) solo_list_add(&command, words[i]);
  solo_list runtimes = runtimes_of(link, target);
  for (size_t i = 0; i < runtimes.count; i++) {
    solo_list_add(&command, "-Xclang");
    solo_list_add(&command, "-mlink-builtin-bitcode");
    solo_list_add(&command, "-Xclang");
    solo_list_add(&command, runtimes.item[i]);
  }
  run(&command, target);
  return text;
}

static const char *assemble(const solo_link *link, const solo_image_target *target,
                            const char *assembler, const char *text) {
  const char *cubin = output(target, "cubin");
  solo_list command = {0};
  const char *level = level_of(link) + 2; /* 3 for levels such as -Os */
  solo_list_add(&command, assembler);
  solo_list_addf(&command, "-O%s", *level >= '0' && *level <= '3' ? level : "3");
  solo_list_addf(&command, "--gpu-name=%s", target->arch);
  solo_list_add(&command, "-c"); /* relocatable; nvlink completes it */
  solo_list_add(&command, "-o");
  solo_list_add(&command, cubin);
  solo_list_add(&command, text);
  run(&command, target);
  return cubin;
}

static const char *write_ptx_image(const solo_image_target *target, const char *text) {
  solo_span bytes = solo_tool_input(text);
  const char *image = output(target, "kept.ptx");
  char *copy = solo_tool_text("%.*s", (int)bytes.size, bytes.data);
  solo_tool_write(image, copy, strlen(copy) + 1);
  solo_tool_warn("ptxas is not installed: device code for %s remains PTX, which the GPU driver "
                 "compiles at run time",
                 target->arch);
  return image;
}

const char *solo_link_nvidia(const solo_link *link, const solo_image_target *target,
                             const solo_image_inputs *files) {
  const char *assembler = toolkit(link, "ptxas"), *linker = toolkit(link, "nvlink");
  solo_list texts = files->texts, cubins = files->objects, command = {0};
  if (files->bitcode.count || (files->wanted.count && files->lazy_bitcode.count))
    solo_list_add(&texts, compile_bitcode(link, target, files, "ptx"));
  if (!assembler && texts.count == 1 && !cubins.count)
    return write_ptx_image(target, texts.item[0]);
  if (!assembler && texts.count)
    solo_tool_die("device code for %s: %zu PTX texts and %zu cubins need ptxas of the CUDA "
                  "toolkit\n  hint: compile all of it with -foffload-lto" SOLO_SEE("missing-ptxas"),
                  target->arch, texts.count, cubins.count);
  if (!linker)
    solo_tool_die("device code for %s: cubins need nvlink of the CUDA toolkit\n  hint: add it to "
                  "PATH, or use CUDA_PATH or --cuda-path=" SOLO_SEE("missing-ptxas"),
                  target->arch);
  for (size_t i = 0; i < texts.count; i++)
    solo_list_add(&cubins, assemble(link, target, assembler, texts.item[i]));
  const char *image = output(target, "cubin");
  solo_list_add(&command, linker);
  solo_list_add(&command, "-arch");
  solo_list_add(&command, target->arch);
  solo_list_add(&command, "-o");
  solo_list_add(&command, image);
  solo_list_add_all(&command, &cubins);
  run(&command, target);
  return image;
}

/* "gfx90a:sramecc+:xnack-" has the features "+sramecc,-xnack". */
static void add_processor(const solo_image_target *target, solo_list *command) {
  const char *rest = target->arch + strcspn(target->arch, ":"), *features = "";
  solo_list_addf(command, "-plugin-opt=mcpu=%.*s", (int)(rest - target->arch), target->arch);
  while (*rest) {
    const char *name = rest + 1;
    int size = (int)strcspn(name, ":");
    if (size > 1)
      features = solo_tool_text("%s%s%c%.*s", features, *features ? "," : "", name[size - 1],
                                size - 1, name);
    rest = name + size;
  }
  if (*features) solo_list_addf(command, "-plugin-opt=-mattr=%s", features);
}

const char *solo_link_amd(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files) {
  const char *image = output(target, "co"), *level = level_of(link) + 2;
  need_clang(link, target);
  solo_list command = {0};
  solo_list_add(&command, llvm_tool(link, "ld.lld"));
  solo_list_add(&command, "-shared");
  solo_list_add(&command, "--no-undefined");
  add_processor(target, &command);
  solo_list_addf(&command, "--lto-O%s", *level >= '0' && *level <= '3' ? level : "2");
  solo_list_add(&command, "-o");
  solo_list_add(&command, image);
  solo_list_add_all(&command, &files->objects);
  if (runtimes_of(link, target).count) {
    solo_list_add(&command, compile_bitcode(link, target, files, "o"));
    run(&command, target);
    return image;
  }
  solo_list_add_all(&command, &files->bitcode);
  solo_list_add(&command, "--start-lib");
  solo_list_add_all(&command, &files->lazy_bitcode);
  solo_list_add(&command, "--end-lib");
  run(&command, target);
  return image;
}

/* Runtimes of sanitizers and of solo belong only to the program. */
static bool is_library(const char *argument) {
  const char *base = solo_tool_base(argument);
  if (solo_tool_skip_prefix(base, "libclang_rt.") || solo_tool_skip_prefix(base, "libsolo"))
    return false;
  return solo_tool_has_suffix(base, ".a") || solo_tool_has_suffix(base, ".so") ||
         strstr(base, ".so.");
}

static void add_program_libraries(const solo_link *link, solo_list *command) {
  for (size_t i = 0; i < link->arguments.count; i++) {
    const char *argument = link->arguments.item[i];
    bool option = solo_tool_skip_prefix(argument, "-l") || solo_tool_skip_prefix(argument, "-L");
    if (option && !argument[2] && i + 1 < link->arguments.count)
      solo_list_addf(command, "%s%s", argument, link->arguments.item[++i]);
    else if (option || (argument[0] != '-' && is_library(argument)))
      solo_list_add(command, argument);
    else if (solo_link_option_has_value(argument))
      i++;
  }
}

static bool has_whole_archive(const solo_link *link) {
  for (size_t i = 0; i < link->unit_count; i++)
    if (link->unit[i].whole) return true;
  return false;
}

const char *solo_link_cpu(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files) {
  const char *image = output(target, "so");
  solo_list command = {0};
  solo_list_add(&command, link->clang ? link->clang : "cc");
  if (link->clang) solo_list_addf(&command, "--target=%s", target->triple);
  solo_list_add(&command, "-shared");
  solo_list_add(&command, "-Wl,-Bsymbolic");
  if (!has_whole_archive(link)) solo_list_add(&command, "-Wl,--gc-sections");
  solo_list_add(&command, "-o");
  solo_list_add(&command, image);
  solo_list_add_all(&command, &files->objects);
  if (files->bitcode.count) {
    solo_list bitcode = {0};
    solo_list_add_all(&bitcode, &files->bitcode);
    solo_list_add(&bitcode, "--start-lib");
    solo_list_add_all(&bitcode, &files->lazy_bitcode);
    solo_list_add(&bitcode, "--end-lib");
    solo_list_add(&command, solo_link_optimise(link, &bitcode, "image-lto.o"));
  }
  add_program_libraries(link, &command);
  run(&command, target);
  return image;
}
