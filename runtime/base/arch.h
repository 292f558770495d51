/* What the runtime must know of a processor: one file of runtime/base/arch/ per architecture.
 *
 * Each file defines the same names, in this order:
 *   SOLO_ARCH_NAME          as in target triples and in the arch field of devices
 *   SOLO_ARCH_ELF_MACHINE   e_machine of its objects
 *   SOLO_ARCH_SMALL_COPY    bytes up to which a block is copied sooner in pieces than by this libc's
 *                           memmove; 0: never
 *   solo_cpu_relax          one spin iteration: this thread waits for another
 *   solo_thread_pointer     what thread-local variables are addressed from
 *   SOLO_ARCH_DTV_OFFSET    what the psABI takes off the offsets that __tls_get_addr is given
 *   SOLO_ARCH_GENERAL_REGISTERS   on functions that a TLS descriptor calls: no vector registers
 *   SOLO_STUB_BYTES, solo_write_stub   a jump to anywhere, as machine code. The caller that writes the bytes
 *                           makes sure that nobody executes them meanwhile.
 *   SOLO_ARCH_TRAP          an instruction that stops the program, as assembly
 *   SOLO_ARCH_CALL_MANY     body of a function (code, arguments, count): calls code with so many
 *                           8-byte integers; count is above the number of argument registers
 *   SOLO_ARCH_CALL_REGION   body of a function (region, gtid, tid, count, arguments): calls region
 *                           with gtid, tid and any number of pointers
 * Both bodies keep a frame and say so (CFI), so that debuggers and unwinders pass through. What else
 * knows architectures: the loader's relocations (backends/host/elf/reloc_*.c), the tools' targets
 * (tools/machine.c) and the public header abi/include/solo_indirect.h; tests/lint/architectures.sh
 * holds it. ports/PORTING.md lists what a further architecture needs.
 *
 * Pages are asked of the system where they matter (backends/host/elf/load.c): 4, 16 and 64 KiB.
 * Threads: pure. Errors: none.
 */
#ifndef SOLO_BASE_ARCH_H
#define SOLO_BASE_ARCH_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include "runtime/base/arch/x86_64.h"
#elif defined(__aarch64__)
#include "runtime/base/arch/aarch64.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "runtime/base/arch/riscv64.h"
#else
#error "write runtime/base/arch/<this processor>.h (ports/PORTING.md)"
#endif

/* A function of assembly, hidden, in a section of its own. */
#define SOLO_ARCH_FUNCTION(name, body)                                                             \
  __asm__(".pushsection .text." #name ",\"ax\",%progbits\n.p2align 4\n.globl " #name               \
          "\n.hidden " #name "\n.type " #name ", %function\n" #name ":\n.cfi_startproc\n" body     \
          ".cfi_endproc\n.size " #name ", .-" #name "\n.popsection\n")

#ifdef SOLO_PAUSE_HOOK /* of bench/coherence and tests/explore, which run one thread at a time */
void SOLO_PAUSE_HOOK(void);
#define solo_cpu_relax SOLO_PAUSE_HOOK
#endif

#endif
