/* Rejects programs that the linker would accept but that would behave incorrectly. */
#include "tools/link.h"
#include "tools/machine.h"

#include <stdio.h>

static const char *readable(const char *symbol) {
  if (!solo_tool_skip_prefix(symbol, "_Z")) return symbol;
  solo_list command = {0};
  solo_list_add(&command, "c++filt");
  solo_list_add(&command, symbol);
  const char *text = solo_tool_exists("c++filt") ? solo_tool_run_for_line(&command) : NULL;
  return text ? text : symbol;
}

static bool is_glibc_only(const char *name) {
  static const char *const names[] = {"__libc_single_threaded",
                                      "_dl_find_object",
                                      "__errno_h_errno",
                                      "__rawmemchr",
                                      "__strdup",
                                      "__fdelt_warn",
                                      "gnu_get_libc_version",
                                      "_IO_getc",
                                      "_IO_putc",
                                      "__fxstat64",
                                      "__xstat64",
                                      "__sysv_signal",
                                      "__isinff128",
                                      "__printf_fp"};
  if (solo_tool_skip_prefix(name, "__isoc23_")) return true;
  if (solo_tool_skip_prefix(name, "__") && solo_tool_has_suffix(name, "_chk")) return true;
  if (solo_tool_skip_prefix(name, "__") && solo_tool_has_suffix(name, "_finite")) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool is_libstdcxx(const char *name) {
  return solo_tool_skip_prefix(name, "_ZSt") || solo_tool_skip_prefix(name, "_ZNSt") ||
         solo_tool_skip_prefix(name, "_ZNKSt") || solo_tool_skip_prefix(name, "__cxa_") ||
         solo_tool_skip_prefix(name, "_ZTVN10__cxxabiv1") ||
         solo_tool_skip_prefix(name, "__gxx_personality") || strcmp(name, "_Znwm") == 0 ||
         strcmp(name, "_ZdlPv") == 0 || strcmp(name, "_ZdlPvm") == 0 ||
         strcmp(name, "_Znam") == 0 || strcmp(name, "_ZdaPv") == 0;
}

static bool is_in_musl(const char *name) {
  return strcmp(name, "__cxa_atexit") == 0 || strcmp(name, "__cxa_finalize") == 0;
}

static void check_musl_names(const char *unit, const solo_symtab *table,
                             const solo_names *defined) {
  solo_elf_symbol symbol;
  for (uint32_t i = 1; solo_symtab_next(table, &i, &symbol);) {
    if (solo_symbol_defines(&symbol) || symbol.bind == STB_WEAK) continue;
    if (solo_names_find(defined, symbol.name)) continue;
    if (is_glibc_only(symbol.name))
      solo_tool_die(
          "%s was compiled with glibc's headers: it uses '%s', which musl does not define\n  hint: "
          "compile it with solo-cc --static, or link with solo-cc --static --glibc",
          unit, symbol.name);
    if (is_libstdcxx(symbol.name) && !is_in_musl(symbol.name))
      solo_tool_die("%s uses '%s' of libstdc++, which does not exist for musl\n  hint: link with "
                    "solo-c++ --static, which uses glibc",
                    unit, readable(symbol.name));
  }
}

void solo_link_check_machine(const solo_link *link) {
  const char *host = solo_tool_host();
  const solo_machine *here = solo_machine_native(),
                     *wanted = host ? solo_machine_named(host) : here;
  for (size_t i = 0; i < link->unit_count; i++) {
    const solo_unit *unit = &link->unit[i];
    const solo_machine *machine = solo_machine_for_elf(unit->table.elf.machine);
    if (!machine || !wanted || machine == wanted || unit->member) continue;
    solo_tool_die(
        "%s is for %s, but the link is for %s\n  hint: %s", unit->name, machine->name, wanted->name,
        machine == here ? "compile it with the same --host" : "link with the same --host");
  }
}

void solo_link_check_libc(const solo_link *link) {
  if (!link->libc || strcmp(link->libc, "musl") != 0) return;
  solo_names defined = {0};
  for (size_t i = 0; i < link->unit_count; i++) {
    const solo_unit *unit = &link->unit[i];
    solo_elf_symbol symbol;
    for (uint32_t s = 1; unit->selected && solo_symtab_next(&unit->table, &s, &symbol);)
      if (solo_symbol_defines(&symbol)) solo_names_put(&defined, symbol.name, 1);
  }
  for (size_t i = 0; i < link->unit_count; i++) {
    const solo_unit *unit = &link->unit[i];
    if (!unit->selected || unit->startup) continue;
    check_musl_names(unit->name, &unit->table, &defined);
    for (size_t p = 0; p < unit->part_count; p++)
      check_musl_names(unit->name, &unit->part[p].table, &defined);
  }
}

/* Returns true for the program's units, not for libraries: device code on the CPU may call
 * library functions. */
static bool is_users(const solo_unit *unit) {
  return unit->selected && !unit->startup &&
         (!unit->member || unit->part_count > 0 || unit->entries);
}

static const char *object_that_needs(const solo_link *link, const char *name) {
  for (size_t i = 0; i < link->unit_count; i++)
    for (size_t p = 0; p < link->unit[i].part_count; p++) {
      solo_elf_symbol symbol;
      for (uint32_t s = 1; solo_symtab_next(&link->unit[i].part[p].table, &s, &symbol);)
        if (!solo_symbol_defines(&symbol) && strcmp(symbol.name, name) == 0)
          return link->unit[i].name;
    }
  return "an object";
}

/* Marks the sections of unused thread wrappers (_ZTWx). Clang emits these in device code for
 * threadprivate variables in copyin clauses. */
static bool *unused_wrappers(const solo_symtab *table) {
  uint32_t count = table->elf.section_count;
  bool *unused = solo_tool_alloc(count * sizeof *unused);
  solo_elf_symbol symbol;
  memset(unused, 0, count * sizeof *unused);
  for (uint32_t i = 1; solo_symtab_next(table, &i, &symbol);)
    if (solo_symbol_defines(&symbol) && solo_tool_skip_prefix(symbol.name, "_ZTW") &&
        symbol.section < count) {
      Elf64_Shdr section = solo_elf_section(&table->elf, symbol.section);
      unused[symbol.section] =
          solo_tool_has_suffix(solo_elf_section_name(&table->elf, &section), symbol.name);
    }
  solo_relocation r = {0};
  while (solo_symtab_next_relocation(table, &r))
    if (r.symbol.section < count && r.symbol.section != r.section) unused[r.symbol.section] = false;
  return unused;
}

void solo_link_check_undefined(const solo_link *link, const char *device_object) {
  solo_span bytes;
  solo_symtab table;
  if (!solo_tool_map(device_object, &bytes) || solo_elf_open(bytes, &table.elf) != SOLO_OK ||
      solo_elf_static_symbols(&table.elf, &table.symbols) != SOLO_OK)
    solo_tool_die("cannot read %s, the output of ld -r", device_object);
  solo_names wanted = {0};
  const bool *unused = unused_wrappers(&table);
  solo_relocation r = {0};
  while (solo_symtab_next_relocation(&table, &r))
    if (!unused[r.section] && !solo_symbol_defines(&r.symbol))
      solo_names_put(&wanted, r.symbol.name, 1);
  solo_elf_symbol symbol;
  for (size_t u = 0; u < link->unit_count; u++) {
    const solo_unit *unit = &link->unit[u];
    if (!is_users(unit)) continue;
    for (uint32_t i = 1; solo_symtab_next(&unit->table, &i, &symbol);) {
      if (!solo_symbol_defines(&symbol) || !solo_names_find(&wanted, symbol.name)) continue;
      solo_tool_die("device code of %s uses '%s', which %s defines for the host only\n  hint: %s",
                    object_that_needs(link, symbol.name), readable(symbol.name), unit->name,
                    solo_tool_skip_prefix(symbol.name, "_Q")
                        ? "add '!$omp declare target' to the procedure; put an interface block "
                          "with this directive into a module"
                        : "put the definition between '#pragma omp begin declare target' and "
                          "'#pragma omp end declare target' and compile it with solo-cc");
    }
  }
}

void solo_link_check_requires(const solo_link *link) {
  const solo_unit *with = NULL, *without = NULL;
  for (size_t i = 0; i < link->unit_count; i++) {
    const solo_unit *unit = &link->unit[i];
    if (!unit->selected || !unit->entries) continue;
    if (unit->shared_memory && !with) with = unit;
    if (!unit->shared_memory && !without) without = unit;
  }
  if (with && without)
    solo_tool_warn(
        "'#pragma omp requires unified_shared_memory' not used consistently!: %s has it, %s does "
        "not\n  hint: use it in all files with target constructs, or in none",
        with->name, without->name);
}

static const solo_unit *definer_of(const solo_link *link, const char *name) {
  for (size_t u = 0; u < link->unit_count; u++) {
    solo_elf_symbol symbol;
    for (uint32_t i = 1;
         link->unit[u].selected && solo_symtab_next(&link->unit[u].table, &i, &symbol);)
      if (solo_symbol_defines(&symbol) && strcmp(symbol.name, name) == 0) return &link->unit[u];
  }
  return NULL;
}

/* Rejects a second OpenMP runtime, because its threads would have other numbers and locks.
 * libsolo.a also defines the functions that objects of GCC call. */
void solo_link_check_runtimes(const solo_link *link) {
  const solo_unit *other = definer_of(link, "__kmpc_fork_call");
  if (!other) other = definer_of(link, "GOMP_parallel");
  if (other)
    solo_tool_die("%s is a second OpenMP runtime; libsolo.a already contains host threads\n  hint: "
                  "leave it out of the link" SOLO_SEE("two-runtimes"),
                  other->name);
}
