/* Determines which parts of the library the objects use: registration of images at run time,
 * optional libraries. */
#include "tools/link.h"

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

const char *const solo_link_library_names[SOLO_LINK_LIBRARY_COUNT] = {"solo_rex", "solo_hip",
                                                                      "solo_cuda"};

void solo_link_select_libraries(solo_link *link) {
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
