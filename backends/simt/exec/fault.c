/* A thread of the virtual GPU that touches memory which is not the device's, or an instruction that
 * cannot be carried out: told with block, thread and place. Then the signal does what it would, or the
 * grid ends. */
#define _GNU_SOURCE
#include "backends/simt/exec/inside.h"

#include "runtime/base/atomic.h"
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK = 64 << 10 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];

static int is_in_stacks(const simt_block *block, const char *address) {
  return (size_t)(address - block->stacks) < block->threads * block->stack_bytes;
}

/* What is called here need not be safe in a handler: the code that faulted is device code, which holds
 * no lock of this process. 0: it was not. */
static int tell(int number, const siginfo_t *info, const ucontext_t *u) {
  simt_block *block = simt_block_here;
  simt_thread *t = simt_thread_here;
  if (!block || !t) return 0;
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
  return 1;
}

static void tell_and_end(int number, siginfo_t *info, void *context) {
  (void)tell(number, info, context);
  signal(number, SIG_DFL);
}

/* The thread is left where it stands: its stack is made anew for the next block. */
static void tell_and_leave(int number, siginfo_t *info, void *context) {
  if (tell(number, info, context)) {
    simt_block_here->result = SIMT_FAULTED;
    simt_fiber_switch(&simt_thread_here->stack, simt_block_here->scheduler);
  }
  for (unsigned i = 0; i < SIGNALS; i++)
    if (signals[i] == number) sigaction(number, &before[i], NULL);
}

int simt_fault_stack(void) {
  static _Thread_local int done;
  stack_t stack = {.ss_size = STACK}, old;
  if (done) return 1;
  /* who has one keeps it: a sanitizer, the program */
  if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE)) return done = 1;
  stack.ss_sp = malloc(STACK);
  return done = stack.ss_sp && sigaltstack(&stack, NULL) == 0;
}

void simt_tell_faults(void) {
  static _Thread_local int done;
  if (done || !simt_fault_stack()) return;
  done = 1;
  struct sigaction action = {.sa_sigaction = tell_and_end, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (unsigned i = 0; i < SIGNALS; i++) sigaction(signals[i], &action, NULL);
}

/* SA_NODEFER: the handler is not returned from, and the next fault must come, too. */
int simt_catch_faults(void) {
  static _Atomic int done;
  int none = 0;
  struct sigaction action = {.sa_sigaction = tell_and_leave,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  if (!solo_cas_relaxed(&done, &none, 1)) return 1; /* relaxed: who comes second only goes on */
  for (unsigned i = 0; i < SIGNALS; i++)
    if (sigaction(signals[i], &action, &before[i])) return 0;
  return 1;
}
