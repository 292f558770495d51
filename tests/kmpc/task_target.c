/* Description: checks target tasks with a simulated device: handles, queries, dependences, and
 * chains that the host enqueues without waiting. */
#include "runtime/host_threads.h"
#include "tests/kmpc/task_test.h"
#include <stdint.h>

typedef struct object {
  void *shareds;
  int32_t (*routine)(int32_t, struct object *);
  int32_t part;
  void *data[2];
  /* queue: index in queues[], or 0 if the routine requests no queue */
  int number, asynchronous, queue;
} object;
typedef struct depend {
  intptr_t address;
  size_t length;
  uint8_t kind;
} depend;

extern int32_t __kmpc_global_thread_num(void *);
extern object *__kmpc_omp_target_task_alloc(void *, int32_t, int32_t, size_t, size_t,
                                            int32_t (*)(int32_t, object *), int64_t);
extern int32_t __kmpc_omp_task(void *, int32_t, object *);
extern int32_t __kmpc_omp_task_with_deps(void *, int32_t, object *, int32_t, depend *, int32_t,
                                         depend *);
extern int32_t __kmpc_omp_taskwait(void *, int32_t);
extern void **__kmpc_omp_get_target_async_handle_ptr(int32_t);
extern int32_t __kmpc_omp_has_task_team(int32_t);

enum { JOBS = 1000, QUESTIONS = 3 };

static int queues[3], queue_of[JOBS + 1];
static int after[JOBS + 1];
static int questions[JOBS + 1], ended[JOBS + 1], started[JOBS + 1], at_once, misuse;

/* A job of the simulated device has completed after QUESTIONS queries. */
static void query(void **handle) {
  int *asked = *handle;
  if (!asked) {
    misuse++;
    return;
  }
  if (++*asked < QUESTIONS) return;
  ended[asked - questions] = next_stamp();
  *handle = NULL;
}

static int32_t body(int32_t gtid, object *self) {
  if (started[self->number]) misuse++;
  started[self->number] = next_stamp();
  if (!__kmpc_omp_has_task_team(gtid)) misuse++;
  void **handle = solo_host_tasks.handle_slot(query);
  if (handle != __kmpc_omp_get_target_async_handle_ptr(gtid)) misuse++;
  if (!handle || *handle)
    misuse++;
  else if (self->queue) {
    void *before[4];
    int32_t count = solo_host_tasks.queues(before, 4);
    int *queue = count ? before[0] : &queues[self->queue];
    after[self->number] = count;
    queue_of[self->number] = (int)(queue - queues);
    *handle = &questions[self->number];
    solo_host_tasks.queued_on(queue);
  } else if (self->asynchronous)
    *handle = &questions[self->number];
  else
    ended[self->number] = next_stamp();
  return 0;
}

static void begin(void) {
  memset(questions, 0, sizeof questions);
  memset(ended, 0, sizeof ended);
  memset(started, 0, sizeof started);
}

static void submit_to(int queue, int number, int asynchronous, depend *list, int count) {
  int32_t gtid = __kmpc_global_thread_num(NULL);
  object *o = __kmpc_omp_target_task_alloc(NULL, gtid, 1, sizeof(object), 0, body, -1);
  o->number = number;
  o->asynchronous = asynchronous;
  o->queue = queue;
  if (count)
    __kmpc_omp_task_with_deps(NULL, gtid, o, count, list, 0, NULL);
  else
    __kmpc_omp_task(NULL, gtid, o);
}

static void submit_with(int32_t (*routine)(int32_t, object *), int number, depend *list,
                        int count) {
  int32_t gtid = __kmpc_global_thread_num(NULL);
  object *o = __kmpc_omp_target_task_alloc(NULL, gtid, 1, sizeof(object), 0, routine, -1);
  o->number = number;
  __kmpc_omp_task_with_deps(NULL, gtid, o, count, list, 0, NULL);
}

static void submit(int number, int asynchronous, depend *list, int count) {
  submit_to(0, number, asynchronous, list, count);
}

static void wait_here(void) {
  __kmpc_omp_taskwait(NULL, __kmpc_global_thread_num(NULL));
}

static int all_ended(void) {
  int wrong = 0;
  for (int i = 0; i < JOBS; i++) wrong += !ended[i];
  return !wrong;
}

/* Without dependences, outside a region, a target task starts immediately. */
static void immediate(void) {
  begin();
  for (int i = 0; i < JOBS; i++) {
    submit(i, i % 3 == 0, NULL, 0);
    at_once += started[i] != 0;
  }
  CHECK_INT(at_once, JOBS);
  int before = 0;
  for (int i = 0; i < JOBS; i++) before += ended[i] != 0;
  CHECK(before < JOBS);
  wait_here();
  CHECK(all_ended());
}

static void chain(int asynchronous) {
  begin();
  depend inout = {(intptr_t)&at_once, 4, 3};
  for (int i = 0; i < JOBS; i++) submit(i, asynchronous, &inout, 1);
  if (asynchronous) CHECK(!ended[JOBS - 1]);
  wait_here();
  CHECK(all_ended());
  int wrong = 0;
  for (int i = 1; i < JOBS; i++) wrong += started[i] < ended[i - 1];
  CHECK_INT(wrong, 0);
}

/* The routine does not request its queues, like the else branch of an if clause. */
static int32_t body_without_queue(int32_t gtid, object *self) {
  (void)gtid;
  started[self->number] = next_stamp();
  ended[self->number] = next_stamp();
  return 0;
}

/* Tasks of a chain start on an in-order queue before their predecessors end. A host task, and a
 * task with a routine that has never requested queues, start after all predecessors have ended. */
static void early(void) {
  begin();
  depend a = {(intptr_t)&queues[1], 4, 3}, b = {(intptr_t)&queues[2], 4, 3};
  for (int i = 0; i < 500; i++) submit_to(1 + i % 2, i, 1, i % 2 ? &b : &a, 1);
  int begun = 0, over = 0, wrong = 0;
  for (int i = 0; i < 500; i++) {
    begun += started[i] != 0;
    over += ended[i] != 0;
    wrong += queue_of[i] != 1 + i % 2;
  }
  CHECK_INT(begun, 500);
  CHECK(over < 400);
  CHECK_INT(wrong, 0);
  depend both[2] = {a, b};
  submit_to(2, 500, 1, both, 2);
  /* enqueued after work of both queues, without a wait of the host */
  CHECK(started[500] && !ended[499]);
  CHECK_INT(after[500], 2);
  submit(501, 0, &a, 1); /* has no queue, but may start before task 500 ends */
#pragma omp task depend(in : queues[2]) shared(wrong)
  for (int i = 0; i < 502; i++) wrong += i % 2 && !ended[i] && i != 501;
  submit_with(body_without_queue, 502, &b, 1);
  CHECK(!started[502]);
  wait_here();
  for (int i = 0; i <= 502; i++) wrong += !ended[i];
  for (int i = 0; i <= 500; i++) wrong += i % 2 && ended[i] > started[502];
  CHECK_INT(wrong, 0);
}

/* A host task depends on a job of the device. The barrier at the end of the region waits for both. */
static void in_region(void) {
  begin();
  int wrong = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < JOBS; i += 2) {
      submit(i, 1, NULL, 0);
      submit(i + 1, 0, NULL, 0);
    }
#pragma omp single
    wrong += !all_ended();
#pragma omp single
    {
      begin();
      int x[4];
      for (int i = 0; i < 100; i++) {
        depend out = {(intptr_t)&x[i % 4], 4, 3};
        submit(i, 1, &out, 1);
#pragma omp task depend(in : x[i % 4]) shared(wrong)
        if (!ended[i]) {
#pragma omp atomic
          wrong++;
        }
      }
    }
  }
  CHECK_INT(wrong, 0);
}

int main(void) {
  immediate();
  chain(0);
  chain(1);
  early();
  in_region();
  CHECK_INT(misuse, 0);
  CHECK(__kmpc_omp_get_target_async_handle_ptr(0) == NULL);
  return TEST_RESULT();
}
