/* Description: checks a tool linked into a multithreaded program without libomp: begin and end are
 * paired per thread, data persists, operations belong to their region. */
#include "abi/tgt.h"

#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 500 };

static _Atomic int regions, allocs, deletes, sends, fetches, initialized, finalized, wrong;
static _Thread_local int in_region, in_op;
static _Thread_local uint64_t mark, op_mark;

static void bad(const char *what) {
  fprintf(stderr, "%s\n", what);
  wrong++;
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t end, int device, ompt_data_t *task,
                      ompt_data_t *target_task, ompt_data_t *data, const void *code) {
  (void)kind, (void)task, (void)target_task;
  if (device != 0 || !code) bad("wrong device or no code address");
  if (end == ompt_scope_begin) {
    if (in_region++) bad("nested target region");
    if (data->value) bad("data not zero at the begin");
    data->value = ++mark;
    regions++;
  } else {
    if (--in_region) bad("end without begin of a region");
    if (data->value != mark) bad("data lost in a region");
  }
}

static void on_data_op(ompt_scope_endpoint_t end, ompt_data_t *target_task, ompt_data_t *data,
                       ompt_id_t *op, ompt_target_data_op_t kind, void *from, int from_device,
                       void *to, int to_device, size_t bytes, const void *code) {
  (void)target_task, (void)from, (void)to, (void)from_device, (void)to_device, (void)bytes;
  if (!code) bad("no code address");
  if (data->value != (in_region ? mark : 0)) bad("operation with data of another region");
  if (end == ompt_scope_begin) {
    if (in_op++) bad("nested operation");
    *op = ++op_mark;
    return;
  }
  if (--in_op) bad("end without begin of an operation");
  if (*op != op_mark) bad("operation id lost");
  if (kind == ompt_target_data_alloc) allocs++;
  if (kind == ompt_target_data_delete) deletes++;
  if (kind == ompt_target_data_transfer_to_device) sends++;
  if (kind == ompt_target_data_transfer_from_device) fetches++;
}

static void on_initialize(int device, const char *type, ompt_device_t *handle,
                          ompt_function_lookup_t lookup, const char *documentation) {
  (void)handle, (void)documentation;
  if (device == 0 && type && lookup && !lookup("ompt_set_trace_ompt")) initialized++;
}

static void on_finalize(int device) {
  if (device == 0) finalized++;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  ompt_get_callback_t get = (ompt_get_callback_t)lookup("ompt_get_callback");
  ompt_get_num_devices_t count = (ompt_get_num_devices_t)lookup("ompt_get_num_devices");
  ompt_callback_t got = NULL;
  data->value = 42;
  if (!set || !get || !count || lookup("ompt_get_state")) bad("wrong entry points");
  if (count && count() != device)
    /* ompt_get_num_devices works during the tool's initialization, too */
    bad("wrong number of devices");
  set(ompt_callback_target_emi, (ompt_callback_t)on_target);
  set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op);
  set(ompt_callback_device_initialize, (ompt_callback_t)on_initialize);
  if (set(ompt_callback_device_finalize, (ompt_callback_t)on_finalize) != ompt_set_always)
    bad("device_finalize: not ompt_set_always");
  if (set(ompt_callback_task_create, (ompt_callback_t)on_finalize) != ompt_set_never)
    bad("task_create: not ompt_set_never");
  if (!get(ompt_callback_device_finalize, &got) || got != (ompt_callback_t)on_finalize)
    bad("a set callback is not returned");
  if (get(ompt_callback_task_create, &got)) bad("an unset callback is returned");
  return 1;
}

static void finalize(ompt_data_t *data) {
  if (data->value != 42) bad("tool data lost");
  if (finalized != 1) bad("device_finalize not called exactly once");
  if (wrong) _Exit(1);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return version >= 201811 && runtime ? &result : NULL;
}

static void *work(void *unused) {
  double *x = malloc(800);
  for (int i = 0; i < 100; i++) x[i] = i;
  for (int r = 0; r < ROUNDS; r++) {
    void *begin = x;
    int64_t size = 800, tofrom = 3;
    __tgt_target_data_begin_mapper(NULL, 0, 1, &begin, &begin, &size, &tofrom, NULL, NULL);
    __tgt_target_data_end_mapper(NULL, 0, 1, &begin, &begin, &size, &tofrom, NULL, NULL);
    void *p = omp_target_alloc(800, 0);
    if (omp_target_memcpy(p, x, 800, 0, 0, 0, omp_get_initial_device()) != 0)
      bad("omp_target_memcpy failed");
    omp_target_free(p, 0);
  }
  free(x);
  return unused;
}

int main(void) {
  pthread_t thread[THREADS];
  for (int t = 0; t < THREADS; t++) pthread_create(&thread[t], NULL, work, NULL);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  const int all = THREADS * ROUNDS;
  /* after a conflict of two threads, a region repeats its mapping, which adds events */
  const int again = allocs - 2 * all;
  if (regions != 2 * all || again < 0 || again > all / 10 || deletes != allocs || sends < 2 * all ||
      sends > 2 * all + again || fetches != all || initialized != 1)
    bad("wrong counts");
  printf("%d regions, %d allocations, %d deletions, %d to, %d from, %d wrong\n", regions, allocs,
         deletes, sends, fetches, wrong);
  return wrong != 0;
}
