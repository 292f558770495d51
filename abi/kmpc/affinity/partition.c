#include "abi/kmpc/affinity/partition.h"

static int32_t begin_of(int32_t part, int32_t parts, int32_t count) {
  return (int32_t)((int64_t)part * count / parts);
}

static int32_t part_of(int32_t at, int32_t parts, int32_t count) {
  return (int32_t)((((int64_t)at + 1) * parts - 1) / count);
}

kmpc_place_assignment solo_kmp_place_assignment(kmpc_partition whole, int32_t place, int32_t bind,
                                                int32_t tid, int32_t size) {
  if (bind == KMPC_BIND_PRIMARY) return (kmpc_place_assignment){place, whole};
  int32_t at = place - whole.first;
  if (bind == KMPC_BIND_SPREAD && size <= whole.count) {
    int32_t part = (part_of(at, size, whole.count) + tid) % size;
    int32_t begin = begin_of(part, size, whole.count);
    int32_t end = begin_of(part + 1, size, whole.count);
    kmpc_partition own = {whole.first + begin, end - begin};
    return (kmpc_place_assignment){tid == 0 ? place : own.first, own};
  }
  /* close, or spread with too few places: consecutive places, which threads share if necessary */
  int32_t step = size <= whole.count ? tid : begin_of(tid, size, whole.count);
  int32_t assignment = whole.first + (int32_t)(((int64_t)at + step) % whole.count);
  if (bind == KMPC_BIND_SPREAD) return (kmpc_place_assignment){assignment, {assignment, 1}};
  return (kmpc_place_assignment){assignment, whole};
}
