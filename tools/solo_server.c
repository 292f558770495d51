/* solo-server: serves the devices of this machine to other programs. */
#define _GNU_SOURCE
#include "abi/include/solo.h"
#include "backends/remote/remote_server.h"
#include "tools/common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static const char help[] =
    "usage: solo-server --listen=NAME [--clients=N]\n"
    "       solo-server --hold [--listen=NAME]\n"
    "       solo-server --fd=N\n"
    "Serves the devices of this machine to programs that use solo's remote backend. A fully\n"
    "static program, which cannot load a driver, executes its target regions on GPUs this way.\n"
    "\n"
    "  --listen=NAME  serve all programs of this user that set SOLO_SERVER=@NAME, until a signal\n"
    "                 ends the server; NAME is an abstract socket, not a file\n"
    "  --hold         open all GPUs and keep them open until a signal, so that other processes on "
    "this\n"
    "                 machine start their drivers faster\n"
    "  --clients=N    serve at most N programs at the same time           [0: no limit]\n"
    "  --fd=N         serve the program that is connected to descriptor N, as a daemon\n"
    "                 (used by programs that start their own server)\n"
    "  --version      print the version\n"
    "  --help         print this text\n"
    "Without a listening server a program starts its own: the file of SOLO_SERVER=PATH, else\n"
    "solo-server in the program's folder, else the installed one.\n";

enum { FIRST_INHERITED = 4, PATIENCE_SECONDS = 5, WAITING = 16, MAX_CLIENTS = 1000000 };

/* An ended program's work may never complete. */
static void limit_shutdown(void) {
  solo_tool_end_within(PATIENCE_SECONDS);
}

/* Closes inherited descriptors, because the reader of an open pipe would wait for this server. */
static void close_others(void) {
  if (syscall(SYS_close_range, FIRST_INHERITED, ~0u, 0) == 0) return;
  for (int n = FIRST_INHERITED; n < 1024; n++) close(n);
}

static int serve_one(int descriptor) {
  if (descriptor < 0 || fcntl(descriptor, F_GETFD) < 0)
    solo_tool_die(
        "--fd=%d: the descriptor is not open (programs use this option to start a server)",
        descriptor);
  if (descriptor != 3 && dup2(descriptor, 3) != 3) solo_tool_die("dup2: %s", strerror(errno));
  close_others();
  (void)fcntl(3, F_SETFD, FD_CLOEXEC);
  pid_t background = fork();
  if (background < 0) solo_tool_die("fork: %s", strerror(errno));
  if (background) _exit(0); /* the starting program waits for this exit */
  solo_remote_program_ended = limit_shutdown;
  solo_status status = solo_remote_serve(3);
  limit_shutdown(); /* also limits the exit of the process */
  return status == SOLO_OK ? 0 : 1;
}

static void *serve_thread(void *socket) {
  char peer_name[64];
  solo_remote_shm_name_peer((int)(intptr_t)socket, peer_name, sizeof peer_name);
  if (solo_remote_serve((int)(intptr_t)socket) != SOLO_OK)
    fprintf(stderr, "solo-server: %s was refused: %s\n", peer_name, solo_error_last()->text);
  return NULL;
}

static void serve_or_refuse(int s) {
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  pthread_t thread;
  if (getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) {
    fprintf(stderr,
            "solo-server: connection of user %u refused: program and server must belong to the "
            "same user\n",
            (unsigned)peer.uid);
    close(s);
  } else if (pthread_create(&thread, NULL, serve_thread, (void *)(intptr_t)s) != 0) {
    close(s);
  } else {
    pthread_detach(thread);
  }
}

static int listen_for(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (!length || length + 2 > sizeof address.sun_path)
    solo_tool_die("--listen=%s: the name is empty or too long", name);
  memcpy(address.sun_path + 1, name, length);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (s < 0 || bind(s, (struct sockaddr *)&address, size) != 0 || listen(s, WAITING) != 0)
    solo_tool_die("--listen=%s: %s", name, strerror(errno));
  printf("solo-server: SOLO_SERVER=@%s\n", name);
  fflush(stdout);
  for (;;) {
    int client = accept4(s, NULL, NULL, SOCK_CLOEXEC);
    if (client >= 0)
      serve_or_refuse(client);
    else if (errno != EINTR && errno != ECONNABORTED)
      usleep(100000); /* no descriptor is free until a program ends */
  }
}

/* A driver starts faster while another process has the GPUs open. */
static void hold_devices(void) {
  int count;
  if (solo_remote_hold_devices(&count) != SOLO_OK)
    solo_tool_die("--hold: no GPU can be opened: %s", solo_error_last()->text);
  printf("solo-server: holds %d GPU%s open\n", count, count == 1 ? "" : "s");
  fflush(stdout);
}

static int number(const char *option, const char *text, int most) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || errno || value > most)
    solo_tool_die("%s%s: not a number from 0 to %d", option, text, most);
  return (int)value;
}

int main(int argc, char **argv) {
  solo_tool_start("solo-server");
  const char *name = NULL;
  int descriptor = -1, hold = 0;
  signal(SIGPIPE, SIG_IGN);
  for (int i = 1; i < argc; i++) {
    const char *value;
    if ((value = solo_tool_skip_prefix(argv[i], "--fd="))) {
      descriptor = number("--fd=", value, INT_MAX);
    } else if ((value = solo_tool_skip_prefix(argv[i], "--listen="))) {
      name = value;
    } else if ((value = solo_tool_skip_prefix(argv[i], "--clients="))) {
      solo_remote_max_clients = number("--clients=", value, MAX_CLIENTS);
    } else if (strcmp(argv[i], "--hold") == 0) {
      hold = 1;
    } else if (strcmp(argv[i], "--help") == 0) {
      fputs(help, stdout);
      return 0;
    } else if (strcmp(argv[i], "--version") == 0) {
      puts("solo-server (solo) " SOLO_VERSION_STRING);
      return 0;
    } else {
      solo_tool_die("unknown option '%s' (--help)", argv[i]);
    }
  }
  if (descriptor >= 0) return serve_one(descriptor);
  if (hold) hold_devices();
  if (name) return listen_for(name);
  while (hold) pause();
  fputs(help, stderr);
  return 2;
}
