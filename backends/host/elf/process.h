/* Symbols of the objects that are already in this process, without the dynamic linker's API.
 *
 * A list of the loaded objects is taken by dl_iterate_phdr; their dynamic symbol tables are read
 * where they lie, in load order (the program first). Order of answers for a name: what the loader
 * itself provides (__tls_get_addr), the runtime's own entry points (runtime/exports.h), wrappers of
 * libomp's functions (host_libomp.h), then the
 * objects: a symbol of exactly the wanted version (hidden versions too), else the first default
 * one of another version. The vDSO is passed over. Undefined symbols with a value (a non-PIE
 * program's canonical PLT entries) are answers for addresses of functions.
 *
 * A static executable has no dynamic symbol table; there only the first two answers exist, and
 * what the program registered with solo-link.
 *
 * Ownership: the list is the caller's, between open and close; it borrows from the objects.
 * Threads: a list has one user. Errors: NOMEM.
 */
#ifndef SOLO_HOST_ELF_RESOLVE_H
#define SOLO_HOST_ELF_RESOLVE_H

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

/* version: NULL for any. false: nobody defines it. */
bool solo_host_process_find(const solo_host_process *process, const char *name, const char *version,
                            solo_host_definition *out);

/* The same, of the objects alone: without the loader's and the runtime's own answers. */
bool solo_host_process_find_object(const solo_host_process *process, const char *name,
                                   const char *version, solo_host_definition *out);

/* Address of a function in the process, 0: nobody defines it. Indirect functions resolved. */
uintptr_t solo_host_process_function(const solo_host_process *process, const char *name);

/* Is a library of this SONAME or file name loaded? */
bool solo_host_process_has(const solo_host_process *process, const char *soname);

/* The runtime's own entry point of this name, or NULL. */
void *solo_host_export(const char *name);

#endif
