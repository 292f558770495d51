/* Description: fills, rectangular copies and copies between devices use HSA's functions in the
 * expected number of calls. Variants: alignment, pinned, partly pinned and pageable memory, with
 * and without copy engine or peer access. */
#define _DEFAULT_SOURCE
#include "runtime/backend_call.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include "tests/unit/test.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const solo_backend solo_hsa_backend;
static const solo_backend *const b = &solo_hsa_backend;

enum { DEVICES = 3, BYTES = 3 << 20, FILL = 300001 };

typedef struct machine {
  solo_bdevice *device[DEVICES];
  solo_bqueue *queue; /* a queue of device 0 */
  uint8_t *host, *back;
} machine;

static machine m;

static uint64_t of(const void *host) {
  return (uint64_t)(uintptr_t)host;
}

static solo_devptr alloc(int device, uint64_t bytes) {
  solo_devptr at = 0;
  CHECK_INT(b->mem_alloc(m.device[device], bytes, SOLO_MEMORY_DEVICE, &at), SOLO_OK);
  return at;
}

static void done(int device, solo_devptr at) {
  CHECK_INT(b->mem_free(m.device[device], at, SOLO_MEMORY_DEVICE), SOLO_OK);
}

static void open_all(void) {
  solo_device_info info;
  m.host = malloc(BYTES);
  m.back = malloc(BYTES);
  for (int i = 0; i < BYTES; i++) m.host[i] = (uint8_t)(i * 7 + i / 251);
  for (int i = 0; i < DEVICES; i++) CHECK_INT(b->device_open(i, i, &m.device[i], &info), SOLO_OK);
  CHECK_INT(b->queue_open(m.device[0], &m.queue), SOLO_OK);
}

static void close_all(void) {
  b->queue_close(m.device[0], m.queue);
  for (int i = 0; i < DEVICES; i++) b->device_close(m.device[i]);
  free(m.host);
  free(m.back);
  CHECK_INT(hsa_sim_live(NULL), 0);
}

static unsigned copies(void) {
  return hsa_sim_calls("hsa_amd_memory_async_copy");
}
static unsigned rects(void) {
  return hsa_sim_calls("hsa_amd_memory_async_copy_rect");
}

static void fill(solo_devptr block, uint64_t at, uint64_t bytes, unsigned fills, unsigned most) {
  hsa_sim_delay(3000); /* us; the copy is in flight during the fill */
  CHECK_INT(b->queue_copy(m.queue, block, of(m.host), FILL + 64, SOLO_COPY_IN), SOLO_OK);
  hsa_sim_reset_calls();
  usleep(1000);
  hsa_sim_delay(0);
  CHECK_INT(b->queue_fill(m.queue, block + at, 0x1c3, bytes), SOLO_OK);
  CHECK_INT(hsa_sim_calls("hsa_amd_memory_fill"), fills);
  CHECK(copies() <= most);
  CHECK_INT(b->queue_copy(m.queue, of(m.back), block, FILL + 64, SOLO_COPY_OUT), SOLO_OK);
  CHECK_INT(b->queue_sync(m.queue), SOLO_OK);
  for (uint64_t i = 0; i < FILL + 64; i++)
    if (m.back[i] != (i >= at && i < at + bytes ? 0xc3 : m.host[i])) {
      printf("wrong byte %llu after a fill of %llu bytes at %llu\n", (unsigned long long)i,
             (unsigned long long)bytes, (unsigned long long)at);
      CHECK(!"expected byte");
      return;
    }
}

static void fills(void) {
  solo_devptr block = alloc(0, FILL + 64);
  fill(block, 0, 1, 0, 1);
  fill(block, 5, 64 << 10, 0, 1); /* a small fill: one copy, no wait */
  fill(block, 16, FILL - 1, 1, 0);
  fill(block, 3, FILL, 1, 2); /* the unaligned head and tail are written by copies */
  fill(block, 2, FILL - 2, 1, 2);
  done(0, block);
}

typedef enum memory { PAGEABLE, PINNED } memory;

/* Copies a rectangle to the device and back. */
static void box(solo_copy_box shape, uint64_t shift, memory kind, unsigned most) {
  solo_devptr block = alloc(0, BYTES), unused;
  uint64_t span = (shape.slices - 1) * shape.src_slice_pitch +
                  (shape.rows - 1) * shape.src_row_pitch + shape.row_bytes;
  memset(m.back, 0x77, BYTES);
  if (kind == PINNED) CHECK_INT(b->mem_pin(m.device[0], m.host + shift, span, &unused), SOLO_OK);
  hsa_sim_reset_calls();
  CHECK_INT(b->queue_copy_box(m.queue, block + shift, of(m.host + shift), &shape, SOLO_COPY_IN),
            SOLO_OK);
  CHECK_INT(copies() + rects(), most);
  solo_copy_box out = shape; /* from the layout on the device to the same layout on the host */
  out.src_row_pitch = shape.dst_row_pitch;
  out.src_slice_pitch = shape.dst_slice_pitch;
  hsa_sim_reset_calls();
  CHECK_INT(b->queue_copy_box(m.queue, of(m.back), block + shift, &out, SOLO_COPY_OUT), SOLO_OK);
  CHECK_INT(b->queue_sync(m.queue), SOLO_OK);
  if (kind == PINNED) CHECK_INT(b->mem_unpin(m.device[0], m.host + shift), SOLO_OK);
  for (uint64_t s = 0; s < shape.slices; s++)
    for (uint64_t r = 0; r < shape.rows; r++)
      CHECK(memcmp(m.back + s * out.dst_slice_pitch + r * out.dst_row_pitch,
                   m.host + shift + s * shape.src_slice_pitch + r * shape.src_row_pitch,
                   shape.row_bytes) == 0);
  CHECK_INT(m.back[shape.row_bytes], shape.rows > 1 ? 0x77 : m.back[shape.row_bytes]);
  done(0, block);
}

static void boxes(void) {
  const solo_copy_box even = {.row_bytes = 400,
                              .rows = 100,
                              .slices = 2,
                              .dst_row_pitch = 512,
                              .dst_slice_pitch = 60000,
                              .src_row_pitch = 1000,
                              .src_slice_pitch = 200000};
  solo_copy_box odd = even, big = even, narrow = even;
  odd.row_bytes = 401;
  big.rows = 6000, big.slices = 1, big.src_row_pitch = 500, big.row_bytes = 400;
  narrow.slices = 1, narrow.src_row_pitch = narrow.dst_row_pitch = 401;
  box(even, 0, PINNED, 1);
  box(even, 0, PAGEABLE, 2); /* one copy per slice */
  /* the copy engine rejects the misaligned addresses: one copy per row */
  box(even, 1, PAGEABLE, 200);
  box(odd, 0, PINNED, 200);
  box(narrow, 0, PAGEABLE, 100);
  box(big, 0, PAGEABLE, 3); /* a staging buffer holds 2,621 rows */
  setenv("SIM_HSA_SDMA", "0", 1);
  /* the engine rejects the first attempt; later calls copy rows at once */
  box(even, 0, PAGEABLE, 201);
  box(even, 0, PAGEABLE, 200);
  unsetenv("SIM_HSA_SDMA");
}

/* Only a part of the range is pinned: the copy of the whole range must also transfer the pageable
 * part. */
static void partly_pinned(void) {
  enum { PART = 128 << 10, ALL = 512 << 10 };
  solo_devptr block = alloc(0, ALL), unused;
  uint8_t *start = m.host + 4096;
  CHECK_INT(b->mem_pin(m.device[0], start, PART, &unused), SOLO_OK);
  CHECK_INT(b->queue_copy(m.queue, block, of(start), ALL, SOLO_COPY_IN), SOLO_OK);
  CHECK_INT(b->queue_copy(m.queue, of(m.back), block, ALL, SOLO_COPY_OUT), SOLO_OK);
  CHECK_INT(b->queue_sync(m.queue), SOLO_OK);
  CHECK(memcmp(m.back, start, ALL) == 0);
  CHECK_INT(b->mem_unpin(m.device[0], start), SOLO_OK);
  done(0, block);
}

static void to_peer(int device, solo_devptr at, solo_devptr from, solo_status want) {
  CHECK_INT(b->queue_copy_peer(m.queue, m.device[device], at, from, 4096), want);
  if (want != SOLO_OK)
    CHECK_INT(solo_backend_queue_copy_peer(b, m.queue, m.device[device], at, from, 4096), SOLO_OK);
  solo_bqueue *theirs;
  CHECK_INT(b->queue_sync(m.queue), SOLO_OK);
  memset(m.back, 0, 4096);
  CHECK_INT(b->queue_open(m.device[device], &theirs), SOLO_OK);
  CHECK_INT(b->queue_copy(theirs, of(m.back), at, 4096, SOLO_COPY_OUT), SOLO_OK);
  CHECK_INT(b->queue_sync(theirs), SOLO_OK);
  b->queue_close(m.device[device], theirs);
  CHECK(memcmp(m.back, m.host, 4096) == 0);
}

/* Copies between devices return the expected status. The access that the third device obtains must
 * not revoke the access of the second device. */
static void peers(solo_status want) {
  solo_devptr own = alloc(0, 4096), second = alloc(1, 4096), third = alloc(2, 4096);
  CHECK_INT(b->queue_copy(m.queue, own, of(m.host), 4096, SOLO_COPY_IN), SOLO_OK);
  to_peer(1, second, own, want);
  to_peer(2, third, own, want);
  hsa_sim_reset_calls();
  to_peer(1, second, own, want);
  CHECK_INT(hsa_sim_calls("hsa_amd_pointer_info"), 0); /* peer access is cached */
  done(1, second);
  /* the allocation probably has the same address, but no peer access yet */
  second = alloc(1, 4096);
  to_peer(1, second, own, want);
  done(0, own);
  done(1, second);
  done(2, third);
}

int main(void) {
  int count;
  setenv("SIM_DEVICES", "3", 1);
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, DEVICES);
  open_all();
  fills();
  boxes();
  partly_pinned();
  peers(SOLO_OK);
  close_all();
  setenv("SIM_HSA_PEERS", "0", 1);
  open_all();
  peers(SOLO_UNSUPPORTED);
  close_all();
  CHECK_INT(hsa_sim_violations(), 0);
  return TEST_RESULT();
}
