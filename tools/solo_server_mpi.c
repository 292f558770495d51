/* solo-server-openmpi, solo-server-mpich: serve the devices of this node to the program of an MPI
 * job. */
#include "abi/include/solo.h"
#include "backends/remote/remote_server.h"
#include "tools/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_(word) #word
#define TEXT(word)  TEXT_(word)
#define NAME        "solo-server-" TEXT(SOLO_MPI)

static const char help[] =
    "usage: mpirun -n 1 PROGRAM : -n N " NAME "\n"
    "       mpirun -n N PROGRAM\n"
    "Serves the devices of its node to rank 0 of an MPI job, a program that is linked with solo's\n"
    "library for this MPI. In the second form each other rank executes the server: the file of\n"
    "SOLO_SERVER=mpi:PATH, else " NAME " in the program's folder, else the installed one.\n"
    "The program numbers the devices of all servers by kind, then by rank.\n"
    "\n"
    "  --version  print the version\n"
    "  --help     print this text\n";

static const char no_program[] = NAME
    ": rank 0 of the MPI job has ended, and was no program of solo's for this MPI: mpirun of " TEXT(
        SOLO_MPI) " -n 1 PROGRAM : -n N " NAME "\n";

enum { PATIENCE_SECONDS = 20 };

/* An ended program's work may never complete. */
static void limit_shutdown(void) {
  solo_tool_end_within(PATIENCE_SECONDS);
}

static void end_without_program(void) {
  (void)!write(STDERR_FILENO, no_program, sizeof no_program - 1);
  _exit(1);
}

int main(int argc, char **argv) {
  solo_tool_start(NAME);
  /* SIGPIPE is not ignored: otherwise Open MPI's TCP would write to a dead rank forever. */
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(help, stdout);
      return 0;
    }
    if (strcmp(argv[i], "--version") != 0) solo_tool_die("unknown option '%s' (--help)", argv[i]);
    puts(NAME " (solo) " SOLO_VERSION_STRING);
    return 0;
  }
  const char *given = getenv("SOLO_SERVER");
  if (given && strncmp(given, "mpi", 3) != 0) /* otherwise the job would wait forever */
    solo_tool_die(
        "SOLO_SERVER=%s selects another server: unset it to use the servers of this MPI job",
        given);
  solo_remote_program_ended = limit_shutdown;
  solo_remote_no_program = end_without_program;
  if (solo_remote_mpi_serve() == SOLO_OK) return 0;
  fprintf(stderr, NAME ": %s\n", solo_error_last()->text);
  return 1;
}
