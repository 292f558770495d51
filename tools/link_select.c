/* Selects archive members like the linker, but treats all archives as one group. Unnecessary
 * members only add unused device code. Of members that only device code needs, only the device
 * parts are linked. */
#include "tools/link.h"

void solo_link_collect_symbols(solo_names *names, const solo_symtab *table) {
  solo_elf_symbol symbol;
  for (uint32_t i = 1; solo_symtab_next(table, &i, &symbol);) {
    bool weak_reference = !solo_symbol_defines(&symbol) && symbol.bind == STB_WEAK;
    if (weak_reference) continue; /* does not extract an archive member */
    int *state = solo_names_put(names, symbol.name, SOLO_NAME_WANTED);
    if (solo_symbol_defines(&symbol)) *state = SOLO_NAME_DEFINED;
  }
}

bool solo_link_defines_wanted(const solo_names *names, const solo_symtab *table) {
  solo_elf_symbol symbol;
  for (uint32_t i = 1; solo_symtab_next(table, &i, &symbol);) {
    if (!solo_symbol_defines(&symbol)) continue;
    int *state = solo_names_find(names, symbol.name);
    if (state && *state == SOLO_NAME_WANTED) return true;
  }
  return false;
}

static void select_host(solo_link *link) {
  solo_names names = {0};
  for (size_t i = 0; i < link->unit_count; i++) {
    solo_unit *unit = &link->unit[i];
    if (unit->member && !unit->whole) continue;
    unit->selected = true;
    solo_link_collect_symbols(&names, &unit->table);
  }
  for (size_t i = 0; i < link->arguments.count; i++) {
    const char *name = solo_tool_skip_prefix(link->arguments.item[i], "-u");
    if (name && !*name) name = link->arguments.item[i + 1];
    if (name && *name) solo_names_put(&names, name, SOLO_NAME_WANTED);
  }
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < link->unit_count; i++) {
      solo_unit *unit = &link->unit[i];
      if (unit->selected || !solo_link_defines_wanted(&names, &unit->table)) continue;
      unit->selected = again = true;
      solo_link_collect_symbols(&names, &unit->table);
    }
  }
}

static bool parts_satisfy(const solo_names *names, const solo_unit *unit) {
  for (size_t p = 0; p < unit->part_count; p++)
    if (solo_link_defines_wanted(names, &unit->part[p].table)) return true;
  return false;
}

static void select_device(solo_link *link) {
  solo_names names = {0};
  bool *selected = solo_tool_alloc(link->unit_count * sizeof *selected);
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < link->unit_count; i++) {
      solo_unit *unit = &link->unit[i];
      if (selected[i] || !unit->part_count) continue;
      if (!unit->selected && !parts_satisfy(&names, unit)) continue;
      selected[i] = again = true;
      for (size_t p = 0; p < unit->part_count; p++)
        solo_link_collect_symbols(&names, &unit->part[p].table);
    }
  }
  for (size_t i = 0; i < link->unit_count; i++)
    if (!selected[i]) link->unit[i].part_count = 0;
}

static bool registers_images(const char *name) {
  static const char *const beginnings[] = {"__tgt_register_", "__tgt_rtl_",    "solo_register_",
                                           "__cudaRegister",  "__hipRegister", "rex_"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (solo_tool_skip_prefix(name, beginnings[i])) return true;
  return false;
}

static bool is_rex(const char *name) {
  return solo_tool_skip_prefix(name, "rex_") || strcmp(name, "register_cubin") == 0;
}

static void select_libraries(solo_link *link) {
  solo_names defined = {0};
  solo_elf_symbol symbol;
  for (size_t i = 0; i < link->unit_count; i++)
    for (uint32_t s = 1;
         link->unit[i].selected && solo_symtab_next(&link->unit[i].table, &s, &symbol);)
      if (solo_symbol_defines(&symbol)) solo_names_put(&defined, symbol.name, 1);
  for (size_t i = 0; i < link->unit_count; i++)
    for (uint32_t s = 1;
         link->unit[i].selected && solo_symtab_next(&link->unit[i].table, &s, &symbol);) {
      if (solo_symbol_defines(&symbol)) continue;
      if (registers_images(symbol.name)) link->runtime_images = true;
      if (is_rex(symbol.name) && !solo_names_find(&defined, symbol.name))
        link->ways[SOLO_LINK_REX] = link->runtime_images = true;
    }
}

static void check_device_code(const solo_link *link, const solo_unit *unit) {
  if (unit->startup || unit->had_parts || (!unit->foreign && !unit->entries)) return;
  if (!unit->foreign && link->runtime_images) return;
  if (link->allow_host_only)
    solo_tool_warn("%s: no device code for the CPU%s; its target regions run on the host",
                   unit->name,
                   unit->foreign ? solo_tool_text(" (only for %s)", unit->foreign) : "");
  else if (unit->foreign)
    solo_tool_die("%s has device code for %s only, and a static program cannot load a GPU driver\n "
                  " hint: compile it with --targets=host, link without --static, or use "
                  "--allow-host-only to run its target regions on the host",
                  unit->name, unit->foreign);
  else
    solo_tool_die(
        "%s has target regions but no device code; Clang makes none from preprocessed source (.i, "
        ".ii)\n  hint: compile it from its source file; use --runtime-images if the program "
        "registers its images, or --allow-host-only to run its target regions on the host",
        unit->name);
}

void solo_link_select(solo_link *link) {
  select_host(link);
  select_device(link);
  select_libraries(link);
  for (size_t i = 0; i < link->unit_count; i++)
    if (link->unit[i].selected) check_device_code(link, &link->unit[i]);
}
