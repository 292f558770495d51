/* A rank that is a device server: sessions of the program, one after the other, until it ends. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_server.h"

#include <time.h>

enum { NAP_NS = 100 * 1000, LONGEST_NAP_NS = 2 * 1000 * 1000 };

#define job solo_remote_mpi

static solo_status serve_session(uint32_t session) {
  mpi_answer a = {.channel = JOB_ANSWER_OPENED, .completed = session};
  mpi_link *l = solo_remote_mpi_make_link(0, session);
  solo_status status =
      l ? SOLO_OK : solo_fail(SOLO_NOMEM, "the device server has no memory for a program");
  solo_remote_fill_welcome(&a.more.welcome, status);
  solo_remote_mpi_acquire();
  job.links[0] = l;
  if (l) l->link.welcome = a.more.welcome;
  solo_remote_mpi_answer(&a, sizeof a);
  solo_remote_mpi_release();
  return l ? solo_remote_serve_link(&l->link) : status;
}

solo_status solo_remote_mpi_serve(void) {
  solo_status status = solo_remote_mpi_start(0);
  uint32_t served = 0;
  job.program_ended = solo_remote_program_ended;
  for (uint64_t ns = NAP_NS; status == SOLO_OK && !solo_load_relaxed(&job.is_over);) {
    uint32_t opened = solo_load_relaxed(&job.opened); /* by itself */
    solo_remote_mpi_poll();
    if (opened != served) {
      status = serve_session(opened);
      served = opened;
      ns = NAP_NS;
      continue;
    }
    const struct timespec time = {.tv_nsec = (long)ns};
    (void)nanosleep(&time, NULL);
    if (ns < LONGEST_NAP_NS) ns += ns / 8;
  }
  solo_remote_mpi_finish();
  return status;
}
