/* target data, enter data, exit data and update. */
#include "abi/depend.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "abi/tgt_upgrade.h"
#include "runtime/map_args.h"
#include "runtime/mapper.h"

typedef solo_status data_operation(solo_construct *c, const solo_map_list *list);

static solo_status begin(solo_construct *c, const solo_map_list *list) {
  return solo_map_enter(c, list);
}

static solo_status end(solo_construct *c, const solo_map_list *list) {
  return solo_map_end(c, list, NULL);
}

SOLO_INLINE void run(data_operation *operation, const char *function, TGT_DATA_PARAMETERS) {
  const char *where = loc ? loc->psource : NULL;
  solo_map_list list = {count, bases, begins, sizes, types, names, mappers};
  solo_device *on;
  solo_status status = tgt_get_device(device, &on);
  if (SOLO_LIKELY(status == SOLO_OK)) status = tgt_check_list(&list, function);
  if (SOLO_LIKELY(status == SOLO_OK)) {
    solo_construct c;
    status = solo_construct_open(&c, on, where);
    if (SOLO_LIKELY(status == SOLO_OK)) status = operation(&c, &list);
    status = solo_construct_close(&c, status);
  }
  if (SOLO_UNLIKELY(status != SOLO_OK)) tgt_failed(status, TGT_DATA, where);
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

/* The nowait forms are called inside task bodies whose dependences are already met; the arguments
 * are honoured when somebody calls them directly. */
void __tgt_target_data_begin_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES) {
  tgt_wait_dependences(loc, ndep, deps, ndep_na, deps_na);
  run(begin, "__tgt_target_data_begin", TGT_DATA_ARGUMENTS);
}

void __tgt_target_data_end_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES) {
  tgt_wait_dependences(loc, ndep, deps, ndep_na, deps_na);
  run(end, "__tgt_target_data_end", TGT_DATA_ARGUMENTS);
}

void __tgt_target_data_update_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES) {
  tgt_wait_dependences(loc, ndep, deps, ndep_na, deps_na);
  run(solo_map_update, "__tgt_target_data_update", TGT_DATA_ARGUMENTS);
}

/* What a mapper was given was not what it hands on. */
static SOLO_COLD void no_components(const char *function) {
  tgt_failed(solo_fail(SOLO_INVALID,
                       "%s: the component list is NULL: a mapper must pass on the handle it was "
                       "called with",
                       function),
             TGT_SETUP, NULL);
}

int64_t __tgt_mapper_num_components(void *components) {
  if (SOLO_UNLIKELY(!components)) {
    no_components("__tgt_mapper_num_components");
    return 0;
  }
  return ((const solo_components *)components)->count;
}

void __tgt_push_mapper_component(void *components, void *base, void *begin_address, int64_t size,
                                 int64_t type, void *name) {
  if (SOLO_UNLIKELY(!components)) {
    no_components("__tgt_push_mapper_component");
    return;
  }
  solo_components_push(components, base, begin_address, size, type, name);
}
