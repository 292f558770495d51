/* Interface to the processor. Each header of runtime/base/arch/ defines:
 *
 *   SOLO_ARCH_NAME          architecture in target triples
 *   SOLO_ARCH_ELF_MACHINE   e_machine
 *   SOLO_ARCH_SMALL_COPY    bytes below which pieces are faster than memmove; 0: never
 *   SOLO_ARCH_DTV_OFFSET    bias of the offsets of __tls_get_addr (psABI)
 *   SOLO_ARCH_GENERAL_REGISTERS   attribute: no vector registers (TLS descriptors)
 *   solo_write_stub         a jump to any address; no thread may execute the bytes meanwhile
 *   SOLO_ARCH_CALL_MANY     function body (code, arguments, count): calls code with 8-byte integers;
 *                           count exceeds the argument registers
 *   SOLO_ARCH_CALL_REGION   function body (region, gtid, tid, count, arguments)
 *
 * Both bodies have frames with CFI. ports/PORTING.md describes a port.
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

#ifdef SOLO_PAUSE_HOOK /* bench/coherence, tests/explore: one thread runs at a time */
void SOLO_PAUSE_HOOK(void);
#define solo_cpu_relax SOLO_PAUSE_HOOK
#endif

#endif
