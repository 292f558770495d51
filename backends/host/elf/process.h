/* The objects that are already in this process, without the dynamic linker's API.
 *
 * A list of them is taken by dl_iterate_phdr; their dynamic symbol tables are read
 * where they lie, in load order (the program first). The vDSO is passed over. Undefined symbols with a value (a
 * non-PIE program's canonical PLT entries) are answers for addresses of functions.
 *
 * A static executable has no dynamic symbol table.
 *
 * Ownership: the list is the caller's, between open and close; it borrows from the objects.
 * Threads: a list has one user. Errors: NOMEM.
 */
#ifndef SOLO_HOST_ELF_PROCESS_H
#define SOLO_HOST_ELF_PROCESS_H

#include "backends/host/elf/names.h"
#include "runtime/base/status.h"

typedef struct solo_host_object {
  const char *path;   /* as the dynamic linker knows it; "" for the program */
  const char *soname; /* or NULL */
  uintptr_t bias;
  solo_host_elf_names names;
  solo_span versym; /* uint16_t per symbol; empty: no versions */
  const uint8_t *verdef;
  uint32_t verdef_count;
  int is_program;
  size_t tls_module; /* the dynamic linker's number; 0: no TLS */
  size_t tls_size;
  void *tls_data; /* the opening thread's block, or NULL */
} solo_host_object;

typedef struct solo_host_process {
  solo_host_object *objects;
  size_t count, capacity;
} solo_host_process;

typedef struct solo_host_definition {
  const solo_host_object *object; /* NULL: the loader's or the runtime's own; see address */
  Elf64_Sym symbol;               /* of object */
  uintptr_t address;              /* where it is; for STT_GNU_IFUNC, of the resolver; not for TLS */
} solo_host_definition;

solo_status solo_host_process_open(solo_host_process *out) SOLO_MUST_CHECK;
void solo_host_process_close(solo_host_process *process);

/* The first definition of the wanted version (hidden versions too), else the first default one of another version.
 * version: NULL for any. false: none of the objects defines it. */
bool solo_host_process_find(const solo_host_process *process, const char *name, const char *version,
                            solo_host_definition *out);

/* Is a library of this SONAME or file name loaded? */
bool solo_host_process_has(const solo_host_process *process, const char *soname);

#endif
