/* Description: solo_stream_copy copies every byte of blocks of all lengths at all places in their cache
 * lines, and none beside them. */
#include "runtime/base/stream.h"
#include "tests/unit/test.h"

enum { LINE = SOLO_STREAM_BYTES, LONGEST = 4 * LINE, ROOM = LONGEST + 4 * LINE, BESIDE = 0xee };

static _Alignas(LINE) unsigned char from[ROOM], to[ROOM];

static int is_right(size_t to_at, size_t from_at, size_t bytes) {
  memset(to, BESIDE, ROOM);
  solo_stream_copy(to + to_at, from + from_at, bytes);
  for (size_t i = 0; i < ROOM; i++) {
    int is_inside = i >= to_at && i < to_at + bytes;
    if (to[i] != (is_inside ? from[from_at + i - to_at] : BESIDE)) return 0;
  }
  return 1;
}

int main(void) {
  for (size_t i = 0; i < ROOM; i++) from[i] = (unsigned char)(i * 7 % 233);
  long wrong = 0;
  for (size_t bytes = 0; bytes <= LONGEST; bytes++)
    for (size_t to_at = LINE; to_at < 2 * LINE; to_at++)
      for (size_t from_at = LINE; from_at < LINE + 16; from_at++)
        wrong += !is_right(to_at, from_at, bytes);
  CHECK_INT(wrong, 0);
  return TEST_RESULT();
}
