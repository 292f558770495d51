#include "abi/include/omp-tools.h"
#include "abi/include/omp.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

#include <stdio.h>
#include <string.h>

#pragma weak ompt_start_tool
static int can_pause(omp_pause_resource_t kind) {
  return kind == omp_pause_soft || kind == omp_pause_hard ||
         (kind == omp_pause_stop_tool && !ompt_start_tool);
}

/* Returns the workers of the calling thread to the pool; -1 inside a parallel region. A hard pause ends
 * all pooled threads, and with them their threadprivate data. */
SOLO_EXPORT int omp_pause_resource_all(omp_pause_resource_t kind) {
  kmpc_thread *self = solo_kmp_self();
  if (!can_pause(kind)) return -1;
  if (self->context.team->active_level > 0) return -1;
  solo_kmp_worker_teams_release(self);
  if (kind == omp_pause_hard) solo_kmp_pool_end_workers();
  return 0;
}

/* NULL in a program without devices. */
extern int omp_get_num_devices(void) __attribute__((weak));

/* Succeeds without effect for a device, which has no resources to release. */
SOLO_EXPORT int omp_pause_resource(omp_pause_resource_t kind, int device_num) {
  int devices = omp_get_num_devices ? omp_get_num_devices() : 0;
  if (device_num < omp_initial_device || device_num > devices || !can_pause(kind)) return -1;
  if (device_num == devices || device_num == omp_initial_device)
    return omp_pause_resource_all(kind);
  return 0;
}

SOLO_EXPORT int omp_control_tool(int command, int modifier, void *arg) {
  (void)command, (void)modifier, (void)arg;
  return omp_control_tool_notool;
}

/* Converts a location such as ";file.c;function;12;3;;" to "file.c:12:3". */
static const char *place_of(const kmpc_ident *loc, char *text, size_t size) {
  const char *field[6] = {loc ? loc->source : NULL};
  for (int i = 1; i < 6; i++) {
    const char *end = field[i - 1] ? strchr(field[i - 1], ';') : NULL;
    field[i] = end ? end + 1 : NULL;
  }
  if (!field[5]) return "an unknown place";
  snprintf(text, size, "%.*s:%.*s:%.*s", (int)(field[2] - field[1] - 1), field[1],
           (int)(field[4] - field[3] - 1), field[3], (int)(field[5] - field[4] - 1), field[4]);
  return text;
}

void __kmpc_error(kmpc_ident *loc, int severity, const char *message);
SOLO_EXPORT void __kmpc_error(kmpc_ident *loc, int severity, const char *message) {
  char text[256];
  const char *place = place_of(loc, text, sizeof text);
  if (!message) message = "no message";
  if (severity == KMPC_SEVERITY_WARNING)
    solo_kmp_warn("%s: Encountered user-directed warning: %s.", place, message);
  else
    solo_kmp_fatal("%s: Encountered user-directed error: %s.", place, message);
}
