/* A jump to anywhere, as machine code: how a second copy of the runtime is led back to the first
 * one.
 *
 * Threads: pure. Whoever writes the bytes makes sure that nobody executes them meanwhile.
 */
#ifndef SOLO_BASE_STUB_H
#define SOLO_BASE_STUB_H

#include "runtime/base/platform.h"
#include <string.h>

enum { SOLO_STUB_BYTES = 16 };

#if defined(__x86_64__)
/* jmp *0(%rip), the address, two int3 */
SOLO_INLINE void solo_write_stub(uint8_t *at, uintptr_t target) {
  static const uint8_t code[SOLO_STUB_BYTES] = {0xff, 0x25, 0, 0, 0, 0, 0,    0,
                                                0,    0,    0, 0, 0, 0, 0xcc, 0xcc};
  memcpy(at, code, sizeof code);
  memcpy(at + 6, &target, 8);
}
#elif defined(__aarch64__)
/* ldr x16, #8; br x16; the address */
SOLO_INLINE void solo_write_stub(uint8_t *at, uintptr_t target) {
  static const uint32_t code[2] = {0x58000050u, 0xd61f0200u};
  memcpy(at, code, sizeof code);
  memcpy(at + sizeof code, &target, 8);
}
#else
#error "write the jump of this processor"
#endif

#endif
