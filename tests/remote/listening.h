/* Starts device servers for several programs and waits for events. */
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

/* Fails if the condition is not true within a minute. */
#define AWAIT(condition)                                                                           \
  do {                                                                                             \
    uint64_t test_end_ = solo_now_ns() + LISTENING_SECONDS * UINT64_C(1000000000);                 \
    int has_come_ = 0;                                                                             \
    while (!(has_come_ = (condition)) && solo_now_ns() < test_end_) usleep(1000);                  \
    CHECK(has_come_ &&#condition);                                                                 \
  } while (0)

/* Returns whether the server accepts a connection. */
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

/* Starts a server and does not wait for it. The server ends with this process. option: one more
 * argument, or NULL. */
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
