/* Target processors. Functions return NULL if no row matches. */
#ifndef SOLO_TOOLS_MACHINE_H
#define SOLO_TOOLS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct solo_machine {
  const char *name;
  const char *vendor; /* second field of the triple that Clang uses for OpenMP targets */
  uint16_t elf;
  uint32_t absolute; /* relocation type of a 64-bit address */
  bool offloads;     /* compilers support it as an OpenMP target */
  /* Assembly text: prologue; call (a format with label of the argument and function); epilogue. */
  const char *enter, *call, *leave;
} solo_machine;

const solo_machine *solo_machine_named(const char *name);
const solo_machine *solo_machine_for_elf(uint16_t elf);
const solo_machine *solo_machine_at(size_t row);
const solo_machine *solo_machine_native(void);

#endif
