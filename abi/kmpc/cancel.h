/* Cancellation of regions: which kinds are requested in a team (bits of team->cancel).
 *
 * A team is marked and stays so until the construct ends: the region (join clears), the loop or
 * sections (their closing cancel barrier clears), the taskgroup (task.c keeps its own mark).
 */
#ifndef SOLO_KMPC_CANCEL_H
#define SOLO_KMPC_CANCEL_H

enum {
  KMPC_CANCEL_PARALLEL = 1 << 1, /* kinds as compilers number them: parallel 1, loop 2, */
  KMPC_CANCEL_LOOP = 1 << 2,     /* sections 3, taskgroup 4 */
  KMPC_CANCEL_SECTIONS = 1 << 3,
};

#endif
