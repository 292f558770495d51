/* Registers images with gdb's JIT interface (gdb manual, "JIT Compilation Interface"). gdb does not
 * relocate a registered file, so the registered copy of the image has relocated sections, symbols
 * and line tables. The interface's symbols are local here, so that they do not conflict with other
 * JIT compilers. */
#include "backends/host/elf/gdb_lines.h"
#include "backends/host/elf/module.h"
#include "runtime/base/lock.h"
#include <stdlib.h>

typedef struct jit_entry {
  struct jit_entry *next, *previous;
  const void *file;
  uint64_t size;
} jit_entry;

struct solo_host_elf_gdb {
  jit_entry entry;
  uint8_t file[];
};

enum { JIT_VERSION = 1, JIT_NONE = 0, JIT_REGISTER = 1, JIT_UNREGISTER = 2 };

static struct {
  uint32_t version, action;
  jit_entry *relevant, *first;
} __jit_debug_descriptor __attribute__((used)) = {JIT_VERSION, JIT_NONE, NULL, NULL};

static solo_lock jit_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);

/* gdb sets a breakpoint here. */
static SOLO_NOINLINE __attribute__((used)) void __jit_debug_register_code(void) {
  __asm__ volatile("" : : "r"(&__jit_debug_descriptor) : "memory");
}

static void move_sections(uint8_t *copy, const solo_elf *file, uint64_t bias) {
  for (uint32_t i = 0; i < file->section_count; i++) {
    uint64_t at = file->sections_offset + (uint64_t)i * sizeof(Elf64_Shdr);
    Elf64_Shdr s = solo_elf_section(file, i);
    if (!(s.sh_flags & SHF_ALLOC)) continue;
    s.sh_addr += bias;
    memcpy(copy + at, &s, sizeof s);
  }
}

static void move_segments(uint8_t *copy, const solo_elf *file, uint64_t bias) {
  for (uint32_t i = 0; i < file->segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(file, i);
    s.p_vaddr += bias;
    s.p_paddr += bias;
    memcpy(copy + file->segments_offset + (uint64_t)i * sizeof s, &s, sizeof s);
  }
}

static void move_symbols(uint8_t *copy, const solo_elf *file, const Elf64_Shdr *s, uint64_t bias) {
  solo_span bytes = solo_elf_section_bytes(file, s);
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= bytes.size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, bytes.data + at, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS ||
        ELF64_ST_TYPE(symbol.st_info) == STT_TLS)
      continue;
    symbol.st_value += bias;
    memcpy(copy + s->sh_offset + at, &symbol, sizeof symbol);
  }
}

void solo_host_elf_gdb_add(solo_host_elf *m, const solo_elf *file) {
  if (!file->section_count) return;
  struct solo_host_elf_gdb *g = malloc(sizeof *g + file->file.size);
  if (!g) return;
  memcpy(g->file, file->file.data, file->file.size);
  move_segments(g->file, file, m->bias);
  move_sections(g->file, file, m->bias);
  for (uint32_t i = 0; i < file->section_count; i++) {
    Elf64_Shdr s = solo_elf_section(file, i);
    const char *name = solo_elf_section_name(file, &s);
    solo_span bytes = solo_elf_section_bytes(file, &s);
    if (!bytes.size) continue;
    uint8_t *copy = g->file + s.sh_offset;
    if (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM)
      move_symbols(g->file, file, &s, m->bias);
    if (s.sh_flags & SHF_COMPRESSED) continue;
    if (strcmp(name, ".debug_addr") == 0) solo_host_gdb_move_addresses(copy, bytes, m->bias);
    if (strcmp(name, ".debug_line") == 0) solo_host_gdb_move_lines(copy, bytes, m->bias);
  }
  solo_lock_acquire(&jit_lock);
  g->entry = (jit_entry){__jit_debug_descriptor.first, NULL, g->file, file->file.size};
  if (g->entry.next) g->entry.next->previous = &g->entry;
  __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = &g->entry;
  __jit_debug_descriptor.action = JIT_REGISTER;
  __jit_debug_register_code();
  solo_lock_release(&jit_lock);
  m->gdb = g;
}

void solo_host_elf_gdb_remove(solo_host_elf *m) {
  struct solo_host_elf_gdb *g = m->gdb;
  if (!g) return;
  solo_lock_acquire(&jit_lock);
  if (g->entry.next) g->entry.next->previous = g->entry.previous;
  if (g->entry.previous)
    g->entry.previous->next = g->entry.next;
  else
    __jit_debug_descriptor.first = g->entry.next;
  __jit_debug_descriptor.relevant = &g->entry;
  __jit_debug_descriptor.action = JIT_UNREGISTER;
  __jit_debug_register_code();
  solo_lock_release(&jit_lock);
  free(g);
  m->gdb = NULL;
}
