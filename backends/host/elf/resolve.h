/* What the undefined symbols of an image are bound to.
 *
 * Order of answers for a name: what the loader itself provides (__tls_get_addr), the runtime's own entry points
 * (runtime/exports.h), wrappers of libomp's functions (host_libomp.h), what solo-link listed in a static program,
 * then the objects of the process (process.h).
 *
 * Threads: as process.h. Errors: none.
 */
#ifndef SOLO_HOST_ELF_RESOLVE_H
#define SOLO_HOST_ELF_RESOLVE_H

#include "backends/host/elf/process.h"

/* version: NULL for any. false: nobody defines it. */
bool solo_host_resolve(const solo_host_process *process, const char *name, const char *version,
                       solo_host_definition *out);

/* Address of a function, 0: nobody defines it. Indirect functions resolved. */
uintptr_t solo_host_resolve_function(const solo_host_process *process, const char *name);

/* The runtime's own entry point of this name, or NULL. */
void *solo_host_export(const char *name);

#endif
