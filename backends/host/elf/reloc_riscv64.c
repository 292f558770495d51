/* RISC-V, 64 bits (psABI, "Relocations"). Only ports/conformance has images for this processor. */
#if defined(__riscv)
#include "backends/host/elf/arch.h"

#include <elf.h>
#include <string.h>

const uint32_t solo_host_jump_bytes = 8;

solo_host_reloc_op solo_host_reloc_of(uint32_t type) {
  enum { IRELATIVE = 58, TLSDESC = 12 }; /* some versions of elf.h lack them */
  switch (type) {
  case R_RISCV_NONE:
    return SOLO_HOST_RELOC_NONE;
  case R_RISCV_64:
    return SOLO_HOST_RELOC_ADDRESS;
  case R_RISCV_JUMP_SLOT:
    return SOLO_HOST_RELOC_CALL;
  case R_RISCV_RELATIVE:
    return SOLO_HOST_RELOC_RELATIVE;
  case IRELATIVE:
    return SOLO_HOST_RELOC_INDIRECT;
  case R_RISCV_TLS_DTPMOD64:
    return SOLO_HOST_RELOC_TLS_MODULE;
  case R_RISCV_TLS_DTPREL64:
    return SOLO_HOST_RELOC_TLS_OFFSET;
  case R_RISCV_TLS_TPREL64:
    return SOLO_HOST_RELOC_TLS_THREAD;
  case TLSDESC:
    return SOLO_HOST_RELOC_TLS_DESCRIPTOR;
  case R_RISCV_COPY:
    return SOLO_HOST_RELOC_COPY;
  case R_RISCV_32:
  case R_RISCV_JAL:
  case R_RISCV_CALL:
  case R_RISCV_HI20:
    return SOLO_HOST_RELOC_NARROW;
  default:
    return SOLO_HOST_RELOC_UNKNOWN;
  }
}

uintptr_t solo_host_tls_descriptor_function(void) {
  return 0; /* unsupported; compilers use descriptors on request only */
}

SOLO_HOST_CALLS_IMAGE void *solo_host_elf_indirect(uintptr_t resolver) {
  return ((void *(*)(void))resolver)();
}

void solo_host_write_jump(uint8_t *at, const uint8_t *target) {
  uint32_t distance = (uint32_t)(target - at), high = (distance + 0x800) & 0xfffff000u;
  uint32_t code[2] = {0x00000317u | high, 0x00030067u | (distance - high) << 20};
  memcpy(at, code, sizeof code);
}
#endif
typedef int solo_empty_riscv64;
