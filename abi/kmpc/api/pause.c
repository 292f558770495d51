/* omp_pause_resource, omp_control_tool, __kmpc_error and the other odd ones. */
#include "abi/include/omp.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

/* Pausing the host gives the calling thread's workers back to the pool, where they sleep. */
SOLO_EXPORT int omp_pause_resource_all(omp_pause_resource_t kind) {
  kmpc_thread *self = solo_kmp_self();
  if (kind != omp_pause_soft && kind != omp_pause_hard) return -1;
  if (self->context.team->active_level > 0) return -1; /* not inside a parallel region */
  solo_kmp_worker_teams_release(self);
  return 0;
}

/* The core's; a program without devices has no core. */
extern int omp_get_num_devices(void) __attribute__((weak));

/* Devices keep no resources that a pause could free. */
SOLO_EXPORT int omp_pause_resource(omp_pause_resource_t kind, int device_num) {
  int devices = omp_get_num_devices ? omp_get_num_devices() : 0;
  if (device_num < omp_initial_device || device_num > devices) return -1;
  return omp_pause_resource_all(kind);
}

SOLO_EXPORT int omp_control_tool(int command, int modifier, void *arg) {
  (void)command, (void)modifier, (void)arg;
  return omp_control_tool_notool;
}

/* The error directive at run time. */
void __kmpc_error(kmpc_ident *loc, int severity, const char *message);
SOLO_EXPORT void __kmpc_error(kmpc_ident *loc, int severity, const char *message) {
  const char *where = loc && loc->source ? loc->source : ";unknown;unknown;0;0;;";
  if (!message) message = "error directive";
  if (severity == KMPC_SEVERITY_WARNING)
    solo_kmp_warn("%s (at %s)", message, where);
  else
    solo_kmp_fatal("%s (at %s)", message, where);
}
