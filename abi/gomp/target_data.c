/* Data constructs in objects of GCC. On the host they have no effect. GCC reads the translated addresses of use_device_ptr
 * from the array `hosts`. */
#include "abi/gomp/internal.h"
#include "abi/gomp/map.h"
#include "abi/gomp/presence.h"
#include "abi/include/omp.h"

#include <stdlib.h>

enum { FLAG_EXIT = 2 };

/* The open target data constructs of the thread, if the program has a device. */
static _Thread_local gomp_map *innermost;

static void ignore_old_format(int device) {
  (void)solo_gomp_device(solo_kmp_self(), device);
}

/* For GCC before version 5. */
SOLO_EXPORT void GOMP_target_data(int device, const void *unused, size_t count, void **hosts,
                                  size_t *sizes, unsigned char *kinds) {
  (void)unused, (void)count, (void)hosts, (void)sizes, (void)kinds;
  ignore_old_format(device);
  GOMP_target_data_ext(-2, 0, NULL, NULL, NULL);
}

SOLO_EXPORT void GOMP_target_data_ext(int device, size_t count, void **hosts, size_t *sizes,
                                      unsigned short *kinds) {
  int32_t number = solo_gomp_device(solo_kmp_self(), device);
  if (!omp_get_num_devices()) return;
  gomp_map_list list = {number == GOMP_ON_HOST ? 0 : count, hosts, sizes, kinds};
  gomp_map *map = solo_gomp_map_make(number, &list, GOMP_MAP_BEGINS);
  map->outer = innermost;
  innermost = map;
  if (number == GOMP_ON_HOST) return;
  solo_gomp_map_begin(map);
  solo_gomp_map_return(map, &list);
}

SOLO_EXPORT void GOMP_target_end_data(void) {
  gomp_map *map = innermost;
  if (!map) return;
  innermost = map->outer;
  if (map->device != GOMP_ON_HOST) solo_gomp_map_end(map);
  free(map);
}

SOLO_EXPORT void GOMP_target_update(int device, const void *unused, size_t count, void **hosts,
                                    size_t *sizes, unsigned char *kinds) {
  (void)unused, (void)count, (void)hosts, (void)sizes, (void)kinds;
  ignore_old_format(device);
}

static void execute(gomp_map_use use, int device, const gomp_map_list *list, void **depend) {
  static void (*const operation[])(gomp_map * map) = {
      [GOMP_MAP_BEGINS] = solo_gomp_map_begin,
      [GOMP_MAP_ENDS] = solo_gomp_map_end,
      [GOMP_MAP_UPDATES] = solo_gomp_map_update,
  };
  kmpc_thread *self = solo_kmp_self();
  solo_gomp_depend_wait(depend);
  int32_t number = solo_gomp_device(self, device);
  if (number == GOMP_ON_HOST) return;
  gomp_map *map = solo_gomp_map_make(number, list, use);
  operation[use](map);
  free(map);
}

SOLO_EXPORT void GOMP_target_update_ext(int device, size_t count, void **hosts, size_t *sizes,
                                        unsigned short *kinds, unsigned flags, void **depend) {
  gomp_map_list list = {count, hosts, sizes, kinds};
  (void)flags;
  execute(GOMP_MAP_UPDATES, device, &list, depend);
}

SOLO_EXPORT void GOMP_target_enter_exit_data(int device, size_t count, void **hosts, size_t *sizes,
                                             unsigned short *kinds, unsigned flags, void **depend) {
  gomp_map_list list = {count, hosts, sizes, kinds};
  execute(flags & FLAG_EXIT ? GOMP_MAP_ENDS : GOMP_MAP_BEGINS, device, &list, depend);
}
