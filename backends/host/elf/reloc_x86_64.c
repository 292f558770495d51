/* x86-64 (psABI, table 4.9). */
#if defined(__x86_64__)
#include "backends/host/elf/arch.h"

#include <elf.h>
#include <string.h>

const uint32_t solo_host_jump_bytes = 5;

solo_host_reloc_op solo_host_reloc_of(uint32_t type) {
  switch (type) {
  case R_X86_64_NONE:
    return SOLO_HOST_RELOC_NONE;
  case R_X86_64_64:
  case R_X86_64_GLOB_DAT:
    return SOLO_HOST_RELOC_ADDRESS;
  case R_X86_64_JUMP_SLOT:
    return SOLO_HOST_RELOC_CALL;
  case R_X86_64_PC64:
    return SOLO_HOST_RELOC_DISTANCE;
  case R_X86_64_RELATIVE:
  case R_X86_64_RELATIVE64:
    return SOLO_HOST_RELOC_RELATIVE;
  case R_X86_64_IRELATIVE:
    return SOLO_HOST_RELOC_INDIRECT;
  case R_X86_64_SIZE64:
    return SOLO_HOST_RELOC_SIZE;
  case R_X86_64_DTPMOD64:
    return SOLO_HOST_RELOC_TLS_MODULE;
  case R_X86_64_DTPOFF64:
    return SOLO_HOST_RELOC_TLS_OFFSET;
  case R_X86_64_TPOFF64:
    return SOLO_HOST_RELOC_TLS_THREAD;
  case R_X86_64_TLSDESC:
    return SOLO_HOST_RELOC_TLS_DESCRIPTOR;
  case R_X86_64_COPY:
    return SOLO_HOST_RELOC_COPY;
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
  case R_X86_64_32:
  case R_X86_64_32S:
  case R_X86_64_16:
  case R_X86_64_8:
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
  int32_t distance = (int32_t)(target - (at + 5));
  at[0] = 0xe9;
  memcpy(at + 1, &distance, 4);
}
#endif
typedef int solo_empty_x86_64;
