/* omp_* functions for Fortran programs that declare them without omp_lib: names have a trailing
 * underscore, arguments are passed by reference, logical values are integers. */
#include "abi/include/omp.h"
#include "runtime/base/platform.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define GETTER(type, name)                                                                         \
  SOLO_EXPORT type omp_##name##_(void) {                                                           \
    return (type)omp_##name();                                                                     \
  }
GETTER(int, get_num_threads)
GETTER(int, get_max_threads)
GETTER(int, get_thread_num)
GETTER(int, get_num_procs)
GETTER(int, in_parallel)
GETTER(int, in_final)
GETTER(int, in_explicit_task)
GETTER(int, get_dynamic)
GETTER(int, get_nested)
GETTER(int, get_thread_limit)
GETTER(int, get_max_active_levels)
GETTER(int, get_supported_active_levels)
GETTER(int, get_level)
GETTER(int, get_active_level)
GETTER(int, get_cancellation)
GETTER(int, get_proc_bind)
GETTER(int, get_num_places)
GETTER(int, get_place_num)
GETTER(int, get_partition_num_places)
GETTER(int, get_default_device)
GETTER(int, get_num_devices)
GETTER(int, get_initial_device)
GETTER(int, get_device_num)
GETTER(int, is_initial_device)
GETTER(int, get_num_teams)
GETTER(int, get_team_num)
GETTER(int, get_max_teams)
GETTER(int, get_teams_thread_limit)
GETTER(int, get_max_task_priority)
GETTER(double, get_wtime)
GETTER(double, get_wtick)
GETTER(omp_allocator_handle_t, get_default_allocator)

#define GETTER_OF(type, name, of)                                                                  \
  SOLO_EXPORT type omp_##name##_(const of *value) {                                                \
    return (type)omp_##name(*value);                                                               \
  }
GETTER_OF(int, get_ancestor_thread_num, int)
GETTER_OF(int, get_team_size, int)
GETTER_OF(int, get_place_num_procs, int)
GETTER_OF(int, pause_resource_all, omp_pause_resource_t)

#define SETTER(name, type)                                                                         \
  SOLO_EXPORT void omp_##name##_(const type *value) {                                              \
    omp_##name(*value);                                                                            \
  }
SETTER(set_num_threads, int)
SETTER(set_dynamic, int)
SETTER(set_nested, int)
SETTER(set_max_active_levels, int)
SETTER(set_default_device, int)
SETTER(set_num_teams, int)
SETTER(set_teams_thread_limit, int)
SETTER(display_env, int)
SETTER(set_default_allocator, omp_allocator_handle_t)
SETTER(destroy_allocator, omp_allocator_handle_t)

/* The argument has the attribute VALUE in GCC's module omp_lib. */
SOLO_EXPORT void omp_fulfill_event_(omp_event_handle_t event) {
  omp_fulfill_event(event);
}

SOLO_EXPORT int omp_pause_resource_(const omp_pause_resource_t *kind, const int *device) {
  return omp_pause_resource(*kind, *device);
}

SOLO_EXPORT void omp_set_schedule_(const omp_sched_t *kind, const int *chunk) {
  omp_set_schedule(*kind, *chunk);
}

SOLO_EXPORT void omp_get_schedule_(omp_sched_t *kind, int *chunk) {
  omp_get_schedule(kind, chunk);
}

SOLO_EXPORT void omp_get_place_proc_ids_(const int *place, int *ids) {
  omp_get_place_proc_ids(*place, ids);
}

SOLO_EXPORT void omp_get_partition_place_nums_(int *places) {
  omp_get_partition_place_nums(places);
}

SOLO_EXPORT int omp_control_tool_(const omp_control_tool_t *command, const int *modifier,
                                  void *argument) {
  return omp_control_tool(*command, *modifier, argument);
}

_Static_assert(sizeof(omp_lock_t) == 8 && sizeof(omp_nest_lock_t) == 8, "omp_lock_kind is 8");

#define LOCKS(kind)                                                                                \
  SOLO_EXPORT void omp_init_##kind##_(omp_##kind##_t *lock) {                                      \
    omp_init_##kind(lock);                                                                         \
  }                                                                                                \
  SOLO_EXPORT void omp_init_##kind##_with_hint_(omp_##kind##_t *lock,                              \
                                                const omp_sync_hint_t *hint) {                     \
    omp_init_##kind##_with_hint(lock, *hint);                                                      \
  }                                                                                                \
  SOLO_EXPORT void omp_destroy_##kind##_(omp_##kind##_t *lock) {                                   \
    omp_destroy_##kind(lock);                                                                      \
  }                                                                                                \
  SOLO_EXPORT void omp_set_##kind##_(omp_##kind##_t *lock) {                                       \
    omp_set_##kind(lock);                                                                          \
  }                                                                                                \
  SOLO_EXPORT void omp_unset_##kind##_(omp_##kind##_t *lock) {                                     \
    omp_unset_##kind(lock);                                                                        \
  }                                                                                                \
  SOLO_EXPORT int omp_test_##kind##_(omp_##kind##_t *lock) {                                       \
    return omp_test_##kind(lock);                                                                  \
  }
LOCKS(lock)
LOCKS(nest_lock)
