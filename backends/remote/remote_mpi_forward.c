/* Transfers of the copy tree over MPI. The program sends the source server a forward request, which
 * any polling thread of the server receives. If the source server no longer has the data, it sends a
 * rejection to the target server. */
#include "backends/remote/remote_mpi.h"

#include <stdlib.h>
#include <string.h>

#define job solo_remote_mpi

static const int32_t too_late = SOLO_UNAVAILABLE;

_Static_assert(sizeof(solo_remote_forward) <= JOB_NOTE_BYTES, "a request must fit into a note");

int solo_remote_mpi_request_forward(solo_remote_link *link, const solo_remote_forward *forward) {
  solo_remote_mpi_acquire();
  int failed = solo_load_relaxed(&link->lost) || /* relaxed: a late read is harmless */
               solo_remote_mpi_send(job.messages, (int)link->number, JOB_TAG_FORWARD, forward,
                                    sizeof *forward);
  solo_remote_mpi_release();
  return failed;
}

#ifdef SOLO_CHECK
static int is_ordered_late(void) {
  return getenv("SOLO_TEST_LATE_FORWARDS") != NULL;
}
#else
enum { is_not_late };
#define is_ordered_late() is_not_late
#endif

static void refuse(const solo_remote_forward *g) {
  (void)solo_remote_mpi_send(job.between, (int)g->server, (int)g->tag, &too_late, sizeof too_late);
}

int solo_remote_mpi_send_offered(mpi_link *l, uint32_t number, uint64_t ticket) {
  if (number >= SOLO_REMOTE_CHANNELS) return 1;
  mpi_channel *m = &l->channels[number];
  solo_remote_channel c;
  solo_remote_channel_of(&l->link, number, &c);
  for (uint64_t n = m->first_transfer; n != m->last_transfer; n++) {
    mpi_transfer *t = &m->transfers[n % JOB_TRANSFERS];
    if (t->ticket != ticket || !t->offered) continue;
    void *bytes = t->offered;
    t->offered = NULL;
    return solo_remote_mpi_start_move(&c, bytes, t->size, SOLO_REMOTE_OFFER, &t->request);
  }
  return 1;
}

int solo_remote_mpi_receive_forward_request(mpi_link *l, const void *message, int bytes) {
  solo_remote_forward g;
  if (bytes != (int)sizeof g) return 1;
  memcpy(&g, message, sizeof g);
  if (g.channel == 0 || g.channel >= SOLO_REMOTE_CHANNELS || !g.bytes || g.server < 1 ||
      (int64_t)g.server >= job.size || (int)g.server == job.rank || g.tag > SOLO_REMOTE_MAX_TAG)
    return 1;
  const mpi_channel *m = l ? &l->channels[g.channel] : NULL;
  int is_late = !m || solo_load_relaxed(&l->link.lost) || /* relaxed: a late read is harmless */
                !m->arriving.shared || g.ticket <= m->forwards_until ||
                l->forward_count == JOB_FORWARDS || is_ordered_late();
  mpi_forward *new = is_late ? NULL : calloc(1, sizeof *new);
  if (!new) {
    refuse(&g);
    return 0;
  }
  mpi_forward **last = &l->gifts;
  while (*last) last = &(*last)->next;
  new->forward = g;
  *last = new;
  l->forward_count++;
  return 0;
}

static void remove_forward(mpi_link *l, mpi_forward **link) {
  mpi_forward *forward = *link;
  *link = forward->next;
  free(forward);
  l->forward_count--;
}

int solo_remote_mpi_next_forward(solo_remote_channel *c, uint64_t ticket,
                                 solo_remote_forward *out) {
  mpi_link *l = solo_remote_mpi_link_of(c->link);
  int is_found = 0;
  solo_remote_mpi_acquire();
  for (mpi_forward **link = &l->gifts; *link && !is_found;) {
    const solo_remote_forward *g = &(*link)->forward;
    if (g->channel != c->number || g->ticket > ticket) {
      link = &(*link)->next;
      continue;
    }
    is_found = g->ticket == ticket;
    if (is_found)
      *out = *g;
    else
      refuse(g);
    remove_forward(l, link);
  }
  if (!is_found) l->channels[c->number].forwards_until = ticket;
  solo_remote_mpi_release();
  return is_found;
}

void solo_remote_mpi_reject_forwards(mpi_link *l, uint32_t channel) {
  for (mpi_forward **link = &l->gifts; *link;) {
    if (channel != UINT32_MAX && (*link)->forward.channel != channel) {
      link = &(*link)->next;
      continue;
    }
    refuse(&(*link)->forward);
    remove_forward(l, link);
  }
}
