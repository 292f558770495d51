/* Prints whether SOLO_SERVER serves CPU devices to this user. With an argument, connects to the
 * server of this name without a check of the server's owner (users.sh). */
#define _GNU_SOURCE
#include "backends/remote/remote.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static int connect_without_check(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  char answer[16];
  memcpy(address.sun_path + 1, name, length);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (s < 0 || connect(s, (struct sockaddr *)&address, size) != 0) return 2;
  struct pollfd p = {.fd = s, .events = POLLIN};
  if (poll(&p, 1, 30000) != 1) return puts("neither an answer nor the end of the connection"), 1;
  return recv(s, answer, sizeof answer, 0) > 0 ? puts("an answer"),
         1                                     : (puts("the end of the connection"), 0);
}

int main(int argc, char **argv) {
  int count = 0;
  if (argc > 1) return connect_without_check(argv[1]);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  solo_status status = solo_remote_host_backend.device_count(&count);
  printf("%d devices: %s\n", count, status == SOLO_OK ? "served" : solo_error_last()->text);
  return 0;
}
