/* A linked tool that prints one reproducible line per target callback. TOOL_FORM=plain requests the
 * callbacks without _emi; TOOL_DEVICE=0 omits device callbacks. Addresses are printed by name:
 * tool_name() names those of the program's data, tool_place() those of code. Other addresses are
 * printed as d1, d2 ... */
#include "tests/ompt/tool.h"

#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 64 };

static struct {
  const void *address;
  char name[16];
} known[NAMES];
static int known_count, unnamed;
static ompt_id_t last_region, last_op, next_data = 1;

void tool_name(const void *address, const char *name) {
  for (int i = 0; i < known_count; i++)
    if (known[i].address == address) {
      snprintf(known[i].name, sizeof known[i].name, "%s", name);
      return;
    }
  if (known_count == NAMES) return;
  known[known_count].address = address;
  snprintf(known[known_count++].name, sizeof known[0].name, "%s", name);
}

static const char *say(const void *address) {
  if (!address) return "0";
  for (int i = 0; i < known_count; i++)
    if (known[i].address == address) return known[i].name;
  char name[16];
  snprintf(name, sizeof name, "d%d", ++unnamed);
  tool_name(address, name);
  return known[known_count - 1].address == address ? known[known_count - 1].name : "many";
}

static const char *endpoint(int e) {
  return e == ompt_scope_begin ? "begin" : e == ompt_scope_end ? "end" : "beginend";
}

/* Ids that the runtime assigns are unique. With _emi callbacks, an id is the value that the tool
 * wrote. */
static const char *region_is(ompt_id_t id, int e) {
  const char *what = !id                     ? "none"
                     : e == ompt_scope_begin ? (id > last_region && id > last_op ? "new" : "old")
                     : id == last_region     ? "same"
                                             : "other";
  if (e == ompt_scope_begin) last_region = id;
  return what;
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t e, int device, ompt_data_t *task,
                      ompt_id_t id, const void *code) {
  (void)task; /* libomp supplies the task */
  printf("target kind=%d %s device=%d id=%s code=%s\n", kind, endpoint(e), device, region_is(id, e),
         tool_place(code));
}

static void on_data_op(ompt_id_t target, ompt_id_t op, ompt_target_data_op_t kind, void *from,
                       int from_device, void *to, int to_device, size_t bytes, const void *code) {
  printf("data_op %s%s kind=%d %s@%d -> %s@%d %zu bytes code=%s\n",
         target == last_region ? ""
         : target              ? "of another region "
                               : "of no region ",
         op > last_op ? "new" : "old", kind, say(from), from_device, say(to), to_device, bytes,
         tool_place(code));
  last_op = op;
}

static void on_submit(ompt_id_t target, ompt_id_t op, unsigned teams) {
  printf("submit %s%s teams=%u\n", target == last_region ? "" : "of another region ",
         op > last_op ? "new" : "old", teams);
  last_op = op;
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t e, int device,
                          ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target,
                          const void *code) {
  const char *what = "NULL";
  /* data persists from begin to end */
  static uint64_t kept;
  if (!task || !target_task || (e == ompt_scope_end && task->value != kept))
    printf("task data NULL or lost\n");
  if (task && e == ompt_scope_begin) task->value = ++kept;
  if (target && e == ompt_scope_begin) {
    what = target->value ? "set" : "zero";
    target->value = next_data++;
  } else if (target) {
    what = target->value == next_data - 1 ? "kept" : "lost";
  }
  printf("target_emi kind=%d %s device=%d data=%s code=%s\n", kind, endpoint(e), device, what,
         tool_place(code));
}

static const char *data_of(ompt_data_t *target) {
  return !target                          ? "NULL"
         : target->value == next_data - 1 ? "kept"
         : target->value                  ? "old"
                                          : "zero";
}

static void on_data_op_emi(ompt_scope_endpoint_t e, ompt_data_t *task, ompt_data_t *target,
                           ompt_id_t *op, ompt_target_data_op_t kind, void *from, int from_device,
                           void *to, int to_device, size_t bytes, const void *code) {
  (void)task;
  static ompt_id_t given;
  const char *what = "NULL";
  if (op && e == ompt_scope_begin)
    *op = ++given, what = "given";
  else if (op)
    what = *op == given ? "kept" : "lost";
  printf("data_op_emi %s data=%s op=%s kind=%d %s@%d -> %s@%d %zu bytes code=%s\n", endpoint(e),
         data_of(target), what, kind, say(from), from_device, say(to), to_device, bytes,
         tool_place(code));
}

static void on_submit_emi(ompt_scope_endpoint_t e, ompt_data_t *target, ompt_id_t *op,
                          unsigned teams) {
  printf("submit_emi %s data=%s op=%s teams=%u\n", endpoint(e), data_of(target),
         op ? "there" : "NULL", teams);
}

static void on_device_initialize(int device, const char *type, ompt_device_t *handle,
                                 ompt_function_lookup_t lookup, const char *documentation) {
  printf("device_initialize %d type=%s handle=%s lookup=%s documentation=%s\n", device,
         type ? "given" : "NULL", handle ? "given" : "NULL", lookup ? "given" : "NULL",
         documentation ? documentation : "NULL");
}

static void on_device_finalize(int device) {
  printf("device_finalize %d\n", device);
}

static void on_device_load(int device, const char *file, int64_t offset, void *in_file,
                           size_t bytes, void *host, void *address, uint64_t module) {
  (void)module;
  printf("device_load %d file=%s offset=%lld vma=%s bytes=%s host=%s device=%s\n", device,
         file ? "given" : "NULL", (long long)offset, in_file ? "given" : "NULL",
         bytes ? "given" : "0", host ? "given" : "NULL", address ? "given" : "NULL");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  const char *form = getenv("TOOL_FORM"), *of_device = getenv("TOOL_DEVICE");
  if (!set) return 0;
  if (!of_device || *of_device != '0') {
    printf("set %d", set(ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize));
    printf(" %d", set(ompt_callback_device_finalize, (ompt_callback_t)on_device_finalize));
    printf(" %d\n", set(ompt_callback_device_load, (ompt_callback_t)on_device_load));
  }
  if (form && strcmp(form, "plain") == 0) {
    printf("set %d", set(ompt_callback_target, (ompt_callback_t)on_target));
    printf(" %d", set(ompt_callback_target_data_op, (ompt_callback_t)on_data_op));
    printf(" %d\n", set(ompt_callback_target_submit, (ompt_callback_t)on_submit));
  } else {
    printf("set %d", set(ompt_callback_target_emi, (ompt_callback_t)on_target_emi));
    printf(" %d", set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op_emi));
    printf(" %d\n", set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit_emi));
  }
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  printf("finalize\n");
  fflush(stdout);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  printf("start %s %s\n", version >= 201611 ? "version" : "old", runtime ? "runtime" : "NULL");
  return &result;
}
