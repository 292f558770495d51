/* Thread-local variables of images. An image's calls of __tls_get_addr are bound to
 * solo_host_elf_tls_get_addr(). The module number of an image is 1 << 63 | serial << 10 | slot;
 * calls with other numbers are passed to the dynamic linker. A thread allocates its block of an
 * image at the first access, and frees the block when the thread ends. Serials are unique, so that a
 * thread detects blocks of unloaded images.
 *
 * Initial-exec variables must have the same distance from every thread pointer. A reserve in the
 * program's TLS area holds such variables if they fit and are initially zero; other images are
 * rejected. Without memory, solo_host_elf_tls_get_addr() aborts, as the dynamic linker does. */
#ifndef SOLO_HOST_ELF_TLS_H
#define SOLO_HOST_ELF_TLS_H

#include "backends/host/elf/process.h"
#include "runtime/base/status.h"

typedef struct solo_host_elf_tls {
  uint64_t module; /* 0: not registered */
  const void *initial;
  uint64_t initial_size, size, align;
  int64_t thread_offset; /* block address minus thread pointer */
  int has_thread_offset;
} solo_host_elf_tls;

/* tls_index of the psABI; offset excludes SOLO_ARCH_DTV_OFFSET. */
typedef struct solo_host_elf_tls_index {
  uint64_t module, offset;
} solo_host_elf_tls_index;

void *solo_host_elf_tls_get_addr(solo_host_elf_tls_index *index);
/* Like solo_host_elf_tls_get_addr(), but uses no vector registers (for TLS descriptors). Returns
 * NULL if the thread has no block. */
void *solo_host_elf_tls_find(solo_host_elf_tls_index *index);

/* The caller fills initial, initial_size, size and align. */
solo_status solo_host_elf_tls_add(solo_host_elf_tls *tls) SOLO_MUST_CHECK;
void solo_host_elf_tls_remove(solo_host_elf_tls *tls);

/* Places the variables in the reserve (initial-exec model). */
solo_status solo_host_elf_tls_fix(solo_host_elf_tls *tls,
                                  const solo_host_process *process) SOLO_MUST_CHECK;

solo_status solo_host_elf_tls_forward(const solo_host_process *process) SOLO_MUST_CHECK;

/* Returns UNSUPPORTED if the variable's distance from the thread pointer may differ between threads. */
solo_status solo_host_elf_tls_distance(const solo_host_definition *definition,
                                       int64_t *out) SOLO_MUST_CHECK;

#endif
