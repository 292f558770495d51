/* What the loader must know of a processor: one reloc_<processor>.c each.
 *
 * A relocation type becomes an operation of the list below; elf/reloc.c does the rest for all.
 * Notation of the psABIs: S symbol, A addend, B bias, P place.
 * Threads: pure. Errors: unknown types are SOLO_HOST_RELOC_UNKNOWN.
 */
#ifndef SOLO_HOST_ELF_ARCH_H
#define SOLO_HOST_ELF_ARCH_H

#include "runtime/base/platform.h"

/* On functions that call into an image: UBSan's function check reads type data in front of the
 * callee, which an image need not have. */
#if defined(__clang__)
#define SOLO_HOST_CALLS_IMAGE __attribute__((no_sanitize("function")))
#else
#define SOLO_HOST_CALLS_IMAGE
#endif

typedef enum solo_host_reloc_op {
  SOLO_HOST_RELOC_NONE,
  SOLO_HOST_RELOC_ADDRESS,    /* S + A, 64 bits */
  SOLO_HOST_RELOC_CALL,       /* S + A, 64 bits, only ever called */
  SOLO_HOST_RELOC_DISTANCE,   /* S + A - P, 64 bits */
  SOLO_HOST_RELOC_RELATIVE,   /* B + A */
  SOLO_HOST_RELOC_INDIRECT,   /* what the resolver at B + A returns */
  SOLO_HOST_RELOC_SIZE,       /* size of S + A */
  SOLO_HOST_RELOC_TLS_MODULE, /* module number of S */
  SOLO_HOST_RELOC_TLS_OFFSET, /* S + A in its module's block */
  SOLO_HOST_RELOC_TLS_THREAD, /* S + A from the thread pointer */
  SOLO_HOST_RELOC_TLS_DESCRIPTOR,
  SOLO_HOST_RELOC_COPY,
  SOLO_HOST_RELOC_NARROW, /* 32 bits or less: code that was not compiled with -fPIC */
  SOLO_HOST_RELOC_UNKNOWN,
} solo_host_reloc_op;

solo_host_reloc_op solo_host_reloc_of(uint32_t type);

/* Calls an indirect function's resolver (STT_GNU_IFUNC). */
void *solo_host_elf_indirect(uintptr_t resolver);

/* What a TLS descriptor calls (elf/descriptor.c); 0: images with descriptors are refused. */
uintptr_t solo_host_tls_descriptor_function(void);

/* A jump within 2 GiB (128 MiB on AArch64), to a stub of runtime/base/arch.h: elf/redirect.c. */
extern const uint32_t solo_host_jump_bytes;
void solo_host_write_jump(uint8_t *at, const uint8_t *target);

#endif
