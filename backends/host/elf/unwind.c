/* Registers an image's .eh_frame with the unwinder, for exceptions and backtraces. LLVM's libunwind
 * has __unw_add_dynamic_eh_frame_section; libgcc has __register_frame, which requires a zero word at
 * the end of the section. Neither function validates the section, so this file does. */
#include "backends/host/elf/module.h"
#include "backends/host/elf/resolve.h"
#include "runtime/base/debug.h"

extern void __register_frame(void *) SOLO_WEAK;
extern void __deregister_frame(void *) SOLO_WEAK;

static bool eh_frame_address(const solo_host_elf *m, uint64_t *out) {
  enum { PCREL_SDATA4 = 0x1b };
  const Elf64_Phdr *h = &m->eh_frame_header;
  solo_span bytes;
  int32_t distance;
  if (h->p_memsz < 8 || !solo_host_elf_segment_of(m, h->p_vaddr, 8, 0) ||
      !solo_host_elf_bytes(m, h->p_vaddr, 8, &bytes))
    return false;
  if (bytes.data[0] != 1 || bytes.data[1] != PCREL_SDATA4) return false;
  memcpy(&distance, bytes.data + 4, 4);
  *out = h->p_vaddr + 4 + (uint64_t)(int64_t)distance;
  return true;
}

/* Reads the size of the record (CIE or FDE) at `at`, which is followed by *id_at. The record ends at
 * *next. A record of size 0 ends the section. */
static bool record(solo_span s, uint64_t at, uint64_t *id_at, uint64_t *next) {
  uint32_t small;
  uint64_t size;
  if (!solo_span_read(s, at, &small, 4)) return false;
  *id_at = at + 4;
  size = small;
  if (small == UINT32_MAX) {
    if (!solo_span_read(s, at + 4, &size, 8)) return false;
    *id_at = at + 12;
  }
  *next = *id_at + size;
  return size == 0 || (size >= 4 && solo_span_has(s, *id_at, size));
}

/* Returns whether the records and their CIEs are well-formed up to a zero word. */
static bool is_sound(solo_span s) {
  uint64_t at = 0, id_at, next;
  while (record(s, at, &id_at, &next)) {
    if (next == id_at) return true;
    uint32_t distance, zero = 1;
    if (!solo_span_read(s, id_at, &distance, 4)) return false;
    if (distance) {
      uint64_t cie_id, ignored;
      if (distance > id_at || !record(s, id_at - distance, &cie_id, &ignored) ||
          !solo_span_read(s, cie_id, &zero, 4) || zero)
        return false;
    }
    at = next;
  }
  return false;
}

void solo_host_elf_unwind_add(solo_host_elf *m, const solo_host_process *process) {
  uint64_t address;
  solo_span section = {0};
  const Elf64_Phdr *segment;
  if (!eh_frame_address(m, &address)) return;
  segment = solo_host_elf_segment_of(m, address, 4, 0);
  if (!segment ||
      !solo_host_elf_bytes(m, address, segment->p_memsz - (address - segment->p_vaddr), &section))
    return;
  if (!is_sound(section)) {
    solo_debug(1,
               "CPU image: .eh_frame has no end mark; exceptions do not pass through its frames");
    return;
  }
  uintptr_t add = solo_host_resolve_function(process, "__unw_add_dynamic_eh_frame_section");
  uintptr_t remove = solo_host_resolve_function(process, "__unw_remove_dynamic_eh_frame_section");
  if (!add || !remove) {
    add = solo_host_resolve_function(process, "__register_frame");
    remove = solo_host_resolve_function(process, "__deregister_frame");
  }
  if (!add || !remove) {
    add = (uintptr_t)__register_frame;
    remove = (uintptr_t)__deregister_frame;
  }
  if (!add || !remove) return;
  ((void (*)(const void *))add)(section.data);
  m->unwind = section.data;
  m->unwind_remove = (void (*)(const void *))remove;
}

void solo_host_elf_unwind_remove(solo_host_elf *m) {
  if (m->unwind) m->unwind_remove(m->unwind);
  m->unwind = NULL;
}
