/* RISC-V, 64 bits (psABI LP64D). */
#ifndef SOLO_BASE_ARCH_RISCV64_H
#define SOLO_BASE_ARCH_RISCV64_H

#define SOLO_ARCH_NAME        "riscv64"
#define SOLO_ARCH_ELF_MACHINE 243
#define SOLO_ARCH_SMALL_COPY  0

/* pause (Zihintpause); processors without this extension execute it as a fence */
static inline __attribute__((always_inline)) void solo_cpu_relax(void) {
  __asm__ volatile(".4byte 0x0100000f" ::: "memory");
}

static inline uintptr_t solo_thread_pointer(void) {
  uintptr_t tp;
  __asm__("mv %0, tp" : "=r"(tp));
  return tp;
}

#define SOLO_ARCH_DTV_OFFSET 0x800
#define SOLO_ARCH_GENERAL_REGISTERS

enum { SOLO_STUB_BYTES = 32 };
/* auipc t1, 0; ld t1, 16(t1); jr t1; nop; then the address at offset 16 and 8 unused bytes */
static inline void solo_write_stub(uint8_t *at, uintptr_t target) {
  static const uint32_t code[4] = {0x00000317u, 0x01033303u, 0x00030067u, 0x00000013u};
  memcpy(at, code, sizeof code);
  memcpy(at + sizeof code, &target, 8);
}

#define SOLO_ARCH_TRAP "unimp\n"

#define SOLO_RISCV64_ENTER                                                                         \
  "  addi sp, sp, -16\n"                                                                           \
  ".cfi_def_cfa_offset 16\n"                                                                       \
  "  sd ra, 8(sp)\n"                                                                               \
  "  sd s0, 0(sp)\n"                                                                               \
  ".cfi_offset ra, -8\n"                                                                           \
  ".cfi_offset s0, -16\n"                                                                          \
  "  addi s0, sp, 16\n"                                                                            \
  ".cfi_def_cfa s0, 0\n"
#define SOLO_RISCV64_LEAVE                                                                         \
  "  addi sp, s0, -16\n"                                                                           \
  ".cfi_def_cfa sp, 16\n"                                                                          \
  "  ld ra, 8(sp)\n"                                                                               \
  "  ld s0, 0(sp)\n"                                                                               \
  "  addi sp, sp, 16\n"                                                                            \
  ".cfi_restore ra\n"                                                                              \
  ".cfi_restore s0\n"                                                                              \
  ".cfi_def_cfa_offset 0\n"                                                                        \
  "  ret\n"
/* Copies t2 (> 0) words from t4 to the stack, which stays aligned to 16 bytes. */
#define SOLO_RISCV64_PUSH                                                                          \
  "  addi t3, t2, 1\n"                                                                             \
  "  andi t3, t3, -2\n"                                                                            \
  "  slli t3, t3, 3\n"                                                                             \
  "  sub sp, sp, t3\n"                                                                             \
  "  mv t5, sp\n"                                                                                  \
  "1: ld t6, 0(t4)\n"                                                                              \
  "  sd t6, 0(t5)\n"                                                                               \
  "  addi t4, t4, 8\n"                                                                             \
  "  addi t5, t5, 8\n"                                                                             \
  "  addi t2, t2, -1\n"                                                                            \
  "  bnez t2, 1b\n"

#define SOLO_ARCH_CALL_MANY                                                                        \
  SOLO_RISCV64_ENTER                                                                               \
  "  mv t0, a0\n"                                                                                  \
  "  mv t1, a1\n"                                                                                  \
  "  addi t2, a2, -8\n"                                                                            \
  "  addi t4, t1, 64\n" SOLO_RISCV64_PUSH "  ld a0, 0(t1)\n"                                       \
  "  ld a1, 8(t1)\n"                                                                               \
  "  ld a2, 16(t1)\n"                                                                              \
  "  ld a3, 24(t1)\n"                                                                              \
  "  ld a4, 32(t1)\n"                                                                              \
  "  ld a5, 40(t1)\n"                                                                              \
  "  ld a6, 48(t1)\n"                                                                              \
  "  ld a7, 56(t1)\n"                                                                              \
  "  jalr t0\n" SOLO_RISCV64_LEAVE

#define SOLO_RISCV64_NEXT(load)                                                                    \
  "  addi a0, a0, -1\n"                                                                            \
  "  bltz a0, 9f\n"                                                                                \
  "  " load "\n"
/* a0: region, a1: gtid, a2: tid, a3: count, a4: arguments */
#define SOLO_ARCH_CALL_REGION                                                                      \
  SOLO_RISCV64_ENTER                                                                               \
  "  mv t0, a0\n"                                                                                  \
  "  sext.w a0, a3\n"                                                                              \
  "  mv t1, a4\n"                                                                                  \
  "  mv a3, a1\n" /* a0 holds the count from here */                                               \
  "  mv a1, a2\n"                                                                                  \
  "  addi t2, a0, -6\n"                                                                            \
  "  mv a2, a3\n"                                                                                  \
  "  blez t2, 2f\n"                                                                                \
  "  addi t4, t1, 48\n" SOLO_RISCV64_PUSH "2: mv t5, a2\n" SOLO_RISCV64_NEXT("ld a2, 0(t1)")       \
      SOLO_RISCV64_NEXT("ld a3, 8(t1)") SOLO_RISCV64_NEXT("ld a4, 16(t1)")                         \
          SOLO_RISCV64_NEXT("ld a5, 24(t1)") SOLO_RISCV64_NEXT("ld a6, 32(t1)")                    \
              SOLO_RISCV64_NEXT("ld a7, 40(t1)") "9: mv a0, t5\n"                                  \
                                                 "  jalr t0\n" SOLO_RISCV64_LEAVE

#endif
