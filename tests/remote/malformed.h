/* What tests of malformed messages share: messages that lie, whatever carries them. */
#ifndef TESTS_REMOTE_MALFORMED_H
#define TESTS_REMOTE_MALFORMED_H

#include "backends/remote/remote.h"
#include "tests/unit/test.h"

/* What has not happened by then never will. */
#define MALFORMED_PATIENCE_NS UINT64_C(30000000000)

typedef struct connection {
  int server; /* the test's own */
  solo_remote_link *link;
  solo_remote_channel control, queue;
  solo_devptr block; /* as long as a staging area */
} connection;

/* Of each test: connects to a server with a CPU device; ends that and checks that the server lives, or
 * has ended well. */
void malformed_connect(connection *out);
void malformed_close(connection *c);

/* A connection with the CPU device open, a queue on channel 1, and a block of memory. */
connection malformed_open(void);

/* The message ends the connection, and nothing else of the server. */
void malformed_expect_end(connection *c, solo_remote_channel *channel, const void *message);

/* Each byte of each message flipped in eight ways (stride: only every nth byte). A server that refuses
 * is replaced. */
void malformed_flips(uint32_t stride);

/* Copies that leave the staging area or the longest piece, an event that will never be. */
void malformed_ranges(void);

#endif
