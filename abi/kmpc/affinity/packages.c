/* The package (socket) of each place. The tree of a large team groups threads by package
 * (team/tree_sync.c). */
#include "abi/kmpc/affinity/places.h"
#include "abi/kmpc/affinity/topology.h"

#include <stdlib.h>

static int32_t first_of(const kmpc_mask *place) {
  int32_t cpu = 0;
  while (cpu < KMPC_CPUS - 1 && !solo_kmp_mask_has(place, cpu)) cpu++;
  return cpu;
}

const int32_t *solo_kmp_place_packages(void) {
  static int32_t *_Atomic made;
  const kmpc_places *list = solo_kmp_places();
  int32_t *known = solo_load_acquire(&made), *key; /* pairs with solo_kmp_place_packages */
  if (known || list->count <= 0) return known;
  key = calloc(KMPC_CPUS, sizeof *key);
  int32_t *package = malloc((size_t)list->count * sizeof *package);
  if (key && package) {
    solo_kmp_topology("/sys/devices/system/cpu", KMPC_UNIT_SOCKET, &list->all, key);
    for (int32_t p = 0; p < list->count; p++) package[p] = key[first_of(&list->place[p])];
    /* pairs with solo_kmp_place_packages: the list is complete */
    if (solo_cas_acq_rel(&made, &known, package)) {
      known = package;
      package = NULL;
    }
  }
  free(key);
  free(package);
  return known;
}
