/* Binds undefined symbols of an image, in this order: __tls_get_addr of the loader, entry points of
 * the runtime, wrappers (host_libomp.h), the list of solo-link, objects of the process. */
#ifndef SOLO_HOST_ELF_RESOLVE_H
#define SOLO_HOST_ELF_RESOLVE_H

#include "backends/host/elf/process.h"

bool solo_host_resolve(const solo_host_process *process, const char *name, const char *version,
                       solo_host_definition *out);

/* Calls resolvers; 0: undefined. */
uintptr_t solo_host_resolve_function(const solo_host_process *process, const char *name);

/* May return NULL. */
void *solo_host_export(const char *name);

#endif
