/* Calls with more arguments than the switch statement spells out: the calling conventions, by hand.
 *
 * System V AMD64 psABI 3.2.3: six integers in registers, the rest on the stack in order, the stack
 * aligned to 16 at the call. AAPCS64 6.8: eight in registers, the rest on the stack, 8 bytes each. Both
 * keep a frame pointer and say so (CFI), so that debuggers and unwinders pass through. */
#include "backends/host/host_call.h"

#if defined(__x86_64__)
/* rdi: code, rsi: arguments, rdx: count (> 6) */
__asm__(".text\n"
        ".globl solo_host_call_many\n"
        ".hidden solo_host_call_many\n"
        ".type solo_host_call_many, @function\n"
        "solo_host_call_many:\n"
        "  .cfi_startproc\n"
        "  pushq %rbp\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        "  .cfi_def_cfa_register %rbp\n"
        "  movq %rdi, %r11\n"
        "  movq %rsi, %r10\n"
        "  testb $1, %dl\n" /* an odd number on the stack wants 8 bytes of padding */
        "  jz 1f\n"
        "  subq $8, %rsp\n"
        "1: pushq -8(%r10,%rdx,8)\n" /* last first */
        "  decq %rdx\n"
        "  cmpq $6, %rdx\n"
        "  ja 1b\n"
        "  movq (%r10), %rdi\n"
        "  movq 8(%r10), %rsi\n"
        "  movq 16(%r10), %rdx\n"
        "  movq 24(%r10), %rcx\n"
        "  movq 32(%r10), %r8\n"
        "  movq 40(%r10), %r9\n"
        "  call *%r11\n"
        "  leave\n"
        "  .cfi_def_cfa %rsp, 8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size solo_host_call_many, .-solo_host_call_many\n");
#elif defined(__aarch64__)
/* x0: code, x1: arguments, x2: count (> 8) */
__asm__(".text\n"
        ".globl solo_host_call_many\n"
        ".hidden solo_host_call_many\n"
        ".type solo_host_call_many, %function\n"
        "solo_host_call_many:\n"
        "  .cfi_startproc\n"
        "  stp x29, x30, [sp, #-16]!\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset 29, -16\n"
        "  .cfi_offset 30, -8\n"
        "  mov x29, sp\n"
        "  .cfi_def_cfa_register 29\n"
        "  mov x9, x0\n"
        "  mov x10, x1\n"
        "  sub x11, x2, #8\n" /* on the stack */
        "  add x12, x11, #1\n"
        "  and x12, x12, #-2\n"
        "  sub sp, sp, x12, lsl #3\n"
        "  add x13, x10, #64\n"
        "1: sub x11, x11, #1\n"
        "  ldr x14, [x13, x11, lsl #3]\n"
        "  str x14, [sp, x11, lsl #3]\n"
        "  cbnz x11, 1b\n"
        "  ldp x0, x1, [x10]\n"
        "  ldp x2, x3, [x10, #16]\n"
        "  ldp x4, x5, [x10, #32]\n"
        "  ldp x6, x7, [x10, #48]\n"
        "  blr x9\n"
        "  mov sp, x29\n"
        "  ldp x29, x30, [sp], #16\n"
        "  .cfi_def_cfa 31, 0\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size solo_host_call_many, .-solo_host_call_many\n");
#endif
