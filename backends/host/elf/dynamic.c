/* Reads the dynamic section of a mapped image. */
#include "backends/host/elf/module.h"

typedef unsigned long long ull;

#ifndef DT_RELR
#define DT_RELR    36
#define DT_RELRSZ  35
#define DT_RELRENT 37
#endif

static bool dynamic_at(const solo_host_elf *m, uint32_t index, Elf64_Dyn *out) {
  solo_span bytes;
  if ((uint64_t)(index + 1) * sizeof *out > m->dynamic_segment.p_memsz) return false;
  if (!solo_host_elf_bytes(m, m->dynamic_segment.p_vaddr + (uint64_t)index * sizeof *out,
                           sizeof *out, &bytes))
    return false;
  memcpy(out, bytes.data, sizeof *out);
  return out->d_tag != DT_NULL;
}

#define FIELD(name) offsetof(solo_host_elf_dynamic, name)
static const struct {
  int64_t tag;
  size_t field;
} kept[] = {
    {DT_RELA, FIELD(rela.address)},
    {DT_RELASZ, FIELD(rela.size)},
    {DT_JMPREL, FIELD(jmprel.address)},
    {DT_PLTRELSZ, FIELD(jmprel.size)},
    {DT_RELR, FIELD(relr.address)},
    {DT_RELRSZ, FIELD(relr.size)},
    {DT_INIT_ARRAY, FIELD(init_array.address)},
    {DT_INIT_ARRAYSZ, FIELD(init_array.size)},
    {DT_FINI_ARRAY, FIELD(fini_array.address)},
    {DT_FINI_ARRAYSZ, FIELD(fini_array.size)},
    {DT_STRTAB, FIELD(strings.address)},
    {DT_STRSZ, FIELD(strings.size)},
    {DT_SYMTAB, FIELD(symbols)},
    {DT_GNU_HASH, FIELD(gnu_hash)},
    {DT_HASH, FIELD(sysv_hash)},
    {DT_VERSYM, FIELD(versym)},
    {DT_VERNEED, FIELD(verneed)},
    {DT_VERNEEDNUM, FIELD(verneed_count)},
    {DT_INIT, FIELD(init)},
    {DT_FINI, FIELD(fini)},
};

static const struct {
  int64_t tag;
  uint64_t value;
  const char *name;
} fixed[] = {
    {DT_RELAENT, sizeof(Elf64_Rela), "DT_RELAENT"},
    {DT_SYMENT, sizeof(Elf64_Sym), "DT_SYMENT"},
    {DT_RELRENT, 8, "DT_RELRENT"},
    {DT_PLTREL, DT_RELA, "DT_PLTREL"},
};

static solo_status read_entry(solo_host_elf_dynamic *d, const Elf64_Dyn *entry) {
  uint64_t value = entry->d_un.d_val;
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (entry->d_tag == kept[i].tag) memcpy((char *)d + kept[i].field, &value, sizeof value);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (entry->d_tag == fixed[i].tag && value != fixed[i].value)
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: %s is %llu, expected %llu", fixed[i].name,
                       (ull)value, (ull)fixed[i].value);
  switch (entry->d_tag) {
  case DT_NEEDED:
    d->needed_count++;
    return SOLO_OK;
  case DT_REL:
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: relocations without addends (DT_REL)");
  case DT_PREINIT_ARRAY:
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: DT_PREINIT_ARRAY is for programs only");
  default:
    return SOLO_OK;
  }
}

static solo_span rest_from(const solo_host_elf *m, uint64_t address) {
  solo_span s = {0};
  const Elf64_Phdr *segment = solo_host_elf_segment_of(m, address, 0, 0);
  if (segment)
    (void)solo_host_elf_bytes(m, address, segment->p_memsz - (address - segment->p_vaddr), &s);
  return s;
}

/* The table must be in a segment, because protect_segments() makes bytes between segments
 * unreadable. */
static solo_status check_table(const solo_host_elf *m, const solo_host_elf_table *t,
                               const char *what) {
  if (!t->size || solo_host_elf_segment_of(m, t->address, t->size, 0)) return SOLO_OK;
  return solo_fail(SOLO_BAD_IMAGE,
                   "CPU image: %s at address 0x%llx with 0x%llx bytes lies outside its segments",
                   what, (ull)t->address, (ull)t->size);
}

/* For an empty hash table: returns the maximum of count and the relocations' symbol indices plus 1. */
static uint32_t count_by_relocations(const solo_host_elf *m, const solo_host_elf_table *t,
                                     uint32_t count) {
  Elf64_Rela r;
  solo_span bytes;
  for (uint64_t at = 0; at + sizeof r <= t->size; at += sizeof r) {
    if (!solo_host_elf_bytes(m, t->address + at, sizeof r, &bytes)) break;
    memcpy(&r, bytes.data, sizeof r);
    if (ELF64_R_SYM(r.r_info) >= count && ELF64_R_SYM(r.r_info) < UINT32_MAX)
      count = (uint32_t)ELF64_R_SYM(r.r_info) + 1;
  }
  return count;
}

solo_status solo_host_elf_read_dynamic(solo_host_elf *m) {
  solo_host_elf_dynamic *d = &m->dynamic;
  Elf64_Dyn entry;
  for (uint32_t i = 0; dynamic_at(m, i, &entry); i++) SOLO_TRY(read_entry(d, &entry));
  SOLO_TRY(check_table(m, &d->rela, "DT_RELA"));
  SOLO_TRY(check_table(m, &d->jmprel, "DT_JMPREL"));
  SOLO_TRY(check_table(m, &d->relr, "DT_RELR"));
  SOLO_TRY(check_table(m, &d->init_array, "DT_INIT_ARRAY"));
  SOLO_TRY(check_table(m, &d->fini_array, "DT_FINI_ARRAY"));
  SOLO_TRY(check_table(m, &d->strings, "DT_STRTAB"));
  if (!d->symbols || !d->strings.size || !(d->gnu_hash || d->sysv_hash))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: no dynamic symbols (DT_SYMTAB, DT_STRTAB and "
                                     "DT_GNU_HASH or DT_HASH): not a shared object?");
  (void)solo_host_elf_bytes(m, d->strings.address, d->strings.size, &m->names.strings);
  m->names.symbols = rest_from(m, d->symbols);
  if (d->gnu_hash) m->names.gnu_hash = rest_from(m, d->gnu_hash);
  if (d->sysv_hash) m->names.sysv_hash = rest_from(m, d->sysv_hash);
  m->symbol_count = solo_host_elf_names_count(&m->names);
  if (solo_host_elf_names_is_empty(&m->names))
    m->symbol_count =
        count_by_relocations(m, &d->jmprel, count_by_relocations(m, &d->rela, m->symbol_count));
  if (!m->symbol_count || m->symbol_count > m->names.symbols.size / sizeof(Elf64_Sym))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: damaged symbol hash table");
  m->names.symbols.size = m->symbol_count * sizeof(Elf64_Sym);
  return SOLO_OK;
}

const char *solo_host_elf_needed(const solo_host_elf *m, uint32_t index) {
  Elf64_Dyn entry;
  for (uint32_t i = 0; dynamic_at(m, i, &entry); i++)
    if (entry.d_tag == DT_NEEDED && index-- == 0)
      return solo_span_string(m->names.strings, entry.d_un.d_val);
  return NULL;
}

solo_host_elf_version solo_host_elf_version_of(const solo_host_elf *m, uint32_t symbol) {
  solo_host_elf_version none = {NULL, NULL};
  solo_span bytes;
  uint16_t number;
  if (!m->dynamic.versym || !m->dynamic.verneed ||
      !solo_host_elf_bytes(m, m->dynamic.versym + (uint64_t)symbol * 2, 2, &bytes))
    return none;
  memcpy(&number, bytes.data, 2);
  number &= 0x7fff; /* bit 15 is meaningful for definitions only */
  uint64_t at = m->dynamic.verneed;
  for (uint64_t i = 0; i < m->dynamic.verneed_count; i++) {
    Elf64_Verneed need;
    if (!solo_host_elf_bytes(m, at, sizeof need, &bytes)) return none;
    memcpy(&need, bytes.data, sizeof need);
    uint64_t aux_at = at + need.vn_aux;
    for (uint32_t k = 0; k < need.vn_cnt; k++) {
      Elf64_Vernaux aux;
      if (!solo_host_elf_bytes(m, aux_at, sizeof aux, &bytes)) return none;
      memcpy(&aux, bytes.data, sizeof aux);
      if ((aux.vna_other & 0x7fff) == number)
        return (solo_host_elf_version){solo_span_string(m->names.strings, aux.vna_name),
                                       solo_span_string(m->names.strings, need.vn_file)};
      if (!aux.vna_next) break;
      aux_at += aux.vna_next;
    }
    if (!need.vn_next) break;
    at += need.vn_next;
  }
  return none;
}
