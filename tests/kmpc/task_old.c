/* Description: calls task functions of the runtime that the tested compilers do not emit for C.
 * Flags: -fopenmp-version=51 */
#include "tests/kmpc/task_test.h"
#include <stdint.h>

typedef struct object {
  void *shareds;
  int32_t (*routine)(int32_t, struct object *);
  int32_t part;
  void *data[2];
  uint64_t lower, upper;
  long *out;
} object;
typedef struct depend {
  intptr_t address;
  size_t length;
  uint8_t kind;
} depend;
typedef struct reduction {
  void *shared;
  size_t bytes;
  void (*initialise)(void *);
  void (*finish)(void *);
  void (*combine)(void *, void *);
  uint32_t flags;
} reduction;

extern int32_t __kmpc_global_thread_num(void *);
extern object *__kmpc_omp_task_alloc(void *, int32_t, int32_t, size_t, size_t,
                                     int32_t (*)(int32_t, object *));
extern int32_t __kmpc_omp_task(void *, int32_t, object *);
extern int32_t __kmpc_omp_task_parts(void *, int32_t, object *);
extern int32_t __kmpc_omp_task_with_deps(void *, int32_t, object *, int32_t, depend *, int32_t,
                                         depend *);
extern void __kmpc_omp_wait_deps(void *, int32_t, int32_t, depend *, int32_t, depend *);
extern int32_t __kmpc_omp_taskwait(void *, int32_t);
extern void *__kmpc_task_reduction_init(int32_t, int32_t, void *);
extern void *__kmpc_task_reduction_get_th_data(int32_t, void *, void *);
extern void __kmpc_taskgroup(void *, int32_t);
extern void __kmpc_end_taskgroup(void *, int32_t);
extern void __kmpc_taskloop(void *, int32_t, object *, int32_t, uint64_t *, uint64_t *, int64_t,
                            int32_t, int32_t, uint64_t, void *);
extern void __kmpc_proxy_task_completed(int32_t, object *);
extern void __kmpc_proxy_task_completed_ooo(object *);

static object *make(int32_t flags, int32_t (*routine)(int32_t, object *), long *out) {
  object *o =
      __kmpc_omp_task_alloc(NULL, __kmpc_global_thread_num(NULL), flags, sizeof *o, 0, routine);
  o->out = out;
  return o;
}

static int32_t slow_add(int32_t gtid, object *self) {
  (void)gtid;
  spend_time();
#pragma omp atomic
  ++*self->out;
  return 0;
}

static void *group;

static int32_t reduce(int32_t gtid, object *self) {
  *(long *)__kmpc_task_reduction_get_th_data(gtid, group, self->out) += 1;
  return 0;
}

static int32_t loop(int32_t gtid, object *self) {
  (void)gtid;
  for (uint64_t i = self->lower; i <= self->upper; i++) {
#pragma omp atomic
    *self->out += (long)i;
  }
  return 0;
}

static void set_zero(void *copy) {
  *(long *)copy = 0;
}

static void add_up(void *into, void *copy) {
  *(long *)into += *(long *)copy;
}

static int32_t start_proxy(int32_t gtid, object *self) {
  (void)gtid;
#pragma omp atomic
  ++*self->out;
  return 0;
}

int main(void) {
  long x = 0, sum = 10, total = 0, proxies = 0, parts = 0, wrong = 0;
  double near[8];
#pragma omp parallel
#pragma omp single
  {
    int32_t gtid = __kmpc_global_thread_num(NULL);
    depend out = {(intptr_t)&x, sizeof x, 3};
    for (int i = 0; i < 5; i++)
      __kmpc_omp_task_with_deps(NULL, gtid, make(1, slow_add, &x), 1, &out, 0, NULL);
    __kmpc_omp_wait_deps(NULL, gtid, 1, &out, 0, NULL);
    if (x != 5) wrong++;

    __kmpc_taskgroup(NULL, gtid);
    reduction item = {&sum, sizeof sum, set_zero, NULL, add_up, 0};
    group = __kmpc_task_reduction_init(gtid, 1, &item);
    for (int i = 0; i < 50; i++) __kmpc_omp_task(NULL, gtid, make(1, reduce, &sum));
    __kmpc_end_taskgroup(NULL, gtid);
    if (sum != 60) wrong++;

    object *o = make(1, loop, &total);
    o->lower = 1;
    o->upper = 100;
    __kmpc_taskloop(NULL, gtid, o, 1, &o->lower, &o->upper, 1, 0, 2, 7, NULL);
    if (total != 5050) wrong++; /* nogroup is 0, so the call waits for its tasks */

    object *first = make(1 | 16, start_proxy, &proxies),
           *second = make(1 | 16, start_proxy, &proxies);
    __kmpc_omp_task(NULL, gtid, first);
    __kmpc_omp_task(NULL, gtid, second);
    object *finisher = make(1, slow_add, &parts);
    __kmpc_omp_task_parts(NULL, gtid, finisher);
#pragma omp task firstprivate(first, second) affinity(near [0:8])
    {
      spend_time();
      __kmpc_proxy_task_completed(__kmpc_global_thread_num(NULL), first);
      __kmpc_proxy_task_completed_ooo(second);
    }
    __kmpc_omp_taskwait(NULL, gtid);
    if (proxies != 2 || parts != 1) wrong++;
  }
  CHECK_INT(wrong, 0);
  return TEST_RESULT();
}
