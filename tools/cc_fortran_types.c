/* Sizes of LLVM types, with the layout that the GPUs share. */
#include "tools/cc_fortran_code.h"

#include <stdlib.h>

typedef struct layout {
  uint64_t bytes, align;
} layout;

static uint64_t round_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

static const char *measure(const solo_fc_module *m, const char *type, layout *out);

static const char *measure_members(const solo_fc_module *m, const char *type, bool is_packed,
                                   layout *out) {
  *out = (layout){0, 1};
  while (type && *type != '}') {
    layout member;
    type += strspn(type, " ,");
    if (*type == '}' || !(type = measure(m, type, &member))) break;
    if (is_packed) member.align = 1;
    out->bytes = round_up(out->bytes, member.align) + member.bytes;
    if (member.align > out->align) out->align = member.align;
    type += strspn(type, " ");
  }
  if (!type) return NULL;
  out->bytes = round_up(out->bytes, out->align);
  return type + 1;
}

static const char *measure_array(const solo_fc_module *m, const char *type, layout *out) {
  char *rest;
  uint64_t count = strtoull(type, &rest, 10);
  if (!solo_tool_skip_prefix(rest, " x ")) return NULL;
  const char *end = measure(m, rest + 3, out);
  out->bytes *= count;
  return end ? end + 1 : NULL;
}

static const char *measure_named(const solo_fc_module *m, const char *type, layout *out) {
  const char *name = solo_fc_name_at(type);
  for (size_t i = 0; i < m->lines.count; i++) {
    const char *rest = solo_tool_skip_prefix(m->lines.item[i], name);
    rest = rest ? solo_tool_skip_prefix(rest, " = type ") : NULL;
    if (rest && measure(m, rest, out)) return type + strlen(name);
  }
  return NULL;
}

static const char *measure(const solo_fc_module *m, const char *type, layout *out) {
  static const struct {
    const char *name;
    uint64_t bytes;
  } simple[] = {{"half", 2}, {"bfloat", 2}, {"float", 4}, {"double", 8}, {"fp128", 16}, {"ptr", 8}};
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
    const char *end = solo_tool_skip_prefix(type, simple[i].name);
    *out = (layout){simple[i].bytes, simple[i].bytes};
    if (end && strchr(" ,]}>\n", *end))
      return solo_tool_skip_prefix(end, " addrspace") ? NULL : end;
  }
  if (*type == 'i') {
    char *end;
    uint64_t bits = strtoull(type + 1, &end, 10), bytes = 1;
    while (bytes * 8 < bits) bytes *= 2;
    *out = (layout){bytes, bytes < 16 ? bytes : 16};
    return end > type + 1 ? end : NULL;
  }
  if (*type == '[') return measure_array(m, type + 1, out);
  if (*type == '{') return measure_members(m, type + 1, false, out);
  if (*type == '%') return measure_named(m, type, out);
  if (solo_tool_skip_prefix(type, "<{")) {
    const char *end = measure_members(m, type + 2, true, out);
    return end ? end + 1 : NULL;
  }
  return NULL;
}

const char *solo_fc_size_of_type(const solo_fc_module *m, const char *type, uint64_t *out_bytes) {
  layout size;
  const char *end = measure(m, type, &size);
  *out_bytes = size.bytes;
  return end;
}
