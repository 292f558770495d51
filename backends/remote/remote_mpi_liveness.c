/* Liveness connections. MPI does not report the death of a rank, but the kernel closes the sockets
 * of a dead process. Therefore each server has a TCP connection to the program, which ends if
 * either side dies. The program's hello contains its addresses and two secrets, which authenticate the two
 * sides. job.lock guards all state. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi_liveness.h"
#include "backends/remote/remote_mpi.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  CHECK_NS = 50 * 1000 * 1000,
  CONNECT_NS = 300 * 1000 * 1000,
  RETRY_NS = 1000 * 1000 * 1000,
  ANSWER_CHECK_MS = 10,
  ANSWER_WAIT_NS = 2000 * 1000 * 1000,
  DEFER_SECONDS = 1,
  ALIVE_SECONDS = 6, /* silence before the first keep-alive probe, and interval of probes */
  ALIVE_QUESTIONS = 4,
  SILENCE_SECONDS = 30,   /* a program that does not answer an introduction for longer is dead */
  SPARE_DESCRIPTORS = 64, /* number of descriptors that stay available for other use */
  EVENTS = 64,
};

#define job solo_remote_mpi

typedef struct introduction {
  uint8_t secret[JOB_SECRET_BYTES];
  uint32_t rank;
} introduction;

typedef struct candidate {
  int socket;
  int has_introduced;
} candidate;

static struct {
  _Atomic uint64_t next_check_ns;
  mpi_listener program;
  int listener;
  int poller;
  int *sockets;                        /* by rank; a server uses only entry 0; -1: none */
  uint8_t *words;                      /* last byte from each rank; 0: none */
  candidate candidates[JOB_ADDRESSES]; /* server: connections in progress, one per address */
  uint64_t connecting_since_ns;
  uint64_t introduced_ns; /* time of the introduction; 0: none */
} life = {.listener = -1, .poller = -1};

static void close_candidate(candidate *w) {
  if (w->socket >= 0) close(w->socket);
  *w = (candidate){.socket = -1};
}

static void repeat_request(int socket) {
  const int on = 1, seconds = ALIVE_SECONDS, questions = ALIVE_QUESTIONS;
  (void)setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
  (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &questions, sizeof questions);
}

static const uint8_t of_ipv4[12] = {[10] = 0xff, [11] = 0xff};

static int read_address(const struct sockaddr *a, uint8_t out[16]) {
  if (a->sa_family == AF_INET) {
    memcpy(out, of_ipv4, sizeof of_ipv4);
    memcpy(out + 12, &((const struct sockaddr_in *)(const void *)a)->sin_addr, 4);
    return 1;
  }
  if (a->sa_family != AF_INET6) return 0;
  const struct in6_addr *v6 = &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr;
  memcpy(out, v6, sizeof *v6);
  return !IN6_IS_ADDR_LINKLOCAL(v6); /* a link-local address is valid on one node only */
}

/* Lists addresses of this node, loopback addresses last: on another node they refer to that node. */
static void list_addresses(mpi_listener *out) {
  struct ifaddrs *all = NULL;
  if (getifaddrs(&all) != 0) return;
  for (unsigned loopback = 0; loopback <= IFF_LOOPBACK; loopback += IFF_LOOPBACK)
    for (const struct ifaddrs *i = all; i && out->count < JOB_ADDRESSES; i = i->ifa_next)
      if (i->ifa_addr && i->ifa_flags & IFF_UP && (i->ifa_flags & IFF_LOOPBACK) == loopback &&
          read_address(i->ifa_addr, out->addresses[out->count]))
        out->count++;
  freeifaddrs(all);
}

static int connect_to(const uint8_t address[16], uint16_t port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  int is_v4 = memcmp(address, of_ipv4, sizeof of_ipv4) == 0;
  memcpy(&v4.sin_addr, address + 12, 4);
  memcpy(&v6.sin6_addr, address, 16);
  int s = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (s < 0) return -1;
  int code = is_v4 ? connect(s, (const struct sockaddr *)(const void *)&v4, sizeof v4)
                   : connect(s, (const struct sockaddr *)(const void *)&v6, sizeof v6);
  if (code == 0 || errno == EINPROGRESS) return s;
  close(s);
  return -1;
}

static int has_table(void) {
  if (!life.words) life.words = calloc((size_t)job.size, sizeof *life.words);
  if (!life.sockets && (life.sockets = calloc((size_t)job.size, sizeof *life.sockets)))
    for (int n = 0; n < job.size; n++) life.sockets[n] = -1;
  if (life.poller < 0) life.poller = epoll_create1(EPOLL_CLOEXEC);
  return life.words && life.sockets && life.poller >= 0;
}

/* Starts to watch a rank's connection. Nonzero: failed, and the caller still owns the socket. */
static int begin_lifeline(int rank, int socket) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = rank};
  if (!has_table() || epoll_ctl(life.poller, EPOLL_CTL_ADD, socket, &event) != 0) return 1;
  repeat_request(socket);
  life.sockets[rank] = socket;
  return 0;
}

static void end_lifeline(int rank) {
  (void)epoll_ctl(life.poller, EPOLL_CTL_DEL, life.sockets[rank], NULL);
  close(life.sockets[rank]);
  life.sockets[rank] = -1;
}

int solo_remote_mpi_has_liveness(int rank) {
  return life.sockets && life.sockets[rank] >= 0;
}

uint8_t solo_remote_mpi_word_of(int rank) {
  return life.words ? life.words[rank] : 0;
}

void solo_remote_mpi_send_word(int rank, uint8_t word) {
  /* a failure is ignored: the receiver detects the end of the connection */
  if (solo_remote_mpi_has_liveness(rank)) (void)send(life.sockets[rank], &word, 1, MSG_NOSIGNAL);
}

/* First marks all dead ranks, then informs the servers, so that no message is sent to a dead rank. */
int solo_remote_mpi_receive_words(int milliseconds) {
  struct epoll_event events[EVENTS];
  int dead[EVENTS], deaths = 0;
  if (!has_table()) return 0;
  int count = epoll_wait(life.poller, events, EVENTS, milliseconds);
  if (count < 0) return errno != EINTR;
  for (int n = 0; n < count; n++) {
    int rank = events[n].data.fd;
    ssize_t got = recv(life.sockets[rank], &life.words[rank], 1, MSG_DONTWAIT);
    if (got == 1 || (got < 0 && (errno == EAGAIN || errno == EINTR))) continue;
    end_lifeline(rank);
    if (solo_remote_mpi_mark_dead(rank)) dead[deaths++] = rank;
  }
  for (int n = 0; n < deaths; n++) solo_remote_mpi_broadcast_death(dead[n]);
  return 0;
}

static int listen_anywhere(uint16_t *out_port) {
  const int off = 0, seconds = DEFER_SECONDS;
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
  struct sockaddr_in v4 = {.sin_family = AF_INET};
  socklen_t size = sizeof v6;
  int s = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int is_v6 = s >= 0 && setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0 &&
              bind(s, (const struct sockaddr *)(const void *)&v6, sizeof v6) == 0;
  if (!is_v6) {
    if (s >= 0) close(s);
    s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s < 0) return -1;
    (void)bind(s, (const struct sockaddr *)(const void *)&v4, sizeof v4);
  }
  /* accept returns a connection only after data has arrived, so recv does not block */
  (void)setsockopt(s, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
  if (listen(s, SOMAXCONN) != 0 || getsockname(s, (struct sockaddr *)(void *)&v6, &size) != 0) {
    close(s);
    return -1;
  }
  *out_port = ntohs(v6.sin6_port); /* sockaddr_in has the port at the same offset */
  return s;
}

void solo_remote_mpi_listen_for_liveness(mpi_listener *out) {
  if (getrandom(life.program.secret, JOB_SECRET_BYTES, 0) != JOB_SECRET_BYTES) return;
  if (getrandom(life.program.answer, JOB_SECRET_BYTES, 0) != JOB_SECRET_BYTES) return;
  life.listener = listen_anywhere(&life.program.port);
  if (life.listener < 0) return;
  list_addresses(&life.program);
  *out = life.program;
}

static int is_spare(int descriptor) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
         (rlim_t)descriptor + SPARE_DESCRIPTORS < limit.rlim_cur;
}

/* Accepts connections with a valid introduction. A server introduces itself at several addresses;
 * its first connection is used. */
void solo_remote_mpi_accept_liveness(void) {
  if (life.listener < 0 || !has_table()) return;
  for (int s; (s = accept4(life.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
    introduction k;
    int is_known = recv(s, &k, sizeof k, 0) == (ssize_t)sizeof k &&
                   memcmp(k.secret, life.program.secret, sizeof k.secret) == 0 && k.rank > 0 &&
                   (int64_t)k.rank < job.size;
    if (!is_known || solo_remote_mpi_has_liveness((int)k.rank) ||
        solo_remote_mpi_is_dead((int)k.rank) || !is_spare(s) || begin_lifeline((int)k.rank, s))
      close(s);
    else if (send(s, life.program.answer, JOB_SECRET_BYTES, MSG_NOSIGNAL) != JOB_SECRET_BYTES)
      end_lifeline((int)k.rank);
  }
}

/* Removes this node's own addresses from the program's list. If the program is on another node, a
 * foreign process would answer at these addresses. */
static void leave_out_own_addresses(void) {
  mpi_listener own = {.count = 0};
  uint16_t kept = 0;
  if (strcmp(job.hosts[0], job.hosts[job.rank]) == 0) return;
  list_addresses(&own);
  for (int n = 0; n < life.program.count; n++) {
    int is_own = 0;
    for (int o = 0; o < own.count; o++)
      is_own |= memcmp(life.program.addresses[n], own.addresses[o], sizeof *own.addresses) == 0;
    if (!is_own)
      memmove(life.program.addresses[kept++], life.program.addresses[n], sizeof *own.addresses);
  }
  life.program.count = kept;
}

static void begin_to_connect(void) {
  life.connecting_since_ns = solo_now_ns();
  /* without life.sockets, keep_only() would close the connection, and the program would assume a
   * death */
  if (!has_table()) return;
  for (int n = 0; n < life.program.count; n++)
    life.candidates[n] =
        (candidate){.socket = connect_to(life.program.addresses[n], life.program.port)};
}

static void keep_only(candidate *w) {
  if (begin_lifeline(0, w->socket) == 0) *w = (candidate){.socket = -1};
  for (int n = 0; n < JOB_ADDRESSES; n++) close_candidate(&life.candidates[n]);
}

static void introduce(candidate *w) {
  introduction k = {.rank = (uint32_t)job.rank};
  memcpy(k.secret, life.program.secret, sizeof k.secret);
  if (send(w->socket, &k, sizeof k, MSG_NOSIGNAL) != (ssize_t)sizeof k) {
    close_candidate(w);
    return;
  }
  w->has_introduced = 1;
  life.introduced_ns = solo_now_ns();
}

static void read_answer(candidate *w) {
  uint8_t answer[JOB_SECRET_BYTES];
  if (recv(w->socket, answer, sizeof answer, 0) == (ssize_t)sizeof answer &&
      memcmp(answer, life.program.answer, sizeof answer) == 0)
    keep_only(w);
  else
    /* the answer is from a foreign process, or the program already has a connection of this server */
    close_candidate(w);
}

/* Returns the number of pending attempts. */
static int go_on_connecting(int milliseconds) {
  struct pollfd polled[JOB_ADDRESSES];
  int left = 0;
  for (int n = 0; n < JOB_ADDRESSES; n++)
    polled[n] = (struct pollfd){.fd = life.candidates[n].socket,
                                .events = life.candidates[n].has_introduced ? POLLIN : POLLOUT};
  if (poll(polled, JOB_ADDRESSES, milliseconds) < 0) return 1;
  for (int n = 0; n < JOB_ADDRESSES && !solo_remote_mpi_has_liveness(0); n++) {
    candidate *w = &life.candidates[n];
    if (w->socket >= 0 && polled[n].revents && w->has_introduced)
      read_answer(w);
    else if (w->socket >= 0 && polled[n].revents)
      introduce(w);
    left += w->socket >= 0;
  }
  return left;
}

static int has_introduced(void) {
  for (int n = 0; n < JOB_ADDRESSES; n++)
    if (life.candidates[n].has_introduced) return 1;
  return 0;
}

void solo_remote_mpi_connect_liveness(const mpi_listener *program) {
  life.program = *program;
  if (life.program.count > JOB_ADDRESSES) life.program.count = 0;
  leave_out_own_addresses();
  for (int n = 0; n < JOB_ADDRESSES; n++) life.candidates[n].socket = -1;
  begin_to_connect();
  /* does not wait for an answer: after an introduction the program detects this server's death */
  while (go_on_connecting(1) && !has_introduced() &&
         solo_now_ns() - life.connecting_since_ns < CONNECT_NS)
    continue;
}

/* Continues or repeats the attempts to connect. Marks a silent program as dead. */
static void go_on_looking_for_program(void) {
  uint64_t now = solo_now_ns();
  if (go_on_connecting(0) || solo_remote_mpi_has_liveness(0)) return;
  if (life.introduced_ns && now - life.introduced_ns > SILENCE_SECONDS * UINT64_C(1000000000))
    solo_remote_mpi_note_death(0);
  else if (now - life.connecting_since_ns > RETRY_NS)
    begin_to_connect();
}

/* Waits for the answer to an introduction. The program answers or closes the connection. A foreign
 * process may do neither, so the wait is limited. */
static void await_answer(void) {
  uint64_t start = solo_now_ns();
  while (!solo_remote_mpi_has_liveness(0) && has_introduced()) {
    if (solo_now_ns() - start > ANSWER_WAIT_NS)
      for (int n = 0; n < JOB_ADDRESSES; n++) close_candidate(&life.candidates[n]);
    (void)go_on_connecting(ANSWER_CHECK_MS);
  }
}

void solo_remote_mpi_finish_connecting(void) {
  if (job.rank != 0) {
    await_answer();
  } else if (life.listener >= 0) {
    solo_remote_mpi_accept_liveness();
    close(life.listener);
    life.listener = -1;
  }
}

void solo_remote_mpi_check_liveness_locked(void) {
  uint64_t now = solo_now_ns();
  /* relaxed: the lock orders next_check_ns; a late read of is_over is harmless */
  if (now < solo_load_relaxed(&life.next_check_ns) || solo_load_relaxed(&job.is_over)) return;
  solo_store_relaxed(&life.next_check_ns, now + CHECK_NS);
  if (job.rank == 0)
    solo_remote_mpi_accept_liveness();
  else if (!solo_remote_mpi_has_liveness(0))
    go_on_looking_for_program();
  (void)solo_remote_mpi_receive_words(0);
}

void solo_remote_mpi_check_liveness(void) {
  /* relaxed: hints. Tests is_over before the lock, for which a child of fork(2) could wait forever */
  if (solo_now_ns() < solo_load_relaxed(&life.next_check_ns) || solo_load_relaxed(&job.is_over))
    return;
  solo_remote_mpi_acquire();
  solo_remote_mpi_check_liveness_locked();
  solo_remote_mpi_release();
}

#ifdef SOLO_CHECK
void solo_remote_mpi_cut_liveness(int rank) {
  (void)shutdown(life.sockets[rank], SHUT_RD);
}
#endif

void solo_remote_mpi_close_liveness(void) {
  for (int n = 0; life.sockets && n < job.size; n++)
    if (life.sockets[n] >= 0) close(life.sockets[n]);
  for (int n = 0; job.rank != 0 && n < JOB_ADDRESSES; n++) close_candidate(&life.candidates[n]);
  if (life.listener >= 0) close(life.listener);
  if (life.poller >= 0) close(life.poller);
  life.listener = life.poller = -1;
}
