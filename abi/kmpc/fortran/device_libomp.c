/* The interface of device.h over libomp. The references to libomp are weak, because static programs
 * do not contain libomp. */
#include "abi/kmpc/fortran/device.h"

#include "runtime/base/assert.h"
#include "runtime/base/log.h"
#include <string.h>

typedef struct kmpc_ident kmpc_ident;
typedef void (*kmpc_micro)(int32_t *gtid, int32_t *tid, ...);

extern int omp_get_thread_num(void) SOLO_WEAK;
extern int omp_get_num_threads(void) SOLO_WEAK;
extern int32_t __kmpc_global_thread_num(kmpc_ident *) SOLO_WEAK;
extern void __kmpc_barrier(kmpc_ident *, int32_t) SOLO_WEAK;
extern void __kmpc_push_num_threads(kmpc_ident *, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_push_proc_bind(kmpc_ident *, int32_t, int32_t) SOLO_WEAK;
extern void __kmpc_fork_call(kmpc_ident *, int32_t, kmpc_micro, ...) SOLO_WEAK;
extern void __kmpc_serialized_parallel(kmpc_ident *, int32_t) SOLO_WEAK;
extern void __kmpc_end_serialized_parallel(kmpc_ident *, int32_t) SOLO_WEAK;

typedef struct forked {
  const solo_device_region *region;
  solo_target_context place;
} forked;

/* flang passes at most one pointer to a record */
enum { MOST_ARGUMENTS = 4 };

static void call_micro(const solo_device_region *region, int32_t *gtid, int32_t *tid) {
  void *a[MOST_ARGUMENTS] = {0};
  kmpc_micro micro;
  memcpy(&micro, &region->micro, sizeof micro);
  for (int32_t i = 0; i < region->count; i++) a[i] = region->args[i];
  micro(gtid, tid, a[0], a[1], a[2], a[3]);
}

static void run_forked(int32_t *gtid, int32_t *tid, forked *f) {
  solo_target_context outer = solo_target_current;
  solo_target_current = f->place;
  call_micro(f->region, gtid, tid);
  solo_target_current = outer;
}

void solo_device_fork(kmpc_ident *loc, const solo_device_region *region) {
  int32_t gtid = __kmpc_global_thread_num(loc), zero = 0;
  if (SOLO_UNLIKELY(region->count > MOST_ARGUMENTS)) {
    solo_warn("a parallel region of a CPU kernel with %d arguments: no more than %d are supported",
              region->count, MOST_ARGUMENTS);
    __builtin_trap();
  }
  if (solo_target_current.is_plain) {
    SOLO_ASSERT(solo_target_current.is_alone,
                "a kernel inside a host parallel region has more than one thread");
    solo_target_enter_alone();
    call_micro(region, &gtid, &zero);
    solo_target_leave_alone();
    return;
  }
  if (region->serial) {
    __kmpc_serialized_parallel(loc, gtid);
    call_micro(region, &gtid, &zero);
    __kmpc_end_serialized_parallel(loc, gtid);
    return;
  }
  if (region->threads > 0) __kmpc_push_num_threads(loc, gtid, region->threads);
  if (region->bind >= 0) __kmpc_push_proc_bind(loc, gtid, region->bind);
  forked f = {region, solo_target_current};
  f.place.libomp_thread = 0; /* none: libomp gives each thread its own number */
  /* reductions must lock: other teams run concurrently, and flang reduces across the league */
  f.place.is_alone = f.place.is_serialized = 0;
  __kmpc_fork_call(loc, 1, (kmpc_micro)run_forked, &f);
}

void solo_device_barrier(kmpc_ident *loc) {
  if (!solo_target_current.is_plain) __kmpc_barrier(loc, __kmpc_global_thread_num(loc));
}

solo_device_part solo_device_thread(void) {
  /* libomp would return the number in the host's team */
  if (solo_target_current.is_plain) return (solo_device_part){0, 1};
  return (solo_device_part){(uint64_t)omp_get_thread_num(), (uint64_t)omp_get_num_threads()};
}

void solo_device_no_memory(void) {
  solo_warn("out of memory for a variable that threads share");
  __builtin_trap();
}
