#define _DEFAULT_SOURCE
#include "backends/simt/simt.h"

#include "backends/host/host_call.h"
#include "backends/simt/exec/simt.h"
#include <stdio.h>
#include <unistd.h>

/* Source: LLVM's AMDGPU usage guide, hidden arguments of code object version 5; HSA platform system
 * architecture 2.9.6, dispatch packet. */
typedef struct hidden {
  uint32_t blocks[3];
  uint16_t threads[3], remainder[3];
  uint64_t tool, reserved, offset[3];
  uint16_t dimensions, pad[3];
  uint64_t printf_buffer, hostcall, multigrid, heap, default_queue, completion;
  uint32_t dynamic_shared, pad_2[17];
  uint32_t private_base, shared_base;
  uint64_t queue, pad_3[6];
} hidden;
_Static_assert(offsetof(hidden, dimensions) == 64 && offsetof(hidden, dynamic_shared) == 120 &&
                   offsetof(hidden, private_base) == 192 && sizeof(hidden) == 256,
               "hidden arguments");

typedef struct packet {
  uint16_t header, setup, threads[3], reserved;
  uint32_t items[3], private_bytes, group_bytes;
  uint64_t kernel, arguments, reserved_2, completion;
} packet;
_Static_assert(sizeof(packet) == 64, "dispatch packet");

typedef struct call {
  const solo_simt_kernel *kernel;
  const solo_launch_record *record;
} call;

static void enter(void *of) {
  const call *c = of;
  solo_host_call(c->kernel->code, c->record->arguments, c->record->argument_bytes / 8);
}

static void fill_hidden(const solo_launch_record *record, hidden *h, packet *p) {
  *h = (hidden){.dimensions = record->teams[2] * record->threads[2] > 1   ? 3
                              : record->teams[1] * record->threads[1] > 1 ? 2
                                                                          : 1,
                .dynamic_shared = record->shared_bytes};
  *p = (packet){.setup = h->dimensions,
                .group_bytes = record->shared_bytes,
                .arguments = (uintptr_t)record->arguments};
  for (int i = 0; i < 3; i++) {
    h->blocks[i] = record->teams[i];
    h->threads[i] = p->threads[i] = (uint16_t)record->threads[i];
    p->items[i] = record->teams[i] * record->threads[i];
  }
}

static solo_status check(const solo_bdevice *device, const solo_launch_record *record) {
  uint64_t threads = (uint64_t)record->threads[0] * record->threads[1] * record->threads[2];
  if (record->argument_bytes % 8)
    return solo_fail(SOLO_INVALID, "simt: invalid launch: %u argument bytes, not a multiple of 8",
                     record->argument_bytes);
  if (threads == 0 || threads > 1024 || !record->teams[0] || !record->teams[1] ||
      !record->teams[2] || record->teams[0] > INT32_MAX || record->teams[1] > UINT16_MAX ||
      record->teams[2] > UINT16_MAX)
    return solo_fail(SOLO_INVALID,
                     "simt: invalid grid: %u x %u x %u blocks of %u x %u x %u threads",
                     record->teams[0], record->teams[1], record->teams[2], record->threads[0],
                     record->threads[1], record->threads[2]);
  if (record->shared_bytes > device->shared_bytes)
    return solo_fail(SOLO_INVALID,
                     "simt: invalid launch: %u bytes of dynamic shared memory, the limit is %u",
                     record->shared_bytes, device->shared_bytes);
  return SOLO_OK;
}

static solo_status fail(simt_result result, const solo_simt_kernel *kernel) {
  static const char *const words[] = {
      [SIMT_TRAPPED] = "executed a trap instruction",
      [SIMT_ASSERTED] = "failed an assertion",
      [SIMT_STUCK] = "is deadlocked",
      [SIMT_TOO_LARGE] = "needs more shared memory, threads or host memory than available",
      [SIMT_FAULTED] = "accessed invalid memory or executed an invalid instruction",
  };
  return solo_fail(SOLO_KERNEL_FAULT,
                   "simt: kernel %.150s %s (details are above; -g adds source lines)", kernel->name,
                   words[result]);
}

solo_status solo_simt_queue_launch(solo_bqueue *queue, solo_bkernel *handle,
                                   const solo_launch_record *record) {
  const solo_simt_kernel *kernel = (const solo_simt_kernel *)(const void *)handle;
  const solo_bmodule *m = kernel->module;
  solo_bdevice *device = queue->device;
  char image[32];
  hidden h;
  packet p;
  SOLO_TRY(solo_simt_check_lost(device));
  SOLO_TRY(check(device, record));
  int checked = (m->flags & SOLO_SIMT_CHECKED) != 0;
  call c = {kernel, record};
  simt_launch launch = {.enter = enter,
                        .kernel = &c,
                        .name = kernel->name,
                        .warp_size = device->warp_size,
                        .dynamic_shared = record->shared_bytes,
                        .shared_limit = device->shared_bytes,
                        .seed = device->seed,
                        .workers = checked ? 1 : device->workers,
                        .is_exact = m->is_exact,
                        .checks_bounds = checked,
                        .checks_races = checked,
                        .race_status = device->race_status,
                        .image_at = m->at,
                        .image_bytes = m->bytes};
  for (int i = 0; i < 3; i++)
    launch.blocks[i] = record->teams[i], launch.threads[i] = record->threads[i];
  if (m->file >= 0) {
    snprintf(image, sizeof image, "/proc/%d/fd/%d", (int)getpid(), m->file);
    launch.image = image;
  }
  if (device->target & SOLO_SIMT_HEX) {
    fill_hidden(record, &h, &p);
    launch.implicit = &h;
    launch.packet = &p;
  }
  simt_result result = simt_run(&launch);
  if (result == SIMT_RAN) return SOLO_OK;
  solo_store_relaxed(&device->lost, 1); /* relaxed: see solo_simt_check_lost() */
  return fail(result, kernel);
}
