/* Binding: which place a team's threads get (OpenMP 5.2, 10.1.3).
 *
 * Only regions whose proc_bind is set come here. The place partition is always the whole list:
 * spread distributes over it, nested regions start from their master's place.
 */
#include "abi/kmpc/crew.h"
#include "abi/kmpc/places.h"

/* close: neighbours of the master's place; several threads per place when there are more. */
static int32_t close_place(int32_t tid, int32_t size, int32_t count) {
  if (size <= count) return tid;
  return (int32_t)((int64_t)tid * count / size);
}

/* spread: the first place of each of `size` equal parts. */
static int32_t spread_place(int32_t tid, int32_t size, int32_t count) {
  if (size > count) return close_place(tid, size, count);
  return (int32_t)((int64_t)tid * count / size);
}

void solo_kmp_place_self(kmpc_thread *self, int32_t place) {
  const kmpc_places *list = solo_kmp_places();
  self->place = place;
  if (place >= 0 && place < list->count) solo_kmp_mask_set(&list->place[place]);
}

void solo_kmp_place_crew(kmpc_thread *self, kmpc_crew *crew, int32_t bind) {
  int32_t count = solo_kmp_places()->count;
  int32_t size = crew->team.size;
  if (count == 0) return;
  if (self->place < 0) solo_kmp_place_self(self, 0);
  for (int32_t tid = 1; tid < size; tid++) {
    int32_t step = bind == KMPC_BIND_PRIMARY  ? 0
                   : bind == KMPC_BIND_SPREAD ? spread_place(tid, size, count)
                                              : close_place(tid, size, count);
    crew->worker[tid - 1]->place = (self->place + step) % count; /* published by the fork word */
  }
}

void solo_kmp_show_affinity(kmpc_thread *self) {
  self->shown = 1;
  if (!solo_kmp_config()->display_affinity) return;
  char line[1024];
  solo_kmp_affinity_text(line, sizeof line, NULL);
  solo_kmp_line(line);
}
