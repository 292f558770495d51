/* State that exists after a construct: owners of nested locks, thread limits, pauses, binding,
 * allocators, groups of reductions, inoutset. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdint.h>
#include <unistd.h>

static int own;
#pragma omp threadprivate(own)

/* The owner of a lock is a task, not a thread. */
static void nested_locks(void) {
  omp_nest_lock_t lock;
  int inside = 0, in_task = 0;
  omp_init_nest_lock(&lock);
  CHECK(omp_test_nest_lock(&lock) == 1 && omp_test_nest_lock(&lock) == 2);
#pragma omp parallel if (0)
  inside = omp_test_nest_lock(&lock);
  CHECK(inside == 0);
#pragma omp task if (0) shared(in_task)
  in_task = omp_test_nest_lock(&lock);
  CHECK(in_task == 0);
  CHECK(omp_test_nest_lock(&lock) == 3);
  for (int i = 0; i < 3; i++) omp_unset_nest_lock(&lock);
#pragma omp parallel num_threads(1)
  inside = omp_test_nest_lock(&lock);
  CHECK(inside == 1);
  omp_destroy_nest_lock(&lock);
}

static void limits(void) {
  int most = 0, in_teams = 0, in_target = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  most = omp_get_num_threads();
  CHECK(most == 3);
#pragma omp teams num_teams(2) thread_limit(2) shared(in_teams)
#pragma omp parallel num_threads(5)
  {
    if (omp_get_num_threads() > 2 || omp_get_thread_limit() != 2) {
#pragma omp atomic
      in_teams++;
    }
  }
  CHECK(in_teams == 0);
#pragma omp target thread_limit(2) map(from : in_target)
  {
    int threads = 0;
#pragma omp parallel num_threads(5) reduction(+ : threads)
    threads++;
    in_target = threads;
  }
  CHECK(in_target <= 2);
}

/* A hard pause ends the threads. Threadprivate variables are then initialised again. */
static void pauses(void) {
  for (int round = 0; round < 20; round++) {
    int old = 0, threads = 0;
#pragma omp parallel num_threads(4) reduction(+ : old, threads)
    {
      old += omp_get_thread_num() && own;
      own = 1;
      threads++;
    }
    CHECK(old == 0 && threads == 4);
    CHECK(omp_pause_resource(omp_pause_hard, omp_get_initial_device()) == 0);
  }
}

static void allocators(void) {
  omp_alloctrait_t traits[2] = {{omp_atk_fallback, omp_atv_null_fb}, {omp_atk_pool_size, 4096}};
  omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 2, traits);
  int *p = omp_alloc(3000, a);
  CHECK(p != NULL);
  if (!p) return;
  p[0] = 7;
  p = omp_realloc(p, 3100, a, a); /* needs more bytes than are free after the old block */
  CHECK(p && p[0] == 7);
  void *q = omp_alloc(16, a);
  CHECK(q && omp_realloc(q, 3000, a, a) == NULL);
  omp_free(p, a);
  omp_free(q, a);
  p = omp_alloc(3500, a); /* the failed call did not change the pool */
  CHECK(p != NULL);
  omp_free(p, a);
  omp_destroy_allocator(a);
}

/* reduction(task) creates no taskgroup region, so cancel applies to the enclosing taskgroup. */
static void cancelled_groups(void) {
  int sum = 0, later = 0;
  if (!omp_get_cancellation()) return;
#pragma omp parallel num_threads(2) shared(later)
#pragma omp taskgroup
  {
#pragma omp for reduction(task, + : sum) schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp task in_reduction(+ : sum)
      {
        sum++;
#pragma omp cancel taskgroup
      }
    }
#pragma omp task shared(later)
    {
#pragma omp atomic
      later++;
    }
  }
  CHECK(sum == 2 && later == 0);
}

/* GCC's depend object: an address and a type. Type 5 is inoutset, which GCC 12 cannot emit. */
typedef struct depend_object {
  void *address;
  uintptr_t type;
} depend_object;

static void inoutset(void) {
  int x = 0, in_set = 0, together = 0, wrong = 0;
  union {
    omp_depend_t object;
    depend_object words;
  } set = {.words = {&x, 5}};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    x = 1;
    for (int i = 0; i < 2; i++) {
#pragma omp task depend(depobj : set.object) shared(in_set, together, wrong, x)
      {
#pragma omp atomic
        wrong += x != 1;
#pragma omp atomic
        in_set++;
        for (int k = 0; k < 2000 && omp_get_num_threads() == 2;
             k++) { /* waits for the other task */
          int now;
#pragma omp atomic read
          now = in_set;
          if (now == 2) break;
          usleep(1000);
        }
#pragma omp atomic
        together += in_set == 2;
      }
    }
#pragma omp task depend(in : x) shared(in_set, wrong)
    wrong += in_set != 2;
  }
  CHECK(!wrong && together >= 1);
}

static void bindings(void) {
  int inner = 0;
  if (omp_get_proc_bind() == omp_proc_bind_false) return;
#pragma omp parallel num_threads(2) proc_bind(spread)
#pragma omp single
  inner = omp_get_proc_bind();
  CHECK(inner == omp_proc_bind_spread);
  CHECK(omp_get_proc_bind() != omp_proc_bind_spread);
}

int gcc_test(void) {
  nested_locks();
  limits();
  pauses();
  allocators();
  cancelled_groups();
  inoutset();
  bindings();
  return failures;
}
