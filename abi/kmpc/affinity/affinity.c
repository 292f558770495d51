/* Binds the threads of a team to places (OpenMP 5.2, 10.1.3). Without a proc_bind policy, a region
 * changes no bindings. At the end of a region the primary thread restores its place partition. */
#include "abi/kmpc/affinity/partition.h"
#include "abi/kmpc/affinity/places.h"
#include "abi/kmpc/team/worker_team.h"

static void mask_of(const kmpc_places *list, kmpc_partition partition, kmpc_mask *out_mask) {
  *out_mask = list->all;
  if (!partition.count) return;
  *out_mask = (kmpc_mask){{0}};
  for (int32_t p = partition.first; p < partition.first + partition.count; p++)
    for (size_t i = 0; i < KMPC_CPUS / 64; i++) out_mask->bits[i] |= list->place[p].bits[i];
}

static void move_to(kmpc_thread *self, int32_t place) {
  const kmpc_places *list = solo_kmp_places();
  kmpc_mask mask;
  self->place = place;
  if (place >= 0 && place < list->count) {
    solo_kmp_mask_set(&list->place[place]);
  } else {
    mask_of(list, self->partition, &mask);
    solo_kmp_mask_set(&mask);
  }
}

void solo_kmp_worker_apply_place(kmpc_thread *self, const kmpc_worker *worker) {
  self->place_version = worker->place_version;
  self->partition = worker->partition;
  if (worker->place < 0 || worker->place != self->place) move_to(self, worker->place);
}

/* Stores the place of a worker. The next fork word, or the store of worker->worker_team, publishes
 * the assignment. */
static void assign_worker(kmpc_worker *worker, kmpc_place_assignment assignment) {
  if (worker->place == assignment.place && worker->partition.first == assignment.partition.first &&
      worker->partition.count == assignment.partition.count)
    return;
  worker->place = assignment.place;
  worker->partition = assignment.partition;
  worker->place_version++;
}

void solo_kmp_reset_place(kmpc_worker *worker, const kmpc_worker_team *worker_team) {
  assign_worker(worker, (kmpc_place_assignment){-1, worker_team->master->partition});
  if (worker_team->master->place >= 0) worker->place_version++;
}

static int is_assigned(const kmpc_place_policy *place_policy, const kmpc_thread *master,
                       int32_t bind, int32_t size) {
  return place_policy->size == size && place_policy->bind == bind &&
         place_policy->place == master->place &&
         place_policy->whole.first == master->partition.first &&
         place_policy->whole.count == master->partition.count;
}

kmpc_partition solo_kmp_assign_places(kmpc_thread *self, kmpc_worker_team *worker_team,
                                      int32_t bind) {
  kmpc_place_policy *place_policy = &worker_team->place_policy;
  kmpc_partition before = self->partition, whole = before;
  int32_t size = worker_team->team.size;
  if (SOLO_LIKELY(is_assigned(place_policy, self, bind, size))) {
    self->partition = place_policy->own;
    return before;
  }
  if (!whole.count) whole.count = solo_kmp_places()->count;
  if (!whole.count) return before;
  if (self->place < whole.first || self->place >= whole.first + whole.count)
    move_to(self, whole.first);
  for (int32_t tid = 1; tid < size; tid++)
    assign_worker(worker_team->worker[tid - 1],
                  solo_kmp_place_assignment(whole, self->place, bind, tid, size));
  self->partition = solo_kmp_place_assignment(whole, self->place, bind, 0, size).partition;
  worker_team->tree.size = 0;
  *place_policy = (kmpc_place_policy){size, bind, self->place, before, self->partition};
  return before;
}

void solo_kmp_display_affinity_if_changed(kmpc_thread *self) {
  if (!solo_kmp_config()->display_affinity) {
    self->shown = KMPC_NOT_SHOWN;
    return;
  }
  const kmpc_team *team = self->context.team;
  uint32_t number = (uint32_t)team->level;
  number = number * 31 + (uint32_t)self->context.tid;
  number = number * 31 + (uint32_t)team->size;
  number = number * 31 + (uint32_t)team->proc_bind;
  /* even, so that it differs from KMPC_NOT_SHOWN */
  number = (number * 31 + (uint32_t)self->place) << 1;
  if (number != self->shown) solo_kmp_affinity_show(NULL);
  self->shown = number;
}
