/* A faulty device server: a real one that changes one byte of a result, or one counter (faulty_server.c). */
#ifndef TESTS_REMOTE_FAULTY_SERVER_H
#define TESTS_REMOTE_FAULTY_SERVER_H

#include "backends/remote/remote_transport.h"

typedef enum faulty_server_fault {
  FAULT_NONE,
  FAULT_WELCOME,   /* a byte of the welcome */
  FAULT_ANSWER,    /* a byte of the result of control messages of this kind */
  FAULT_FAILURE,   /* a byte of a queue's result that reports a failure */
  FAULT_TAIL,      /* a bit of a channel's counter, at each update */
  FAULT_COMPLETED, /* a bit, if that increases the counter */
  FAULT_ERRORS,
  FAULT_NUMBERS, /* numbers up to 127, all of which can be opened */
  FAULT_NAMES,   /* a kernel name that contains a NUL */
  FAULT_INFO,    /* zeros as the first description of the device */
  FAULT_MEMORY,  /* the address of the second block, see at */
  FAULT_NO_AREA, /* the same without a shared area */
} faulty_server_fault;

enum {
  FAULT_IN_FIRST,
  FAULT_ACROSS_FIRST,
  FAULT_AT_END
}; /* inside the first block, across its beginning, at the end of the address space */

/* The fault to inject, in memory that the test and the server share. */
typedef struct faulty_server_plan {
  faulty_server_fault where;
  uint32_t kind;  /* FAULT_ANSWER: a solo_remote_kind */
  uint32_t at;    /* the byte, or the bit of a counter */
  uint8_t flip;   /* bits to change */
  int is_control; /* counters: of channel 0 instead of the queues */
  _Atomic int told;
} faulty_server_plan;

/* Starts the server; it ends with the caller. The plan may change while no program is connected. */
faulty_server_plan *faulty_server_start(const char *name);

#endif
