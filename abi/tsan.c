/* For programs of solo-cc -fsanitize=thread, as far as Archer leaves it undone.
 *
 * Barriers, tasks and locks of libomp are reported to ThreadSanitizer by Archer, LLVM's OMPT tool, which solo-cc
 * links. Calls that libomp and Archer make into the C library are theirs alone, and libomp's threads outlive main: neither
 * is to be reported. A program that defines this function itself needs these lines in its own.
 *
 * libomp makes a task in the memory of one that another thread ran, and nothing tells that the first one's reads came
 * before: solo-cc has the names that make tasks lead here (--wrap). A task's end is released and the next task's beginning
 * there acquires. The task's own routine is kept in front of its shared variables.
 */
#define _GNU_SOURCE /* setenv */
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

/* Archer warns where this option is not set, which the suppressions stand for; the sanitizer has read the variable. */
__attribute__((constructor)) static void spare_archers_warning(void) {
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
  char *shared; /* libomp's: where the shared variables begin */
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

/* Room for the routine: at the end of the compiler's private part, and shared variables behind it in any case. */
static size_t with_room(size_t size) {
  return ((size + 7) & ~(size_t)7) + sizeof(routine *);
}

static size_t at_least_one(size_t shared) {
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
  return begun(
      __real___kmpc_omp_task_alloc(loc, gtid, flags, with_room(size), at_least_one(shared), run),
      own);
}

void *__real___kmpc_omp_target_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t size,
                                          size_t shared, routine *own, int64_t device);
void *__wrap___kmpc_omp_target_task_alloc(void *loc, int32_t gtid, int32_t flags, size_t size,
                                          size_t shared, routine *own, int64_t device);
SOLO_EXPORT void *__wrap___kmpc_omp_target_task_alloc(void *loc, int32_t gtid, int32_t flags,
                                                      size_t size, size_t shared, routine *own,
                                                      int64_t device) {
  return begun(__real___kmpc_omp_target_task_alloc(loc, gtid, flags, with_room(size),
                                                   at_least_one(shared), run, device),
               own);
}
