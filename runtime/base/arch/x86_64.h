/* x86-64 (System V AMD64 psABI). */
#ifndef SOLO_BASE_ARCH_X86_64_H
#define SOLO_BASE_ARCH_X86_64_H

#define SOLO_ARCH_NAME        "x86_64"
#define SOLO_ARCH_ELF_MACHINE 62

/* musl's memmove uses `rep movs`, which has a high start-up cost. */
#ifdef __GLIBC__
#define SOLO_ARCH_SMALL_COPY 0
#else
#define SOLO_ARCH_SMALL_COPY 1024
#endif

static inline __attribute__((always_inline)) void solo_cpu_relax(void) {
  __builtin_ia32_pause();
}

static inline uintptr_t solo_thread_pointer(void) {
  uintptr_t tp;
  __asm__("mov %%fs:0, %0" : "=r"(tp));
  /* cppcheck-suppress uninitvar ; the assembly writes it */
  return tp;
}

#define SOLO_ARCH_DTV_OFFSET 0
#define SOLO_ARCH_GENERAL_REGISTERS

enum { SOLO_STUB_BYTES = 16 };
static inline void solo_write_stub(uint8_t *at, uintptr_t target) {
  static const uint8_t code[SOLO_STUB_BYTES] = {0xff, 0x25, 0, 0, 0, 0, 0,    0,
                                                0,    0,    0, 0, 0, 0, 0xcc, 0xcc};
  memcpy(at, code, sizeof code);
  memcpy(at + 6, &target, 8);
}

#define SOLO_ARCH_TRAP "ud2\n"

#define SOLO_X86_64_ENTER                                                                          \
  "  pushq %rbp\n"                                                                                 \
  ".cfi_def_cfa_offset 16\n"                                                                       \
  ".cfi_offset %rbp, -16\n"                                                                        \
  "  movq %rsp, %rbp\n"                                                                            \
  ".cfi_def_cfa_register %rbp\n"
#define SOLO_X86_64_LEAVE                                                                          \
  "  leave\n"                                                                                      \
  ".cfi_def_cfa %rsp, 8\n"                                                                         \
  "  ret\n"

/* psABI 3.2.3: the first six integers are in registers, the others on the stack, which stays
 * aligned to 16 bytes. rdi: code, rsi: arguments, rdx: count (> 6) */
#define SOLO_ARCH_CALL_MANY                                                                        \
  SOLO_X86_64_ENTER                                                                                \
  "  movq %rdi, %r11\n"                                                                            \
  "  movq %rsi, %r10\n"                                                                            \
  "  testb $1, %dl\n"                                                                              \
  "  jz 1f\n"                                                                                      \
  "  subq $8, %rsp\n"                                                                              \
  "1: pushq -8(%r10,%rdx,8)\n"                                                                     \
  "  decq %rdx\n"                                                                                  \
  "  cmpq $6, %rdx\n"                                                                              \
  "  ja 1b\n"                                                                                      \
  "  movq (%r10), %rdi\n"                                                                          \
  "  movq 8(%r10), %rsi\n"                                                                         \
  "  movq 16(%r10), %rdx\n"                                                                        \
  "  movq 24(%r10), %rcx\n"                                                                        \
  "  movq 32(%r10), %r8\n"                                                                         \
  "  movq 40(%r10), %r9\n"                                                                         \
  "  call *%r11\n" SOLO_X86_64_LEAVE

/* rdi: region, rsi: gtid, rdx: tid, ecx: count, r8: arguments */
#define SOLO_ARCH_CALL_REGION                                                                        \
  SOLO_X86_64_ENTER                                                                                  \
  "  movq %rdi, %r11\n"                                                                              \
  "  movq %rsi, %rdi\n"                                                                              \
  "  movq %rdx, %rsi\n"                                                                              \
  "  movslq %ecx, %r10\n"                                                                            \
  "  movq %r8, %rax\n"                                                                               \
  "  cmpq $4, %r10\n"                                                                                \
  "  jg 5f\n"                                                                                        \
  "  cmpq $3, %r10\n"                                                                                \
  "  je 3f\n"                                                                                        \
  "  jg 4f\n"                                                                                        \
  "  cmpq $1, %r10\n"                                                                                \
  "  je 1f\n"                                                                                        \
  "  jg 2f\n"                                                                                        \
  "  jmp 9f\n"                                                                                       \
  "5: movq %r10, %rdx\n"                                                                             \
  "  andq $1, %rdx\n"                                                                                \
  "  shlq $3, %rdx\n"                                                                                \
  "  subq %rdx, %rsp\n"                                                                              \
  "6: pushq -8(%rax,%r10,8)\n"                                                                       \
  "  decq %r10\n"                                                                                    \
  "  cmpq $4, %r10\n"                                                                                \
  "  jg 6b\n"                                                                                        \
  "4: movq 24(%rax), %r9\n"                                                                          \
  "3: movq 16(%rax), %r8\n"                                                                          \
  "2: movq 8(%rax), %rcx\n"                                                                          \
  "1: movq (%rax), %rdx\n"                                                                           \
  "9: xorl %eax, %eax\n" /* psABI: al = 0, because a variadic callee receives no vector registers */ \
  "  callq *%r11\n" SOLO_X86_64_LEAVE

#endif
