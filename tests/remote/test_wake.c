/* Description: a wake between a thread's check of its condition and its sleep is not lost. The
 * thread executes a server's queue, and waits for messages or another server's event. */
#define _GNU_SOURCE
#include "backends/remote/remote_transport.h"
#include "tests/unit/test.h"

#include <sys/mman.h>
#include <unistd.h>

/* After a lost wake, the alarm ends the test. */
enum { ALARM_SECONDS = 90, MS = 1000000 };
#define SLEEP_NS UINT64_C(1000000000000)

static void wake_between(solo_remote_channel *c, uint64_t what) {
  uint64_t start = solo_now_ns();
  solo_remote_read_bells(c);
  /* after the thread found its condition false and before the thread sleeps */
  solo_remote_wake(c);
  solo_remote_shm_transport.await(c, what, SLEEP_NS);
  CHECK(solo_now_ns() - start < SLEEP_NS);
}

/* An earlier wake does not prevent a later sleep. Sleeps of 1 ms permit about 10 iterations;
 * without sleep there are tens of thousands. */
static void sleep_after(solo_remote_channel *c, uint64_t what) {
  uint64_t start = solo_now_ns();
  int sleeps = 0;
  solo_remote_read_bells(c);
  for (; solo_now_ns() - start < 10 * MS; sleeps++) solo_remote_shm_transport.await(c, what, MS);
  CHECK(sleeps < 1000);
  CHECK(solo_load_relaxed(&c->shared->server_sleeps) == 0);
  CHECK(solo_load_relaxed(&c->shared->waiters) == 0);
}

int main(void) {
  solo_remote_link link = {.transport = &solo_remote_shm_transport};
  solo_remote_channel channel;
  link.memory = mmap(NULL, SOLO_REMOTE_MEMORY_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (link.memory == MAP_FAILED) TEST_SKIP("no memory");
  alarm(ALARM_SECONDS);
  solo_remote_channel_of(&link, 1, &channel);
  for (int n = 0; n < 3; n++) {
    wake_between(&channel, SOLO_REMOTE_NEVER);
    wake_between(&channel, SOLO_REMOTE_NEXT_MESSAGE);
    sleep_after(&channel, SOLO_REMOTE_NEVER);
    sleep_after(&channel, SOLO_REMOTE_NEXT_MESSAGE);
  }
  return TEST_RESULT();
}
