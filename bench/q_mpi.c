/* The limit of devices over MPI: two ranks exchange messages with the lengths of a launch and its
 * answer. q_remote.c measures solo. */
#define _GNU_SOURCE
#include "bench/bench.h"
#include "bench/mpi_job.h"

#include <mpi.h>

enum { THERE_BYTES = 80, BACK_BYTES = 24, COPY_BYTES = 32 << 20 };
enum { TAG_TRIP, TAG_IN, TAG_OUT, TAG_END };
#define NAME(word) BENCH_JOB_NAME "/" word

static char there[THERE_BYTES], back[BACK_BYTES], *block;

static void trip(int tag) {
  MPI_Send(there, THERE_BYTES, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  if (tag == TAG_IN) MPI_Send(block, COPY_BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (tag == TAG_OUT)
    MPI_Recv(block, COPY_BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(back, BACK_BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void trips(long n, long tag) {
  for (long i = 0; i < n; i++) trip((int)tag);
}

static void serve(void) {
  for (MPI_Status status = {.MPI_TAG = TAG_TRIP}; status.MPI_TAG != TAG_END;) {
    MPI_Recv(there, THERE_BYTES, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == TAG_IN)
      MPI_Recv(block, COPY_BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == TAG_OUT) MPI_Send(block, COPY_BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    MPI_Send(back, BACK_BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
}

/* Touches all memory, including MPI's. */
static void warm(long tag) {
  trips(4096, tag);
}

static const bench_case cases[] = {
    {.name = NAME("round_trip"),
     .loop = trips,
     .argument = TAG_TRIP,
     .before = warm,
     .batch = BENCH_JOB_BATCH},
    {.name = NAME("copy_in_32Mi"), .loop = trips, .argument = TAG_IN},
    {.name = NAME("copy_out_32Mi"), .loop = trips, .argument = TAG_OUT},
};

int main(int argc, char **argv) {
  int rank = 0, level;
  bench_enter_job(argc, argv, argv[0]);
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level); /* the level that solo uses */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  block = aligned_alloc(4096, COPY_BYTES);
  if (!block) return 1;
  memset(block, 1, COPY_BYTES);
  if (rank == 0)
    bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]), trip(TAG_END);
  else
    serve();
  MPI_Finalize();
  return 0;
}
