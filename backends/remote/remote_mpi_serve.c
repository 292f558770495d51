/* A rank that is a device server. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_liveness.h"
#include "backends/remote/remote_server.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_NS = 100 * 1000, MAX_SLEEP_NS = 2 * 1000 * 1000 };
/* The server ends after LOOKS consecutive checks, one per second, that do not find rank 0. */
enum { LOOKS = 3 };

#define job solo_remote_mpi

void (*solo_remote_no_program)(void);

/* If rank 0 ended without a call of MPI, the servers would wait in MPI_Init forever. If all ranks
 * are on this machine, they are children of one launcher, and their environments contain their
 * ranks. A server ends if no remaining child of the launcher can be rank 0. */
static _Atomic int has_started;

typedef struct launcher {
  const char *rank, *size, *local_size;
} launcher;

static const launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
};

typedef enum content {
  GONE,
  WHOLE,
  UNKNOWN /* unreadable, or too long */
} content;

static content read_file(const char *path, char *text, size_t size, size_t *out_bytes) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  size_t bytes = 0;
  ssize_t got = 0;
  *out_bytes = 0;
  if (file < 0) return errno == ENOENT || errno == ESRCH ? GONE : UNKNOWN;
  while (bytes < size - 1 && (got = read(file, text + bytes, size - 1 - bytes)) > 0)
    bytes += (size_t)got;
  int reason = got < 0 ? errno : 0;
  close(file);
  text[bytes] = 0;
  *out_bytes = bytes;
  if (reason) return reason == ESRCH ? GONE : UNKNOWN;
  return bytes == size - 1 ? UNKNOWN : WHOLE;
}

enum { NO_RANK = -1, HAS_ENDED = -2, UNDECIDED = -3 };

/* Returns the rank, or one of the constants above. NO_RANK: the initial environment of the process
 * has no rank. */
static int rank_of(long process, const launcher *l) {
  static char variables[1 << 18];
  char path[64];
  size_t bytes, length = strlen(l->rank);
  snprintf(path, sizeof path, "/proc/%ld/environ", process);
  content is = read_file(path, variables, sizeof variables, &bytes);
  if (is == UNKNOWN) return UNDECIDED;
  if (is == GONE || !bytes) return HAS_ENDED; /* the process is a zombie */
  for (const char *v = variables; v < variables + bytes; v += strlen(v) + 1)
    if (strncmp(v, l->rank, length) == 0 && v[length] == '=') return atoi(v + length + 1);
  return NO_RANK;
}

/* Returns whether the process can be rank 0. This cannot be excluded before the process calls
 * execve(2), or if it has overwritten its environment. */
static int may_be_rank_0(long process, const launcher *l) {
  int rank = rank_of(process, l);
  return rank != HAS_ENDED && rank <= 0;
}

/* Returns NULL if ranks can be on other machines. */
static const launcher *find_launcher(void) {
  for (size_t n = 0; n < sizeof launchers / sizeof *launchers; n++) {
    const char *all = getenv(launchers[n].size), *here = getenv(launchers[n].local_size);
    if (all && here && strcmp(all, here) == 0) return &launchers[n];
  }
  return NULL;
}

static int may_be_there(void) {
  static char children[1 << 16];
  const launcher *l = find_launcher();
  char path[64], *at = children;
  size_t bytes;
  long parent = (long)getppid(), self = (long)getpid();
  int has_self = 0; /* 0: these are the children of another thread of the launcher */
  /* if the parent is a process of the job, such as a script of this rank, the launcher is unknown */
  if (!l || rank_of(parent, l) != NO_RANK) return 1;
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", parent, parent);
  if (read_file(path, children, sizeof children, &bytes) != WHOLE || !bytes) return 1;
  for (char *end;; at = end) {
    long process = strtol(at, &end, 10);
    if (end == at) return !has_self;
    if (process == self)
      has_self = 1;
    else if (may_be_rank_0(process, l))
      return 1;
  }
}

static void *watch(void *unused) {
  const struct timespec time = {.tv_sec = 1};
  (void)unused;
  for (int absent = 0; absent < LOOKS;) {
    (void)nanosleep(&time, NULL);
    if (solo_load_relaxed(&has_started)) return NULL; /* relaxed: a flag */
    absent = may_be_there() ? 0 : absent + 1;
  }
  solo_remote_no_program();
  return NULL;
}

/* Starts MPI, which may wait for hours. Meanwhile a thread checks that rank 0 exists. */
static solo_status start_mpi(void) {
  pthread_t watcher;
  int is_watched = solo_remote_no_program && pthread_create(&watcher, NULL, watch, NULL) == 0;
  solo_status status = solo_remote_mpi_start(0);
  solo_store_relaxed(&has_started, 1); /* relaxed: a flag */
  if (is_watched) pthread_detach(watcher);
  return status;
}

/* Serves the newest requested session and returns its number, which can be newer than job.opened
 * was in the caller. */
static uint32_t serve_session(solo_status *out_status) {
  solo_remote_mpi_acquire();
  const mpi_open open_request = job.open_request;
  solo_remote_mpi_release();
  mpi_answer a = {.channel = JOB_ANSWER_OPENED, .completed = open_request.session};
  mpi_link *l = solo_remote_mpi_make_link(0, open_request.session);
  solo_status status =
      l ? SOLO_OK : solo_fail(SOLO_NOMEM, "the device server has no memory for a program");
  solo_remote_fill_welcome(&a.more.welcome, status);
  if (l) solo_remote_mpi_accept_offer(l, &open_request);
  if (l) a.more.welcome.area = (uintptr_t)l->link.area;
  a.tail = l && l->is_near;
  solo_remote_mpi_acquire();
  job.links[0] = l;
  if (l) l->link.welcome = a.more.welcome;
  solo_remote_mpi_answer(&a, sizeof a);
  solo_remote_mpi_release();
  *out_status = l ? solo_remote_serve_link(&l->link) : status;
  return open_request.session;
}

solo_status solo_remote_mpi_serve(void) {
  solo_status status = start_mpi();
  uint32_t served = 0;
  job.program_ended = solo_remote_program_ended;
  for (uint64_t ns = SLEEP_NS; status == SOLO_OK && !solo_load_relaxed(&job.is_over);) {
    uint32_t opened = solo_load_relaxed(&job.opened); /* relaxed: a hint */
    solo_remote_mpi_poll();
    if (opened != served) {
      served = serve_session(&status);
      ns = SLEEP_NS;
      continue;
    }
    const struct timespec time = {.tv_nsec = (long)ns};
    solo_remote_mpi_check_liveness();
    (void)nanosleep(&time, NULL);
    if (ns < MAX_SLEEP_NS) ns += ns / 8;
  }
  solo_remote_mpi_finish();
  return status;
}
