/* A faulty device server: a real one that changes one byte of a result, or one counter (liar.c). */
#ifndef TESTS_REMOTE_LIAR_H
#define TESTS_REMOTE_LIAR_H

#include "backends/remote/remote_transport.h"

typedef enum liar_where {
  LIAR_NOWHERE,
  LIAR_WELCOME,   /* a byte of the welcome */
  LIAR_ANSWER,    /* a byte of the result of control messages of this kind */
  LIAR_FAILURE,   /* a byte of a queue's result that reports a failure */
  LIAR_TAIL,      /* a bit of a channel's counter, at each update */
  LIAR_COMPLETED, /* a bit, if that increases the counter */
  LIAR_ERRORS,
  LIAR_NUMBERS, /* numbers up to 127, all of which can be opened */
  LIAR_NAMES,   /* a kernel name that contains a NUL */
  LIAR_INFO,    /* zeros as the first description of the device */
  LIAR_MEMORY,  /* the address of the second block, see at */
  LIAR_NO_AREA, /* the same without a shared area */
} liar_where;

enum {
  LIAR_IN_FIRST,
  LIAR_ACROSS_FIRST,
  LIAR_AT_END
}; /* inside the first block, across its beginning, at the end of the address space */

/* The fault to inject, in memory that the test and the server share. */
typedef struct liar_plan {
  liar_where where;
  uint32_t kind;  /* LIAR_ANSWER: a solo_remote_kind */
  uint32_t at;    /* the byte, or the bit of a counter */
  uint8_t flip;   /* bits to change */
  int is_control; /* counters: of channel 0 instead of the queues */
  _Atomic int told;
} liar_plan;

/* Starts the server; it ends with the caller. The plan may change while no program is connected. */
liar_plan *liar_start(const char *name);

#endif
