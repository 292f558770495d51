/* Relocations of AArch64 (ELF for the Arm 64-bit Architecture, section 5.7). */
#if defined(__aarch64__)
#include "backends/host/elf/arch.h"
#include "backends/host/elf/load.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

const uint32_t solo_host_jump_bytes = 4;

solo_host_reloc_op solo_host_reloc_of(uint32_t type) {
  enum { IRELATIVE = 1032 }; /* not in musl's elf.h */
  switch (type) {
  case R_AARCH64_NONE:
    return SOLO_HOST_RELOC_NONE;
  case R_AARCH64_ABS64:
  case R_AARCH64_GLOB_DAT:
    return SOLO_HOST_RELOC_ADDRESS;
  case R_AARCH64_JUMP_SLOT:
    return SOLO_HOST_RELOC_CALL;
  case R_AARCH64_PREL64:
    return SOLO_HOST_RELOC_DISTANCE;
  case R_AARCH64_RELATIVE:
    return SOLO_HOST_RELOC_RELATIVE;
  case IRELATIVE:
    return SOLO_HOST_RELOC_INDIRECT;
  case R_AARCH64_TLS_DTPMOD:
    return SOLO_HOST_RELOC_TLS_MODULE;
  case R_AARCH64_TLS_DTPREL:
    return SOLO_HOST_RELOC_TLS_OFFSET;
  case R_AARCH64_TLS_TPREL:
    return SOLO_HOST_RELOC_TLS_THREAD;
  case R_AARCH64_TLSDESC:
    return SOLO_HOST_RELOC_TLS_DESCRIPTOR;
  case R_AARCH64_COPY:
    return SOLO_HOST_RELOC_COPY;
  case R_AARCH64_ABS32:
  case R_AARCH64_PREL32:
  case R_AARCH64_CALL26:
  case R_AARCH64_JUMP26:
    return SOLO_HOST_RELOC_NARROW;
  default:
    return SOLO_HOST_RELOC_UNKNOWN;
  }
}

SOLO_HOST_CALLS_IMAGE void *solo_host_elf_indirect(uintptr_t resolver) {
  /* the second argument is read only when bit 62 of the first says that it is there */
  return ((void *(*)(uint64_t))resolver)(getauxval(AT_HWCAP));
}

/* b target */
void solo_host_write_jump(uint8_t *at, const uint8_t *target) {
  uint32_t word = 0x14000000u | ((uint32_t)((target - at) / 4) & 0x3ffffffu);
  memcpy(at, &word, 4);
}
#endif
typedef int solo_empty_aarch64; /* not an empty file elsewhere */
