/* Description: the program and the device servers of an MPI job validate each other's data: wrong
 * lengths and tags, changed bytes, invalid ranges, wrong answers. Malformed data is rejected, a
 * later session works, and nothing hangs. Rank 0: [STRIDE], ranks 1 and 2: device servers; or rank
 * 0: "liar", rank 1, a faulty server: "liar" and SOLO_SERVER=none. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_server_list.h"
#include "tests/remote/malformed.h"

#include <string.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 90 };

#define job solo_remote_mpi

static void connect_once(solo_remote_link **out) {
  *out = NULL;
  CHECK_INT(solo_remote_mpi_connect(1, out), SOLO_OK);
  if (!*out) {
    printf("%s\n", solo_error_last()->text);
    exit(1);
  }
}

void malformed_connect(connection *out) {
  connect_once(&out->link);
}

void malformed_close(connection *c) {
  c->link->transport->close(c->link);
}

static void expect_lost(solo_remote_link *link) {
  solo_remote_channel c;
  solo_remote_channel_of(link, 0, &c);
  uint64_t end = solo_now_ns() + MALFORMED_PATIENCE_NS;
  while (link->transport->is_alive(link) && solo_now_ns() < end)
    link->transport->await(&c, 1, 100000);
  CHECK(!link->transport->is_alive(link));
}

static void send_raw(const void *bytes, int size, int tag) {
  MPI_Request request;
  solo_remote_mpi_acquire();
  CHECK_INT(MPI_Isend(bytes, size, MPI_BYTE, 1, tag, job.messages, &request), MPI_SUCCESS);
  int done = 0;
  while (!done)
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
  solo_remote_mpi_release();
}

/* Sends MPI messages that the transport never sends. */
static void check_raw(void) {
  static uint8_t bytes[SOLO_REMOTE_MESSAGE_BYTES + 4096];
  static const int sizes[] = {0,           1, 7, 8, 15, 24, SOLO_REMOTE_MESSAGE_BYTES,
#ifndef OPEN_MPI /* Open MPI 4.1.4 writes beyond the receiver's buffer if a message is too long */
                              sizeof bytes
#endif
  };
  static const int tags[] = {0, 1, SOLO_REMOTE_CHANNELS - 1, JOB_REPORTED_BIT, JOB_TAG_OPEN - 1};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
      solo_remote_link *link;
      connect_once(&link);
      send_raw(bytes, sizes[s], tags[t]);
      expect_lost(link);
      link->transport->close(link);
    }
  solo_remote_link *link;
  connect_once(&link);
  send_raw(bytes, 16, JOB_TAGS); /* the unknown tag has ended the session */
  send_raw(bytes, 0, JOB_TAG_CLOSE);
  link->transport->close(link);
}

/* Sends invalid requests to forward data. A valid request for data that was never sent does not end
 * the session. */
static void check_gifts(void) {
  const solo_remote_forward good = {.channel = 7, .server = 2, .tag = 1, .ticket = 1, .bytes = 64};
  CHECK(job.size > 2); /* the test needs server 2 */
  connection c = malformed_open();
  send_raw(&good, sizeof good, JOB_TAG_FORWARD);
  solo_remote_plain *m = solo_remote_message(&c.control, sizeof *m, SOLO_REMOTE_FIND_DEVICES);
  if (m) CHECK_INT(solo_remote_wait(&c.control, solo_remote_post(&c.control, m)), SOLO_OK);
  CHECK(m && c.link->transport->is_alive(c.link));
  malformed_close(&c);
  solo_remote_forward gifts[] = {good, good, good, good, good, good, good};
  gifts[0].channel = 0;
  gifts[1].channel = SOLO_REMOTE_CHANNELS;
  gifts[2].bytes = 0;
  gifts[3].server = 0;
  gifts[4].server = 1; /* server 1 receives the request: a server cannot forward to itself */
  gifts[5].server = UINT32_MAX;
  gifts[6].tag = SOLO_REMOTE_MAX_TAG + 1;
  for (size_t n = 0; n < 2 * sizeof gifts / sizeof *gifts; n++) {
    solo_remote_link *link;
    connect_once(&link);
    if (n < sizeof gifts / sizeof *gifts)
      send_raw(&gifts[n], sizeof *gifts, JOB_TAG_FORWARD);
    else
      send_raw(&good, (int)(n * 3), JOB_TAG_FORWARD);
    expect_lost(link);
    link->transport->close(link);
  }
}

/* Sends more messages than the ring can hold. */
static void check_flood(void) {
  solo_remote_link *link;
  uint8_t bytes[64] = {0};
  const solo_remote_head head = {.bytes = sizeof bytes, .kind = SOLO_REMOTE_MARK};
  memcpy(bytes, &head, sizeof head);
  connect_once(&link);
  for (int n = 0; n < 3 * SOLO_REMOTE_RING_BYTES / (int)sizeof bytes; n++)
    send_raw(bytes, sizeof bytes, 7); /* no thread of the server receives messages of channel 7 */
  expect_lost(link);
  link->transport->close(link);
}

enum { LIES = 10 };

static void answer(const mpi_answer *a, size_t bytes) {
  solo_remote_mpi_acquire();
  solo_remote_mpi_answer(a, bytes);
  solo_remote_mpi_release();
}

static void lie(uint32_t session) {
  mpi_answer a = {.channel = JOB_ANSWER_OPENED, .completed = session};
  /* odd sessions offer shared memory, which no thread serves */
  if (session % 2) a.tail = 1;
  if (session == 1) a.more.welcome.status = SOLO_NOMEM;
  memset(a.more.welcome.text, 'x', sizeof a.more.welcome.text);
  answer(&a, sizeof a);
  a = (mpi_answer){0};
  size_t bytes = offsetof(mpi_answer, more);
  switch (session) {
  case 2:
    a.channel = SOLO_REMOTE_CHANNELS;
    break;
  case 3:
    a.channel = UINT32_MAX;
    break;
  case 4:
    a.completed = UINT64_MAX;
    break;
  case 5:
    a.completed = 2;
    break;
  case 6:
    a.tail = UINT64_MAX;
    break;
  case 7:
    bytes = 5;
    break;
  case 8:
    bytes++;
    break;
  case 9: /* requests data that the program has not offered */
    a = (mpi_answer){.channel = JOB_ANSWER_REQUESTED, .errors_made = UINT32_MAX, .completed = 1};
    break;
  case LIES:
    a.channel = JOB_ANSWER_ENDED;
  }
  if (session > 1) answer(&a, bytes);
}

static int be_liar(void) {
  uint32_t told = 0;
  if (solo_remote_mpi_start(0) != SOLO_OK) return 1;
  while (!solo_load_relaxed(&job.is_over)) {
    solo_remote_mpi_poll();
    uint32_t opened = solo_load_relaxed(&job.opened);
    if (opened != told) lie(opened);
    told = opened;
    usleep(1000);
  }
  solo_remote_mpi_finish();
  return 0;
}

static void check_liar(void) {
  solo_remote_link *link = NULL;
  CHECK_INT(solo_remote_mpi_connect(1, &link), SOLO_UNAVAILABLE);
  CHECK_HAS(solo_error_last()->text, "refuses: xxx");
  for (int n = 2; n <= LIES; n++) {
    solo_remote_channel c;
    connect_once(&link);
    solo_remote_channel_of(link, 0, &c);
    solo_remote_plain *m = solo_remote_message(&c, sizeof *m, SOLO_REMOTE_FIND_DEVICES);
    if (m) CHECK_INT(solo_remote_wait(&c, solo_remote_post(&c, m)), SOLO_DEVICE_LOST);
    expect_lost(link);
    link->transport->close(link);
  }
}

int main(int argc, char **argv) {
  alarm(PATIENCE_SECONDS);
  const char *given = getenv("SOLO_SERVER");
  if (given && strcmp(given, "none") == 0) return be_liar();
  if (argc > 1 && strcmp(argv[1], "liar") == 0) {
    check_liar();
    return TEST_RESULT();
  }
  check_raw();
  check_gifts();
  check_flood();
  malformed_ranges();
  malformed_flips(argc > 1 ? (uint32_t)atoi(argv[1]) : 1);
  connection c = malformed_open();
  malformed_close(&c);
  return TEST_RESULT();
}
