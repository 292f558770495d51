/* A loaded image. Reads of its bytes through `memory` are bounds-checked. */
#ifndef SOLO_HOST_ELF_MODULE_H
#define SOLO_HOST_ELF_MODULE_H

#include "backends/host/elf/names.h"
#include "backends/host/elf/process.h"
#include "backends/host/elf/tls.h"
#include "runtime/image/elf.h"

enum { SOLO_HOST_ELF_SEGMENTS = 32 };

/* A table of the dynamic section; size 0: absent. */
typedef struct solo_host_elf_table {
  uint64_t address, size;
} solo_host_elf_table;

/* Values of the dynamic section. Addresses do not include the bias. */
typedef struct solo_host_elf_dynamic {
  solo_host_elf_table rela, jmprel, relr, init_array, fini_array, strings;
  uint64_t symbols, gnu_hash, sysv_hash, versym, verneed, verneed_count;
  uint64_t init, fini;
  uint32_t needed_count;
} solo_host_elf_dynamic;

typedef struct solo_host_elf solo_host_elf;
struct solo_host_elf {
  uint8_t *mapping;
  size_t mapping_size;
  solo_span memory;
  uint64_t low;   /* file address of memory.data[0] */
  uintptr_t bias; /* run-time address minus file address */
  size_t page;
  int device;
  uint32_t segment_count;
  Elf64_Phdr segments[SOLO_HOST_ELF_SEGMENTS]; /* PT_LOAD, ascending, disjoint */
  Elf64_Phdr tls, relro, eh_frame_header;      /* p_memsz 0: absent */
  Elf64_Phdr dynamic_segment;
  solo_host_elf_dynamic dynamic;
  solo_host_elf_names names;
  uint32_t symbol_count;
  solo_host_elf_tls storage;
  struct solo_host_elf_descriptors *descriptors;
  const void *unwind;
  void (*unwind_remove)(const void *);
  struct solo_host_elf_gdb *gdb;
  uint8_t *stubs;
  uint32_t stub_count;
  int initialised;
  solo_host_elf *next_initialised;
};

/* Sets *out to the bytes of a range of file addresses. Returns false if the image does not contain
 * the range. */
SOLO_INLINE bool solo_host_elf_bytes(const solo_host_elf *m, uint64_t address, uint64_t size,
                                     solo_span *out) {
  return address >= m->low && solo_span_sub(m->memory, address - m->low, size, out);
}

/* Returns the PT_LOAD segment that contains the range and has all flags, or NULL. */
const Elf64_Phdr *solo_host_elf_segment_of(const solo_host_elf *m, uint64_t address, uint64_t size,
                                           uint32_t flags);

/* Loads an image without running its code; for the fuzz target. */
solo_status solo_host_elf_prepare(solo_span image, int device,
                                  solo_host_elf **out_module) SOLO_MUST_CHECK;

solo_status solo_host_elf_read_dynamic(solo_host_elf *m) SOLO_MUST_CHECK;
const char *solo_host_elf_needed(const solo_host_elf *m, uint32_t index);
/* Version and library that an undefined symbol requires. */
typedef struct solo_host_elf_version {
  const char *name;
  const char *file;
} solo_host_elf_version;
solo_host_elf_version solo_host_elf_version_of(const solo_host_elf *m, uint32_t symbol);

solo_status solo_host_elf_check(const solo_host_elf *m, const solo_elf *file) SOLO_MUST_CHECK;

/* solo_host_elf_relocate_indirect() calls the image's resolvers of indirect functions. Therefore
 * protect_segments() must have made the code executable. */
solo_status solo_host_elf_relocate(solo_host_elf *m,
                                   const solo_host_process *process) SOLO_MUST_CHECK;
solo_status solo_host_elf_relocate_indirect(solo_host_elf *m) SOLO_MUST_CHECK;

solo_status solo_host_elf_descriptor(solo_host_elf *m, uint64_t module, uint64_t offset,
                                     uint64_t words[2]) SOLO_MUST_CHECK;
void solo_host_elf_descriptors_free(solo_host_elf *m);

solo_status solo_host_elf_redirect(solo_host_elf *m) SOLO_MUST_CHECK;

void solo_host_elf_unwind_add(solo_host_elf *m, const solo_host_process *process);
void solo_host_elf_unwind_remove(solo_host_elf *m);

/* Support for gdb; ignores errors. */
void solo_host_elf_gdb_add(solo_host_elf *m, const solo_elf *file);
void solo_host_elf_gdb_remove(solo_host_elf *m);

#endif
