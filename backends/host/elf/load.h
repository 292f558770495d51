/* ELF loader for embedded CPU images. Loads a shared object from memory, without a file or dlopen
 * (docs/design/loader.md). Each load has separate globals.
 *
 * Unsupported: segments that are writable and executable, copy relocations, TLS descriptors (except
 * on AArch64), some initial-exec variables (tls.h). Libraries that an image uses must stay loaded.
 *
 * The image bytes are borrowed for the call. Different modules may load and unload concurrently.
 * Errors: BAD_IMAGE, UNSUPPORTED, NOT_FOUND (a symbol or library is missing), NOMEM. Headers and
 * dynamic section are checked; the code is trusted. */
#ifndef SOLO_HOST_ELF_LOAD_H
#define SOLO_HOST_ELF_LOAD_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

typedef struct solo_host_elf solo_host_elf;

solo_status solo_host_elf_load(solo_span image, int device,
                               solo_host_elf **out_module) SOLO_MUST_CHECK;

/* NOT_FOUND has no error text. */
solo_status solo_host_elf_symbol(const solo_host_elf *module, const char *name, void **out_address,
                                 uint64_t *out_size);

/* Returns whether the address is executable (a kernel, not a variable). */
int solo_host_elf_is_code(const solo_host_elf *module, const void *address);

void solo_host_elf_unload(solo_host_elf *module);

#endif
