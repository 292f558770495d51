/* Translates GPU bitcode to code for this CPU (backends/simt/translate.sh) and registers it as
 * an image of the virtual GPU. */
#include "runtime/image/simt.h"
#include "tools/link.h"
#include "tools/machine.h"

#include <stdlib.h>

static char *file_in(const char *folder, const char *name) {
  char *path = solo_tool_text("%s/%s", folder, name);
  if (!solo_tool_is_file(path))
    solo_tool_die("%s is missing\n  hint: run ninja, or install solo again", path);
  return path;
}

static void add_part(solo_list *command, const char *path) {
  if (!solo_tool_is_file(path)) return;
  solo_list_add(command, "-l");
  solo_list_add(command, path);
}

static void add_own(solo_list *command, const char *target) {
  static const char *const all[] = {
      "",        "-memory", "-task",          "-routines",         "-cxx",
      "-atexit", "-lock",   "-fortran_loops", "-fortran_parallel", "-fortran_routines",
      "-string", NULL};
  const char *library = solo_tool_device_library();
  if (!library) return;
  int folder = (int)(strrchr(library, '/') - library);
  bool is_nvidia = solo_tool_skip_prefix(target, "sm_") != NULL;
  for (const char *const *n = all; *n; n++)
    add_part(command, solo_tool_text("%.*s/solo-%s%s.bc", folder, library,
                                     is_nvidia ? "nvptx" : "amdgcn", *n));
  for (int i = 0; is_nvidia && i < 2; i++)
    add_part(command,
             solo_tool_text("%.*s/solo-nvptx-%s.bc", folder, library, i ? "doacross" : "critical"));
}

static bool add_bitcode(const solo_link *link, solo_list *command) {
  solo_list files = {0};
  for (size_t i = 0; i < link->unit_count; i++)
    for (size_t k = 0; link->unit[i].selected && k < link->unit[i].bitcode_count; k++) {
      const solo_span *code = &link->unit[i].bitcode[k];
      char *file = solo_tool_temporary(
          solo_tool_text("simt-%zu-%zu-%s.bc", i, k, solo_tool_base(link->unit[i].path)));
      solo_tool_write(file, code->data, code->size);
      solo_list_add(&files, file);
    }
  if (!files.count) return false;
  const char *library = solo_tool_device_library();
  if (library) {
    const char *vendor = solo_tool_skip_prefix(link->simt, "sm_") ? "nvptx" : "amdgcn";
    files = solo_link_add_fortran(link->simt_llvm, &files,
                                  solo_tool_text("%.*s/solo-%s-fortran.bc",
                                                 (int)(strrchr(library, '/') - library), library,
                                                 vendor));
  }
  solo_list_add_all(command, &files);
  return true;
}

static void dress(const solo_link *link, const char *file) {
  solo_span bytes = solo_tool_input(file);
  const char *number = solo_tool_skip_prefix(link->simt, "sm_");
  uint32_t flags = number ? (uint32_t)strtoul(number, NULL, 10)
                          : SOLO_SIMT_HEX | (uint32_t)strtoul(link->simt + 3, NULL, 16);
  if (link->simt_checks) flags |= SOLO_SIMT_CHECKED;
  uint8_t *copy = solo_tool_alloc(bytes.size);
  Elf64_Ehdr header;
  memcpy(copy, bytes.data, bytes.size);
  memcpy(&header, copy, sizeof header);
  header.e_machine = SOLO_SIMT_MACHINE;
  header.e_flags = flags;
  memcpy(copy, &header, sizeof header);
  solo_tool_write(file, copy, bytes.size);
}

static const char *translate(const solo_link *link) {
  const char *folder = solo_tool_simt_dir();
  char *image = solo_tool_temporary("simt-image.so");
  solo_list command = {0};
  solo_list_add(&command, "env");
  solo_list_addf(&command, "SIMT_DEVICE=%s", folder);
  solo_list_add(&command, "sh");
  solo_list_add(&command, file_in(folder, "translate.sh"));
  if (link->simt_checks) solo_list_add(&command, "-r");
  if (link->ptx) solo_list_add(&command, "-P");
  solo_list_add(&command, "-n");
  solo_list_add(&command, "-v");
  solo_list_add(&command, link->simt_llvm);
  solo_list_add(&command, "-O");
  solo_list_add(&command, link->simt_opt);
  add_own(&command, link->simt);
  solo_list_add(&command, "-a");
  solo_list_add(&command, link->simt);
  solo_list_add(&command, "-o");
  solo_list_add(&command, image);
  if (!add_bitcode(link, &command)) return NULL;
  int status = solo_tool_run(&command);
  if (status != 0)
    solo_tool_die("cannot make device code for %s (%s): exit status %d\n  hint: see the messages "
                  "above; clang-%s, llvm-%s and libomp-19-dev must be installed",
                  link->ptx ? "NVIDIA" : "the virtual GPU", link->simt, status, link->simt_llvm,
                  link->simt_llvm);
  if (!link->ptx) dress(link, image);
  return image;
}

const char *solo_link_simt(solo_link *link) {
  const solo_machine *machine = solo_machine_for_elf(link->machine);
  if (!machine || strcmp(machine->name, "x86_64") != 0)
    solo_tool_die("the virtual GPU (--targets=simt-%s) requires x86-64", link->simt);
  const char *image = translate(link);
  if (!image) return NULL;
  solo_list_add(&link->image_files, image);
  return solo_link_emit_images(link);
}
