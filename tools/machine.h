/* Target processors (machine.c). Ownership: constants. Threads: any. Errors: NULL if no row
 * matches. */
#ifndef SOLO_TOOLS_MACHINE_H
#define SOLO_TOOLS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct solo_machine {
  const char *name;   /* as in target triples */
  const char *vendor; /* in the triple of an OpenMP target */
  uint16_t elf;       /* e_machine */
  uint32_t absolute;  /* relocation type of a 64-bit address */
  bool offloads;      /* an OpenMP target of compilers */
  /* Assembly: prologue, call (format: label, function), epilogue. */
  const char *enter, *call, *leave;
} solo_machine;

const solo_machine *solo_machine_named(const char *name);
const solo_machine *solo_machine_for_elf(uint16_t elf);
const solo_machine *solo_machine_at(size_t row);
/* This program's processor. */
const solo_machine *solo_machine_native(void);

#endif
