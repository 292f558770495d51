/* Fibers (x86-64 System V ABI): stacks and the switch between them. */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include <sys/mman.h>

enum { SAVED = 6 /* callee-saved registers */ };

__asm__(".text\n"
        ".globl simt_fiber_switch\n"
        ".hidden simt_fiber_switch\n"
        ".type simt_fiber_switch, @function\n"
        "simt_fiber_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size simt_fiber_switch, . - simt_fiber_switch\n");

/* The return address NULL ends a debugger's backtrace. */
void *simt_fiber_prepare(char *stack, size_t bytes, void (*start)(void)) {
  void **top = (void **)(void *)(stack + bytes - sizeof(void *));
  top[0] = NULL;
  top[-1] = (void *)(uintptr_t)start;
  for (int i = 2; i <= 1 + SAVED; i++) top[-i] = NULL;
  return top - 1 - SAVED;
}

char *simt_stacks_map(uint32_t n, size_t bytes) {
  char *at = mmap(NULL, n * bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return NULL;
  return at;
}

char *simt_stack_of(const simt_block *block, uint32_t place) {
  char *stack = block->stacks + place * block->stack_bytes;
  for (; *block->protected_stacks <= place; ++*block->protected_stacks)
    mprotect(block->stacks + *block->protected_stacks * block->stack_bytes, SIMT_GUARD, PROT_NONE);
  return stack;
}

void simt_stacks_unmap(char *stacks, uint32_t n, size_t bytes) {
  munmap(stacks, n * bytes);
}
