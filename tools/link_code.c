#include "tools/link.h"

bool solo_link_is_gpu(const char *triple) {
  return solo_tool_skip_prefix(triple, "nvptx") || solo_tool_skip_prefix(triple, "amdgcn");
}

void solo_link_add_code(solo_unit *unit, const solo_offload_entry *entry) {
  unit->code = solo_tool_grow(unit->code, unit->code_count, sizeof *unit->code);
  unit->code[unit->code_count++] =
      (solo_code){.triple = entry->triple, .arch = entry->arch, .bytes = entry->image};
}
