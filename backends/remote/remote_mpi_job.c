#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_liveness.h"
#include "backends/remote/remote_server_list.h"

#include "runtime/base/log.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_NS = 100 * 1000, MAX_SLEEP_NS = 2 * 1000 * 1000, OPEN_SECONDS = 30, END_SECONDS = 5 };

#define job solo_remote_mpi

#define TEXT_(word) #word
#define TEXT(word)  TEXT_(word)
#define START_JOB                                                                                  \
  "start it with the mpirun of " TEXT(SOLO_MPI) ": mpirun -n 1 PROGRAM : -n N solo-server-" TEXT(  \
      SOLO_MPI)

static struct {
  int requested;
  int is_started;
  pid_t process;
  uint32_t sessions;
  solo_status status;
  char reason[SOLO_ERROR_TEXT];
} start_;

/* First message of each rank. The offsets of magic and version are the same in all versions. */
typedef struct mpi_hello {
  uint64_t magic;
  uint32_t version, api_version;
  uint32_t shared_bytes, info_bytes, answer_bytes;
  uint32_t is_program;
  int32_t process;
  char host[64];
  mpi_listener listener;
} mpi_hello;

/* Sleeps between tests, because a program may reach its first target region after hours. */
static int wait_for(MPI_Request *request) {
  int done = 0;
  for (uint64_t ns = SLEEP_NS; !done;) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 1;
    if (done) break;
    const struct timespec time = {.tv_nsec = (long)ns};
    (void)nanosleep(&time, NULL);
    if (ns < MAX_SLEEP_NS) ns += ns / 8;
  }
  return 0;
}

static void fill_hello(mpi_hello *h, int is_program) {
  h->magic = SOLO_REMOTE_MAGIC;
  h->version = SOLO_REMOTE_VERSION;
  h->api_version = SOLO_BACKEND_API;
  h->shared_bytes = sizeof(solo_remote_shared);
  h->info_bytes = sizeof(solo_device_info);
  h->answer_bytes = sizeof(mpi_answer);
  h->is_program = (uint32_t)is_program;
  h->process = (int32_t)getpid();
  if (gethostname(h->host, sizeof h->host - 1) != 0) h->host[0] = 0;
#ifdef SOLO_CHECK
  if (getenv("SOLO_TEST_MPI_VERSION")) h->version++;
#endif
}

/* Returns why the rank cannot work with rank 0, or NULL. */
static const char *misfit(const mpi_hello *first, const mpi_hello *h, int rank) {
  if (first->magic != SOLO_REMOTE_MAGIC || !first->is_program)
    return "rank 0 is not a program with solo; " START_JOB;
  if (rank == 0) return NULL;
  if (h->magic != SOLO_REMOTE_MAGIC) return "the rank is not a program with solo";
  if (h->is_program)
    return "no executable solo-server-" TEXT(
        SOLO_MPI) " was found to make the rank a device server";
  if (h->version != first->version || h->api_version != first->api_version ||
      h->shared_bytes != first->shared_bytes || h->info_bytes != first->info_bytes ||
      h->answer_bytes != first->answer_bytes)
    return "program and device server have different versions of solo; use the same version";
  if (rank >= JOB_MOST_RANKS) return "there are more ranks than a program can use";
  return NULL;
}

/* Exchanges hellos. Creates the communicator *out of the ranks that can work with rank 0; all ranks
 * compute the same set. Returns nonzero on failure. */
static int exchange_hello(int is_program, MPI_Comm *out, mpi_listener *out_listener) {
  union hello {
    mpi_hello hello;
    char bytes[JOB_HELLO_BYTES];
  } own = {.bytes = {0}}, *all;
  int rank = 0, size = 0, fitting = 0;
  MPI_Request request;
  *out = MPI_COMM_NULL;
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return 1;
  if (MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS) return 1;
  all = calloc((size_t)size, sizeof *all);
  if (!all) return 1;
  fill_hello(&own.hello, is_program);
  if (is_program && rank == 0 && size > 1) solo_remote_mpi_listen_for_liveness(&own.hello.listener);
  int failed = MPI_Iallgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD,
                              &request) != MPI_SUCCESS ||
               wait_for(&request);
  job.hosts = calloc((size_t)size, sizeof *job.hosts);
  for (int n = 0; n < size && !failed && job.hosts; n++) {
    const char *why = misfit(&all[0].hello, &all[n].hello, n);
    if (!why) memcpy(job.hosts[fitting++], all[n].hello.host, sizeof *job.hosts);
    if (why && (n == rank || (rank == 0 && !start_.reason[0])))
      snprintf(start_.reason, sizeof start_.reason,
               "rank %d of the MPI job (process %d on %.60s): %s", n, all[n].hello.process,
               all[n].hello.host, why);
    if (why && n == rank) rank = -1;
  }
  *out_listener = all[0].hello.listener;
  free(all);
  if (failed || !job.hosts) return 1;
  return MPI_Comm_split(MPI_COMM_WORLD, rank >= 0 ? 0 : MPI_UNDEFINED, rank, out) != MPI_SUCCESS;
}

static int open_channels(MPI_Comm all) {
  MPI_Comm *comms[] = {&job.messages, &job.answers, &job.data, &job.between};
  for (int n = 0; n < 4; n++)
    if (MPI_Comm_dup(all, comms[n]) != MPI_SUCCESS ||
        MPI_Comm_set_errhandler(*comms[n], MPI_ERRORS_RETURN) != MPI_SUCCESS)
      return 1;
  if (MPI_Comm_rank(all, &job.rank) != MPI_SUCCESS) return 1;
  if (MPI_Comm_size(all, &job.size) != MPI_SUCCESS) return 1;
  job.links = calloc((size_t)job.size, sizeof *job.links);
  job.slots = calloc(JOB_SLOTS, sizeof *job.slots);
  job.dead = calloc((size_t)job.size, sizeof *job.dead);
  job.sent = job.rank ? calloc(JOB_ANSWERS, sizeof *job.sent) : NULL;
  if (!job.links || !job.slots || !job.dead || (job.rank && !job.sent)) return 1;
  for (int n = 0; n < JOB_ANSWERS && job.rank; n++) job.sent[n].request = MPI_REQUEST_NULL;
  solo_remote_mpi_listen();
  return 0;
}

static void forget_in_child(void) {
  solo_store_relaxed(&job.is_over, 1); /* relaxed: flags, and the child has one thread */
  for (int n = 0; job.links && n < job.size; n++)
    if (job.links[n]) solo_store_relaxed(&job.links[n]->link.lost, 1);
  solo_remote_mpi_close_liveness();
}

static const char *start(int is_program) {
  int was = 0, level = 0;
  mpi_listener listener;
  MPI_Comm all;
  (void)MPI_Initialized(&was);
  if (was)
    return "the program uses MPI itself, so the other ranks of the job cannot be its device "
           "servers";
  (void)MPI_Finalized(&was);
  if (was) return "MPI is finalized";
  start_.process = getpid();
  if (PMPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
    return "MPI_Init_thread fails";
  start_.is_started = 1;
  (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (exchange_hello(is_program, &all, &listener))
    return "the first exchange between the ranks failed";
  if (level < MPI_THREAD_SERIALIZED) return "this MPI does not support threads";
  if (all == MPI_COMM_NULL) return start_.reason;
  if (open_channels(all)) return "no communicator, or no memory for its messages";
  if (!is_program) solo_remote_mpi_connect_liveness(&listener);
  if (is_program && job.size == 1)
    return start_.reason[0] ? start_.reason : "the job has no other rank; " START_JOB;
  (void)pthread_atfork(NULL, NULL, forget_in_child);
  return NULL;
}

solo_status solo_remote_mpi_start(int is_program) {
  if (!start_.requested) {
    start_.requested = 1;
    const char *why = start(is_program);
    start_.status = why ? SOLO_UNAVAILABLE : SOLO_OK;
    if (why && why != start_.reason) snprintf(start_.reason, sizeof start_.reason, "%s", why);
    if (why) solo_store_relaxed(&job.is_over, 1); /* relaxed: a late read is harmless */
  }
  return start_.status == SOLO_OK ? SOLO_OK
                                  : solo_fail(SOLO_UNAVAILABLE, "MPI job: %s", start_.reason);
}

static int have_all_ended(void) {
  solo_remote_mpi_acquire();
  int count = job.last_answers;
  solo_remote_mpi_release();
  return count + solo_load_relaxed(&job.deaths) >= job.size - 1; /* relaxed: a count */
}

/* Ends all servers and waits for their last answers, because MPI_Finalize must not be called while
 * messages are pending. */
static void end_servers(void) {
  const uint32_t none = 0;
  uint64_t start = solo_now_ns(), ns = 0;
  solo_remote_mpi_acquire();
  for (int n = 1; n < job.size; n++) {
    if (job.links[n]) solo_store_relaxed(&job.links[n]->link.lost, 1);
    (void)solo_remote_mpi_send(job.messages, n, JOB_TAG_END, &none, sizeof none);
  }
  solo_remote_mpi_release();
  while (ns < END_SECONDS * UINT64_C(1000000000) && !solo_load_relaxed(&job.is_over)) {
    const struct timespec time = {.tv_nsec = SLEEP_NS};
    solo_remote_mpi_poll();
    if (have_all_ended()) break;
    solo_remote_mpi_check_liveness();
    ns = solo_now_ns() - start;
    if (ns > SLEEP_NS) (void)nanosleep(&time, NULL);
  }
}

void solo_remote_mpi_finish(void) {
  if (!start_.is_started || getpid() != start_.process) return;
  start_.is_started = 0;
  if (job.rank == 0 && solo_remote_fetch_all_work) solo_remote_fetch_all_work();
  if (job.rank == 0 && start_.status == SOLO_OK) end_servers();
  solo_remote_mpi_acquire();
  solo_store_relaxed(&job.is_over, 1); /* relaxed: a late read is harmless */
  for (int n = 0; n < JOB_SLOTS && job.slots; n++)
    if (job.slots[n].request != MPI_REQUEST_NULL) {
      (void)MPI_Cancel(&job.slots[n].request);
      (void)MPI_Request_free(&job.slots[n].request);
    }
  if (solo_remote_mpi_quiesce() == 0)
    (void)MPI_Finalize(); /* only without deaths, because MPI_Finalize also waits for dead ranks */
#ifdef SOLO_CHECK
  else
    fprintf(stderr, "solo: MPI, rank %d: not finalized, as a rank has died\n", job.rank);
#endif
  solo_remote_mpi_release();
}

int solo_remote_mpi_servers(void) {
  if (solo_remote_mpi_start(1) != SOLO_OK) return 0;
  if (start_.reason[0]) solo_warn("%s", start_.reason);
  return job.size - 1;
}

/* Uses the offered memory if the server has mapped it; otherwise unmaps it. With job.lock. */
static void settle(mpi_link *l, int file, solo_remote_link *offered) {
  int is_opened = solo_load_acquire(&l->opened); /* pairs with handle_answer() */
  if (is_opened && l->is_taken && file >= 0) {
    solo_remote_mpi_share(l, offered);
  } else if (file >= 0) {
    solo_remote_unmap_file(offered);
  }
  l->is_far = is_opened && !l->is_near;
  /* while far_links is nonzero, near_await() polls MPI */
  if (l->is_far) solo_add_relaxed(&job.far_links, 1);
  if (file >= 0) close(file);
}

solo_status solo_remote_mpi_connect(int rank, solo_remote_link **out_link) {
  SOLO_TRY(solo_remote_mpi_start(1));
  if (solo_load_relaxed(&job.is_over))
    return solo_fail(SOLO_UNAVAILABLE,
                     "MPI job: the job has ended or belongs to the parent process");
  if (solo_remote_mpi_is_dead(rank))
    return solo_fail(SOLO_UNAVAILABLE, "MPI job: rank %d on %.60s has died", rank, job.hosts[rank]);
  mpi_link *l = solo_remote_mpi_make_link(rank, ++start_.sessions);
  if (!l) return solo_fail(SOLO_NOMEM, "MPI job: no host memory for a connection");
  mpi_open open = {.session = l->session, .file = -1};
  solo_remote_link offered = {0};
  int file = solo_remote_mpi_offer_file(rank, &offered, &open);
  solo_remote_mpi_acquire();
  job.links[rank] = l;
  (void)solo_remote_mpi_send(job.messages, rank, JOB_TAG_OPEN, &open, sizeof open);
  solo_remote_mpi_release();
  uint64_t start = solo_now_ns(), ns = 0;
  /* Invariant: the welcome and is_taken are complete if opened is set.
   * Ordering:  this acquire load pairs with the release store in handle_answer().
   * Otherwise: this thread could read an incomplete welcome.
   */
  for (; !solo_load_acquire(&l->opened) && ns < OPEN_SECONDS * UINT64_C(1000000000);
       ns = solo_now_ns() - start) {
    const struct timespec time = {.tv_nsec = SLEEP_NS};
    if (!l->link.transport->is_alive(&l->link)) break;
    solo_remote_mpi_poll();
    if (ns > SLEEP_NS) (void)nanosleep(&time, NULL);
  }
  int is_opened = solo_load_acquire(&l->opened);
  solo_remote_mpi_acquire();
  solo_remote_mpi_accept_liveness(); /* a server opens its liveness connection before it answers */
  settle(l, file, &offered);
  solo_remote_mpi_release();
  solo_remote_welcome *w = &l->link.welcome;
  w->text[sizeof w->text - 1] = w->host[sizeof w->host - 1] = 0;
  solo_status status = SOLO_OK;
  if (!is_opened)
    status = solo_fail(SOLO_UNAVAILABLE, "MPI job: rank %d on %.60s %s", rank, job.hosts[rank],
                       solo_remote_mpi_is_dead(rank) ? "has died" : "does not answer");
  else if (w->status != SOLO_OK)
    status = solo_fail(SOLO_UNAVAILABLE, "MPI job: rank %d on %.60s refuses: %s", rank,
                       job.hosts[rank], w->text);
  if (status == SOLO_OK)
    *out_link = &l->link;
  else
    l->link.transport->close(&l->link);
  return status;
}
