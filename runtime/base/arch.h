/* Interface to the processor. Each header of runtime/base/arch/ defines:
 *
 *   SOLO_ARCH_NAME          architecture in target triples
 *   SOLO_ARCH_ELF_MACHINE   e_machine
 *   SOLO_ARCH_SMALL_COPY    copies of fewer bytes are faster in small pieces than with memmove;
 *                           0: memmove is always faster
 *   SOLO_ARCH_DTV_OFFSET    bias of the offsets of __tls_get_addr (psABI)
 *   SOLO_ARCH_GENERAL_REGISTERS   attribute of functions that must not use vector registers
 *                           (TLS descriptors)
 *   solo_write_stub         writes a jump to any address; no thread may execute the bytes meanwhile
 *   SOLO_ARCH_CALL_MANY     assembly body of a function (code, arguments, count): calls code with
 *                           8-byte integers; count exceeds the number of argument registers
 *   SOLO_ARCH_CALL_REGION   assembly body of a function (region, gtid, tid, count, arguments): calls
 *                           region(gtid, tid, arguments[0], ...)
 *
 * Both bodies set up frames with CFI, so that debuggers can unwind them.
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

#define SOLO_ARCH_FUNCTION(name, body)                                                             \
  __asm__(".pushsection .text." #name ",\"ax\",%progbits\n.p2align 4\n.globl " #name               \
          "\n.hidden " #name "\n.type " #name ", %function\n" #name ":\n.cfi_startproc\n" body     \
          ".cfi_endproc\n.size " #name ", .-" #name "\n.popsection\n")

#ifdef SOLO_PAUSE_HOOK /* bench/coherence and tests/explore run one thread at a time, so a waiting thread must switch to another */
void SOLO_PAUSE_HOOK(void);
#define solo_cpu_relax SOLO_PAUSE_HOOK
#endif

#endif
