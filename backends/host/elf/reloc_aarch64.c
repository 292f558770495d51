/* AArch64 (ELF for the Arm 64-bit Architecture, 5.7). */
#if defined(__aarch64__)
#include "backends/host/elf/arch.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

const uint32_t solo_host_jump_bytes = 4;

solo_host_reloc_op solo_host_reloc_of(uint32_t type) {
  enum { IRELATIVE = 1032 }; /* musl's elf.h lacks R_AARCH64_IRELATIVE */
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

/* x0 is the descriptor's address. The function must preserve all general registers except x0, and
 * 128 bits of each vector register. It may change the flags. */
SOLO_ARCH_FUNCTION(solo_host_tls_descriptor, "  stp x29, x30, [sp, #-176]!\n"
                                             ".cfi_def_cfa_offset 176\n"
                                             ".cfi_offset 29, -176\n"
                                             ".cfi_offset 30, -168\n"
                                             "  mov x29, sp\n"
                                             ".cfi_def_cfa_register 29\n"
                                             "  stp x1, x2, [sp, #16]\n"
                                             "  stp x3, x4, [sp, #32]\n"
                                             "  stp x5, x6, [sp, #48]\n"
                                             "  stp x7, x8, [sp, #64]\n"
                                             "  stp x9, x10, [sp, #80]\n"
                                             "  stp x11, x12, [sp, #96]\n"
                                             "  stp x13, x14, [sp, #112]\n"
                                             "  stp x15, x16, [sp, #128]\n"
                                             "  stp x17, x18, [sp, #144]\n"
                                             "  ldr x0, [x0, #8]\n"
                                             "  str x0, [sp, #160]\n"
                                             "  bl solo_host_elf_tls_find\n"
                                             "  cbnz x0, 1f\n"
                                             "  sub sp, sp, #512\n"
                                             "  stp q0, q1, [sp, #0]\n"
                                             "  stp q2, q3, [sp, #32]\n"
                                             "  stp q4, q5, [sp, #64]\n"
                                             "  stp q6, q7, [sp, #96]\n"
                                             "  stp q8, q9, [sp, #128]\n"
                                             "  stp q10, q11, [sp, #160]\n"
                                             "  stp q12, q13, [sp, #192]\n"
                                             "  stp q14, q15, [sp, #224]\n"
                                             "  stp q16, q17, [sp, #256]\n"
                                             "  stp q18, q19, [sp, #288]\n"
                                             "  stp q20, q21, [sp, #320]\n"
                                             "  stp q22, q23, [sp, #352]\n"
                                             "  stp q24, q25, [sp, #384]\n"
                                             "  stp q26, q27, [sp, #416]\n"
                                             "  stp q28, q29, [sp, #448]\n"
                                             "  stp q30, q31, [sp, #480]\n"
                                             "  ldr x0, [x29, #160]\n"
                                             "  bl solo_host_elf_tls_get_addr\n"
                                             "  ldp q0, q1, [sp, #0]\n"
                                             "  ldp q2, q3, [sp, #32]\n"
                                             "  ldp q4, q5, [sp, #64]\n"
                                             "  ldp q6, q7, [sp, #96]\n"
                                             "  ldp q8, q9, [sp, #128]\n"
                                             "  ldp q10, q11, [sp, #160]\n"
                                             "  ldp q12, q13, [sp, #192]\n"
                                             "  ldp q14, q15, [sp, #224]\n"
                                             "  ldp q16, q17, [sp, #256]\n"
                                             "  ldp q18, q19, [sp, #288]\n"
                                             "  ldp q20, q21, [sp, #320]\n"
                                             "  ldp q22, q23, [sp, #352]\n"
                                             "  ldp q24, q25, [sp, #384]\n"
                                             "  ldp q26, q27, [sp, #416]\n"
                                             "  ldp q28, q29, [sp, #448]\n"
                                             "  ldp q30, q31, [sp, #480]\n"
                                             "  add sp, sp, #512\n"
                                             "1: mrs x1, tpidr_el0\n"
                                             "  sub x0, x0, x1\n"
                                             "  ldp x1, x2, [sp, #16]\n"
                                             "  ldp x3, x4, [sp, #32]\n"
                                             "  ldp x5, x6, [sp, #48]\n"
                                             "  ldp x7, x8, [sp, #64]\n"
                                             "  ldp x9, x10, [sp, #80]\n"
                                             "  ldp x11, x12, [sp, #96]\n"
                                             "  ldp x13, x14, [sp, #112]\n"
                                             "  ldp x15, x16, [sp, #128]\n"
                                             "  ldp x17, x18, [sp, #144]\n"
                                             "  ldp x29, x30, [sp], #176\n"
                                             ".cfi_def_cfa 31, 0\n"
                                             "  ret\n");
SOLO_HIDDEN extern const char solo_host_tls_descriptor[];

uintptr_t solo_host_tls_descriptor_function(void) {
  return (uintptr_t)solo_host_tls_descriptor;
}

SOLO_HOST_CALLS_IMAGE void *solo_host_elf_indirect(uintptr_t resolver) {
  /* bit 62 of the argument is clear: there is no second argument */
  return ((void *(*)(uint64_t))resolver)(getauxval(AT_HWCAP));
}

void solo_host_write_jump(uint8_t *at, const uint8_t *target) {
  uint32_t word = 0x14000000u | ((uint32_t)((target - at) / 4) & 0x3ffffffu);
  memcpy(at, &word, 4);
}
#endif
typedef int solo_empty_aarch64;
