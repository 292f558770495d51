/* omp_* functions with integer(8) arguments, to which GCC's omp_lib binds (gfortran
 * -fdefault-integer-8). A value that int cannot represent becomes the nearest int. */
#include "abi/include/omp.h"
#include "runtime/base/platform.h"
#include <limits.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static int to_int(int64_t value) {
  return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (int)value;
}

#define SETTER(name)                                                                               \
  SOLO_EXPORT void omp_##name##_8_(const int64_t *value) {                                         \
    omp_##name(to_int(*value));                                                                    \
  }
SETTER(set_num_threads)
SETTER(set_max_active_levels)
SETTER(set_default_device)
SETTER(set_num_teams)
SETTER(set_teams_thread_limit)

#define FLAG_SETTER(name)                                                                          \
  SOLO_EXPORT void omp_##name##_8_(const int64_t *value) {                                         \
    omp_##name(*value != 0);                                                                       \
  }
FLAG_SETTER(set_dynamic)
FLAG_SETTER(set_nested)
FLAG_SETTER(display_env)

#define GETTER(name)                                                                               \
  SOLO_EXPORT int32_t omp_##name##_8_(const int64_t *value) {                                      \
    return omp_##name(to_int(*value));                                                             \
  }
GETTER(get_ancestor_thread_num)
GETTER(get_team_size)
GETTER(get_place_num_procs)

SOLO_EXPORT void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk) {
  omp_set_schedule((omp_sched_t)*kind, to_int(*chunk));
}

SOLO_EXPORT void omp_get_schedule_8_(int32_t *kind, int64_t *chunk) {
  omp_sched_t found;
  int size;
  omp_get_schedule(&found, &size);
  *kind = (int32_t)found;
  *chunk = size;
}

static void widen(int64_t *array, int count) {
  for (int i = count; i-- > 0;) {
    int value;
    memcpy(&value, (const char *)array + (size_t)i * sizeof value, sizeof value);
    array[i] = value;
  }
}

SOLO_EXPORT void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids) {
  int number = to_int(*place);
  omp_get_place_proc_ids(number, (int *)(void *)ids);
  widen(ids, omp_get_place_num_procs(number));
}

SOLO_EXPORT void omp_get_partition_place_nums_8_(int64_t *places) {
  omp_get_partition_place_nums((int *)(void *)places);
  widen(places, omp_get_partition_num_places());
}

SOLO_EXPORT omp_allocator_handle_t omp_init_allocator_8_(const omp_memspace_handle_t *space,
                                                         const int64_t *count,
                                                         omp_alloctrait_t traits[]) {
  return omp_init_allocator(*space, to_int(*count), traits);
}
