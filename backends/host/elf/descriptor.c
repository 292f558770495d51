/* TLS descriptors. A descriptor is two words in the image: a function of reloc_*.c and its
 * argument. The function receives the descriptor's address, returns the distance of the variable
 * from the thread pointer, and preserves all other registers. */
#include "backends/host/elf/arch.h"
#include "backends/host/elf/module.h"

#include <stdlib.h>

enum { CHUNK_ITEMS = 31 };

/* Arguments of descriptors. They must not move, because descriptors point to them. */
typedef struct solo_host_elf_descriptors {
  struct solo_host_elf_descriptors *next;
  uint64_t count;
  solo_host_elf_tls_index item[CHUNK_ITEMS];
} chunk;

solo_status solo_host_elf_descriptor(solo_host_elf *m, uint64_t module, uint64_t offset,
                                     uint64_t words[2]) {
  chunk *c = m->descriptors;
  if (!c || c->count == CHUNK_ITEMS) {
    c = calloc(1, sizeof *c);
    if (!c) return solo_fail(SOLO_NOMEM, "no memory for the TLS descriptors of a CPU image");
    c->next = m->descriptors;
    m->descriptors = c;
  }
  solo_host_elf_tls_index *index = &c->item[c->count++];
  *index = (solo_host_elf_tls_index){module, offset - SOLO_ARCH_DTV_OFFSET};
  words[0] = solo_host_tls_descriptor_function();
  words[1] = (uintptr_t)index;
  return SOLO_OK;
}

void solo_host_elf_descriptors_free(solo_host_elf *m) {
  while (m->descriptors) {
    chunk *c = m->descriptors;
    m->descriptors = c->next;
    free(c);
  }
}
