/* Thread-local variables of loaded images.
 *
 * General and local dynamic accesses call __tls_get_addr with a (module, offset) pair. Images get
 * ours for that name. Module numbers of images have bit 63 set; any other number belongs to the
 * dynamic linker and is passed on. Each thread has a table of blocks by slot, made on first use
 * from the image's template and freed when the thread ends:
 *
 *   module number = 1 << 63 | serial << 10 | slot
 *
 * Serials are never used again: so a block of an unloaded image differs from its successor's.
 *
 * Initial-exec accesses need a place at the same distance from every thread's pointer, which only
 * the dynamic linker can hand out. The program's own thread-local area has it: a small reserve of
 * ours there serves images whose variables fit and start as zero (threads that run already cannot
 * be given other initial values). Where that does not hold the image is refused.
 *
 * Threads: get_addr from any thread. Errors: get_addr cannot report; without memory it ends the
 * process as the dynamic linker does. Units: bytes.
 */
#ifndef SOLO_HOST_ELF_TLS_H
#define SOLO_HOST_ELF_TLS_H

#include "backends/host/elf/process.h"
#include "runtime/base/status.h"

typedef struct solo_host_elf_tls {
  uint64_t module;     /* 0: none registered */
  const void *initial; /* template */
  uint64_t initial_size, size, align;
  int64_t thread_offset; /* initial exec: block - thread pointer */
  int has_thread_offset;
} solo_host_elf_tls;

/* tls_index of the psABIs; offset: less SOLO_ARCH_DTV_OFFSET. */
typedef struct solo_host_elf_tls_index {
  uint64_t module, offset;
} solo_host_elf_tls_index;

void *solo_host_elf_tls_get_addr(solo_host_elf_tls_index *index);
/* The same without vector registers; NULL: get_addr has something to do first. For descriptors, whose
 * callers expect every register but one to keep its value. */
void *solo_host_elf_tls_find(solo_host_elf_tls_index *index);

/* tls: initial, initial_size, size, align filled by the caller; the template stays readable. */
solo_status solo_host_elf_tls_add(solo_host_elf_tls *tls) SOLO_MUST_CHECK;
void solo_host_elf_tls_remove(solo_host_elf_tls *tls);

/* Gives the block a fixed distance from the thread pointer (initial exec), once. */
solo_status solo_host_elf_tls_fix(solo_host_elf_tls *tls,
                                  const solo_host_process *process) SOLO_MUST_CHECK;

/* An image refers to a thread-local variable of the process: get_addr must be able to pass on. */
solo_status solo_host_elf_tls_forward(const solo_host_process *process) SOLO_MUST_CHECK;

/* Distance from the thread pointer of a variable of the process; UNSUPPORTED when its object's
 * block is not known to lie at the same distance in every thread. */
solo_status solo_host_elf_tls_distance(const solo_host_definition *definition,
                                       int64_t *out) SOLO_MUST_CHECK;

#endif
