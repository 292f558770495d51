/* solo-cc -fsanitize=thread links this file. It suppresses reports from libomp and from Archer, LLVM's OMPT
 * tool. A program that defines __tsan_default_suppressions() must repeat these lines.
 *
 * libomp reuses task memory, but ThreadSanitizer does not see the end of the earlier task.
 * Therefore --wrap redirects task allocation: run() reports a release at a task's end, and begun() an acquire at
 * the next allocation. */
#define _GNU_SOURCE
#include "runtime/base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *__tsan_default_suppressions(void);
SOLO_EXPORT const char *__tsan_default_suppressions(void) {
  return "called_from_lib:libomp.so\n"
         "called_from_lib:libarcher.so\n"
         "thread:libomp.so\n";
}

/* Archer warns without this option; the suppressions make the option unnecessary. */
__attribute__((constructor)) static void suppress_archer_warning(void) {
  static const char option[] = "ignore_noninstrumented_modules";
  const char *set = getenv("TSAN_OPTIONS");
  if (set && strstr(set, option)) return;
  char text[4096];
  int size = snprintf(text, sizeof text, "%s%s%s=1", set ? set : "", set ? ":" : "", option);
  if (size > 0 && (size_t)size < sizeof text) setenv("TSAN_OPTIONS", text, 1);
}

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

typedef int32_t routine(int32_t gtid, void *task);
typedef struct task {
  char *shared;
  routine *run;
} task;

static routine **own_routine(const task *t) {
  return (routine **)(void *)t->shared - 1;
}

static int32_t run(int32_t gtid, void *argument) {
  int32_t result = (*own_routine(argument))(gtid, argument);
  __tsan_release(argument);
  return result;
}

static size_t with_routine_space(size_t size) {
  return ((size + 7) & ~(size_t)7) + sizeof(routine *);
}

static size_t nonzero_shared(size_t shared) {
  return shared ? shared : sizeof(routine *);
}

static void *begun(void *made, routine *own) {
  __tsan_acquire(made);
  *own_routine(made) = own;
  return made;
}

void *__real___kmpc_omp_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t size,
                                   size_t shared, routine *own);
void *__wrap___kmpc_omp_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t size,
                                   size_t shared, routine *own);
SOLO_EXPORT void *__wrap___kmpc_omp_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t size,
                                               size_t shared, routine *own) {
  return begun(__real___kmpc_omp_task_alloc(loc, gtid, flags, with_routine_space(size),
                                            nonzero_shared(shared), run),
               own);
}

void *__real___kmpc_omp_target_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t size,
                                          size_t shared, routine *own, int64_t device);
void *__wrap___kmpc_omp_target_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t size,
                                          size_t shared, routine *own, int64_t device);
SOLO_EXPORT void *__wrap___kmpc_omp_target_task_alloc(void *loc, int32_t gtid, int32_t flags,
                                                      size_t size, size_t shared, routine *own,
                                                      int64_t device) {
  return begun(__real___kmpc_omp_target_task_alloc(loc, gtid, flags, with_routine_space(size),
                                                   nonzero_shared(shared), run, device),
               own);
}
