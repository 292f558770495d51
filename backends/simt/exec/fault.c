/* A thread of the virtual GPU that touches memory which is not the device's, or an instruction that
 * cannot be carried out: told with block, thread and place before the signal does what it would. */
#define _GNU_SOURCE
#include "backends/simt/exec/inside.h"

#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK = 64 << 10 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

static int is_in_stacks(const simt_block *block, const char *address) {
  return (size_t)(address - block->stacks) < block->threads * block->stack_bytes;
}

/* The process is about to end: what is called here need not be safe in a handler. */
static void tell(int number, siginfo_t *info, void *context) {
  simt_block *block = simt_block_here;
  simt_thread *t = simt_thread_here;
  if (block && t) {
    const ucontext_t *u = context;
    t->site = (const void *)(uintptr_t)(u->uc_mcontext.gregs[REG_RIP] + 1);
    t->frame = (const void *)(uintptr_t)u->uc_mcontext.gregs[REG_RSP];
    if (is_in_stacks(block, info->si_addr)) t->frame = NULL;
    if (number == SIGILL || number == SIGFPE)
      simt_report(block, t, "came to an instruction that cannot be carried out");
    else if (is_in_stacks(block, info->si_addr))
      simt_report(block, t, "has used up its stack of %zu bytes", block->stack_bytes);
    else
      simt_report(block, t, "%s %p, which is not the device's memory",
                  u->uc_mcontext.gregs[REG_ERR] & 2 ? "writes" : "reads", info->si_addr);
  }
  signal(number, SIG_DFL);
}

void simt_tell_faults(void) {
  static _Thread_local int done;
  if (done) return;
  done = 1;
  stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  if (!stack.ss_sp || sigaltstack(&stack, NULL)) return;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
}
