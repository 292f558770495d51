#include "runtime/launch/arguments.h"

#include "runtime/device/thread_cache.h"

#include <string.h>

enum { PACK_ALIGN = 16 };
#define MOST_PRIVATE (UINT64_C(1) << 48)

/* The private copies of a launch, in one buffer. Host and device address of a copy are equal modulo
 * 16. */
typedef struct packing {
  uint64_t bytes;
  int copies;
  int uninitialized; /* number of copies that receive no data from the host */
} packing;

SOLO_INLINE uint64_t offset_of(const packing *p, uintptr_t begin) {
  uint64_t at = (p->bytes + PACK_ALIGN - 1) & ~(uint64_t)(PACK_ALIGN - 1);
  return at + (begin & (PACK_ALIGN - 1));
}

SOLO_INLINE int is_private_parameter(uint64_t type) {
  return (type & SOLO_MAP_PRIVATE) && (type & SOLO_MAP_TARGET_PARAM);
}

/* For entry i, a pointer that a lambda captures: sets the device copy of the pointer at bases[i] to
 * the device address of begins[i]. */
static void set_capture(solo_construct *c, const solo_map_list *list, const solo_map_slot *slots,
                        int32_t i) {
  int32_t parent = (int32_t)((uint64_t)list->types[i] >> SOLO_MAP_MEMBER_SHIFT) - 1;
  if (parent < 0 || parent >= list->count || !slots[parent].mapping) return;
  uintptr_t pointee = (uintptr_t)list->begins[i];
  solo_mapping *m;
  if (!solo_map_present(c, pointee, 0, &m)) return;
  /* relaxed: constant, because this construct's list maps it */
  uint64_t device = solo_load_relaxed(&m->device) + (pointee - solo_load_relaxed(&m->begin));
  const solo_transfer attach = {.mapping = slots[parent].mapping,
                                .host = (uintptr_t)list->bases[i],
                                .value = device,
                                .name = solo_map_name(list, i),
                                .kind = SOLO_TRANSFER_ATTACH};
  solo_construct_transfer(c, &attach);
}

/* Sets the captured pointers in `copy`, the private copy of a lambda, to device addresses. */
static void patch_captures(solo_construct *c, const solo_map_list *list, int32_t parent,
                           char *copy) {
  for (int32_t k = parent + 1; k < list->count; k++) {
    uint64_t type = (uint64_t)list->types[k];
    if ((int32_t)(type >> SOLO_MAP_MEMBER_SHIFT) - 1 != parent || !(type & SOLO_MAP_LITERAL))
      continue;
    uintptr_t pointee = (uintptr_t)list->begins[k];
    solo_mapping *m;
    if (!solo_map_present(c, pointee, 0, &m)) continue;
    uint64_t device = /* relaxed: as in set_capture */
        solo_load_relaxed(&m->device) + (pointee - solo_load_relaxed(&m->begin));
    size_t at = (size_t)((uintptr_t)list->bases[k] - (uintptr_t)list->begins[parent]);
    if (at + sizeof device <= (size_t)list->sizes[parent])
      memcpy(copy + at, &device, sizeof device);
  }
}

/* The threads share inline data, so a kernel must not modify it. This function cannot detect a
 * modification; therefore inline data is used only if the user enables it (SOLO_HSA_CARRY). */
static int can_be_inline(const solo_construct *c, const solo_kernel *kernel, const packing *p,
                         const solo_launch_record *record, int count) {
  uint64_t threads = 1;
  if (!p->bytes || p->bytes > kernel->attributes.inline_data_bytes || p->uninitialized ||
      count >= 64)
    return 0;
  for (int d = 0; d < 3; d++) threads *= (uint64_t)record->teams[d] * record->threads[d];
  return threads <= c->device->info.inline_data_reads / p->bytes;
}

static solo_status place_private(solo_construct *c, uint64_t bytes, const char *buffer,
                                 uint64_t *out_device) {
  const uint32_t exact = SOLO_DEVICE_UNIFIED_ADDRESSES | SOLO_DEVICE_EXACT_BLOCKS;
  if ((c->device->info.flags & exact) == SOLO_DEVICE_UNIFIED_ADDRESSES &&
      solo_device_is_synchronous(c->device)) {
    *out_device = (uintptr_t)buffer; /* a CPU kernel uses the buffer directly */
    return SOLO_OK;
  }
  solo_block *block;
  SOLO_TRY(solo_thread_block_allocate(c->device, bytes, &block));
  solo_construct_add_block(c, block);
  *out_device = block->address;
  return SOLO_OK;
}

/* Copies private data to the device, and writes device addresses into the arguments; for inline
 * data, writes offsets. */
static SOLO_COLD solo_status send_private(solo_construct *c, const solo_map_list *list,
                                          const packing *p, uint64_t *arguments,
                                          solo_launch_record *record) {
  char *buffer = solo_scratch_allocate(p->bytes + PACK_ALIGN);
  if (!buffer) return SOLO_NOMEM;
  uint64_t device = 0, slots = 0;
  if (!record->inline_data_bytes) SOLO_TRY(place_private(c, p->bytes, buffer, &device));
  packing walk = {0, 0, 0};
  int n = 0;
  for (int32_t i = 0; i < list->count; i++) {
    uint64_t type = (uint64_t)list->types[i];
    if (!(type & SOLO_MAP_TARGET_PARAM)) continue;
    if (is_private_parameter(type)) {
      uintptr_t begin = (uintptr_t)list->begins[i];
      uint64_t at = offset_of(&walk, begin);
      if (type & SOLO_MAP_TO) {
        memcpy(buffer + at, (const void *)begin, (size_t)list->sizes[i]);
        patch_captures(c, list, i, buffer + at);
      }
      walk.bytes = at + (uint64_t)list->sizes[i];
      arguments[n] = device + at + ((uintptr_t)list->bases[i] - begin);
      if (n < 63) slots |= UINT64_C(2) << n; /* slot 0 is the launch environment */
    }
    n++;
  }
  if (record->inline_data_bytes) {
    record->inline_data = buffer;
    record->inline_data_slots = slots;
    return SOLO_OK;
  }
  return device == (uintptr_t)buffer
             ? SOLO_OK
             : solo_construct_copy(c, device, (uintptr_t)buffer, p->bytes, SOLO_COPY_IN, NULL);
}

/* Returns the device address of begin, or begin if it is not mapped. Called after the components of
 * the entry's mapper are mapped. */
static uint64_t mapped_address(const solo_construct *c, uintptr_t begin) {
  solo_mapping *m;
  if (!solo_map_present(c, begin, 0, &m)) return begin;
  /* relaxed: constant, because the components hold references */
  return solo_load_relaxed(&m->device) + (begin - solo_load_relaxed(&m->begin));
}

solo_status solo_launch_arguments(solo_construct *c, const solo_kernel *kernel,
                                  const solo_map_list *list, solo_launch_memory *memory,
                                  solo_launch_record *record) {
  const solo_map_slot *slots = memory->slots;
  uint64_t *out_arguments = memory->arguments + 1;
  packing pack = {0, 0, 0};
  int n = 0;
  for (int32_t i = 0; i < list->count; i++) {
    uint64_t type = (uint64_t)list->types[i];
    uintptr_t begin = (uintptr_t)list->begins[i], base = (uintptr_t)list->bases[i];
    if (!(type & SOLO_MAP_TARGET_PARAM)) {
      const uint64_t capture = SOLO_MAP_LITERAL | SOLO_MAP_PTR_AND_OBJ;
      if (SOLO_UNLIKELY((type & capture) == capture)) set_capture(c, list, slots, i);
      continue;
    }
    if (type & SOLO_MAP_LITERAL) {
      out_arguments[n] = base;
    } else if (SOLO_UNLIKELY(type & SOLO_MAP_PRIVATE)) {
      if (SOLO_UNLIKELY(solo_map_range_is_bad(begin, list->sizes[i]) ||
                        (uint64_t)list->sizes[i] > MOST_PRIVATE - pack.bytes))
        return solo_map_range_error(c, list, i);
      uint64_t at = offset_of(&pack, begin);
      pack.bytes = at + (uint64_t)list->sizes[i];
      pack.copies++;
      pack.uninitialized += !(type & SOLO_MAP_TO);
    } else if (SOLO_UNLIKELY(list->mappers && list->mappers[i])) {
      out_arguments[n] = mapped_address(c, begin) + (base - begin);
    } else {
      /* absent: the kernel receives the host address */
      uint64_t device = slots[i].device ? slots[i].device : begin;
      out_arguments[n] = device + (slots[i].base - begin);
    }
    n++;
  }
  memory->count = n;
  if (SOLO_LIKELY(!pack.copies)) return SOLO_OK;
  if (can_be_inline(c, kernel, &pack, record, n)) record->inline_data_bytes = (uint32_t)pack.bytes;
  return send_private(c, list, &pack, out_arguments, record);
}

/* abi-facts 7.3 */
typedef struct launch_environment {
  uint32_t reduction_count, reduction_iteration;
  uint64_t reduction_buffer;
} launch_environment;

SOLO_COLD solo_status solo_launch_environment(solo_construct *c, const solo_kernel *kernel,
                                              const solo_launch_record *record,
                                              uint64_t *out_address) {
  (void)record;
  uint64_t bytes = (uint64_t)kernel->reduction_bytes * kernel->reduction_length;
  solo_block *block;
  SOLO_TRY(solo_thread_block_allocate(c->device, sizeof(launch_environment) + bytes, &block));
  solo_construct_add_block(c, block);
  launch_environment *environment = solo_scratch_allocate(sizeof *environment);
  if (!environment) return SOLO_NOMEM;
  *environment = (launch_environment){.reduction_buffer = block->address + sizeof *environment};
  *out_address = block->address;
  return solo_construct_copy(c, block->address, (uintptr_t)environment, sizeof *environment,
                             SOLO_COPY_IN, NULL);
}
