/* Renames a kernel if an earlier object has a kernel with the same name, unless the code is
 * certainly equal, because the linker would use only the first. Clang derives a name from the
 * source's file system and inode, function and line, so names repeat for a source that is compiled
 * twice, and for templates.
 *
 * In the second object's host code, region id and entry become local, and a new name of equal
 * length overwrites the old string. Host code in a COMDAT group launches the kernel of the
 * object that the linker selects. */
#include "tools/link.h"

#include <stdlib.h>

#define PREFIX "__omp_offloading_"

typedef struct repair {
  const char *old_name, *new_name;
} repair;

typedef struct repairs {
  repair *item;
  size_t count;
} repairs;

static const char *new_name(const char *name, unsigned number) {
  _Static_assert(sizeof PREFIX == sizeof "__omp_off_123456_", "equal length");
  return solo_tool_text("__omp_off_%06x_%s", number & 0xffffff, name + sizeof PREFIX - 1);
}

static bool is_same(const solo_unit *first, const solo_part *part, const solo_elf_symbol *symbol) {
  for (size_t p = 0; p < first->part_count; p++) {
    solo_elf_symbol other;
    const solo_symtab *table = &first->part[p].table;
    if (solo_elf_symbol_find(&table->symbols, symbol->name, &other) == SOLO_OK)
      return solo_same_code(table, &other, &part->table, symbol);
  }
  return false;
}

static void collect(const solo_link *link, size_t index, solo_names *owners, unsigned *number,
                    repairs *out) {
  const solo_unit *unit = &link->unit[index];
  for (size_t p = 0; p < unit->part_count; p++) {
    solo_elf_symbol symbol;
    for (uint32_t s = 1; solo_symtab_next(&unit->part[p].table, &s, &symbol);) {
      if (!solo_symbol_defines(&symbol) || !solo_tool_skip_prefix(symbol.name, PREFIX)) continue;
      int *owner = solo_names_put(owners, symbol.name, (int)index);
      if ((size_t)*owner == index) {
        for (size_t q = 0; q < p; q++) {
          solo_elf_symbol other;
          if (solo_elf_symbol_find(&unit->part[q].table.symbols, symbol.name, &other) == SOLO_OK)
            solo_tool_die("%s contains two kernels named '%s'\n  hint: pass separate objects to "
                          "solo-link, not an object joined by ld -r",
                          unit->name, symbol.name);
        }
        continue;
      }
      if (is_same(&link->unit[*owner], &unit->part[p], &symbol)) continue;
      if (link->device_object)
        solo_tool_die("%s and %s contain kernels of the same name '%s', and --device-object cannot "
                      "rename them\n  hint: link with solo-cc --static, or compile one of them "
                      "from a copy of its source file",
                      link->unit[*owner].name, unit->name, symbol.name);
      if (unit->whole)
        solo_tool_die("%s and %s contain kernels of the same name '%s', which cannot be renamed "
                      "under --whole-archive\n  hint: name the objects on the command line",
                      link->unit[*owner].name, unit->name, symbol.name);
      out->item = solo_tool_grow(out->item, out->count, sizeof *out->item);
      out->item[out->count++] = (repair){symbol.name, new_name(symbol.name, ++*number)};
    }
  }
}

/* Sets *out to the file offset to which a relocated pointer refers. false: unknown. */
static bool follow(const solo_symtab *table, uint32_t section, uint64_t offset, uint64_t *out) {
  for (uint32_t i = 0; i < table->elf.section_count; i++) {
    Elf64_Shdr header = solo_elf_section(&table->elf, i);
    if (header.sh_type != SHT_RELA || header.sh_info != section) continue;
    solo_span entries = solo_elf_section_bytes(&table->elf, &header);
    Elf64_Rela entry;
    for (size_t at = 0; solo_span_read(entries, at, &entry, sizeof entry); at += sizeof entry) {
      if (entry.r_offset != offset) continue;
      solo_elf_symbol symbol;
      uint32_t index = (uint32_t)ELF64_R_SYM(entry.r_info);
      if (solo_elf_symbol_at(&table->symbols, index, &symbol) != SOLO_OK) return false;
      if (symbol.section == SHN_UNDEF || symbol.section >= table->elf.section_count) return false;
      Elf64_Shdr target = solo_elf_section(&table->elf, symbol.section);
      *out = target.sh_offset + symbol.value + (uint64_t)entry.r_addend;
      return target.sh_type != SHT_NOBITS;
    }
  }
  return false;
}

static void patch_entry(const solo_unit *unit, const repair *r, uint8_t *copy) {
  const solo_symtab *table = &unit->table;
  const char *entry_name = solo_tool_text(".offloading.entry.%s", r->old_name);
  solo_elf_symbol entry;
  uint64_t at = 0;
  bool good = solo_elf_symbol_find(&table->symbols, entry_name, &entry) == SOLO_OK &&
              entry.section < table->elf.section_count;
  if (good) {
    Elf64_Shdr section = solo_elf_section(&table->elf, entry.section);
    bool old = strcmp(solo_elf_section_name(&table->elf, &section), "omp_offloading_entries") == 0;
    uint64_t name_field = entry.value + (old ? 8 : 24); /* abi-facts 1.1 */
    const char *text = NULL;
    good = follow(table, entry.section, name_field, &at) &&
           (text = solo_span_string(unit->bytes, at)) && strcmp(text, r->old_name) == 0;
  }
  if (!good)
    solo_tool_die("%s: kernel '%s' has the name of another object's kernel, and its entry has an "
                  "unknown format\n  hint: compile the object from a copy of its source file",
                  unit->name, r->old_name);
  memcpy(copy + at, r->new_name, strlen(r->new_name));
}

static void repair_host(solo_unit *unit, const repairs *list, size_t index) {
  uint8_t *copy = solo_tool_alloc(unit->bytes.size);
  memcpy(copy, unit->bytes.data, unit->bytes.size);
  solo_list command = {0};
  solo_list_add(&command, solo_tool_binutil("objcopy"));
  solo_list_add(&command, "--remove-section=.llvm.offloading");
  solo_list_add(&command, "--remove-section=.llvm_addrsig");
  for (size_t i = 0; i < list->count; i++) {
    patch_entry(unit, &list->item[i], copy);
    solo_list_addf(&command, "--localize-symbol=.%s.region_id", list->item[i].old_name);
    solo_list_addf(&command, "--localize-symbol=.offloading.entry.%s", list->item[i].old_name);
  }
  const char *base = solo_tool_base(unit->path);
  char *file = solo_tool_temporary(solo_tool_text("%zu-%s.o", index, base));
  solo_tool_write(file, copy, unit->bytes.size);
  solo_list_add(&command, file);
  if (solo_tool_run(&command) != 0)
    solo_tool_die("%s: objcopy cannot rename its kernels on the host side", unit->name);
  unit->replacement = file;
}

static void repair_part(const solo_unit *unit, solo_part *part, const repairs *list) {
  part->repaired = true;
  solo_list command = {0};
  solo_list_add(&command, solo_tool_binutil("objcopy"));
  for (size_t i = 0; i < list->count; i++) {
    const repair *r = &list->item[i];
    solo_list_addf(&command, "--redefine-sym=%s=%s", r->old_name, r->new_name);
    solo_list_addf(&command, "--redefine-sym=.offloading.entry.%s=.offloading.entry.%s",
                   r->old_name, r->new_name);
  }
  solo_list_add(&command, part->file);
  if (solo_tool_run(&command) != 0)
    solo_tool_die("%s: objcopy cannot rename its kernels", unit->name);
}

/* A repaired copy replaces its object. The copy of an archive member precedes the archive, so that
 * the linker does not extract the member. */
static void replace_arguments(solo_link *link) {
  for (size_t i = link->unit_count; i-- > 0;) {
    solo_unit *unit = &link->unit[i];
    if (!unit->replacement) continue;
    if (!unit->member) {
      link->arguments.item[unit->argument] = (char *)unit->replacement;
      continue;
    }
    size_t at = unit->argument < link->first_library ? unit->argument : link->first_library;
    solo_list_insert(&link->arguments, at, unit->replacement);
    for (size_t j = 0; j < link->unit_count; j++)
      if (link->unit[j].argument >= at) link->unit[j].argument++;
    link->first_library++;
  }
}

void solo_link_repair(solo_link *link) {
  solo_names owners = {0};
  unsigned number = 0;
  for (size_t i = 0; i < link->unit_count; i++) {
    solo_unit *unit = &link->unit[i];
    if (!unit->selected) continue;
    repairs list = {0};
    collect(link, i, &owners, &number, &list);
    if (!list.count) continue;
    repair_host(unit, &list, i);
    for (size_t p = 0; p < unit->part_count; p++) repair_part(unit, &unit->part[p], &list);
  }
  replace_arguments(link);
}
