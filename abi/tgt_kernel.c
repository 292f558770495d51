#include "abi/depend.h"
#include "abi/nowait.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "abi/tgt_upgrade.h"
#include "runtime/construct/nowait_stream.h"
#include "runtime/device/resolve.h"
#include "runtime/launch/launch.h"
#include "runtime/trace/observer.h"

enum { OFFLOADED = 0, NOT_OFFLOADED = -1 };

/* For asynchronous devices: launches, and waits only if the task cannot store a handle. */
static SOLO_NOINLINE solo_status launch_nowait(solo_device *device,
                                               const solo_launch_request *request) {
  void **slot = tgt_handle_slot();
  if (!slot) {
    solo_nowait_join();
    return solo_launch(device, request);
  }
  solo_nowait_op *nowait = NULL;
  solo_status status = solo_launch_nowait(device, request, &nowait);
  *slot = nowait;
  return status;
}

SOLO_INLINE solo_status launch(ident_t *loc, int64_t number, int32_t teams, int32_t threads,
                               void *host_ptr, const tgt_kernel_args *args, uint32_t flags) {
  solo_device *device;
  SOLO_TRY(tgt_find_device(number, &device));
  solo_launch_request request;
  request.key = host_ptr;
  request.where = loc ? loc->psource : NULL;
  SOLO_TRY(tgt_read_kernel_args(args, &request));
  /* teams -1: no teams construct, so one team; 0: unspecified */
  if (!request.teams[0]) request.teams[0] = teams > 0 ? (uint32_t)teams : 0;
  if (teams < 0) request.teams[0] = 1;
  if (!request.threads[0] && threads > 0) request.threads[0] = (uint32_t)threads;
  request.flags |= flags;
  if (flags) request.begun = tgt_print_region;
  if (SOLO_UNLIKELY(request.flags & SOLO_LAUNCH_NOWAIT) && !solo_device_is_synchronous(device))
    return launch_nowait(device, &request);
  return solo_launch(device, &request);
}

static SOLO_COLD solo_status no_arguments(void) {
  return solo_fail(SOLO_INVALID, "__tgt_target_kernel: the kernel arguments are NULL; Clang 15 to "
                                 "22 do not emit such a call");
}

static SOLO_COLD int failed(ident_t *loc, solo_status status) {
  tgt_failed(status, TGT_REGION, loc ? loc->psource : NULL);
  solo_nowait_join(); /* the host version of the region must follow the task's dependences */
  return NOT_OFFLOADED;
}

/* Begins the region's event. Resolves the kernel first, so that a tool receives the load of the
 * image before the region. */
static SOLO_COLD void begin_region(solo_trace_event *region, int64_t device, ident_t *loc,
                                   const void *host_ptr, const tgt_kernel_args *args,
                                   const void *code) {
  solo_launch_request request;
  solo_device *on;
  solo_kernel *kernel;
  solo_status found = tgt_find_device(device, &on);
  if (found == SOLO_OK) found = solo_kernel_get(on, host_ptr, &kernel);
  (void)found;
  if (tgt_read_kernel_args(args, &request) != SOLO_OK) request.list.count = 0;
  tgt_begin_construct(region, SOLO_TRACE_REGION, device, loc, code, &request.list);
}

_Static_assert(SOLO_LAUNCH_PRINTED == (int)TGT_PRINTED, "one is made of the other");

static SOLO_COLD int launch_slow_path(ident_t *loc, int64_t device, int32_t teams, int32_t threads,
                                      void *host_ptr, tgt_kernel_args *args, const void *code) {
  uint32_t flags = tgt_slow_path_flags();
  if (flags & TGT_DISABLED) return failed(loc, SOLO_DISABLED);
  solo_trace_event region;
  begin_region(&region, device, loc, host_ptr, args, code);
  if (flags & TGT_TEAMS) tgt_apply_teams(device, &teams, &threads);
  solo_status status = launch(loc, device, teams, threads, host_ptr, args, flags & TGT_PRINTED);
  int result = status == SOLO_OK ? OFFLOADED : failed(loc, status);
  tgt_end_construct(&region, status);
  return result;
}

int __tgt_target_kernel(ident_t *loc, int64_t device, int32_t teams, int32_t threads,
                        void *host_ptr, tgt_kernel_args *args) {
  if (SOLO_UNLIKELY(!args)) return failed(loc, no_arguments());
  if (SOLO_UNLIKELY(tgt_slow_path_flags()))
    return launch_slow_path(loc, device, teams, threads, host_ptr, args,
                            __builtin_return_address(0));
  solo_status status = launch(loc, device, teams, threads, host_ptr, args, 0);
  return SOLO_LIKELY(status == SOLO_OK) ? OFFLOADED : failed(loc, status);
}

int __tgt_target_kernel_nowait(ident_t *loc, int64_t device, int32_t teams, int32_t threads,
                               void *host_ptr, tgt_kernel_args *args, int32_t ndep, void *deps,
                               int32_t ndep_na, void *deps_na) {
  tgt_wait_dependences(loc, ndep, deps, ndep_na, deps_na);
  if (SOLO_UNLIKELY(!args)) return failed(loc, no_arguments());
  uint32_t slow_path_flags = tgt_slow_path_flags();
  if (slow_path_flags & TGT_DISABLED) return failed(loc, SOLO_DISABLED);
  solo_trace_event region;
  if (slow_path_flags)
    begin_region(&region, device, loc, host_ptr, args, __builtin_return_address(0));
  if (slow_path_flags & TGT_TEAMS) tgt_apply_teams(device, &teams, &threads);
  solo_status status = launch(loc, device, teams, threads, host_ptr, args,
                              SOLO_LAUNCH_NOWAIT | (slow_path_flags & TGT_PRINTED));
  if (slow_path_flags) tgt_end_construct(&region, status);
  return SOLO_LIKELY(status == SOLO_OK) ? OFFLOADED : failed(loc, status);
}
