/* Handlers of fault signals: a concurrent caller waits for their installation, and each caller gets
 * its result. A child process has the case that it fails. */
#define _GNU_SOURCE
#include "backends/simt/exec/simt.h"
#include "tests/unit/test.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int fails;
static _Atomic int calls, returned;

static void *second_caller(void *unused) {
  (void)unused;
  CHECK_INT(simt_catch_faults(), 1);
  returned = 1;
  return NULL;
}

/* Replaces the C library's function. The first call gives the second caller time to return. */
int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  static pthread_t thread;
  static int (*original)(int, const struct sigaction *, struct sigaction *);
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "sigaction");
  if (fails) return -1;
  if (calls++ == 0) {
    CHECK(pthread_create(&thread, NULL, second_caller, NULL) == 0);
    pthread_detach(thread);
    usleep(100000);
    CHECK_INT(returned, 0);
  }
  return original(number, action, before);
}

int main(void) {
  fails = 1;
  pid_t child = fork();
  if (child == 0) {
    CHECK_INT(simt_catch_faults(), 0);
    CHECK_INT(simt_catch_faults(), 0);
    _exit(test_failures);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  fails = 0;
  CHECK_INT(simt_catch_faults(), 1);
  while (!returned) usleep(1000);
  return TEST_RESULT();
}
