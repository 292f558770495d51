/* Links between ranks on one machine. Program and server share memory, as in remote_shm.c. The
 * program's session request offers a memory file. MPI carries only session requests and transfers
 * between servers. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  CHECK_NS = 1000 * 1000,
  FAR_NS = 50 * 1000, /* maximum sleep of a program with far links */
};

#define job solo_remote_mpi

/* Returns the place of the secret, which the first answer overwrites. */
static void *secret_in(const solo_remote_link *link) {
  return solo_remote_shared_of(link, 0)->result.answer;
}

int solo_remote_mpi_offer_file(int rank, solo_remote_link *out, mpi_open *open) {
  struct stat s;
  /* equal host names do not suffice: a server in another container cannot open the file */
  if (!job.wants_shared_memory() || strcmp(job.hosts[rank], job.hosts[0]) != 0) return -1;
  uint64_t area_bytes = solo_remote_area_default_bytes();
  int file = solo_remote_make_file(area_bytes);
  if (file < 0) return -1;
  if (getrandom(&open->secret, sizeof open->secret, GRND_NONBLOCK) != sizeof open->secret ||
      fstat(file, &s) != 0 || solo_remote_map_file(out, file, area_bytes)) {
    close(file);
    return -1;
  }
  solo_remote_exclude_from_fork(out);
  memcpy(secret_in(out), &open->secret, sizeof open->secret);
  open->process = (int32_t)getpid();
  open->file = file;
  open->inode = s.st_ino;
  open->area_bytes = area_bytes;
  return file;
}

/* Returns -1 if this process cannot open the file. */
static int open_offered(const mpi_open *o) {
  char path[64];
  struct stat s;
#ifdef SOLO_CHECK
  if (getenv("SOLO_TEST_FAR")) return -1;
#endif
  if (o->file < 0) return -1;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", o->process, o->file);
  int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return -1;
  if (fstat(file, &s) == 0 && s.st_ino == o->inode && s.st_uid == geteuid() &&
      solo_remote_is_file(file, o->area_bytes))
    return file;
  close(file);
  return -1;
}

/* If the program also has far links (without shared memory), all its waiting threads poll MPI:
 * copies over far links need the polling, and near queues may wait for work of far servers. In a
 * server only the control thread polls. */
static void near_await(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  int is_program = job.rank == 0;
  if (!is_program && c->number == 0 && count == SOLO_REMOTE_NEXT_MESSAGE) {
    solo_remote_mpi_await(c, count, timeout_ns);
    return;
  }
  /* relaxed: does not change while far links have work */
  if (is_program && solo_load_relaxed(&job.far_links)) {
    solo_remote_mpi_poll();
    if (!timeout_ns) return;
    if (timeout_ns > FAR_NS) timeout_ns = FAR_NS;
  }
  solo_remote_shm_await(c, count, timeout_ns);
}

static int near_move(solo_remote_channel *c, const solo_remote_move *m) {
  return m->server ? solo_remote_mpi_move_between(c, m) : -1;
}

/* Polls MPI, which reports the end of a connection. Polls rarely, because event queries call this
 * function. */
static int near_is_alive(solo_remote_link *link) {
  static _Atomic uint64_t looked_ns;
  uint64_t now = solo_now_ns();
  if (now - solo_load_relaxed(&looked_ns) > CHECK_NS) { /* relaxed: a hint, also below */
    solo_store_relaxed(&looked_ns, now);
    solo_remote_mpi_poll();
  }
  return solo_remote_mpi_is_alive(link);
}

static const solo_remote_transport near_transport = {
    .post = solo_remote_shm_post,
    .receive = solo_remote_shm_receive,
    .complete = solo_remote_shm_complete,
    .await = near_await,
    .move = near_move,
    .is_alive = near_is_alive,
    .end = solo_remote_mpi_end,
    .close = solo_remote_mpi_close,
};

void solo_remote_mpi_share(mpi_link *l, const solo_remote_link *mapped) {
  solo_remote_mpi_free_memory(l);
  l->link.memory = mapped->memory;
  l->link.area = mapped->area;
  l->link.area_bytes = mapped->area_bytes;
  l->link.mapper = mapped->mapper;
  l->link.transport = &near_transport;
  l->link.copies_directly = l->link.has_no_staging = 0;
  l->is_near = 1;
  solo_remote_channel_of(&l->link, 0, &l->channels[0].arriving);
}

void solo_remote_mpi_accept_offer(mpi_link *l, const mpi_open *open) {
  solo_remote_link shared = {0};
  int file = open_offered(open);
  if (file < 0) return;
  int is_mapped = solo_remote_map_file(&shared, file, open->area_bytes) == 0;
  close(file);
  if (!is_mapped) return;
  if (memcmp(secret_in(&shared), &open->secret, sizeof open->secret) == 0)
    solo_remote_mpi_share(l, &shared);
  else
    solo_remote_unmap_file(&shared);
}
