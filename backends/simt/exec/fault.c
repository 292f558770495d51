/* Faults of GPU threads: reports the source line, then ends the process or the grid. */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include <pthread.h>
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

static _Thread_local struct {
  int number, writes, calls;
  const char *address;
  uintptr_t stack;
} fault;

/* Returns whether the return address is at the stack pointer, because the function has no frame
 * yet. */
static int lacks_frame(const simt_block *block, const uint8_t *code) {
  enum { PUSH_RBP = 0x55 };
  return fault.calls || (is_in_stacks(block, fault.address) && *code == PUSH_RBP);
}

static int record_fault(int number, const siginfo_t *info, const ucontext_t *u) {
  simt_thread *t = simt_current_thread;
  if (!simt_current_block || !t) return 0;
  fault.number = number;
  fault.writes = (u->uc_mcontext.gregs[REG_ERR] & 2) != 0;
  fault.address = info->si_addr;
  fault.stack = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
  const uint8_t *code = (const uint8_t *)(uintptr_t)u->uc_mcontext.gregs[REG_RIP];
  fault.calls = number == SIGSEGV && info->si_addr == code;
  t->site = code + 1;
  t->frame = (const void *)(uintptr_t)u->uc_mcontext.gregs[REG_RBP];
  if (is_in_stacks(simt_current_block, (const char *)fault.stack) &&
      lacks_frame(simt_current_block, code))
    t->site = *(const void *const *)fault.stack;
  return 1;
}

static void report_fault(const simt_block *block, const simt_thread *t) {
  if (fault.number == SIGFPE)
    simt_report(block, t, "divides an integer by 0, or the quotient overflows");
  else if (fault.number == SIGILL)
    simt_report(block, t, "executed an invalid instruction");
  else if (fault.calls && !fault.address)
    simt_report(block, t, "calls a null function pointer");
  else if (fault.calls)
    simt_report(block, t, "calls %p, which is not device code", (const void *)fault.address);
  else if (is_in_stacks(block, fault.address))
    simt_report(block, t, "overflowed its stack of %zu bytes", block->stack_bytes - SIMT_GUARD);
  else
    simt_report(block, t, "%s %p, which is not device memory", fault.writes ? "writes" : "reads",
                (const void *)fault.address);
}

/* Signal handler. It may call functions that are not async-signal-safe, because the process ends. */
static void report_and_end(int number, siginfo_t *info, void *context) {
  if (record_fault(number, info, context)) report_fault(simt_current_block, simt_current_thread);
  signal(number, SIG_DFL);
}

/* The fiber continues here after report_and_leave(). */
static void leave(void) {
  report_fault(simt_current_block, simt_current_thread);
  simt_current_block->result = SIMT_FAULTED;
  for (;;) simt_fiber_switch(&simt_current_thread->stack, simt_current_block->scheduler);
}

/* Signal handler. The fiber continues in leave(). leave() uses the stack below the thread's frames,
 * which simt_place() reads, or, if the stack is full, overwrites the first frames. */
static void report_and_leave(int number, siginfo_t *info, void *context) {
  enum { RED_ZONE = 128, NEEDED = 24 << 10 };
  ucontext_t *u = context;
  if (!record_fault(number, info, u)) {
    for (unsigned i = 0; i < SIGNALS; i++)
      if (signals[i] == number) sigaction(number, &before[i], NULL);
    return;
  }
  simt_thread *t = simt_current_thread;
  const simt_block *block = simt_current_block;
  uintptr_t end = (uintptr_t)block->stacks + (t->place + 1) * block->stack_bytes;
  uintptr_t at = fault.stack - RED_ZONE;
  if (end - at > block->stack_bytes - SIMT_GUARD - NEEDED) at = end;
  /* alignment that the ABI requires at a function's entry */
  u->uc_mcontext.gregs[REG_RSP] = (greg_t)(at / 16 * 16 - 8);
  u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)leave;
}

int simt_fault_stack(void **out_own) {
  stack_t stack = {.ss_size = STACK}, old;
  *out_own = NULL;
  /* a sanitizer or the program already has a signal stack */
  if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE)) return 1;
  stack.ss_sp = malloc(STACK);
  if (!stack.ss_sp) return 0;
  *out_own = stack.ss_sp;
  return sigaltstack(&stack, NULL) == 0;
}

void simt_report_faults(void) {
  static _Thread_local int done;
  if (done) return;
  done = 1;
  struct sigaction action = {.sa_sigaction = report_and_end, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (unsigned i = 0; i < SIGNALS; i++) sigaction(signals[i], &action, NULL);
}

static int caught;

static void catch_faults(void) {
  struct sigaction action = {.sa_sigaction = report_and_leave, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (unsigned i = 0; i < SIGNALS; i++)
    if (sigaction(signals[i], &action, &before[i])) return;
  caught = 1;
}

int simt_catch_faults(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, catch_faults); /* a concurrent caller waits */
  return caught;
}
