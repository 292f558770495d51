#include "tools/machine.h"

#include "runtime/base/arch.h"
#include <string.h>

/* The assembly calls functions with one argument, in the first integer register. */
static const solo_machine machines[] = {
    {
        .name = "x86_64",
        .vendor = "pc",
        .elf = 62,
        .absolute = 1,
        .offloads = true,
        .enter = "\tsubq $8, %rsp\n",
        .call = "\tleaq %1$s(%%rip), %%rdi\n\tcall %2$s@PLT\n",
        .leave = "\taddq $8, %rsp\n\tret\n",
    },
    {
        .name = "aarch64",
        .vendor = "unknown",
        .elf = 183,
        .absolute = 257,
        .offloads = true,
        .enter = "\tstp x29, x30, [sp, #-16]!\n",
        .call = "\tadrp x0, %1$s\n\tadd x0, x0, :lo12:%1$s\n\tbl %2$s\n",
        .leave = "\tldp x29, x30, [sp], #16\n\tret\n",
    },
    {
        .name = "riscv64",
        .vendor = "unknown",
        .elf = 243,
        .absolute = 2,
        .offloads = false,
        .enter = "\taddi sp, sp, -16\n\tsd ra, 8(sp)\n",
        .call = "\tlla a0, %1$s\n\tcall %2$s\n",
        .leave = "\tld ra, 8(sp)\n\taddi sp, sp, 16\n\tret\n",
    },
};

const solo_machine *solo_machine_named(const char *name) {
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
    size_t size = strlen(machines[i].name);
    if (strncmp(name, machines[i].name, size) == 0 && (!name[size] || name[size] == '-'))
      return &machines[i];
  }
  return NULL;
}

const solo_machine *solo_machine_for_elf(uint16_t elf) {
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    if (machines[i].elf == elf) return &machines[i];
  return NULL;
}

const solo_machine *solo_machine_at(size_t row) {
  return row < sizeof machines / sizeof *machines ? &machines[row] : NULL;
}

const solo_machine *solo_machine_native(void) {
  return solo_machine_named(SOLO_ARCH_NAME);
}
