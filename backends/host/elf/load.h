/* Loads a CPU image (an x86-64 or AArch64 ELF shared object) from memory into this process.
 *
 * No file, no dlopen: segments are copied into fresh memory with the rights they ask for (no page
 * is ever writable and executable), relocated against the objects that are already in the process
 * (elf/resolve.h), given thread-local storage (elf/tls.h), made known to the unwinder and to gdb,
 * and their constructors run. Each load is an instance with globals of its own: one per device.
 *
 * Limits, each refused by name: text that must be writable while it runs, copy relocations,
 * TLS descriptors, initial-exec variables that do not fit (elf/tls.h). An image does not hold the
 * libraries it uses: a dlclose of one of them while the image is loaded is the program's error.
 *
 * Ownership: the image's bytes are borrowed for the call; a module belongs to the caller until
 * solo_host_elf_unload. Threads: loads and unloads may run at the same time on different modules;
 * look-ups are free. Errors: BAD_IMAGE (malformed: what and where), UNSUPPORTED (what to change),
 * NOT_FOUND (a symbol or library that the process lacks: what to link), NOMEM. Whatever the bytes
 * of headers and dynamic section, loading ends in an error or in an image; but an image is code and
 * is run: contents are trusted as much as the program that carries them.
 * Source: System V ABI (generic and x86-64, AArch64 supplements), Drepper's "ELF Handling For
 * Thread-Local Storage".
 */
#ifndef SOLO_HOST_ELF_LOAD_H
#define SOLO_HOST_ELF_LOAD_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

typedef struct solo_host_elf solo_host_elf;

/* device: for names shown in tools only. */
solo_status solo_host_elf_load(solo_span image, int device,
                               solo_host_elf **out_module) SOLO_MUST_CHECK;

/* Address and size of a defined function or variable: NOT_FOUND without text (callers probe). */
solo_status solo_host_elf_symbol(const solo_host_elf *module, const char *name, void **out_address,
                                 uint64_t *out_size);

/* Does the address lie in the image's code? (A kernel does, a variable does not.) */
int solo_host_elf_is_code(const solo_host_elf *module, const void *address);

/* Destructors run, in reverse order; then nothing of the image may be in use by any thread. */
void solo_host_elf_unload(solo_host_elf *module);

#endif
