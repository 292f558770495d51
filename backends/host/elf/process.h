/* The objects of this process in load order, without the vDSO. Undefined functions with a value
 * (PLT entries of a non-PIE program) count as definitions. A solo_host_process refers to memory of
 * the objects, and one thread uses it. */
#ifndef SOLO_HOST_ELF_PROCESS_H
#define SOLO_HOST_ELF_PROCESS_H

#include "backends/host/elf/names.h"
#include "runtime/base/status.h"

typedef struct solo_host_object {
  const char *path; /* "": the program */
  const char *soname;
  uintptr_t bias;
  solo_host_elf_names names;
  solo_span versym; /* optional; uint16_t per symbol */
  const uint8_t *verdef;
  uint32_t verdef_count;
  int is_program;
  size_t tls_module;
  size_t tls_size;
  void *tls_data; /* TLS block of the thread that called solo_host_process_open(), or NULL */
} solo_host_object;

typedef struct solo_host_process {
  solo_host_object *objects;
  size_t count, capacity;
} solo_host_process;

typedef struct solo_host_definition {
  const solo_host_object *object; /* NULL: defined by the loader or the runtime */
  Elf64_Sym symbol;
  uintptr_t address; /* for STT_GNU_IFUNC the resolver's address; unused for TLS */
} solo_host_definition;

solo_status solo_host_process_open(solo_host_process *out) SOLO_MUST_CHECK;
void solo_host_process_close(solo_host_process *process);

/* Finds a definition of the requested version. If none exists, or if version is NULL, finds the
 * first definition of a default version. */
bool solo_host_process_find(const solo_host_process *process, const char *name, const char *version,
                            solo_host_definition *out);

/* Returns whether an object has this SONAME or file name. */
bool solo_host_process_has(const solo_host_process *process, const char *soname);

#endif
