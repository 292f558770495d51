/* Description: checks kernel calls with 0 to 40 arguments: values, stack alignment, callee-saved
 * registers. */
#include "backends/host/host_call.h"

#include "tests/unit/test.h"

typedef uint64_t u64;

enum { MOST = 40 };
static u64 seen[MOST];
static int calls, misaligned;

/* Fails if the stack is misaligned: the compiler may use aligned vector stores. */
static void check_stack_alignment(void) {
  SOLO_ALIGNED(16) volatile char block[16];
  misaligned += (uintptr_t)block % 16 != 0;
  calls++;
}

#define P10(p)                                                                                     \
  u64 p##0, u64 p##1, u64 p##2, u64 p##3, u64 p##4, u64 p##5, u64 p##6, u64 p##7, u64 p##8, u64 p##9
#define A10(p) p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9

static void with_7(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g) {
  const u64 all[] = {a, b, c, d, e, f, g};
  memcpy(seen, all, sizeof all);
  check_stack_alignment();
}

static void with_9(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i) {
  const u64 all[] = {a, b, c, d, e, f, g, h, i};
  memcpy(seen, all, sizeof all);
  check_stack_alignment();
}

static void with_10(P10(a)) {
  const u64 all[] = {A10(a)};
  memcpy(seen, all, sizeof all);
  check_stack_alignment();
}

static void with_11(P10(a), u64 b) {
  const u64 all[] = {A10(a), b};
  memcpy(seen, all, sizeof all);
  check_stack_alignment();
}

static void with_40(P10(a), P10(b), P10(c), P10(d)) {
  const u64 all[] = {A10(a), A10(b), A10(c), A10(d)};
  memcpy(seen, all, sizeof all);
  check_stack_alignment();
}

static void with_none(void) {
  check_stack_alignment();
}

/* One function tests several counts, because a callee may receive surplus arguments. */
static void with_3(u64 a, u64 b, u64 c) {
  seen[0] = a;
  seen[1] = b;
  seen[2] = c;
  check_stack_alignment();
}

SOLO_CALL_ANY static void try_call(const void *code, u64 count, u64 expected) {
  u64 arguments[MOST + 1], kept = 0x5eed + count;
  for (u64 i = 0; i < MOST; i++) arguments[i] = 0x0101010101010101 * (i + 1) + count;
  memset(seen, 0, sizeof seen);
  int before = calls;
  solo_host_call(code, arguments, count);
  CHECK_INT(calls, before + 1);
  CHECK_INT(kept, 0x5eed + count);
  for (u64 i = 0; i < expected; i++) CHECK_INT(seen[i], arguments[i]);
}

#define CODE(function) ((const void *)(uintptr_t)(function))

int main(void) {
  try_call(CODE(with_none), 0, 0);
  try_call(CODE(with_7), 7, 7);
  try_call(CODE(with_9), 9, 9);
  try_call(CODE(with_10), 10, 10);
  try_call(CODE(with_11), 11, 11);
  try_call(CODE(with_40), 40, 40);
  for (u64 count = 3; count <= MOST; count++) try_call(CODE(with_3), count, 3);
  CHECK_INT(misaligned, 0);
  return TEST_RESULT();
}
