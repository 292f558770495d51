/* Description: the race detector deletes the records of cleared bytes and no others. */
#include "backends/simt/exec/internal.h"
#include "tests/unit/test.h"

static _Alignas(64) char memory[64];
static const struct shape {
  uint64_t first, bytes;
} shapes[] = {{0, 0}, {0, 8}, {8, 8},   {0, 4},  {4, 4}, {3, 7},
              {7, 1}, {7, 2}, {16, 16}, {12, 9}, {1, 62}};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static char raced[64];
static unsigned at;

static void report(const char *text) {
  if (strstr(text, "data race: ")) raced[at] = 1;
}

/* The detector reports one race per call in the code. */
#define CALL_1  simt_access(&memory[at], 1, 0), at++;
#define CALL_4  CALL_1 CALL_1 CALL_1 CALL_1
#define CALL_16 CALL_4 CALL_4 CALL_4 CALL_4

static void kernel(void *of) {
  const struct shape *s = of;
  at = 0;
  if (simt_current_thread->index == 0) {
    for (; at < 64; at += 8) simt_access(&memory[at], 8, SIMT_WRITES);
    simt_access(memory + s->first, s->bytes, SIMT_CLEARS);
    return;
  }
  CALL_16 CALL_16 CALL_16 CALL_16
}

static void check(const struct shape *s) {
  const simt_launch launch = {.enter = kernel,
                              .kernel = (void *)(uintptr_t)s,
                              .name = "clear",
                              .blocks = {1, 1, 1},
                              .threads = {2, 1, 1},
                              .warp_size = 32,
                              .shared_limit = 1 << 10,
                              .workers = 1,
                              .checks_races = 1,
                              .report = report};
  CHECK_INT(simt_run(&launch), SIMT_RAN);
  for (unsigned i = 0; i < 64; i++) {
    test_checks++;
    if (raced[i] == (i - s->first >= s->bytes)) continue;
    printf("failed: bytes %d to %d were cleared: byte %u\n", (int)s->first,
           (int)(s->first + s->bytes) - 1, i);
    test_failures++;
  }
}

int main(int argc, char **argv) {
  char command[512];
  if (argc > 1) check(&shapes[atoi(argv[1]) % SHAPES]);
  for (unsigned i = 0; argc == 1 && i < SHAPES; i++) {
    snprintf(command, sizeof command, "%s %u", argv[0], i);
    CHECK_INT(system(command), 0);
  }
  return TEST_RESULT();
}
