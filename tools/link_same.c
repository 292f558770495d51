/* Compares code of two objects. Code is the same if its bytes are equal and its relocations refer
 * to the same global name or to the same code. Writable data is never the same. */
#include "tools/link.h"
#include "tools/machine.h"

typedef struct pair {
  uint32_t a, b;
} pair;

typedef struct comparison {
  const solo_symtab *a, *b;
  pair *seen; /* compared pairs; ends the recursion on cycles */
  size_t seen_count;
} comparison;

static solo_span relocations(const solo_symtab *table, uint32_t section) {
  for (uint32_t i = 0; i < table->elf.section_count; i++) {
    Elf64_Shdr header = solo_elf_section(&table->elf, i);
    if (header.sh_type == SHT_RELA && header.sh_info == section)
      return solo_elf_section_bytes(&table->elf, &header);
  }
  return solo_span_of("", 0);
}

static bool same_section(comparison *c, uint32_t a, uint32_t b);

/* Returns the string to which an absolute pointer refers, or NULL. */
static const char *string_of(const solo_symtab *table, const Elf64_Rela *r,
                             const solo_elf_symbol *s) {
  const solo_machine *machine = solo_machine_for_elf(table->elf.machine);
  bool absolute = machine && ELF64_R_TYPE(r->r_info) == machine->absolute;
  if (!absolute || s->section == SHN_UNDEF || s->section >= table->elf.section_count) return NULL;
  Elf64_Shdr section = solo_elf_section(&table->elf, s->section);
  if (!(section.sh_flags & SHF_STRINGS) || section.sh_entsize != 1) return NULL;
  return solo_span_string(solo_elf_section_bytes(&table->elf, &section),
                          s->value + (uint64_t)r->r_addend);
}

static bool same_target(comparison *c, const Elf64_Rela *a, const Elf64_Rela *b) {
  solo_elf_symbol x, y;
  if (a->r_offset != b->r_offset || ELF64_R_TYPE(a->r_info) != ELF64_R_TYPE(b->r_info) ||
      solo_elf_symbol_at(&c->a->symbols, (uint32_t)ELF64_R_SYM(a->r_info), &x) != SOLO_OK ||
      solo_elf_symbol_at(&c->b->symbols, (uint32_t)ELF64_R_SYM(b->r_info), &y) != SOLO_OK)
    return false;
  const char *text = string_of(c->a, a, &x), *other = string_of(c->b, b, &y);
  if (text && other) return strcmp(text, other) == 0;
  if (a->r_addend != b->r_addend) return false;
  if ((x.bind == STB_LOCAL) != (y.bind == STB_LOCAL)) return false;
  if (x.bind != STB_LOCAL) return strcmp(x.name, y.name) == 0;
  return x.value == y.value && same_section(c, x.section, y.section);
}

static bool is_variable(const solo_symtab *table, const Elf64_Shdr *section) {
  return (section->sh_flags & SHF_WRITE) &&
         !solo_tool_skip_prefix(solo_elf_section_name(&table->elf, section), ".data.rel.ro");
}

static bool same_section(comparison *c, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < c->seen_count; i++)
    if (c->seen[i].a == a && c->seen[i].b == b) return true;
  if (a == SHN_UNDEF || b == SHN_UNDEF || a >= c->a->elf.section_count ||
      b >= c->b->elf.section_count)
    return false;
  c->seen = solo_tool_grow(c->seen, c->seen_count, sizeof *c->seen);
  c->seen[c->seen_count++] = (pair){a, b};
  Elf64_Shdr x = solo_elf_section(&c->a->elf, a), y = solo_elf_section(&c->b->elf, b);
  if (x.sh_type != y.sh_type || x.sh_flags != y.sh_flags || x.sh_size != y.sh_size ||
      is_variable(c->a, &x) || is_variable(c->b, &y))
    return false;
  solo_span p = solo_elf_section_bytes(&c->a->elf, &x), q = solo_elf_section_bytes(&c->b->elf, &y);
  solo_span r = relocations(c->a, a), s = relocations(c->b, b);
  if (p.size != q.size || memcmp(p.data, q.data, p.size) != 0 || r.size != s.size) return false;
  Elf64_Rela m, n;
  for (size_t at = 0; solo_span_read(r, at, &m, sizeof m) && solo_span_read(s, at, &n, sizeof n);
       at += sizeof m)
    if (!same_target(c, &m, &n)) return false;
  return true;
}

bool solo_same_code(const solo_symtab *a, const solo_elf_symbol *in_a, const solo_symtab *b,
                    const solo_elf_symbol *in_b) {
  comparison c = {.a = a, .b = b};
  return in_a->type == in_b->type && in_a->value == in_b->value && in_a->size == in_b->size &&
         same_section(&c, in_a->section, in_b->section);
}
