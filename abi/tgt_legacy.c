/* Entry points that old compilers call. They convert the arguments and call the current entry points. */
#include "abi/depend.h"
#include "abi/tgt.h"

#define OLD_DATA                                                                                   \
  int64_t device, int32_t count, void **bases, void **begins, int64_t *sizes, int64_t *types
#define OLD_REGION                                                                                 \
  int64_t device, void *host_ptr, int32_t count, void **bases, void **begins, int64_t *sizes,      \
      int64_t *types
#define OLD_REGION_IDENT ident_t *loc, OLD_REGION, void **names, void **mappers

/* Version 1, because these compilers' kernels have no hidden parameter. */
static int region(ident_t *loc, int64_t device, void *host_ptr, int32_t teams, int32_t threads,
                  tgt_kernel_args *args) {
  args->version = 1;
  return __tgt_target_kernel(loc, device, teams, threads, host_ptr, args);
}

#define OLD_ARGS(names_, mappers_)                                                                 \
  tgt_kernel_args args = {.count = (uint32_t)count,                                                \
                          .bases = bases,                                                          \
                          .begins = begins,                                                        \
                          .sizes = sizes,                                                          \
                          .types = types,                                                          \
                          .names = names_,                                                         \
                          .mappers = mappers_}

SOLO_EXPORT int __tgt_target(OLD_REGION);
SOLO_EXPORT int __tgt_target_nowait(OLD_REGION, TGT_DEPENDENCES);
SOLO_EXPORT int __tgt_target_teams(OLD_REGION, int32_t teams, int32_t threads);
SOLO_EXPORT int __tgt_target_teams_nowait(OLD_REGION, int32_t teams, int32_t threads,
                                          TGT_DEPENDENCES);
SOLO_EXPORT int __tgt_target_mapper(OLD_REGION_IDENT);
SOLO_EXPORT int __tgt_target_nowait_mapper(OLD_REGION_IDENT, TGT_DEPENDENCES);
SOLO_EXPORT int __tgt_target_teams_mapper(OLD_REGION_IDENT, int32_t teams, int32_t threads);
SOLO_EXPORT int __tgt_target_teams_nowait_mapper(OLD_REGION_IDENT, int32_t teams, int32_t threads,
                                                 TGT_DEPENDENCES);
SOLO_EXPORT void __tgt_target_data_begin(OLD_DATA);
SOLO_EXPORT void __tgt_target_data_end(OLD_DATA);
SOLO_EXPORT void __tgt_target_data_update(OLD_DATA);
SOLO_EXPORT void __tgt_target_data_begin_nowait(OLD_DATA, TGT_DEPENDENCES);
SOLO_EXPORT void __tgt_target_data_end_nowait(OLD_DATA, TGT_DEPENDENCES);
SOLO_EXPORT void __tgt_target_data_update_nowait(OLD_DATA, TGT_DEPENDENCES);
SOLO_EXPORT void __kmpc_push_target_tripcount(int64_t device, uint64_t count);
SOLO_EXPORT void __kmpc_push_target_tripcount_mapper(ident_t *loc, int64_t device, uint64_t count);

int __tgt_target(OLD_REGION) {
  OLD_ARGS(NULL, NULL);
  return region(NULL, device, host_ptr, -1, 0, &args);
}

int __tgt_target_nowait(OLD_REGION, TGT_DEPENDENCES) {
  OLD_ARGS(NULL, NULL);
  tgt_wait_dependences(NULL, ndep, deps, ndep_na, deps_na);
  return region(NULL, device, host_ptr, -1, 0, &args);
}

int __tgt_target_teams(OLD_REGION, int32_t teams, int32_t threads) {
  OLD_ARGS(NULL, NULL);
  return region(NULL, device, host_ptr, teams, threads, &args);
}

int __tgt_target_teams_nowait(OLD_REGION, int32_t teams, int32_t threads, TGT_DEPENDENCES) {
  OLD_ARGS(NULL, NULL);
  tgt_wait_dependences(NULL, ndep, deps, ndep_na, deps_na);
  return region(NULL, device, host_ptr, teams, threads, &args);
}

int __tgt_target_mapper(OLD_REGION_IDENT) {
  OLD_ARGS(names, mappers);
  return region(loc, device, host_ptr, -1, 0, &args);
}

int __tgt_target_nowait_mapper(OLD_REGION_IDENT, TGT_DEPENDENCES) {
  OLD_ARGS(names, mappers);
  tgt_wait_dependences(loc, ndep, deps, ndep_na, deps_na);
  return region(loc, device, host_ptr, -1, 0, &args);
}

int __tgt_target_teams_mapper(OLD_REGION_IDENT, int32_t teams, int32_t threads) {
  OLD_ARGS(names, mappers);
  return region(loc, device, host_ptr, teams, threads, &args);
}

int __tgt_target_teams_nowait_mapper(OLD_REGION_IDENT, int32_t teams, int32_t threads,
                                     TGT_DEPENDENCES) {
  OLD_ARGS(names, mappers);
  tgt_wait_dependences(loc, ndep, deps, ndep_na, deps_na);
  return region(loc, device, host_ptr, teams, threads, &args);
}

#define OLD_TO_NEW NULL, device, count, bases, begins, sizes, types, NULL, NULL

void __tgt_target_data_begin(OLD_DATA) {
  __tgt_target_data_begin_mapper(OLD_TO_NEW);
}

void __tgt_target_data_end(OLD_DATA) {
  __tgt_target_data_end_mapper(OLD_TO_NEW);
}

void __tgt_target_data_update(OLD_DATA) {
  __tgt_target_data_update_mapper(OLD_TO_NEW);
}

void __tgt_target_data_begin_nowait(OLD_DATA, TGT_DEPENDENCES) {
  __tgt_target_data_begin_nowait_mapper(OLD_TO_NEW, ndep, deps, ndep_na, deps_na);
}

void __tgt_target_data_end_nowait(OLD_DATA, TGT_DEPENDENCES) {
  __tgt_target_data_end_nowait_mapper(OLD_TO_NEW, ndep, deps, ndep_na, deps_na);
}

void __tgt_target_data_update_nowait(OLD_DATA, TGT_DEPENDENCES) {
  __tgt_target_data_update_nowait_mapper(OLD_TO_NEW, ndep, deps, ndep_na, deps_na);
}

/* Does nothing, because the trip count is only a hint for the number of teams. */
void __kmpc_push_target_tripcount(int64_t device, uint64_t count) {
  (void)device;
  (void)count;
}

void __kmpc_push_target_tripcount_mapper(ident_t *loc, int64_t device, uint64_t count) {
  (void)loc;
  (void)device;
  (void)count;
}
