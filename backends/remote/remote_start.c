/* Starts or finds a device server. A started server inherits a socket to the program and exits when
 * the program closes the connection. The server becomes a daemon at once, so that the program has no
 * unexpected child process. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_server_list.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SERVER_DESCRIPTOR = 3, PATH_BYTES = 4096, START_MS = 10000 };
#define NS_PER_MS UINT64_C(1000000)

#define TEXT_(word) #word
#define TEXT(word)  TEXT_(word)
#ifdef SOLO_PREFIX
static const char installed[] = TEXT(SOLO_PREFIX) "/bin";
#else
static const char installed[] = "/usr/local/bin";
#endif

/* Connects to a running server. name is in the abstract namespace of unix(7). */
static solo_status join(const char *name, int *out_socket) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (length + 2 > sizeof address.sun_path)
    return solo_fail(SOLO_UNAVAILABLE, "SOLO_SERVER=@%.40s...: the name is too long", name);
  memcpy(address.sun_path + 1, name, length);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  struct ucred peer = {0};
  socklen_t peer_size = sizeof peer;
  if (s < 0 || connect(s, (struct sockaddr *)&address, size) != 0) {
    int reason = errno;
    if (s >= 0) close(s);
    return solo_fail_vendor(SOLO_UNAVAILABLE, reason,
                            "SOLO_SERVER=@%s: no device server of that name answers (%s): start "
                            "one with solo-server --listen=%s",
                            name, strerror(reason), name);
  }
  if (getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size) != 0 || peer.uid != geteuid()) {
    close(s);
    return solo_fail(SOLO_UNAVAILABLE,
                     "SOLO_SERVER=@%s: the server belongs to user %u: program and server must "
                     "belong to the same user",
                     name, (unsigned)peer.uid);
  }
  *out_socket = s;
  return SOLO_OK;
}

/* Returns whether the user can trust the program; otherwise writes the reason. */
static int is_good_program(const char *path, char *reason, size_t reason_size) {
  struct stat s;
  if (stat(path, &s) != 0) {
    snprintf(reason, reason_size, "%s", strerror(errno));
    return 0;
  }
  const char *what = !S_ISREG(s.st_mode) || access(path, X_OK) != 0 ? "it is not an executable file"
                     : s.st_mode & (S_ISUID | S_ISGID)        ? "it is set-user-ID or set-group-ID"
                     : s.st_uid != 0 && s.st_uid != geteuid() ? "it belongs to another user"
                     : s.st_mode & S_IWOTH                    ? "all users can write to it"
                     : s.st_mode & S_IWGRP && s.st_gid != s.st_uid
                         ? "a group other than its owner's private group can write to it"
                         : NULL;
  if (what) snprintf(reason, reason_size, "%s", what);
  return !what;
}

solo_status solo_remote_find_program(const char *name, const char *given, char *path, size_t size) {
  char reason[128];
  size_t name_bytes = strlen(name) + 1;
  if (given && given[0]) {
    snprintf(path, size, "%s", given);
    if (is_good_program(path, reason, sizeof reason)) return SOLO_OK;
    return solo_fail(SOLO_UNAVAILABLE, "SOLO_SERVER=%.200s: %s", given, reason);
  }
  ssize_t length = readlink("/proc/self/exe", path, size - name_bytes);
  char *slash = NULL;
  if (length > 0) {
    path[length] = 0;
    slash = strrchr(path, '/');
  }
  if (slash) {
    memcpy(slash + 1, name, name_bytes);
    if (is_good_program(path, reason, sizeof reason)) return SOLO_OK;
  }
  snprintf(path, size, "%s/%s", installed, name);
  if (is_good_program(path, reason, sizeof reason)) return SOLO_OK;
  return solo_fail(SOLO_UNAVAILABLE,
                   "no device server: %s is not in the program's folder and not usable in %s (%s); "
                   "set SOLO_SERVER to its path",
                   name, installed, reason);
}

/* The server receives the socket as descriptor 3. The server has its own process group, without the
 * terminal's interrupts, and blocks no signal. */
static int spawn(const char *path, int socket, pid_t *out_process) {
  char descriptor[16];
  snprintf(descriptor, sizeof descriptor, "--fd=%d", SERVER_DESCRIPTOR);
  char *arguments[] = {(char *)(uintptr_t)path, descriptor, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = posix_spawn_file_actions_adddup2(&actions, socket, SERVER_DESCRIPTOR);
    if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error)
      error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                        POSIX_SPAWN_SETSIGDEF);
    if (!error) error = posix_spawn(out_process, path, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/* Waits for the process until end_ns. Returns nonzero if it has ended, even if the program has
 * reaped it (ECHILD). */
static int has_ended(pid_t process, int file, uint64_t end_ns) {
  for (;;) {
    int status;
    pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) return 1;
    uint64_t now = solo_now_ns();
    if (now >= end_ns) return 0;
    struct pollfd p = {.fd = file, .events = POLLIN}; /* with file -1, poll only sleeps */
    (void)poll(&p, 1, file >= 0 ? (int)((end_ns - now) / NS_PER_MS) + 1 : 1);
  }
}

/* Waits until the child has forked the daemon and exited. All threads that open devices wait here.
 * Therefore, after a timeout, kills the child and its group and returns nonzero. */
static int wait_for_start(pid_t process) {
  int file = (int)syscall(SYS_pidfd_open, process, 0); /* -1: the kernel has no pidfd */
  int is_late = !has_ended(process, file, solo_now_ns() + START_MS * NS_PER_MS);
  if (is_late) {
    kill(-process, SIGKILL);
    kill(process, SIGKILL); /* the child may have changed its process group */
    (void)has_ended(process, file, solo_now_ns() + START_MS * NS_PER_MS);
  }
  if (file >= 0) close(file);
  return is_late;
}

static solo_status start(const char *given, int *out_socket) {
  char path[PATH_BYTES];
  SOLO_TRY(solo_remote_find_program("solo-server", given, path, sizeof path));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return solo_fail_vendor(SOLO_UNAVAILABLE, errno, "cannot create a socket for a device server");
  /* not SERVER_DESCRIPTOR itself: posix_spawn's dup2 would do nothing, and the descriptor would stay
   * close-on-exec */
  int server_end = fcntl(ends[1], F_DUPFD_CLOEXEC, SERVER_DESCRIPTOR + 1);
  int saved = errno;
  pid_t process = -1;
  int error = server_end >= 0 ? spawn(path, server_end, &process) : errno;
  if (server_end >= 0) close(server_end);
  close(ends[1]);
  int is_late = !error && wait_for_start(process);
  errno = saved;
  if (is_late) {
    close(ends[0]);
    return solo_fail(SOLO_UNAVAILABLE,
                     "the device server %.300s did not start within %d s and was killed: check "
                     "that it is a solo-server",
                     path, START_MS / 1000);
  }
  if (error) {
    close(ends[0]);
    return solo_fail_vendor(SOLO_UNAVAILABLE, error, "the device server %.300s does not start: %s",
                            path, strerror(error));
  }
  *out_socket = ends[0];
  return SOLO_OK;
}

solo_status solo_remote_start(const char *address, int *out_socket) {
  if (getauxval(AT_SECURE))
    return solo_fail(
        SOLO_UNAVAILABLE,
        "a program with elevated privileges (for example set-user-ID) cannot use device servers");
  return address[0] == '@' ? join(address + 1, out_socket) : start(address, out_socket);
}
