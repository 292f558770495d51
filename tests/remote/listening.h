/* What tests of device servers share: servers that several programs join, and waiting for what comes by
 * itself, however slow the machine is. */
#ifndef TESTS_REMOTE_LISTENING_H
#define TESTS_REMOTE_LISTENING_H

#include "runtime/base/platform.h"
#include "tests/unit/test.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { LISTENING_SECONDS = 60 };

/* Looks again and again; what has not come after a minute has failed. */
#define AWAIT(condition)                                                                           \
  do {                                                                                             \
    uint64_t test_end_ = solo_now_ns() + LISTENING_SECONDS * UINT64_C(1000000000);                 \
    int has_come_ = 0;                                                                             \
    while (!(has_come_ = (condition)) && solo_now_ns() < test_end_) usleep(1000);                  \
    CHECK(has_come_ &&#condition);                                                                 \
  } while (0)

/* Does it answer by now? It sees somebody come and go without a word. */
static inline int listening_answers(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  memcpy(address.sun_path + 1, name, length);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  int answers = connect(s, (struct sockaddr *)&address, size) == 0;
  close(s);
  return answers;
}

/* A server of this name, which ends with this process; not waited for. option: one more, or NULL. */
static inline pid_t listening_start(const char *server, const char *name, const char *option) {
  char listen_option[96];
  snprintf(listen_option, sizeof listen_option, "--listen=%s", name);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    (void)!freopen("/dev/null", "w", stdout);
    (void)!freopen("/dev/null", "w", stderr);
    execl(server, server, listen_option, option, (char *)NULL);
    _exit(127);
  }
  return child;
}

#endif
