#include "abi/ompt.h"

#include "abi/include/omp-tools.h"
#include <stdlib.h>
#include <string.h>

#pragma weak ompt_start_tool

enum { OPENMP_5_1 = 202011, MAX_CODE = 64, NO_DEVICE = -1 };

typedef ompt_data_t *data_getter(void);

static int (*device_count)(void);
/* indexed by callback code; constant after initialisation */
static ompt_callback_t callbacks[MAX_CODE];
static data_getter *get_task_data, *get_target_task_data;
/* the tool that solo started; NULL with libomp, which itself starts the tool */
static ompt_start_tool_result_t *own_tool;
static _Atomic uint64_t next_id = 1;
static _Atomic uint64_t open_devices;
static _Atomic int is_over;

typedef struct region {
  ompt_data_t *task, *target_task, data;
  ompt_id_t op;
  const void *code, *called;
} region;
static _Thread_local region here;

/* Without libomp, no callback identifies host tasks to the tool, so one data object per thread suffices. */
static _Thread_local ompt_data_t own_task, own_target_task;

static ompt_data_t *task_of(data_getter *get, ompt_data_t *own) {
  ompt_data_t *data = get ? get() : NULL;
  return data ? data : own;
}

static uint64_t unique_id(void) {
  return solo_add_relaxed(&next_id, 1); /* relaxed: only uniqueness matters */
}

#define CALLBACK(name) ((name##_t)callbacks[name])

static void on_target(ompt_target_t kind, const solo_trace_event *e, ompt_scope_endpoint_t end) {
  if (end == ompt_scope_begin) {
    here.task = task_of(get_task_data, &own_task);
    here.target_task = task_of(get_target_task_data, &own_target_task);
    here.data.value = 0;
    here.code = e->code;
  }
  if (CALLBACK(ompt_callback_target_emi)) {
    CALLBACK(ompt_callback_target_emi)
    (kind, end, e->device, here.task, here.target_task, &here.data, here.code);
  } else if (CALLBACK(ompt_callback_target)) {
    if (end == ompt_scope_begin) here.data.value = unique_id();
    CALLBACK(ompt_callback_target)
    (kind, end, e->device, here.task, here.data.value, here.code);
  }
  if (end == ompt_scope_end) here = (region){.op = here.op};
}

static void on_submit(const solo_trace_event *e, ompt_scope_endpoint_t end) {
  if (CALLBACK(ompt_callback_target_submit_emi)) {
    CALLBACK(ompt_callback_target_submit_emi)(end, &here.data, &here.op, e->teams);
  } else if (CALLBACK(ompt_callback_target_submit) && end == ompt_scope_begin) {
    here.op = unique_id();
    CALLBACK(ompt_callback_target_submit)(here.data.value, here.op, e->teams);
  }
}

typedef struct data_op {
  ompt_target_data_op_t kind;
  uint64_t from, to;
  int from_device, to_device;
  size_t bytes;
} data_op;

static void on_data_op(const data_op *d, ompt_scope_endpoint_t end) {
  const void *code = here.code ? here.code : here.called;
  if (CALLBACK(ompt_callback_target_data_op_emi)) {
    CALLBACK(ompt_callback_target_data_op_emi)
    (end, here.target_task, &here.data, &here.op, d->kind, (void *)d->from, d->from_device,
     (void *)d->to, d->to_device, d->bytes, code);
  } else if (CALLBACK(ompt_callback_target_data_op) && end == ompt_scope_begin) {
    here.op = unique_id();
    CALLBACK(ompt_callback_target_data_op)
    (here.data.value, here.op, d->kind, (void *)d->from, d->from_device, (void *)d->to,
     d->to_device, d->bytes, code);
  }
}

static void on_data(ompt_target_data_op_t kind, const solo_trace_event *e,
                    ompt_scope_endpoint_t end) {
  data_op d = {kind, e->from, e->to, device_count(), e->device, (size_t)e->bytes};
  if (kind == ompt_target_data_transfer_from_device) {
    d.from_device = e->device;
    d.to_device = device_count();
  } else if (kind == ompt_target_data_delete) {
    d = (data_op){kind, e->to, 0, e->device, NO_DEVICE, 0};
  } else if (e->kind == SOLO_TRACE_COPY_WITHIN) {
    d.from_device = e->peer;
  }
  on_data_op(&d, end);
}

static ompt_interface_fn_t nothing(const char *name) {
  (void)name;
  return NULL;
}

static void on_open(const solo_trace_event *e) {
  if (e->status != SOLO_OK) return;
  solo_or_relaxed(&open_devices, UINT64_C(1) << (e->device & 63)); /* relaxed: guards no data */
  if (CALLBACK(ompt_callback_device_initialize)) CALLBACK(ompt_callback_device_initialize)
  (e->device, e->name, (ompt_device_t *)&callbacks[0], nothing, NULL);
}

static void on_load(const solo_trace_event *e) {
  if (e->status == SOLO_OK && CALLBACK(ompt_callback_device_load))
    CALLBACK(ompt_callback_device_load)
  (e->device, NULL, 0, NULL, (size_t)e->bytes, (void *)e->from, NULL, 0);
}

static void on_event(const solo_trace_event *e, ompt_scope_endpoint_t end) {
  if (solo_load_relaxed(&is_over)) return; /* relaxed: the flag guards no data */
  switch (e->kind) {
  case SOLO_TRACE_REGION:
    on_target(ompt_target, e, end);
    break;
  case SOLO_TRACE_DATA_BEGIN:
    on_target(ompt_target_enter_data, e, end);
    break;
  case SOLO_TRACE_DATA_END:
    on_target(ompt_target_exit_data, e, end);
    break;
  case SOLO_TRACE_DATA_UPDATE:
    on_target(ompt_target_update, e, end);
    break;
  case SOLO_TRACE_KERNEL:
    on_submit(e, end);
    break;
  case SOLO_TRACE_COPY_IN:
  case SOLO_TRACE_COPY_WITHIN:
    on_data(ompt_target_data_transfer_to_device, e, end);
    break;
  case SOLO_TRACE_COPY_OUT:
    on_data(ompt_target_data_transfer_from_device, e, end);
    break;
  case SOLO_TRACE_NEW:
  case SOLO_TRACE_ALLOC:
    on_data(ompt_target_data_alloc, e, end);
    break;
  case SOLO_TRACE_DELETE:
  case SOLO_TRACE_FREE:
    on_data(ompt_target_data_delete, e, end);
    break;
  case SOLO_TRACE_ASSOCIATE:
    on_data(ompt_target_data_associate, e, end);
    break;
  case SOLO_TRACE_DISASSOCIATE:
    on_data(ompt_target_data_disassociate, e, end);
    break;
  case SOLO_TRACE_OPEN:
    if (end == ompt_scope_end) on_open(e);
    break;
  case SOLO_TRACE_LOAD:
    if (end == ompt_scope_end) on_load(e);
    break;
  case SOLO_TRACE_FILL:
  case SOLO_TRACE_GROW:
  case SOLO_TRACE_SHRINK:
  case SOLO_TRACE_WAIT:
    break;
  }
}

static void begin(const solo_trace_event *e) {
  on_event(e, ompt_scope_begin);
}

static void reported(const solo_trace_event *e) {
  on_event(e, ompt_scope_end);
}

static void called(const void *code) {
  here.called = code;
}

static void finish(void) {
  if (solo_exchange_relaxed(&is_over, 1)) return; /* relaxed: only "once" matters */
  uint64_t open = solo_load_relaxed(&open_devices);
  for (int i = 0; i < 64 && CALLBACK(ompt_callback_device_finalize); i++)
    if (open >> i & 1) CALLBACK(ompt_callback_device_finalize)(i);
  if (own_tool && own_tool->finalize) own_tool->finalize(&own_tool->tool_data);
}

/* The last destructor. With libomp, which may finalize the tool earlier, an atexit(3) handler calls
 * finish() instead. */
__attribute__((destructor(101))) static void at_end(void) {
  if (own_tool) finish();
}

/* libomp calls this function after the tool's end. No callback may follow. */
static void cut_off(ompt_data_t *data) {
  (void)data;
  solo_store_relaxed(&is_over, 1); /* relaxed: the flag guards no data */
}

static const ompt_callbacks_t supported[] = {
    ompt_callback_target,           ompt_callback_target_data_op,
    ompt_callback_target_submit,    ompt_callback_device_initialize,
    ompt_callback_device_finalize,  ompt_callback_device_load,
    ompt_callback_target_emi,       ompt_callback_target_data_op_emi,
    ompt_callback_target_submit_emi};

static int is_supported(ompt_callbacks_t code) {
  for (size_t i = 0; i < sizeof supported / sizeof *supported; i++)
    if (supported[i] == code) return 1;
  return 0;
}

static int connected(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_get_callback_t get = (ompt_get_callback_t)lookup("ompt_get_callback");
  get_task_data = (data_getter *)lookup("ompt_get_task_data");
  get_target_task_data = (data_getter *)lookup("ompt_get_target_task_data");
  for (size_t i = 0; get && i < sizeof supported / sizeof *supported; i++)
    if (!get(supported[i], &callbacks[supported[i]])) callbacks[supported[i]] = NULL;
  return 1;
}

static ompt_set_result_t set_callback(ompt_callbacks_t code, ompt_callback_t callback) {
  if ((unsigned)code >= MAX_CODE) return ompt_set_error;
  if (!is_supported(code)) return ompt_set_never;
  callbacks[code] = callback;
  return ompt_set_always;
}

static int get_callback(ompt_callbacks_t code, ompt_callback_t *out) {
  if ((unsigned)code >= MAX_CODE || !callbacks[code]) return 0;
  *out = callbacks[code];
  return 1;
}

static ompt_interface_fn_t look_up(const char *name) {
  const struct {
    const char *name;
    ompt_interface_fn_t function;
  } functions[] = {{"ompt_set_callback", (ompt_interface_fn_t)set_callback},
                   {"ompt_get_callback", (ompt_interface_fn_t)get_callback},
                   {"ompt_get_unique_id", (ompt_interface_fn_t)unique_id},
                   {"ompt_get_num_devices", (ompt_interface_fn_t)device_count}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(name, functions[i].name) == 0) return functions[i].function;
  return NULL;
}

const solo_observer *solo_ompt_start(int (*counter)(void)) {
  static const solo_observer observer = {
      .begin = begin, .reported = reported, .called = called, .finish = finish};
  static ompt_start_tool_result_t to_libomp = {.initialize = connected, .finalize = cut_off};
  device_count = counter;
  if (ompt_libomp_connect) {
    ompt_libomp_connect(&to_libomp);
    if (get_task_data && atexit(finish) != 0) memset(callbacks, 0, sizeof callbacks);
  } else if (ompt_start_tool) {
    own_tool = ompt_start_tool(OPENMP_5_1, "solo");
    if (own_tool && !own_tool->initialize(look_up, device_count(), &own_tool->tool_data))
      own_tool = NULL;
    if (!own_tool) memset(callbacks, 0, sizeof callbacks);
  }
  for (size_t i = 0; i < sizeof supported / sizeof *supported; i++)
    if (callbacks[supported[i]]) return &observer;
  return own_tool ? &observer : NULL;
}
