/* The processor-specific part of the loader. reloc_<processor>.c maps relocation types to the
 * operations below, which elf/reloc.c applies. Comments of operations: S symbol, A addend, B bias,
 * P place (psABI). */
#ifndef SOLO_HOST_ELF_ARCH_H
#define SOLO_HOST_ELF_ARCH_H

#include "runtime/base/platform.h"

/* For calls into an image, which may lack the data that UBSan's function check reads before the
 * called function. */
#if defined(__clang__)
#define SOLO_HOST_CALLS_IMAGE __attribute__((no_sanitize("function")))
#else
#define SOLO_HOST_CALLS_IMAGE
#endif

typedef enum solo_host_reloc_op {
  SOLO_HOST_RELOC_NONE,
  SOLO_HOST_RELOC_ADDRESS,  /* S + A */
  SOLO_HOST_RELOC_CALL,     /* S + A, for calls only */
  SOLO_HOST_RELOC_DISTANCE, /* S + A - P */
  SOLO_HOST_RELOC_RELATIVE,
  SOLO_HOST_RELOC_INDIRECT, /* result of the resolver at B + A */
  SOLO_HOST_RELOC_SIZE,
  SOLO_HOST_RELOC_TLS_MODULE,
  SOLO_HOST_RELOC_TLS_OFFSET, /* S + A as offset in the module's TLS block */
  SOLO_HOST_RELOC_TLS_THREAD, /* S + A relative to the thread pointer */
  SOLO_HOST_RELOC_TLS_DESCRIPTOR,
  SOLO_HOST_RELOC_COPY,
  SOLO_HOST_RELOC_NARROW, /* 32 bits or less: code without -fPIC */
  SOLO_HOST_RELOC_UNKNOWN,
} solo_host_reloc_op;

solo_host_reloc_op solo_host_reloc_of(uint32_t type);

void *solo_host_elf_indirect(uintptr_t resolver);

/* Returns the function for TLS descriptors (elf/descriptor.c); 0: descriptors are unsupported. */
uintptr_t solo_host_tls_descriptor_function(void);

/* Writes a jump from a function of an image to a stub within 2 GiB (AArch64: 128 MiB). */
extern const uint32_t solo_host_jump_bytes;
void solo_host_write_jump(uint8_t *at, const uint8_t *target);

#endif
