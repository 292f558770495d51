/* The interface between a simulated driver and its child process sim-device.
 *
 * Arguments: <device base> <device bytes> <host base> <host bytes> <tries>. One thread serves each
 * stream: it receives one sim_grid per message (SOCK_SEQPACKET) and answers each with one int (0).
 * The first int: the thread is ready. End of file on any stream ends the child. tries: earlier
 * executions of the child, which found occupied ranges. */
#ifndef SIM_CHILD_H
#define SIM_CHILD_H

enum {
  SIM_CHILD_DEVICE_FD = 3,
  SIM_CHILD_HOST_FD = 4,
  SIM_CHILD_PRINT_FD = 5, /* a pipe for the kernels' output */
  SIM_CHILD_LANE_FD = 6,  /* the first of SIM_LANES */
  SIM_CHILD_TRIES = 8,
};

#endif
