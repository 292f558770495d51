/* Joins all device parts, their symbol table and the registration into one object without global
 * symbols. */
#include "tools/link.h"

#include "runtime/image/linked.h"

static void run(const solo_list *command, const char *what) {
  int status = solo_tool_run(command);
  if (status != 0) solo_tool_die("%s failed (%s: exit status %d)", what, command->item[0], status);
}

static void write_parts(solo_link *link) {
  for (size_t i = 0; i < link->unit_count; i++)
    for (size_t p = 0; p < link->unit[i].part_count; p++) {
      solo_part *part = &link->unit[i].part[p];
      char *file = solo_tool_temporary(
          solo_tool_text("device-%zu-%zu-%s.o", i, p, solo_tool_base(link->unit[i].path)));
      solo_tool_write(file, part->bytes.data, part->bytes.size);
      part->file = file;
    }
}

static const char *optimise(const solo_link *link) {
  solo_list files = {0};
  for (size_t i = 0; i < link->unit_count; i++)
    for (size_t p = 0; p < link->unit[i].part_count; p++) {
      const solo_part *part = &link->unit[i].part[p];
      if (part->repaired) return NULL;
      if (!part->bitcode.size) continue;
      char *file = solo_tool_temporary(
          solo_tool_text("device-%zu-%zu-%s.bc", i, p, solo_tool_base(link->unit[i].path)));
      solo_tool_write(file, part->bitcode.data, part->bitcode.size);
      solo_list_add(&files, file);
    }
  return files.count < 2 ? NULL : solo_link_optimise(link, &files, "lto-device.o");
}

/* Dissolves COMDAT groups: a group of device code with the signature of a host group would break
 * the host link. */
static char *join(const solo_link *link) {
  char *out = solo_tool_temporary("device-joined.o");
  solo_list command = {0};
  solo_list_add(&command, solo_tool_binutil("ld")); /* lld has no --force-group-allocation */
  solo_list_add(&command, "-r");
  solo_list_add(&command, "--force-group-allocation");
  solo_list_add(&command, "-o");
  solo_list_add(&command, out);
  const char *optimised = optimise(link);
  size_t inputs = 0;
  if (optimised) solo_list_add(&command, optimised);
  for (size_t i = 0; i < link->unit_count; i++)
    for (size_t p = 0; p < link->unit[i].part_count; p++, inputs++)
      if (!optimised || !link->unit[i].part[p].bitcode.size)
        solo_list_add(&command, link->unit[i].part[p].file);
  if (!inputs) return NULL;
  run(&command, "the link of the device code (device-N-M-NAME.o above is device code of NAME)");
  return out;
}

static void open_joined(const char *path, solo_symtab *out) {
  solo_span bytes;
  if (!solo_tool_map(path, &bytes) || solo_elf_open(bytes, &out->elf) != SOLO_OK ||
      solo_elf_static_symbols(&out->elf, &out->symbols) != SOLO_OK)
    solo_tool_die("cannot read %s, the output of ld -r", path);
}

static uint32_t inspect(const solo_symtab *table) {
  uint32_t flags = 0;
  for (uint32_t i = 0; i < table->elf.section_count; i++) {
    Elf64_Shdr section = solo_elf_section(&table->elf, i);
    const char *name = solo_elf_section_name(&table->elf, &section);
    if (section.sh_type == SHT_GROUP)
      solo_tool_die("the joined device code contains a COMDAT group: ld does not support "
                    "--force-group-allocation\n  hint: use GNU binutils 2.29 or later");
    bool data = (section.sh_flags & SHF_WRITE) && (section.sh_flags & SHF_ALLOC) && section.sh_size;
    bool constant = solo_tool_skip_prefix(name, ".data.rel.ro") ||
                    solo_tool_skip_prefix(name, ".init_array") ||
                    solo_tool_skip_prefix(name, ".fini_array") || strstr(name, "_entries");
    if (data && !constant) flags |= SOLO_LINKED_HAS_GLOBALS;
  }
  return flags;
}

/* Also removes entry sections, which the linker would join with the host's, and .llvm_addrsig,
 * which contains old symbol numbers. */
static void localise(const char *object, const solo_symtab *table) {
  solo_list command = {0};
  solo_list_add(&command, solo_tool_binutil("objcopy"));
  solo_list_add(&command, "--remove-section=omp_offloading_entries");
  solo_list_add(&command, "--remove-section=llvm_offload_entries");
  if (!solo_link_has_red_zones(table)) /* red zones: asan_globals refers to this section */
    solo_list_add(&command, "--remove-section=.llvm.rodata.offloading");
  solo_list_add(&command, "--remove-section=.llvm_addrsig");
  solo_list_add(&command, "--wildcard");
  solo_list_add(&command, "--strip-symbol=.offloading.entry.*");
  solo_list_add(&command, "--keep-global-symbol=solo_nothing_is_global");
  solo_list_add(&command, object);
  run(&command, "making the device code's symbols local");
}

const char *solo_link_device(solo_link *link) {
  write_parts(link);
  solo_link_repair(link);
  char *joined = join(link);
  if (!joined) return NULL;
  solo_symtab table;
  open_joined(joined, &table);
  solo_link_check_undefined(link, joined);
  solo_emitted emitted = solo_link_emit(link, &table, inspect(&table));

  char *copy = solo_tool_temporary("device-copy.o");
  solo_list command = {0};
  solo_list_add(&command, solo_tool_binutil("ld"));
  solo_list_add(&command, "-r");
  solo_list_add(&command, "-o");
  solo_list_add(&command, copy);
  solo_list_add(&command, emitted.table);
  solo_list_add(&command, joined);
  run(&command, "the link of the device code and its table");
  localise(copy, &table);

  const char *out = link->device_object;
  if (!out)
    out = solo_tool_temporary(solo_tool_text("%s.device-code.o", solo_tool_base(link->output)));
  command.count = 0;
  solo_list_add(&command, solo_tool_binutil("ld"));
  solo_list_add(&command, "-r");
  solo_list_add(&command, "-o");
  solo_list_add(&command, out);
  solo_list_add(&command, emitted.registration);
  for (long i = 0; i < link->copies; i++) solo_list_add(&command, copy);
  run(&command, "the link of the copies of the device code");
  return out;
}
