/* Copies that nobody will soon read: longer than the caches hold, or written for another processor, to which
 * bytes that lie changed in this one's caches may come slowly (measured: backends/remote/README.md).
 *
 * Ownership: none. Threads: any, on memory of their own. Errors: none.
 */
#ifndef SOLO_BASE_STREAM_H
#define SOLO_BASE_STREAM_H

#include "runtime/base/arch.h"

#include <stddef.h>

/* Memory that does not overlap. The bytes are there for who sees what the caller releases next. */
static inline void solo_stream_copy(void *to, const void *from, size_t bytes) {
  enum { AHEAD = 1024 }; /* it need not exist: asking for it fails silently */
  char *t = to;
  const char *f = from;
  size_t head = -(uintptr_t)t % SOLO_STREAM_BYTES;
  if (head > bytes) head = bytes;
  memcpy(t, f, head);
  for (bytes -= head, t += head, f += head; bytes >= SOLO_STREAM_BYTES;
       bytes -= SOLO_STREAM_BYTES, t += SOLO_STREAM_BYTES, f += SOLO_STREAM_BYTES) {
    __builtin_prefetch((const void *)((uintptr_t)f + AHEAD));
    solo_stream_step(t, f);
  }
  memcpy(t, f, bytes);
  solo_stream_end();
}

#endif
