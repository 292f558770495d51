/* Finds device code of objects and archives. */
#include "runtime/image/offload_binary.h"
#include "tools/link.h"
#include "tools/machine.h"

#include <stdio.h>
#include <stdlib.h>

bool solo_symbol_defines(const solo_elf_symbol *symbol) {
  return symbol->section != SHN_UNDEF;
}

bool solo_symtab_next(const solo_symtab *table, uint32_t *index, solo_elf_symbol *out) {
  while (*index < table->symbols.count) {
    if (solo_elf_symbol_at(&table->symbols, (*index)++, out) != SOLO_OK)
      solo_tool_die("%s", solo_error_last()->text);
    if (out->bind != STB_LOCAL && out->name[0]) return true;
  }
  return false;
}

bool solo_symtab_next_relocation(const solo_symtab *table, solo_relocation *walk) {
  for (; walk->entries < table->elf.section_count; walk->entries++, walk->at = 0) {
    Elf64_Shdr entries = solo_elf_section(&table->elf, walk->entries);
    if (entries.sh_type != SHT_RELA || entries.sh_info >= table->elf.section_count) continue;
    Elf64_Shdr changed = solo_elf_section(&table->elf, entries.sh_info);
    const char *name = solo_elf_section_name(&table->elf, &changed);
    if (!(changed.sh_flags & SHF_ALLOC) || strcmp(name, ".eh_frame") == 0) continue;
    Elf64_Rela entry;
    solo_span all = solo_elf_section_bytes(&table->elf, &entries);
    while (solo_span_read(all, walk->at, &entry, sizeof entry)) {
      uint32_t symbol = (uint32_t)ELF64_R_SYM(entry.r_info);
      walk->at += sizeof entry;
      walk->section = entries.sh_info;
      if (solo_elf_symbol_at(&table->symbols, symbol, &walk->symbol) == SOLO_OK) return true;
    }
  }
  return false;
}

static void open_table(const char *name, solo_span bytes, solo_symtab *out) {
  if (solo_elf_open(bytes, &out->elf) != SOLO_OK)
    solo_tool_die("%s: %s", name, solo_error_last()->text);
  solo_status status = solo_elf_static_symbols(&out->elf, &out->symbols);
  if (status != SOLO_OK && status != SOLO_NOT_FOUND)
    solo_tool_die("%s: %s", name, solo_error_last()->text);
}

bool solo_link_is_gpu(const char *triple) {
  return solo_tool_skip_prefix(triple, "nvptx") || solo_tool_skip_prefix(triple, "amdgcn");
}

static void add_code(solo_unit *unit, const solo_offload_entry *entry) {
  unit->code = solo_tool_grow(unit->code, unit->code_count, sizeof *unit->code);
  unit->code[unit->code_count++] =
      (solo_code){.triple = entry->triple, .arch = entry->arch, .bytes = entry->image};
}

static void add_part(const solo_link *link, solo_unit *unit, const solo_offload_entry *c) {
  bool for_cpu = c->triple[0] == 0 || solo_machine_named(c->triple);
  if (link->simt && c->image_kind == SOLO_OFFLOAD_BITCODE && strcmp(c->arch, link->simt) == 0) {
    unit->bitcode = solo_tool_grow(unit->bitcode, unit->bitcode_count, sizeof *unit->bitcode);
    unit->bitcode[unit->bitcode_count++] = c->image;
    return;
  }
  if (link->images && (solo_link_is_gpu(c->triple) || !link->libc)) {
    add_code(unit, c);
    return;
  }
  solo_part part = {.bytes = c->image};
  if (for_cpu && solo_is_bitcode(c->image)) {
    part.bitcode = c->image;
    part.bytes = solo_tool_input(solo_link_compile(link, unit->name, c->image, c->triple));
  }
  if (!for_cpu || !solo_elf_is(part.bytes)) {
    unit->foreign = c->arch[0] ? c->arch : c->triple;
    return;
  }
  bool musl = strstr(c->triple, "musl") != NULL;
  if (link->libc && musl != (strcmp(link->libc, "musl") == 0))
    solo_tool_die("%s: device code was compiled for %s (%s), but this link is for %s\n  hint: "
                  "compile it with solo-cc %s, or link with solo-cc %s",
                  unit->name, musl ? "musl" : "glibc", c->triple, link->libc,
                  musl ? "--static --glibc" : "--static --musl",
                  musl ? "--static --musl" : "--static --glibc");
  open_table(unit->name, part.bytes, &part.table);
  if (part.table.elf.machine != unit->table.elf.machine) {
    unit->foreign = c->triple;
    return;
  }
  if (part.table.elf.type != ET_REL)
    solo_tool_die("%s: device code for %s is a linked image\n  hint: pass the objects of the "
                  "compiler to solo-link",
                  unit->name, c->triple);
  unit->part = solo_tool_grow(unit->part, unit->part_count, sizeof part);
  unit->part[unit->part_count++] = part;
}

static solo_status add_container(const solo_link *link, solo_unit *unit, solo_span bytes,
                                 size_t *size) {
  solo_offload_binary binary;
  SOLO_TRY(solo_offload_binary_open(bytes, &binary));
  *size = binary.bytes.size;
  uint8_t *unused;
  if (binary.inflated_size) SOLO_TRY(solo_offload_binary_inflate(&binary, &unused, &binary));
  for (uint64_t i = 0; i < binary.entry_count; i++) {
    solo_offload_entry entry;
    SOLO_TRY(solo_offload_binary_entry(&binary, i, &entry));
    if (!(entry.flags & SOLO_OFFLOAD_METADATA_ONLY)) add_part(link, unit, &entry);
  }
  return SOLO_OK;
}

static void add_parts(const solo_link *link, solo_unit *unit, solo_span section) {
  for (size_t at = 0, size = 0; at < section.size; at += size) {
    solo_span rest = solo_span_of(section.data + at, section.size - at);
    if (add_container(link, unit, rest, &size) != SOLO_OK)
      solo_tool_die("%s: corrupt device code at offset %zu of section .llvm.offloading (%s)\n  "
                    "hint: compile the object again",
                    unit->name, at, solo_error_last()->text);
    while (at + size < section.size && section.data[at + size] == 0) size++;
  }
}

/* abi-facts 1.2 */
static bool requires_shared_memory(solo_span entries, bool is_22) {
  enum { REQUIRES = 0x10, SHARED_MEMORY = 8 };
  const size_t stride = is_22 ? 56 : 32, flags_at = is_22 ? 12 : 24, data_at = is_22 ? 40 : 28;
  for (size_t at = 0; at + stride <= entries.size; at += stride) {
    uint32_t flags, data;
    memcpy(&flags, entries.data + at + flags_at, sizeof flags);
    memcpy(&data, entries.data + at + data_at, sizeof data);
    if ((flags & REQUIRES) && (data & SHARED_MEMORY)) return true;
  }
  return false;
}

static void read_sections(const solo_link *link, solo_unit *unit) {
  const solo_elf *elf = &unit->table.elf;
  for (uint32_t i = 0; i < elf->section_count; i++) {
    Elf64_Shdr section = solo_elf_section(elf, i);
    const char *name = solo_elf_section_name(elf, &section);
    if (section.sh_type == SOLO_SHT_LLVM_OFFLOADING || strcmp(name, ".llvm.offloading") == 0)
      add_parts(link, unit, solo_elf_section_bytes(elf, &section));
    if (strcmp(name, ".debug_line") == 0) unit->has_lines = true;
    bool is_19 = section.sh_size && strcmp(name, "omp_offloading_entries") == 0;
    bool is_22 = section.sh_size && strcmp(name, "llvm_offload_entries") == 0;
    if (is_19) unit->entries |= SOLO_ENTRIES_19;
    if (is_22) unit->entries |= SOLO_ENTRIES_22;
    if ((is_19 || is_22) && requires_shared_memory(solo_elf_section_bytes(elf, &section), is_22))
      unit->shared_memory = true;
  }
  unit->had_parts =
      unit->part_count > 0 || unit->bitcode_count > 0 || (unit->code_count > 0 && !link->libc);
  if (unit->had_parts) unit->foreign = NULL;
}

static bool is_startup(const char *path) {
  const char *base = solo_tool_base(path);
  return solo_tool_has_suffix(base, ".o") &&
         (solo_tool_skip_prefix(base, "crt") || strstr(base, "crt1.o"));
}

static void add_unit(solo_link *link, solo_unit unit) {
  if (!solo_elf_is(unit.bytes)) return;
  open_table(unit.name, unit.bytes, &unit.table);
  if (unit.table.elf.type != ET_REL) return; /* for example a shared object */
  if (!link->machine) link->machine = unit.table.elf.machine;
  unit.startup = is_startup(unit.path);
  if (!unit.startup) read_sections(link, &unit);
  link->unit = solo_tool_grow(link->unit, link->unit_count, sizeof unit);
  link->unit[link->unit_count++] = unit;
}

/* Decodes a member's name: "name/"; "/offset" into the long names; "#1/size", where the name
 * precedes the data. */
static const char *member_name(const char *field, solo_span long_names, solo_span *data) {
  if (field[0] == '/' && field[1] >= '0' && field[1] <= '9') {
    size_t at = strtoul(field + 1, NULL, 10), size = 0;
    while (at + size < long_names.size && long_names.data[at + size] != '\n') size++;
    if (size && long_names.data[at + size - 1] == '/') size--;
    return at < long_names.size ? solo_tool_text("%.*s", (int)size, long_names.data + at) : "?";
  }
  if (field[0] == '#') {
    size_t size = strtoul(field + 3, NULL, 10);
    if (size > data->size) return "?";
    const char *name = solo_tool_text("%.*s", (int)size, data->data);
    *data = solo_span_of(data->data + size, data->size - size);
    return name;
  }
  return solo_tool_text("%.*s", (int)strcspn(field, "/ "), field);
}

static void each_member(solo_link *link, solo_unit unit, solo_link_visit_member *visit,
                        void *context) {
  bool thin = memcmp(unit.bytes.data, "!<thin>\n", 8) == 0;
  solo_span archive = unit.bytes, long_names = {0};
  for (size_t at = 8; at + 60 <= archive.size;) {
    char header[61] = {0};
    memcpy(header, archive.data + at, 60);
    size_t size = strtoul(header + 48, NULL, 10);
    header[16] = 0;
    at += 60;
    bool table = header[0] == '/' && (header[1] == ' ' || header[1] == '/' || header[1] == 'S');
    bool inside = table || !thin;
    if (inside && size > archive.size - at)
      solo_tool_die("%s: corrupt archive at offset %zu: a member of %zu bytes\n  hint: make the "
                    "archive again",
                    unit.path, at - 60, size);
    solo_span data = solo_span_of(archive.data + at, inside ? size : 0);
    if (header[0] == '/' && header[1] == '/') long_names = data;
    if (inside) at += size + (size & 1);
    if (table || solo_tool_skip_prefix(header, "__.SYMDEF")) continue;
    solo_unit member = unit;
    const char *name = member_name(header, long_names, &data);
    member.name = solo_tool_text("%s(%s)", unit.path, name);
    member.bytes = data;
    if (thin) { /* the member is a separate file, with a path relative to the archive */
      const char *slash = strrchr(unit.path, '/');
      int folder = name[0] == '/' || !slash ? 0 : (int)(slash - unit.path + 1);
      const char *file = solo_tool_text("%.*s%s", folder, unit.path, name);
      if (!solo_tool_map(file, &member.bytes))
        solo_tool_die("%s: cannot read member %s of the thin archive", unit.path, file);
    }
    visit(link, member, context);
  }
}

void solo_link_each_member(solo_link *link, const char *path, solo_link_visit_member *visit,
                           void *context) {
  solo_unit archive = {.name = path, .path = path};
  archive.bytes = solo_tool_input(path);
  each_member(link, archive, visit, context);
}

static void note_bitcode(solo_link *link, solo_unit member, void *context) {
  (void)link;
  bool *found = context;
  *found = *found || solo_is_bitcode(member.bytes);
}

static void write_member(solo_link *link, solo_unit member, void *context) {
  static unsigned number;
  solo_list *files = context;
  if (solo_is_bitcode(member.bytes)) {
    solo_list_add(files, solo_link_compile(link, member.name, member.bytes, NULL));
    return;
  }
  char *file = solo_tool_temporary(solo_tool_text("member-%u.o", number++));
  solo_tool_write(file, member.bytes.data, member.bytes.size);
  solo_list_add(files, file);
}

static const char *without_bitcode(solo_link *link, solo_unit archive) {
  static unsigned number;
  char *out = solo_tool_temporary(solo_tool_text("%u-%s", number++, solo_tool_base(archive.path)));
  solo_list command = {0};
  const char *const words[] = {"ar", "rcsD", out};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) solo_list_add(&command, words[i]);
  each_member(link, archive, write_member, &command);
  if (solo_tool_run(&command) != 0) solo_tool_die("%s: ar cannot copy the archive", archive.path);
  if (strcmp(link->arguments.item[archive.argument], "-l") == 0)
    solo_tool_die("%s has members in LLVM bitcode\n  hint: name it with -lNAME in one argument, or "
                  "by its path",
                  archive.path);
  link->arguments.item[archive.argument] = out;
  return out;
}

static void add_member(solo_link *link, solo_unit member, void *context) {
  (void)context;
  add_unit(link, member);
}

static void add_archive(solo_link *link, solo_unit archive) {
  bool bitcode = false;
  each_member(link, archive, note_bitcode, &bitcode);
  if (bitcode) {
    archive.path = without_bitcode(link, archive);
    archive.bytes = solo_tool_input(archive.path);
  }
  each_member(link, archive, add_member, NULL);
}

void solo_link_add_file(solo_link *link, const char *path, size_t argument, bool whole) {
  solo_unit unit = {.name = path, .path = path, .argument = argument, .whole = whole};
  if (solo_tool_is_special(path))
    solo_tool_die("%s: not a regular file; the link reads inputs several times", path);
  if (!solo_tool_map(path, &unit.bytes)) return;
  bool plain = unit.bytes.size >= 8 && memcmp(unit.bytes.data, "!<arch>\n", 8) == 0;
  bool thin = unit.bytes.size >= 8 && memcmp(unit.bytes.data, "!<thin>\n", 8) == 0;
  if (plain || thin) {
    unit.member = true;
    add_archive(link, unit);
  } else {
    add_unit(link, unit);
  }
}
