/* solo-bench: runs a pinned program and measures time, memory, system calls and instructions. */
#define _GNU_SOURCE
#include "bench/solo_bench.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double ns_of(struct timeval t) {
  return (double)t.tv_sec * 1e9 + (double)t.tv_usec * 1e3;
}

/* Uses the last processors, because interrupts tend to use the first. */
static void pin(int cpus) {
  cpu_set_t may, want;
  if (sched_getaffinity(0, sizeof may, &may) != 0) return;
  CPU_ZERO(&want);
  for (int i = CPU_SETSIZE - 1; i >= 0 && cpus > 0; i--)
    if (CPU_ISSET(i, &may)) {
      CPU_SET(i, &want);
      cpus--;
    }
  sched_setaffinity(0, sizeof want, &want);
}

/* The child of vfork shares the parent's memory and may only make system calls. */
static pid_t start(const char *path, char *const *argv, int to) {
  pid_t child = vfork();
  if (child != 0) return child;
  dup2(to, 1);
  execv(path, argv);
  _exit(127);
}

outcome run_program(const char *path, const char *const *arguments, int cpus, FILE **out_text) {
  outcome o = {.status = -1};
  char *argv[8] = {(char *)path};
  for (int i = 0; arguments && arguments[i] && i < 6; i++) argv[i + 1] = (char *)arguments[i];
  if (access(path, X_OK) != 0) return o;
  FILE *text = out_text ? tmpfile() : NULL;
  int to = text ? fileno(text) : open("/dev/null", O_WRONLY | O_CLOEXEC);
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  pin(cpus); /* the child inherits this */
  struct rusage use;
  int status = 0;
  double begun = now_ns();
  pid_t child = start(path, argv, to);
  if (child > 0 && wait4(child, &status, 0, &use) == child) {
    o.wall_ns = now_ns() - begun;
    o.cpu_ns = ns_of(use.ru_utime) + ns_of(use.ru_stime);
    o.faults = (double)use.ru_minflt;
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  sched_setaffinity(0, sizeof before, &before);
  if (text)
    rewind(text);
  else
    close(to);
  if (out_text) *out_text = text;
  return o;
}

static double peak_of(pid_t process) {
  char name[64], line[256];
  double kib = 0;
  snprintf(name, sizeof name, "/proc/%d/status", (int)process);
  FILE *f = fopen(name, "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmHWM: %lf", &kib) == 1) break;
  if (f) fclose(f);
  return kib;
}

/* Reads /proc when the process exits. wait4(2) would include the parent's memory before execve,
 * which exceeds that of a small static program. */
double measure_peak_memory(const char *path, int cpus) {
  char *argv[] = {(char *)path, NULL};
  double kib = 0;
  pid_t child = fork();
  if (child == 0) {
    pin(cpus);
    dup2(open("/dev/null", O_WRONLY), 1);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(path, argv);
    _exit(127);
  }
  for (int status, options = 0; child > 0 && waitpid(child, &status, __WALL) == child;) {
    if (!WIFSTOPPED(status)) break;
    long signal = WSTOPSIG(status);
    if (!options) options = ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_TRACEEXIT) == 0;
    if (status >> 16 == PTRACE_EVENT_EXIT) kib = peak_of(child);
    if (signal == SIGTRAP) signal = 0;
    ptrace(PTRACE_CONT, child, NULL, (void *)signal);
  }
  return kib;
}

static double number_in_output(const char *command, const char *mark) {
  double value = 0;
  FILE *f = popen(command, "r");
  if (!f) return 0;
  char line[512];
  while (fgets(line, sizeof line, f)) {
    const char *at = strstr(line, mark);
    if (at) value = strtod(at + strlen(mark), NULL);
  }
  pclose(f);
  return value;
}

double stripped_size(const char *path) {
  char command[512];
  snprintf(command, sizeof command,
           "strip -o build/bench/stripped %s 2>/dev/null && wc -c <build/bench/stripped |"
           " sed 's/^/bytes: /'",
           path);
  return number_in_output(command, "bytes: ") / 1024;
}

double count_system_calls(const char *path) {
  char command[512];
  snprintf(command, sizeof command,
           "{ strace -f -o /dev/stdout %s | grep -c '(' | sed 's/^/calls: /'; } 2>/dev/null", path);
  return number_in_output(command, "calls: ");
}

double count_instructions(const char *path, const char *only, long ops) {
  char command[512];
  /* callgrind can reject debug information */
  snprintf(command, sizeof command,
           "strip -o build/bench/stripped %s && valgrind --tool=callgrind "
           "--callgrind-out-file=/dev/null build/bench/stripped "
           "--only %s --ops %ld 2>&1",
           path, only, ops);
  return number_in_output(command, "Collected :");
}

double time_fixed_work(void) {
  enum { STEPS = 4000000 };
  unsigned long x = 1;
  double start_ns = now_ns();
  for (long i = 0; i < STEPS; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    __asm__ volatile("" : "+r"(x));
  }
  return now_ns() - start_ns;
}
