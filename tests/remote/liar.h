/* A device server that lies: a real one, in which one byte of one answer, or one counter, is another than it
 * should be (liar.c).
 *
 * Threads: one; it is a process of its own, which serves each program in a child. Errors: they end the test. */
#ifndef TESTS_REMOTE_LIAR_H
#define TESTS_REMOTE_LIAR_H

#include "backends/remote/remote_transport.h"

typedef enum liar_where {
  LIAR_NOWHERE,
  LIAR_WELCOME,   /* a byte of it */
  LIAR_ANSWER,    /* a byte of the result of a control message of this kind */
  LIAR_FAILURE,   /* a byte of the result of a queue that tells of a failure */
  LIAR_TAIL,      /* a bit of a channel's counter, each time that it is told */
  LIAR_COMPLETED, /* the same, where that makes it more than it is */
  LIAR_ERRORS,
  LIAR_NUMBERS, /* devices numbered up to 127, which can be opened */
  LIAR_NAMES,   /* of a kernel, with a NUL in it */
  LIAR_INFO,    /* the device is described by zeros when it is opened first */
  LIAR_MEMORY,  /* the second block that the server allocates lies where at says */
  LIAR_NO_AREA, /* likewise, of a server that has no area */
} liar_where;

enum {
  LIAR_IN_FIRST,
  LIAR_ACROSS_FIRST,
  LIAR_AT_END
}; /* blocks: in the first, over its begin, to no address */

/* What to lie about, in memory that test and liar share. */
typedef struct liar_plan {
  liar_where where;
  uint32_t kind;  /* LIAR_ANSWER: a solo_remote_kind */
  uint32_t at;    /* the byte; of counters the bit */
  uint8_t flip;   /* bits of the byte */
  int is_control; /* LIAR_TAIL, LIAR_COMPLETED: of channel 0, not of queues */
  _Atomic int told;
} liar_plan;

/* Starts it under this name of the abstract namespace; it ends with the caller. The plan may be changed while no
 * program is connected. */
liar_plan *liar_start(const char *name);

#endif
