/* Between a simulated driver and its child process sim-device: what is inherited and what is said.
 *
 * The child inherits the files and its streams' sockets at fixed descriptors and gets the regions as
 * arguments: sim-device <device base> <device bytes> <host base> <host bytes> <tries>. A thread
 * serves each stream: over its socket (SOCK_SEQPACKET) goes one sim_grid per message; the answer to
 * each is one int (0). The first int, before any grid, says that it is ready. End of file on any
 * stream ends the child.
 */
#ifndef SIM_CHILD_H
#define SIM_CHILD_H

enum {
  SIM_CHILD_DEVICE_FD = 3,
  SIM_CHILD_HOST_FD = 4,
  SIM_CHILD_PRINT_FD = 5, /* a pipe: what kernels print */
  SIM_CHILD_LANE_FD = 6,  /* and those after it */
  SIM_CHILD_TRIES = 8,
};

#endif
