/* The processors that the tools make programs for, one row each (machine.c).
 *
 * Ownership: constants. Threads: any. Errors: NULL for a name or number that no row has.
 */
#ifndef SOLO_TOOLS_MACHINE_H
#define SOLO_TOOLS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct solo_machine {
  const char *name;   /* as in target triples */
  const char *vendor; /* as in the triple that Clang takes as an OpenMP target */
  uint16_t elf;       /* e_machine */
  uint32_t absolute;  /* relocation type of a 64-bit address */
  bool offloads;      /* do compilers take it as an OpenMP target? */
  /* Assembly of a function that calls others with the addresses of labels: its beginning, one call (a
   * format whose arguments are label and function), its end. */
  const char *enter, *call, *leave;
} solo_machine;

/* "aarch64", or a host "aarch64-linux-gnu". */
const solo_machine *solo_machine_named(const char *name);
const solo_machine *solo_machine_of(uint16_t elf);
/* Each in turn, from 0. */
const solo_machine *solo_machine_at(size_t row);
/* What this program was compiled for. */
const solo_machine *solo_machine_here(void);

#endif
