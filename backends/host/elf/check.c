/* Compares program headers and dynamic section with the section headers. A difference reveals a
 * damaged image before its code runs. Images without section headers are not checked. */
#include "backends/host/elf/module.h"

typedef unsigned long long ull;

#ifndef SHT_RELR
#define SHT_RELR 19
#endif

static SOLO_COLD solo_status disagree(const solo_elf *file, const Elf64_Shdr *s, const char *with) {
  return solo_fail(SOLO_BAD_IMAGE,
                   "CPU image: section %s at 0x%llx with 0x%llx bytes does not agree with %s",
                   solo_elf_section_name(file, s), (ull)s->sh_addr, (ull)s->sh_size, with);
}

static bool inside(uint64_t start, uint64_t size, uint64_t address, uint64_t bytes) {
  return address >= start && address - start <= size && bytes <= size - (address - start);
}

static bool same(const solo_host_elf_table *t, const Elf64_Shdr *s) {
  return t->address == s->sh_addr && t->size == s->sh_size;
}

static solo_status check_tls_section(const solo_host_elf *m, const solo_elf *file,
                                     const Elf64_Shdr *s) {
  const Elf64_Phdr *t = &m->tls;
  uint64_t size = s->sh_type == SHT_NOBITS ? t->p_memsz : t->p_filesz;
  if (!inside(t->p_vaddr, size, s->sh_addr, s->sh_size))
    return disagree(file, s, "the thread-local segment");
  if (s->sh_type == SHT_NOBITS && s->sh_addr < t->p_vaddr + t->p_filesz)
    return disagree(file, s, "the thread-local segment's file part");
  return SOLO_OK;
}

static solo_status check_place(const solo_host_elf *m, const solo_elf *file, const Elf64_Shdr *s) {
  const Elf64_Phdr *p = solo_host_elf_segment_of(m, s->sh_addr, s->sh_size, 0);
  if (!p) return disagree(file, s, "any loaded segment");
  if (((s->sh_flags & SHF_EXECINSTR) && !(p->p_flags & PF_X)) ||
      ((s->sh_flags & SHF_WRITE) && !(p->p_flags & PF_W)))
    return disagree(file, s, "its segment's rights");
  if (s->sh_type == SHT_NOBITS)
    return s->sh_addr >= p->p_vaddr + p->p_filesz ? SOLO_OK
                                                  : disagree(file, s, "its segment's file part");
  if (!inside(p->p_vaddr, p->p_filesz, s->sh_addr, s->sh_size) ||
      s->sh_offset - p->p_offset != s->sh_addr - p->p_vaddr)
    return disagree(file, s, "its segment's file part");
  return SOLO_OK;
}

/* .data and .bss must not be on pages that protect_relro() makes read-only. */
static solo_status check_relro(const solo_host_elf *m, const solo_elf *file, const Elf64_Shdr *s) {
  const char *name = solo_elf_section_name(file, s);
  const uint64_t in_page = (uint64_t)(m->page - 1), from = m->relro.p_vaddr;
  uint64_t to = from + m->relro.p_memsz, start = from & ~in_page, end = to & ~in_page;
  if (!m->relro.p_memsz || (strcmp(name, ".data") != 0 && strcmp(name, ".bss") != 0))
    return SOLO_OK;
  if (to < from || (s->sh_addr < end && s->sh_addr + s->sh_size > start))
    return disagree(file, s, "GNU_RELRO");
  return SOLO_OK;
}

static solo_status check_symbols(const solo_host_elf *m, const solo_elf *file,
                                 const Elf64_Shdr *s) {
  Elf64_Shdr strings = solo_elf_section(file, s->sh_link);
  if (m->dynamic.symbols != s->sh_addr) return disagree(file, s, "DT_SYMTAB");
  uint64_t symbols = s->sh_size / sizeof(Elf64_Sym);
  if (m->symbol_count > symbols ||
      (m->symbol_count < symbols && !solo_host_elf_names_is_empty(&m->names)))
    return disagree(file, s, "the hash table");
  return same(&m->dynamic.strings, &strings) ? SOLO_OK : disagree(file, &strings, "DT_STRTAB");
}

static solo_status check_relocations(const solo_host_elf *m, const solo_elf *file,
                                     const Elf64_Shdr *s) {
  const solo_host_elf_table *a = &m->dynamic.rela, *b = &m->dynamic.jmprel;
  if (inside(a->address, a->size, s->sh_addr, s->sh_size) ||
      inside(b->address, b->size, s->sh_addr, s->sh_size))
    return SOLO_OK;
  return disagree(file, s, "DT_RELA and DT_JMPREL");
}

static solo_status check_section(const solo_host_elf *m, const solo_elf *file,
                                 const Elf64_Shdr *s) {
  const solo_host_elf_dynamic *d = &m->dynamic;
  if (!(s->sh_flags & SHF_ALLOC) || s->sh_size == 0 || s->sh_type == SHT_NULL) return SOLO_OK;
  if (s->sh_flags & SHF_TLS) SOLO_TRY(check_tls_section(m, file, s));
  if (!(s->sh_flags & SHF_TLS && s->sh_type == SHT_NOBITS)) SOLO_TRY(check_place(m, file, s));
  SOLO_TRY(check_relro(m, file, s));
  switch (s->sh_type) {
  case SHT_DYNSYM:
    return check_symbols(m, file, s);
  case SHT_RELA:
    return check_relocations(m, file, s);
  case SHT_RELR:
    return same(&d->relr, s) ? SOLO_OK : disagree(file, s, "DT_RELR");
  case SHT_GNU_HASH:
    return d->gnu_hash == s->sh_addr ? SOLO_OK : disagree(file, s, "DT_GNU_HASH");
  case SHT_HASH:
    return d->sysv_hash == s->sh_addr ? SOLO_OK : disagree(file, s, "DT_HASH");
  case SHT_GNU_versym:
    return d->versym == s->sh_addr ? SOLO_OK : disagree(file, s, "DT_VERSYM");
  case SHT_GNU_verneed:
    return d->verneed == s->sh_addr && d->verneed_count == s->sh_info
               ? SOLO_OK
               : disagree(file, s, "DT_VERNEED");
  case SHT_INIT_ARRAY:
    return same(&d->init_array, s) ? SOLO_OK : disagree(file, s, "DT_INIT_ARRAY");
  case SHT_FINI_ARRAY:
    return same(&d->fini_array, s) ? SOLO_OK : disagree(file, s, "DT_FINI_ARRAY");
  case SHT_DYNAMIC:
    return m->dynamic_segment.p_vaddr == s->sh_addr && m->dynamic_segment.p_memsz == s->sh_size
               ? SOLO_OK
               : disagree(file, s, "the dynamic segment");
  default:
    return SOLO_OK;
  }
}

/* Returns whether a matching section begins at start, and one ends at end (end 0: not checked). */
static bool has_section(const solo_elf *file, uint32_t type, uint64_t flags, uint64_t start,
                        uint64_t end) {
  bool starts = false, ends = false;
  for (uint32_t i = 0; i < file->section_count; i++) {
    Elf64_Shdr s = solo_elf_section(file, i);
    if ((type != SHT_NULL && s.sh_type != type) || (s.sh_flags & flags) != flags) continue;
    starts = starts || s.sh_addr == start;
    ends = ends || s.sh_addr + s.sh_size == end;
  }
  return starts && (ends || end == 0);
}

static solo_status check_table(const solo_elf *file, const solo_host_elf_table *t, uint32_t type,
                               const char *tag) {
  if (!t->size || has_section(file, type, SHF_ALLOC, t->address, t->address + t->size))
    return SOLO_OK;
  return solo_fail(SOLO_BAD_IMAGE, "CPU image: %s at 0x%llx with 0x%llx bytes is not a section",
                   tag, (ull)t->address, (ull)t->size);
}

static uint64_t tls_end(const solo_elf *file) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < file->section_count; i++) {
    Elf64_Shdr s = solo_elf_section(file, i);
    if ((s.sh_flags & SHF_TLS) && s.sh_addr + s.sh_size > end) end = s.sh_addr + s.sh_size;
  }
  return end;
}

static solo_status check_tags(const solo_host_elf *m, const solo_elf *file) {
  const solo_host_elf_dynamic *d = &m->dynamic;
  SOLO_TRY(check_table(file, &d->rela, SHT_RELA, "DT_RELA"));
  SOLO_TRY(check_table(file, &d->jmprel, SHT_RELA, "DT_JMPREL"));
  SOLO_TRY(check_table(file, &d->relr, SHT_RELR, "DT_RELR"));
  SOLO_TRY(check_table(file, &d->init_array, SHT_INIT_ARRAY, "DT_INIT_ARRAY"));
  SOLO_TRY(check_table(file, &d->fini_array, SHT_FINI_ARRAY, "DT_FINI_ARRAY"));
  uint64_t code[2] = {d->init, d->fini};
  for (int i = 0; i < 2; i++)
    if (code[i] && !has_section(file, SHT_PROGBITS, SHF_EXECINSTR, code[i], 0))
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: DT_%s 0x%llx is not the start of a code section",
                       i ? "FINI" : "INIT", (ull)code[i]);
  const Elf64_Phdr *t = &m->tls;
  if (t->p_memsz && (!has_section(file, SHT_NULL, SHF_TLS, t->p_vaddr, 0) ||
                     t->p_memsz > tls_end(file) - t->p_vaddr + t->p_align))
    return solo_fail(SOLO_BAD_IMAGE,
                     "CPU image: thread-local segment at 0x%llx does not agree with its sections",
                     (ull)t->p_vaddr);
  return SOLO_OK;
}

solo_status solo_host_elf_check(const solo_host_elf *m, const solo_elf *file) {
  if (!file->section_count) return SOLO_OK;
  for (uint32_t i = 0; i < file->section_count; i++) {
    Elf64_Shdr s = solo_elf_section(file, i);
    SOLO_TRY(check_section(m, file, &s));
  }
  return check_tags(m, file);
}
