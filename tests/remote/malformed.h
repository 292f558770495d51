/* Sends malformed messages to a device server; used by the tests of both transports. */
#ifndef TESTS_REMOTE_MALFORMED_H
#define TESTS_REMOTE_MALFORMED_H

#include "backends/remote/remote.h"
#include "tests/unit/test.h"

#define MALFORMED_PATIENCE_NS UINT64_C(30000000000)

typedef struct connection {
  int server; /* the server's process (the test for shared memory) */
  solo_remote_link *link;
  solo_remote_channel control, queue;
  solo_devptr block; /* SOLO_REMOTE_STAGING_BYTES long */
} connection;

/* Each test defines these two functions. malformed_close() also checks that the server still works
 * or ended normally. */
void malformed_connect(connection *out);
void malformed_close(connection *c);

/* Opens the CPU device and a queue on channel 1, and allocates a block. */
connection malformed_open(void);

/* Writes a valid message of this kind to `bytes` (256 bytes) and returns its size. block: device
 * memory, or 0. */
uint32_t malformed_make(solo_remote_kind kind, solo_devptr block, uint8_t *bytes);

/* Posts the message. Checks that the server ends the connection with an error, and that other
 * connections continue. */
void malformed_expect_end(connection *c, solo_remote_channel *channel, const void *message);

/* Changes every stride-th byte of a message of each kind in eight ways. Connects again after each
 * rejection. */
void malformed_flips(uint32_t stride);

/* Sequences of valid messages that end with a wrong message: images, modules, kernels, memory.
 * image: file of a CPU image with the kernel conf_empty. */
void malformed_sequences(const char *image);

/* Copies outside the staging area or above the maximum size; a wait for an event that never occurs. */
void malformed_ranges(void);

#endif
