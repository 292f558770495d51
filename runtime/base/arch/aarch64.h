/* AArch64 (AAPCS64). */
#ifndef SOLO_BASE_ARCH_AARCH64_H
#define SOLO_BASE_ARCH_AARCH64_H

#define SOLO_ARCH_NAME        "aarch64"
#define SOLO_ARCH_ELF_MACHINE 183
#define SOLO_ARCH_SMALL_COPY  0

static inline __attribute__((always_inline)) void solo_cpu_relax(void) {
  __asm__ volatile("yield" ::: "memory");
}

static inline uintptr_t solo_thread_pointer(void) {
  uintptr_t tp;
  __asm__("mrs %0, tpidr_el0" : "=r"(tp));
  return tp;
}

#define SOLO_ARCH_DTV_OFFSET 0
#if defined(                                                                                       \
    __clang__) /* Clang uses no vector registers in these functions even without the attribute */
#define SOLO_ARCH_GENERAL_REGISTERS
#else
#define SOLO_ARCH_GENERAL_REGISTERS __attribute__((target("general-regs-only")))
#endif

enum { SOLO_STUB_BYTES = 16 };
static inline void solo_write_stub(uint8_t *at, uintptr_t target) {
  static const uint32_t code[2] = {0x58000050u, 0xd61f0200u};
  memcpy(at, code, sizeof code);
  memcpy(at + sizeof code, &target, 8);
}

#define SOLO_ARCH_TRAP "udf #0\n"

#define SOLO_AARCH64_ENTER                                                                         \
  "  stp x29, x30, [sp, #-16]!\n"                                                                  \
  ".cfi_def_cfa_offset 16\n"                                                                       \
  ".cfi_offset 29, -16\n"                                                                          \
  ".cfi_offset 30, -8\n"                                                                           \
  "  mov x29, sp\n"                                                                                \
  ".cfi_def_cfa_register 29\n"
#define SOLO_AARCH64_LEAVE                                                                         \
  "  mov sp, x29\n"                                                                                \
  "  ldp x29, x30, [sp], #16\n"                                                                    \
  ".cfi_def_cfa 31, 0\n"                                                                           \
  "  ret\n"

/* AAPCS64 6.8: the first eight integers are in registers, the others on the stack, which stays
 * aligned to 16 bytes. x0: code, x1: arguments, x2: count (> 8) */
#define SOLO_ARCH_CALL_MANY                                                                        \
  SOLO_AARCH64_ENTER                                                                               \
  "  mov x9, x0\n"                                                                                 \
  "  mov x10, x1\n"                                                                                \
  "  sub x11, x2, #8\n"                                                                            \
  "  add x12, x11, #1\n"                                                                           \
  "  and x12, x12, #-2\n"                                                                          \
  "  sub sp, sp, x12, lsl #3\n"                                                                    \
  "  add x13, x10, #64\n"                                                                          \
  "1: sub x11, x11, #1\n"                                                                          \
  "  ldr x14, [x13, x11, lsl #3]\n"                                                                \
  "  str x14, [sp, x11, lsl #3]\n"                                                                 \
  "  cbnz x11, 1b\n"                                                                               \
  "  ldp x0, x1, [x10]\n"                                                                          \
  "  ldp x2, x3, [x10, #16]\n"                                                                     \
  "  ldp x4, x5, [x10, #32]\n"                                                                     \
  "  ldp x6, x7, [x10, #48]\n"                                                                     \
  "  blr x9\n" SOLO_AARCH64_LEAVE

/* x0: region, x1: gtid, x2: tid, w3: count, x4: arguments */
#define SOLO_ARCH_CALL_REGION                                                                      \
  SOLO_AARCH64_ENTER                                                                               \
  "  mov x9, x0\n"                                                                                 \
  "  mov x10, x4\n"                                                                                \
  "  sxtw x11, w3\n"                                                                               \
  "  mov x0, x1\n"                                                                                 \
  "  mov x1, x2\n"                                                                                 \
  "  subs x12, x11, #6\n"                                                                          \
  "  b.le 2f\n"                                                                                    \
  "  add x13, x12, #1\n"                                                                           \
  "  and x13, x13, #-2\n"                                                                          \
  "  sub sp, sp, x13, lsl #3\n"                                                                    \
  "  add x14, x10, #48\n"                                                                          \
  "1: sub x12, x12, #1\n"                                                                          \
  "  ldr x15, [x14, x12, lsl #3]\n"                                                                \
  "  str x15, [sp, x12, lsl #3]\n"                                                                 \
  "  cbnz x12, 1b\n"                                                                               \
  "2: cbz x11, 9f\n"                                                                               \
  "  ldr x2, [x10]\n"                                                                              \
  "  cmp x11, #2\n"                                                                                \
  "  b.lt 9f\n"                                                                                    \
  "  ldr x3, [x10, #8]\n"                                                                          \
  "  b.eq 9f\n"                                                                                    \
  "  ldr x4, [x10, #16]\n"                                                                         \
  "  cmp x11, #4\n"                                                                                \
  "  b.lt 9f\n"                                                                                    \
  "  ldr x5, [x10, #24]\n"                                                                         \
  "  b.eq 9f\n"                                                                                    \
  "  ldr x6, [x10, #32]\n"                                                                         \
  "  cmp x11, #6\n"                                                                                \
  "  b.lt 9f\n"                                                                                    \
  "  ldr x7, [x10, #40]\n"                                                                         \
  "9: blr x9\n" SOLO_AARCH64_LEAVE

#endif
