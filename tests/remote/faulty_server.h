/* A device server that changes one byte of a result, or one counter (faulty_server.c). */
#ifndef TESTS_REMOTE_FAULTY_SERVER_H
#define TESTS_REMOTE_FAULTY_SERVER_H

#include "backends/remote/remote_transport.h"

typedef enum faulty_server_fault {
  FAULT_NONE,
  FAULT_WELCOME,   /* a byte of the server's welcome */
  FAULT_ANSWER,    /* a byte of the result of control messages of the plan's kind */
  FAULT_FAILURE,   /* a byte of the result in which a queue reports a failure */
  FAULT_TAIL,      /* a bit of a channel's tail counter, at each update */
  FAULT_COMPLETED, /* a bit of the completed counter, if the change increases the counter */
  FAULT_ERRORS,
  FAULT_NUMBERS, /* more device numbers than exist, up to 127; all can be opened */
  FAULT_NAMES,   /* a kernel name that contains a NUL */
  FAULT_INFO,    /* the first description of the device consists of zeros */
  FAULT_MEMORY,  /* the address of the second block; faulty_server_plan.at selects the change */
  FAULT_NO_AREA, /* as FAULT_MEMORY, without a shared area */
} faulty_server_fault;

enum {
  FAULT_IN_FIRST,
  FAULT_ACROSS_FIRST,
  FAULT_AT_END
  /* faulty_server_plan.at: the second block lies inside the first, across the first block's
   * beginning, or at the end of the address space */
};

/* The fault to inject, in memory that the test and the server share. */
typedef struct faulty_server_plan {
  faulty_server_fault where;
  uint32_t kind;  /* FAULT_ANSWER: a solo_remote_kind */
  uint32_t at;    /* the byte to change, or the bit of a counter */
  uint8_t flip;   /* mask of the bits to change */
  int is_control; /* selects the counters of channel 0, not of the queues */
  _Atomic int requested;
} faulty_server_plan;

/* Starts the server, which ends with the calling process. The plan may change while no program is
 * connected. */
faulty_server_plan *faulty_server_start(const char *name);

#endif
