/* Binds undefined symbols of an image, in this order: the loader's __tls_get_addr, entry points of
 * the runtime, wrappers (host_libomp.h), solo-link's list of program symbols, objects of the
 * process. */
#ifndef SOLO_HOST_ELF_RESOLVE_H
#define SOLO_HOST_ELF_RESOLVE_H

#include "backends/host/elf/process.h"

bool solo_host_resolve(const solo_host_process *process, const char *name, const char *version,
                       solo_host_definition *out);

/* Returns the function's address (for an indirect function, the resolver's result); 0: undefined. */
uintptr_t solo_host_resolve_function(const solo_host_process *process, const char *name);

/* Returns the address of a runtime entry point, or NULL. */
void *solo_host_export(const char *name);

#endif
