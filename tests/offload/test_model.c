/* Compares random calls of OffloadAPI.h with a model: codes for valid and destroyed handles, device
 * memory. Usage: test_model SEED SECONDS */
#define _GNU_SOURCE
#include "tests/offload/kit.h"

#include <time.h>

enum { SLOTS = 12, CELLS = 64, EVENTS = 24 };

/* A queue with its memory and the expected contents. */
typedef struct slot {
  int k; /* platform */
  ol_queue_handle_t queue;
  uint64_t *memory;
  uint64_t model[CELLS];
  uint64_t calls, called;
} slot;

static slot slots[SLOTS];
static ol_queue_handle_t dead_queue;
static ol_event_handle_t events[EVENTS], dead_event;
static uint64_t state;

static uint64_t next(uint64_t below) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % below;
}

static void count(void *data) {
  for (volatile int i = 0; i < 20000; i++) continue; /* a delay exposes a wrong order */
  ++*(uint64_t *)data;
}

static ol_device_handle_t host(void) {
  return kit[KIT_HOST].devices[0];
}

static void compare(slot *s) {
  uint64_t got[CELLS];
  CHECK_INT(kit_code(olMemcpy(s->queue, got, host(), s->memory, kit[s->k].devices[0], sizeof got)),
            0);
  CHECK_INT(kit_code(olSyncQueue(s->queue)), 0);
  CHECK(memcmp(got, s->model, sizeof got) == 0);
  CHECK(s->called == s->calls);
}

static void open_slot(slot *s) {
  *s = (slot){.k = (int)next(KIT_PLATFORMS)};
  ol_device_handle_t d = kit[s->k].devices[0];
  CHECK_INT(kit_code(olCreateQueue(d, &s->queue)), 0);
  CHECK_INT(kit_code(olMemAlloc(d, (ol_alloc_type_t)next(3), sizeof s->model, (void **)&s->memory)),
            0);
  CHECK_INT(kit_code(olMemcpy(s->queue, s->memory, d, s->model, host(), sizeof s->model)), 0);
  CHECK_INT(kit_code(olSyncQueue(s->queue)), 0);
}

static void close_slot(slot *s) {
  compare(s);
  CHECK_INT(kit_code(olDestroyQueue(s->queue)), 0);
  dead_queue = s->queue;
  CHECK_INT(kit_code(olMemFree(s->memory)), 0);
  s->queue = NULL;
}

static void step_event(slot *s) {
  ol_event_handle_t *e = &events[next(EVENTS)];
  if (!*e) {
    CHECK_INT(kit_code(olCreateEvent(s->queue, e)), 0);
    return;
  }
  if (next(2)) {
    CHECK_INT(kit_code(olWaitEvents(s->queue, e, 1)), 0);
    return;
  }
  if (next(2)) CHECK_INT(kit_code(olSyncEvent(*e)), 0);
  CHECK_INT(kit_code(olDestroyEvent(*e)), 0);
  dead_event = *e;
  *e = NULL;
}

static void step_invalid(slot *s) {
  size_t size;
  int local;
  if (dead_queue) CHECK_INT(kit_code(olSyncQueue(dead_queue)), OL_ERRC_INVALID_QUEUE);
  if (dead_event) {
    CHECK_INT(kit_code(olSyncEvent(dead_event)), OL_ERRC_INVALID_EVENT);
    CHECK_INT(kit_code(olWaitEvents(s->queue, &dead_event, 1)), OL_ERRC_INVALID_EVENT);
  }
  CHECK_INT(kit_code(olMemFree(&local)), OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olMemFree(s->memory + 1)), OL_ERRC_INVALID_ARGUMENT);
  CHECK_INT(kit_code(olGetMemInfo(s->memory + CELLS - 1, OL_MEM_INFO_SIZE, sizeof size, &size)), 0);
  CHECK_INT(size, sizeof s->model);
}

static void step(slot *s) {
  uint64_t at = next(CELLS), mul = next(1000), add = next(1000), n = next(CELLS - at) + 1;
  ol_device_handle_t d = kit[s->k].devices[0];
  switch (next(8)) {
  case 0:
  case 1:
    CHECK_INT(kit_code(kit_affine(&kit[s->k], s->queue, s->memory + at, mul, add)), 0);
    s->model[at] = s->model[at] * mul + add;
    break;
  case 2: /* the source may be read after the call, so it is constant */
    CHECK_INT(kit_code(olMemFill(s->queue, s->memory + at, 8, &mul, 8 * n)), 0);
    for (uint64_t i = 0; i < n; i++) s->model[at + i] = mul;
    break;
  case 3:
    CHECK_INT(kit_code(olMemFill(s->queue, s->memory + at, 1, &add, 8 * n)), 0);
    memset(s->model + at, (int)(add & 255), 8 * n);
    break;
  case 4:
    at = next(CELLS / 2), n = next(CELLS / 2) + 1;
    if (at + n > CELLS / 2) n = CELLS / 2 - at;
    CHECK_INT(kit_code(olMemcpy(s->queue, s->memory + CELLS / 2, d, s->memory + at, d, 8 * n)), 0);
    memcpy(s->model + CELLS / 2, s->model + at, 8 * n);
    break;
  case 5:
    s->calls++;
    CHECK_INT(kit_code(olLaunchHostFunction(s->queue, count, &s->called)), 0);
    break;
  case 6:
    step_event(s);
    break;
  default:
    step_invalid(s);
    if (next(4) == 0) compare(s);
  }
}

int main(int argc, char **argv) {
  state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  time_t end = time(NULL) + (argc > 2 ? atoi(argv[2]) : 5);
  setenv("SIM_DEVICES", "2", 1);
  CHECK(kit_start());
  while (time(NULL) < end && !test_failures) {
    slot *s = &slots[next(SLOTS)];
    if (!s->queue)
      open_slot(s);
    else if (next(60) == 0)
      close_slot(s);
    else
      step(s);
  }
  for (int i = 0; i < SLOTS; i++)
    if (slots[i].queue) close_slot(&slots[i]);
  CHECK_INT(kit_code(olShutDown()), 0);
  if (test_failures) printf("seed %s\n", argc > 1 ? argv[1] : "1");
  return TEST_RESULT();
}
