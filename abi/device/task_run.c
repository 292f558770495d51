/* Tasks, which the encountering thread executes at once. The original functions (solo_llvm_*) free an untied task twice,
 * because its body calls __kmpc_omp_task again, and ignore destructors and lastprivate. */
typedef int i32;
typedef long long i64;
typedef unsigned long long u64;
typedef struct ident ident;

#define ENTRY __attribute__((visibility("hidden")))

enum { HAS_DESTRUCTORS = 8 };

/* abi-facts 4.5 */
typedef struct task {
  void *shareds;
  i32 (*body)(i32 thread, struct task *);
  i32 part; /* untied: not 0 after the body has begun */
  i32 unused;
  i32 (*destroy)(i32 thread, struct task *);
  u64 priority;
  u64 lower, upper; /* of a taskloop */
  i64 step;
  i32 is_last;
} task;

typedef struct header {
  i32 flags;
} __attribute__((aligned(16))) header;

void *malloc(u64 bytes);
void free(void *block);
void __kmpc_omp_task_begin_if0(ident *loc, i32 thread, task *t);
void solo_llvm_omp_task_complete_if0(ident *loc, i32 thread, task *t);

static void destroy(i32 thread, task *t) {
  header *h = (header *)t - 1;
  if (h->flags & HAS_DESTRUCTORS) t->destroy(thread, t);
  free(h);
}

ENTRY task *__kmpc_omp_task_alloc(ident *loc, i32 thread, i32 flags, u64 bytes, u64 shared_bytes,
                                  i32 (*body)(i32, task *)) {
  (void)loc, (void)thread;
  u64 padded = (bytes + 7) & ~7ull;
  header *h = malloc(sizeof *h + padded + shared_bytes);
  h->flags = flags;
  task *t = (task *)(h + 1);
  t->shareds = (char *)t + padded;
  t->body = body;
  t->part = 0;
  return t;
}

ENTRY void __kmpc_omp_task_complete_if0(ident *loc, i32 thread, task *t) {
  solo_llvm_omp_task_complete_if0(loc, thread, 0);
  destroy(thread, t);
}

ENTRY i32 __kmpc_omp_task(ident *loc, i32 thread, task *t) {
  i32 has_begun = t->part;
  __kmpc_omp_task_begin_if0(loc, thread, t);
  t->body(thread, t);
  solo_llvm_omp_task_complete_if0(loc, thread, 0);
  if (!has_begun) destroy(thread, t);
  return 0;
}

ENTRY i32 __kmpc_omp_task_with_deps(ident *loc, i32 thread, task *t, i32 count, void *list,
                                    i32 count_noalias, void *list_noalias) {
  (void)count, (void)list, (void)count_noalias, (void)list_noalias;
  return __kmpc_omp_task(loc, thread, t);
}

ENTRY void __kmpc_taskloop(ident *loc, i32 thread, task *t, i32 condition, u64 *lower, u64 *upper,
                           i64 step, i32 no_group, i32 schedule, u64 grain, void *copy) {
  (void)condition, (void)step, (void)no_group, (void)schedule, (void)grain, (void)copy;
  t->is_last = 1;
  if (*lower > *upper)
    destroy(thread, t);
  else
    __kmpc_omp_task(loc, thread, t);
}
