/* The inside of a loaded image, shared by the files of this folder alone.
 *
 * All reading of the image after it is mapped goes through solo_host_elf.memory, a span of the
 * mapping; `at(address)` below turns an address of the file into a position in it.
 * Ownership: everything is part of the module. Threads: written by the loading thread only.
 */
#ifndef SOLO_HOST_ELF_MODULE_H
#define SOLO_HOST_ELF_MODULE_H

#include "backends/host/elf/names.h"
#include "backends/host/elf/process.h"
#include "backends/host/elf/tls.h"
#include "runtime/image/elf.h"

enum { SOLO_HOST_ELF_SEGMENTS = 32 };

/* A table named by the dynamic section. size 0: absent. */
typedef struct solo_host_elf_table {
  uint64_t address, size;
} solo_host_elf_table;

/* The dynamic section, addresses as in the file. */
typedef struct solo_host_elf_dynamic {
  solo_host_elf_table rela, jmprel, relr, init_array, fini_array, strings;
  uint64_t symbols, gnu_hash, sysv_hash, versym, verneed, verneed_count;
  uint64_t init, fini;
  uint32_t needed_count;
} solo_host_elf_dynamic;

typedef struct solo_host_elf solo_host_elf; /* load.h */
struct solo_host_elf {
  uint8_t *mapping; /* as mapped, for munmap */
  size_t mapping_size;
  solo_span memory; /* from the first segment's page to the last one's end */
  uint64_t low;     /* file address of memory.data[0] */
  uintptr_t bias;   /* run-time address - file address */
  size_t page;
  int device;
  uint32_t segment_count;
  Elf64_Phdr segments[SOLO_HOST_ELF_SEGMENTS]; /* PT_LOAD, ascending, not overlapping */
  Elf64_Phdr tls, relro, eh_frame_header;      /* p_memsz 0: absent */
  Elf64_Phdr dynamic_segment;
  solo_host_elf_dynamic dynamic;
  solo_host_elf_names names; /* of dynamic symbols, over memory */
  uint32_t symbol_count;
  solo_host_elf_tls storage;                     /* elf/tls.c */
  struct solo_host_elf_descriptors *descriptors; /* elf/descriptor.c, or NULL */
  const void *unwind;                            /* registered .eh_frame, or NULL */
  void (*unwind_remove)(const void *);
  struct solo_host_elf_gdb *gdb; /* elf/gdb.c, or NULL */
  uint8_t *stubs;                /* page of jumps for elf/redirect.c, or NULL */
  uint32_t stub_count;
  int initialised;                 /* constructors have run */
  solo_host_elf *next_initialised; /* elf/load.c: of those whose destructors have not run */
};

/* Bytes of [address, address + size) as in the file's numbering. false: outside. */
SOLO_INLINE bool solo_host_elf_bytes(const solo_host_elf *m, uint64_t address, uint64_t size,
                                     solo_span *out) {
  return address >= m->low && solo_span_sub(m->memory, address - m->low, size, out);
}

/* The PT_LOAD that holds [address, address + size) and has all of flags; NULL: none does. */
const Elf64_Phdr *solo_host_elf_segment_of(const solo_host_elf *m, uint64_t address, uint64_t size,
                                           uint32_t flags);

/* elf/load.c: everything before code of the image runs; solo_host_elf_unload undoes it. For the
 * fuzz target, which must not run what it makes up. */
solo_status solo_host_elf_prepare(solo_span image, int device,
                                  solo_host_elf **out_module) SOLO_MUST_CHECK;

/* elf/dynamic.c: fills dynamic, names, symbol_count. */
solo_status solo_host_elf_read_dynamic(solo_host_elf *m) SOLO_MUST_CHECK;
/* Name of the index-th NEEDED library; NULL: malformed. */
const char *solo_host_elf_needed(const solo_host_elf *m, uint32_t index);
/* The version that the image wants of an undefined symbol and the library that should have it. */
typedef struct solo_host_elf_version {
  const char *name; /* NULL: any */
  const char *file; /* NULL: not said */
} solo_host_elf_version;
solo_host_elf_version solo_host_elf_version_of(const solo_host_elf *m, uint32_t symbol);

/* elf/check.c: program headers and dynamic section against the section headers, where there are
 * any: both describe the same bytes, so that damage to one of them shows. */
solo_status solo_host_elf_check(const solo_host_elf *m, const solo_elf *file) SOLO_MUST_CHECK;

/* elf/reloc.c: everything but what calls code of the image; then, with the code executable, the
 * rest (IRELATIVE and indirect functions of the image). */
solo_status solo_host_elf_relocate(solo_host_elf *m,
                                   const solo_host_process *process) SOLO_MUST_CHECK;
solo_status solo_host_elf_relocate_indirect(solo_host_elf *m) SOLO_MUST_CHECK;

/* elf/descriptor.c: the two words of a TLS descriptor for (module, offset). */
solo_status solo_host_elf_descriptor(solo_host_elf *m, uint64_t module, uint64_t offset,
                                     uint64_t words[2]) SOLO_MUST_CHECK;
void solo_host_elf_descriptors_free(solo_host_elf *m);

/* elf/redirect.c: sends definitions of the runtime's entry points inside the image (an archive that
 * its link pulled in) to the process's one runtime. Before the code becomes executable. */
solo_status solo_host_elf_redirect(solo_host_elf *m) SOLO_MUST_CHECK;

/* elf/unwind.c */
void solo_host_elf_unwind_add(solo_host_elf *m, const solo_host_process *process);
void solo_host_elf_unwind_remove(solo_host_elf *m);

/* elf/gdb.c: gdb's JIT interface; elf/perf.c: perf's map file. Never fail: tools see less then. */
void solo_host_elf_gdb_add(solo_host_elf *m, const solo_elf *file);
void solo_host_elf_gdb_remove(solo_host_elf *m);
void solo_host_elf_perf_add(const solo_host_elf *m, const solo_elf *file);

#endif
