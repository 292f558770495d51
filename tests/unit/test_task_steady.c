/* Description: checks that tasks in a steady state do not call the heap, and that undeferred tasks
 * take no lock. Only in the variant "check" (glibc, without sanitizers). */
#include "runtime/base/lock.h"
#include "tests/unit/test.h"

extern void *__libc_memalign(size_t, size_t);
extern void *__libc_malloc(size_t);
static _Atomic uint64_t heap_calls;

void *aligned_alloc(size_t alignment, size_t bytes) {
  solo_add_relaxed(&heap_calls, 1);
  return __libc_memalign(alignment, bytes);
}

void *malloc(size_t bytes) {
  solo_add_relaxed(&heap_calls, 1);
  return __libc_malloc(bytes);
}

typedef struct object {
  void *shareds;
  int32_t (*routine)(int32_t, struct object *);
  int32_t part;
  void *data[2];
  long *sum;
} object;
typedef struct depend {
  intptr_t address;
  size_t length;
  uint8_t kind;
} depend;

extern object *__kmpc_omp_task_alloc(void *, int32_t, int32_t, size_t, size_t,
                                     int32_t (*)(int32_t, object *));
extern int32_t __kmpc_omp_task(void *, int32_t, object *);
extern int32_t __kmpc_omp_task_with_deps(void *, int32_t, object *, int32_t, depend *, int32_t,
                                         depend *);
extern int32_t __kmpc_omp_taskwait(void *, int32_t);
extern void __kmpc_taskgroup(void *, int32_t);
extern void __kmpc_end_taskgroup(void *, int32_t);
extern void __kmpc_barrier(void *, int32_t);
extern void __kmpc_push_num_threads(void *, int32_t, int32_t);
extern void __kmpc_fork_call(void *, int32_t, void (*)(int32_t *, int32_t *, ...), ...);

enum { TASKS = 100, ROUNDS = 200 };

static _Atomic long total;
static long chained;

static int32_t add(int32_t gtid, object *self) {
  (void)gtid;
  if (self->sum) ++*self->sum;
  solo_add_relaxed(&total, 1);
  return 0;
}

static void spawn(int32_t gtid, depend *after) {
  object *o = __kmpc_omp_task_alloc(NULL, gtid, 1, sizeof(object), 64, add);
  o->sum = after ? &chained : NULL;
  if (after)
    __kmpc_omp_task_with_deps(NULL, gtid, o, 1, after, 0, NULL);
  else
    __kmpc_omp_task(NULL, gtid, o);
}

static void round_of_tasks(int32_t gtid, int with_dependences) {
  depend inout = {(intptr_t)&chained, sizeof chained, 3};
  for (int i = 0; i < TASKS; i++) spawn(gtid, NULL);
  __kmpc_omp_taskwait(NULL, gtid);
  __kmpc_taskgroup(NULL, gtid);
  for (int i = 0; with_dependences && i < TASKS; i++) spawn(gtid, &inout);
  __kmpc_end_taskgroup(NULL, gtid);
}

static uint64_t late_calls;

/* Thread 0 generates tasks for both threads. A round ends before the next round begins, so at most
 * TASKS records and nodes exist. Heap calls count only in the second half of the rounds. */
static void two_threads(int32_t *gtid, int32_t *tid, ...) {
  if (*tid == 0) {
    uint64_t warm = 0;
    for (int i = 0; i < ROUNDS; i++) {
      round_of_tasks(*gtid, 1);
      if (i == ROUNDS / 2) warm = solo_load_relaxed(&heap_calls);
    }
    late_calls = solo_load_relaxed(&heap_calls) - warm;
  }
  __kmpc_barrier(NULL, *gtid);
}

int main(void) {
  round_of_tasks(0, 1);
  uint64_t calls = solo_load_relaxed(&heap_calls);
  uint64_t locks = solo_load_relaxed(&solo_lock_count);
  for (int i = 0; i < ROUNDS; i++) round_of_tasks(0, 1);
  CHECK_INT(solo_load_relaxed(&heap_calls) - calls, 0);
  CHECK_INT(solo_load_relaxed(&solo_lock_count) - locks, 0);
  CHECK_INT(chained, (ROUNDS + 1) * TASKS);
  __kmpc_push_num_threads(NULL, 0, 2);
  __kmpc_fork_call(NULL, 0, two_threads);
  /* at most two calls, because the other thread may still be freeing the last record */
  CHECK(late_calls <= 2);
  CHECK_INT(total, (2 * ROUNDS + 1) * 2 * TASKS);
  CHECK_INT(chained, (2 * ROUNDS + 1) * TASKS);
  return TEST_RESULT();
}
