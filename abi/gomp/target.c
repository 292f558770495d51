/* Target constructs in objects of GCC. GCC has no device code for solo's devices, so the host function of
 * a region executes: with the host's data, or with the data of a CPU device (device.c). */
#include "abi/gomp/internal.h"
#include "abi/gomp/map.h"
#include "abi/gomp/presence.h"
#include "abi/kmpc/env/icv.h"

#include <stdlib.h>
#include <string.h>

enum { KIND_MASK = 0xff, KIND_FIRSTPRIVATE = 12, ALIGNMENT_SHIFT = 8 };
enum { ARGUMENT_IN_NEXT = 1 << 7, ARGUMENT_MASK = 0xff00, ARGUMENT_THREAD_LIMIT = 0x200 };
enum { ARGUMENT_SHIFT = 16 };

typedef struct target_frame {
  kmpc_solo_frame solo;
  kmpc_league league;
} target_frame;

static void enter(kmpc_thread *self, target_frame *target, int32_t device, int32_t limit) {
  const kmpc_config *config = solo_kmp_config();
  kmpc_solo_frame *frame = &target->solo;
  solo_kmp_team_of_one(&frame->team, self);
  frame->team.level = 0;
  frame->team.active_level = 0;
  frame->team.parent = NULL;
  frame->team.device = device;
  frame->team.league = &target->league;
  frame->team.icvs = config->initial_icvs;
  frame->team.group = &frame->group;
  frame->group.limit = 0;
  frame->group.strict_limit =
      limit > 0 && limit < config->thread_limit ? limit : config->thread_limit;
  solo_store_relaxed(&frame->group.used, 1); /* not shared yet */
  target->league = (kmpc_league){.teams = 1, .width = 1};
  solo_kmp_push_context(self, &frame->frame, &frame->team, 0);
  solo_gomp_begin_part();
}

static void leave(kmpc_thread *self, target_frame *target) {
  /* relaxed: only this thread stores task_team */
  if (solo_load_relaxed(&target->solo.team.task_team)) solo_kmp_finish_tasks(self);
  solo_kmp_pop_context(self, &target->solo.frame);
}

static void run(kmpc_thread *self, gomp_function *body, void **arguments, int32_t device,
                int32_t limit) {
  target_frame frame;
  enter(self, &frame, device, limit);
  body(arguments);
  leave(self, &frame);
}

static void run_on_device(kmpc_thread *self, gomp_function *body, const gomp_map_list *list,
                          int32_t device, int32_t limit) {
  void *few[16], **arguments = few;
  gomp_map *map = solo_gomp_map_make(device, list, GOMP_MAP_REGION);
  if (list->count > sizeof few / sizeof *few &&
      !(arguments = malloc(list->count * sizeof *arguments)))
    solo_kmp_fatal("out of memory for the arguments of a target region");
  solo_gomp_map_begin(map);
  solo_gomp_map_arguments(map, list, arguments);
  run(self, body, arguments, device, limit);
  solo_gomp_map_end(map);
  if (arguments != few) free(arguments);
  free(map);
}

/* Returns whether the entry is a firstprivate variable. An absent optional argument of Fortran has
 * address NULL. */
static int is_private(const void *host, unsigned short kind) {
  return (kind & KIND_MASK) == KIND_FIRSTPRIVATE && host;
}

/* Copies the firstprivate variables, and replaces their addresses. Returns the memory of the copies, or
 * NULL. */
static char *copy_private(size_t count, void **hosts, const size_t *sizes,
                          const unsigned short *kinds) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    if (is_private(hosts[i], kinds[i]))
      bytes += sizes[i] + ((size_t)1 << (kinds[i] >> ALIGNMENT_SHIFT));
  if (!bytes) return NULL;
  char *block = malloc(bytes);
  if (!block) solo_kmp_fatal("out of memory for the firstprivate variables of a target region");
  uintptr_t at = (uintptr_t)block;
  for (size_t i = 0; i < count; i++) {
    if (!is_private(hosts[i], kinds[i])) continue;
    uintptr_t alignment = (uintptr_t)1 << (kinds[i] >> ALIGNMENT_SHIFT);
    at = (at + alignment - 1) & ~(alignment - 1);
    hosts[i] = memcpy((void *)at, hosts[i], sizes[i]);
    at += sizes[i];
  }
  return block;
}

static int32_t thread_limit(void **arguments) {
  while (arguments && *arguments) {
    uintptr_t word = (uintptr_t)*arguments++;
    uintptr_t value = word & ARGUMENT_IN_NEXT ? (uintptr_t)*arguments++
                                              : (uintptr_t)((intptr_t)word >> ARGUMENT_SHIFT);
    if ((word & ARGUMENT_MASK) == ARGUMENT_THREAD_LIMIT) return (int32_t)value;
  }
  return 0;
}

/* With nowait, too, the region ends before the function returns; OpenMP permits this. */
SOLO_EXPORT void GOMP_target_ext(int device, gomp_function *body, size_t count, void **hosts,
                                 size_t *sizes, unsigned short *kinds, unsigned flags,
                                 void **depend, void **arguments) {
  (void)flags;
  solo_gomp_depend_wait(depend);
  kmpc_thread *self = solo_kmp_self();
  int32_t number = solo_gomp_device(self, device), limit = thread_limit(arguments);
  char *copies = copy_private(count, hosts, sizes, kinds);
  gomp_map_list list = {count, hosts, sizes, kinds};
  if (number == GOMP_ON_HOST)
    run(self, body, hosts, self->context.team->device, limit);
  else
    run_on_device(self, body, &list, number, limit);
  free(copies);
}

/* For GCC before version 6, which emits no firstprivate variables. */
SOLO_EXPORT void GOMP_target(int device, gomp_function *body, const void *unused, size_t count,
                             void **hosts, size_t *sizes, unsigned char *kinds) {
  (void)unused, (void)count, (void)sizes, (void)kinds;
  (void)solo_gomp_device(solo_kmp_self(), device);
  run(solo_kmp_self(), body, hosts, solo_kmp_self()->context.team->device, 0);
}

/* Begins the next team. Returns false if all teams have ended. */
static bool next_team(unsigned teams, unsigned limit, bool is_first) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_team *team = self->context.team;
  kmpc_league *league = team->league;
  if (!league) return is_first;
  /* relaxed: only this thread stores task_team */
  if (solo_load_relaxed(&team->task_team)) solo_kmp_finish_tasks(self);
  if (!is_first) return ++league->team < league->teams;
  league->teams = teams ? (int32_t)teams : 1;
  league->team = 0;
  if (limit && (int32_t)limit < team->group->strict_limit) {
    league->thread_limit = (int32_t)limit;
    team->group->strict_limit = (int32_t)limit;
    team->group->limit = 0;
  }
  return true;
}

SOLO_EXPORT bool GOMP_teams4(unsigned low, unsigned high, unsigned thread_limit, bool is_first) {
  (void)high;
  return next_team(low, thread_limit, is_first);
}

SOLO_EXPORT void GOMP_teams(unsigned teams, unsigned thread_limit) {
  (void)teams;
  (void)next_team(1, thread_limit, true);
}
