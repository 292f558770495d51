/* Calls an outlined region with any number of pointer arguments. */
#include "abi/kmpc/kmpc.h"

#if defined(__x86_64__)
/* System V: gtid, tid and four arguments in registers, the rest on the stack in order. */
__asm__(".text\n"
        ".globl solo_kmp_invoke\n"
        ".hidden solo_kmp_invoke\n"
        ".type solo_kmp_invoke,@function\n"
        "solo_kmp_invoke:\n" /* rdi micro, rsi gtid, rdx tid, ecx count, r8 args */
        ".cfi_startproc\n"
        "  pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "  movq %rdi, %r11\n"
        "  movq %rsi, %rdi\n"
        "  movq %rdx, %rsi\n"
        "  movslq %ecx, %r10\n"
        "  movq %r8, %rax\n"
        "  cmpq $4, %r10\n"
        "  jg 5f\n"
        "  cmpq $3, %r10\n"
        "  je 3f\n"
        "  jg 4f\n"
        "  cmpq $1, %r10\n"
        "  je 1f\n"
        "  jg 2f\n"
        "  jmp 9f\n"
        "5: movq %r10, %rdx\n" /* keep the stack aligned when an odd number is pushed */
        "  andq $1, %rdx\n"
        "  shlq $3, %rdx\n"
        "  subq %rdx, %rsp\n"
        "6: pushq -8(%rax,%r10,8)\n"
        "  decq %r10\n"
        "  cmpq $4, %r10\n"
        "  jg 6b\n"
        "4: movq 24(%rax), %r9\n"
        "3: movq 16(%rax), %r8\n"
        "2: movq 8(%rax), %rcx\n"
        "1: movq (%rax), %rdx\n"
        "9: xorl %eax, %eax\n" /* a variadic prototype: no vector registers used */
        "  callq *%r11\n"
        "  leave\n"
        ".cfi_def_cfa %rsp, 8\n"
        "  ret\n"
        ".cfi_endproc\n"
        ".size solo_kmp_invoke,.-solo_kmp_invoke\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");
#else
/* Passing more arguments than the callee takes is harmless in every C calling convention. */
enum { MOST = 32 };
void solo_kmp_invoke(kmpc_micro micro, int32_t *gtid, int32_t *tid, int32_t count, void **args) {
  if (count > MOST)
    solo_kmp_fatal("a parallel region with %d variables: no more than %d on this architecture",
                   count, MOST);
  void *a[MOST] = {0};
  for (int32_t i = 0; i < count; i++) a[i] = args[i];
  if (count <= 4) {
    micro(gtid, tid, a[0], a[1], a[2], a[3]);
    return;
  }
  micro(gtid, tid, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
        a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25],
        a[26], a[27], a[28], a[29], a[30], a[31]);
}
#endif
