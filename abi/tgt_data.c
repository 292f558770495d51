#include "abi/depend.h"
#include "abi/nowait.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "runtime/construct/nowait_stream.h"
#include "runtime/map/map.h"
#include "runtime/map/mapper.h"
#include "runtime/trace/observer.h"

typedef solo_status data_operation(solo_construct *c, const solo_map_list *list);

static solo_status begin(solo_construct *c, const solo_map_list *list) {
  return solo_map_enter(c, list);
}

static SOLO_COLD solo_status begin_printed(solo_construct *c, const solo_map_list *list) {
  SOLO_TRY(solo_map_enter(c, list));
  tgt_print_data(c, list);
  return SOLO_OK;
}

static solo_status end(solo_construct *c, const solo_map_list *list) {
  return solo_map_end(c, list, NULL);
}

SOLO_INLINE solo_status run_now(data_operation *operation, solo_device *on, const char *where,
                                const solo_map_list *list) {
  solo_construct c;
  solo_status status = solo_construct_open(&c, on, where);
  if (SOLO_LIKELY(status == SOLO_OK)) status = operation(&c, list);
  return solo_construct_close(&c, status);
}

SOLO_INLINE solo_trace_kind kind_of(data_operation *operation) {
  return operation == begin ? SOLO_TRACE_DATA_BEGIN
         : operation == end ? SOLO_TRACE_DATA_END
                            : SOLO_TRACE_DATA_UPDATE;
}

SOLO_INLINE tgt_activity activity_of(data_operation *operation) {
  return operation == begin ? TGT_DATA : operation == end ? TGT_END : TGT_UPDATE;
}

typedef struct nowait_operation {
  data_operation *operation;
  const solo_map_list *list;
} nowait_operation;

static solo_status enqueue(solo_construct *c, void *context) {
  const nowait_operation *l = context;
  return l->operation(c, l->list);
}

static SOLO_NOINLINE solo_status run_at_once(data_operation *operation, solo_device *on,
                                             const char *where, const solo_map_list *list) {
  return run_now(operation, on, where, list);
}

static solo_status run_nowait(data_operation *operation, solo_device *on, const char *where,
                              const solo_map_list *list) {
  void **slot = solo_device_is_synchronous(on) ? NULL : tgt_handle_slot();
  if (!slot) {
    solo_nowait_join();
    return run_at_once(operation, on, where, list);
  }
  nowait_operation l = {operation, list};
  solo_map_phase phase =
      operation == begin || operation == begin_printed ? SOLO_MAP_BEGINS : SOLO_MAP_ENDS;
  const solo_nowait_request request = {
      .device = on,
      .where = where,
      .work = enqueue,
      .context = &l,
      .flags = solo_map_reads_host(list, phase) ? SOLO_NOWAIT_READS_HOST : 0};
  solo_nowait_op *nowait = NULL;
  solo_status status = solo_nowait_start(&request, &nowait);
  *slot = nowait;
  return status;
}

typedef struct data_call {
  data_operation *operation;
  const void *code;
  const char *function;
  ident_t *loc;
  int64_t device;
  int nowait;
} data_call;

static SOLO_COLD void run_reported(const data_call *call, const solo_map_list *list) {
  const char *where = call->loc ? call->loc->psource : NULL;
  data_operation *operation = call->operation;
  solo_device *on;
  uint32_t flags = tgt_slow_path_flags();
  if (flags & TGT_DISABLED) return;
  solo_trace_event event;
  tgt_begin_construct(&event, kind_of(operation) | (call->nowait ? TGT_IN_TASK : 0), call->device,
                      call->loc, call->code, list);
  solo_status status = tgt_find_device(call->device, &on);
  if (status == SOLO_OK) status = solo_map_check(list, call->function);
  if (operation == begin && (flags & TGT_PRINTED)) operation = begin_printed;
  if (status == SOLO_OK)
    status = (call->nowait ? run_nowait : run_at_once)(operation, on, where, list);
  tgt_end_construct(&event, status);
  if (status == SOLO_OK) return;
  if (call->nowait) solo_nowait_join(); /* the task must end after its predecessors */
  tgt_failed(status, activity_of(call->operation), where);
}

SOLO_INLINE void run(data_operation *operation, const char *function, TGT_DATA_PARAMETERS) {
  const char *where = loc ? loc->psource : NULL;
  solo_map_list list = {count, bases, begins, sizes, types, names, mappers};
  solo_device *on;
  if (SOLO_UNLIKELY(tgt_slow_path_flags())) {
    run_reported(
        &(const data_call){operation, __builtin_return_address(0), function, loc, device, 0},
        &list);
    return;
  }
  solo_status status = tgt_find_device(device, &on);
  if (SOLO_LIKELY(status == SOLO_OK)) status = solo_map_check(&list, function);
  /* an update is not inlined, because a call is cheap compared with the copy of data */
  if (SOLO_LIKELY(status == SOLO_OK))
    status = operation == solo_map_update ? run_at_once(operation, on, where, &list)
                                          : run_now(operation, on, where, &list);
  if (SOLO_UNLIKELY(status != SOLO_OK)) tgt_failed(status, activity_of(operation), where);
}

/* For the nowait functions. Compiled code calls these in task bodies, after the dependences or in a stream that is ordered
 * after the dependences. Only direct calls of a program pass dependences. */
static void run_task(data_operation *operation, const void *code, const char *function,
                     TGT_DATA_PARAMETERS, TGT_DEPENDENCES) {
  const char *where = loc ? loc->psource : NULL;
  solo_map_list list = {count, bases, begins, sizes, types, names, mappers};
  solo_device *on;
  tgt_wait_dependences(loc, ndep, deps, ndep_na, deps_na);
  if (tgt_slow_path_flags()) {
    run_reported(&(const data_call){operation, code, function, loc, device, 1}, &list);
    return;
  }
  solo_status status = tgt_find_device(device, &on);
  if (SOLO_LIKELY(status == SOLO_OK)) status = solo_map_check(&list, function);
  if (SOLO_LIKELY(status == SOLO_OK)) status = run_nowait(operation, on, where, &list);
  if (SOLO_LIKELY(status == SOLO_OK)) return;
  solo_nowait_join(); /* waits for enqueued predecessors, because the failed task ends here */
  tgt_failed(status, activity_of(operation), where);
}

#define TGT_DATA_ARGUMENTS loc, device, count, bases, begins, sizes, types, names, mappers

void __tgt_target_data_begin_mapper(TGT_DATA_PARAMETERS) {
  run(begin, "__tgt_target_data_begin", TGT_DATA_ARGUMENTS);
}

void __tgt_target_data_end_mapper(TGT_DATA_PARAMETERS) {
  run(end, "__tgt_target_data_end", TGT_DATA_ARGUMENTS);
}

void __tgt_target_data_update_mapper(TGT_DATA_PARAMETERS) {
  run(solo_map_update, "__tgt_target_data_update", TGT_DATA_ARGUMENTS);
}

#define TGT_TASK_ARGUMENTS TGT_DATA_ARGUMENTS, ndep, deps, ndep_na, deps_na

void __tgt_target_data_begin_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES) {
  run_task(begin, __builtin_return_address(0), "__tgt_target_data_begin", TGT_TASK_ARGUMENTS);
}

void __tgt_target_data_end_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES) {
  run_task(end, __builtin_return_address(0), "__tgt_target_data_end", TGT_TASK_ARGUMENTS);
}

void __tgt_target_data_update_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES) {
  run_task(solo_map_update, __builtin_return_address(0), "__tgt_target_data_update",
           TGT_TASK_ARGUMENTS);
}

static SOLO_COLD void no_components(const char *function) {
  tgt_failed(solo_fail(SOLO_INVALID,
                       "%s: the component list is NULL: a mapper must pass its own handle",
                       function),
             TGT_SETUP, NULL);
}

int64_t __tgt_mapper_num_components(void *components) {
  if (SOLO_UNLIKELY(!components)) {
    no_components("__tgt_mapper_num_components");
    return 0;
  }
  return solo_components_count(components);
}

void __tgt_push_mapper_component(void *components, void *base, void *begin_address, int64_t size,
                                 int64_t type, void *name) {
  if (SOLO_UNLIKELY(!components)) {
    no_components("__tgt_push_mapper_component");
    return;
  }
  solo_components_push(components, base, begin_address, size, type, name);
}
