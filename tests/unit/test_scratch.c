/* Description: checks scratch memory: stack order, alignment, reuse, arenas, too large sizes. */
#include "runtime/base/scratch.h"
#include "runtime/base/status.h"

#include "tests/unit/test.h"
#include <stdint.h>
#include <string.h>

static void check_order(void) {
  solo_scratch_mark outer = solo_scratch_begin();
  char *first = solo_scratch_allocate(1);
  CHECK(first && (uintptr_t)first % 16 == 0);
  solo_scratch_mark inner = solo_scratch_begin();
  char *second = solo_scratch_allocate(100);
  CHECK(second == first + 16);
  solo_scratch_end(inner);
  CHECK(solo_scratch_allocate(8) == (void *)second);
  char *far = solo_scratch_allocate(1 << 20); /* too large for the chunk: in a separate one */
  CHECK(far && (uintptr_t)far % 16 == 0);
  memset(far, 1, 1 << 20);
  solo_scratch_end(outer);
  CHECK(solo_scratch_allocate(1) == (void *)first);
  CHECK(solo_scratch_allocate(1 << 20) == (void *)far); /* the separate chunk is reused */
  solo_scratch_end(outer);
}

static void check_arena(void) {
  solo_scratch_arena arena = {0};
  solo_scratch_mark mark = solo_scratch_begin();
  char *own = solo_scratch_allocate(16);
  solo_scratch_swap(&arena);
  char *its = solo_scratch_allocate(16);
  CHECK(its && its != own + 16);
  solo_scratch_swap(&arena);
  CHECK(solo_scratch_allocate(16) == (void *)(own + 16));
  solo_scratch_end(mark);
  solo_scratch_rewind(&arena);
  solo_scratch_swap(&arena);
  CHECK(solo_scratch_allocate(16) == (void *)its);
  solo_scratch_swap(&arena);
  solo_scratch_free(&arena);
}

static void check_too_much(void) {
  static const size_t much[] = {SIZE_MAX, SIZE_MAX / 8};
  for (int i = 0; i < 2; i++) {
    CHECK(!solo_scratch_allocate(much[i]));
    CHECK_INT(solo_error_last()->status, SOLO_NOMEM);
    CHECK(strncmp(solo_error_last()->text, "no host memory for ", 19) == 0);
    solo_error_clear();
  }
  CHECK(solo_scratch_allocate(16) != NULL);
}

int main(void) {
  check_order();
  check_arena();
  check_too_much();
  return TEST_RESULT();
}
