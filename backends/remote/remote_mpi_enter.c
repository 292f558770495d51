/* Before main, a rank other than 0 executes the device server instead of the program. When rank 0
 * ends, it ends the servers, even if it used no device. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_server_list.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_(word) #word
#define TEXT(word)  TEXT_(word)

static const char server_name[] = "solo-server-" TEXT(SOLO_MPI);

/* Variables of the launchers. Before MPI_Init, rank and size have no other source. */
static const struct {
  const char *rank, *size;
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {"PMI_RANK", "PMI_SIZE"},
                 {"PMIX_RANK", "SLURM_NTASKS"}};

static int is_for_job(const char *given) {
  return strcmp(given, "mpi") == 0 || strncmp(given, "mpi:", 4) == 0;
}

/* Reads the variable before main, when settings must not yet be read. */
static const char *server_before_main(void) {
  return secure_getenv("SOLO_SERVER");
}

/* A variable with the process id and the job of a rank. A child of the rank inherits the variable,
 * but has another process id. */
static const char process_variable[] = "SOLO_MPI_PROCESS";

/* Writes the launcher's name of the job, and the inode of the launcher's socket (0: none). */
static void describe_job(char *text, size_t size) {
  const char *name = getenv("PMIX_NAMESPACE"), *fd = getenv("PMI_FD");
  struct stat s;
  int is_socket = fd && fstat(atoi(fd), &s) == 0 && S_ISSOCK(s.st_mode);
  snprintf(text, size, "%s %llu", name ? name : "", is_socket ? (unsigned long long)s.st_ino : 0);
}

/* Returns whether this process is a child of a rank: process_variable has another process id and
 * the same job. If the launcher's socket is closed, the job is unknown and counts as the same. */
static int is_child_of_rank(void) {
  const char *rank = getenv(process_variable);
  char job[256], *its_job = NULL;
  if (!rank || strtol(rank, &its_job, 10) == (long)getpid() || *its_job != ' ') return 0;
  describe_job(job, sizeof job);
  return strcmp(its_job + 1, job) == 0 || strcmp(job, " 0") == 0;
}

/* Returns the rank. -1: no rank, a job without device servers, or a set-user-ID process, in which a
 * variable must not select an executable. */
static int rank_in_job(void) {
  if (getauxval(AT_SECURE) || is_child_of_rank()) return -1;
  const char *given = server_before_main();
  if (given && !is_for_job(given)) return -1;
  for (size_t n = 0; n < sizeof launchers / sizeof *launchers; n++) {
    const char *rank = getenv(launchers[n].rank), *size = getenv(launchers[n].size);
    if (rank && size && atoi(size) > 1) return atoi(rank);
  }
  return -1;
}

static struct {
  pid_t process; /* process that called enter(); a child of it is no rank */
  int rank;
  int is_child;
} entered = {.rank = -1};

int solo_remote_mpi_is_wanted(void) {
  const char *given = solo_server_settings()->server;
  if (entered.is_child || getpid() != entered.process) return 0;
  return entered.rank >= 0 || (given && is_for_job(given));
}

static int wants_shared_memory(void) {
  return solo_server_settings()->shared_memory;
}

/* Without a server executable, main runs in each rank, and rank 0 reports the error. */
__attribute__((constructor)) static void enter(void) {
  char path[4096];
  solo_remote_mpi.wants_shared_memory = wants_shared_memory;
  entered.process = getpid();
  entered.is_child = is_child_of_rank();
  entered.rank = rank_in_job();
  if (entered.rank >= 0) {
    char job[256], rank[300];
    describe_job(job, sizeof job);
    snprintf(rank, sizeof rank, "%ld %s", (long)entered.process, job);
    (void)setenv(process_variable, rank, 1);
  }
  if (entered.rank <= 0) return;
  const char *given = server_before_main();
  given = given && given[3] == ':' ? given + 4 : NULL;
  if (solo_remote_find_program(server_name, given, path, sizeof path) != SOLO_OK) return;
  char *arguments[] = {path, NULL};
  (void)execv(path, arguments);
}

/* MPI_Init fails: the servers never call MPI for the program, so the program's first collective
 * call would hang. */
static int refuse(void) {
  solo_warn(
      "MPI_Init fails: the other ranks of the job are this program's device servers, so it "
      "cannot use MPI itself; set SOLO_SERVER to a value other than mpi, or link with lib/glibc, "
      "which has no MPI transport: then each rank executes the program");
  return MPI_ERR_OTHER;
}

#define INTERPOSED                                                                                 \
  __attribute__((weak, visibility("default"))) /* weak: profiling tools also define these */

INTERPOSED int MPI_Init(int *count, char ***arguments) {
  return entered.rank >= 0 ? refuse() : PMPI_Init(count, arguments);
}

INTERPOSED int MPI_Init_thread(int *count, char ***arguments, int required, int *out_provided) {
  return entered.rank >= 0 ? refuse() : PMPI_Init_thread(count, arguments, required, out_provided);
}

/* Fortran functions that do not call the C function MPI_Init: all in Open MPI, those of `use
 * mpi_f08` in MPICH. The profiling names are weak, because only MPI's Fortran libraries define them. */
#ifdef OPEN_MPI
#define FORTRAN_INIT        mpi_init_
#define FORTRAN_INIT_THREAD mpi_init_thread_
#define ITS_INIT            pmpi_init_
#define ITS_INIT_THREAD     pmpi_init_thread_
#else
#define FORTRAN_INIT        mpi_init_f08_
#define FORTRAN_INIT_THREAD mpi_init_thread_f08_
#define ITS_INIT            pmpir_init_f08_
#define ITS_INIT_THREAD     pmpir_init_thread_f08_
#endif
typedef MPI_Fint integer;
extern void ITS_INIT(integer *out_error) __attribute__((weak));
extern void ITS_INIT_THREAD(const integer *required, integer *out_provided, integer *out_error)
    __attribute__((weak));

static void refuse_fortran(integer *out_error) {
  int error = refuse();
  if (out_error) *out_error = error; /* an absent Fortran argument is NULL */
}

INTERPOSED void FORTRAN_INIT(integer *out_error) {
  entered.rank >= 0 ? refuse_fortran(out_error) : ITS_INIT(out_error);
}

INTERPOSED void FORTRAN_INIT_THREAD(const integer *required, integer *out_provided,
                                    integer *out_error) {
  entered.rank >= 0 ? refuse_fortran(out_error)
                    : ITS_INIT_THREAD(required, out_provided, out_error);
}

#ifdef OPEN_MPI
INTERPOSED __typeof(mpi_init_) ompi_init_f __attribute__((alias("mpi_init_")));
INTERPOSED __typeof(mpi_init_thread_) ompi_init_thread_f __attribute__((alias("mpi_init_thread_")));
#endif

__attribute__((destructor(101))) static void leave(void) {
  if (getpid() != entered.process) return;
  if (entered.rank >= 0) (void)solo_remote_mpi_start(1);
  solo_remote_mpi_finish();
}
