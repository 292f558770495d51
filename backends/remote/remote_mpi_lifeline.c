/* Which ranks live. MPI does not say, unless it was built to (ULFM); but a kernel closes the sockets of a process
 * whatever it died of. So each server has a TCP connection to the program, its lifeline, on which nothing
 * is said but who it is, and a word when the job ends: that it ends tells either side that the other is dead.
 *
 * The program says by the hello of the job where it listens, on all addresses of its node, and a secret. A
 * server connects to all of them at once, since some may lead elsewhere (a bridge of the same address on each node),
 * and introduces itself by the secret and its rank. The first connection that is answered is the lifeline. Nothing that
 * comes is a command.
 *
 * Where there is no way for TCP, or no descriptor for one more lifeline, deaths are not noticed: as without it.
 * A machine that loses its power closes no socket: TCP's keepalive asks, and finds that in half a minute.
 *
 * Threads: all is guarded by job.lock, but for what one thread does before there are others. Errors: none. */
#define _GNU_SOURCE /* accept4 */
#include "backends/remote/remote_mpi.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  LOOK_NS = 50 * 1000 * 1000,
  CONNECT_NS = 300 * 1000 * 1000,
  RETRY_NS = 1000 * 1000 * 1000,
  SETTLE_MS = 10,
  DEFER_SECONDS = 1, /* of a connection on which nothing comes */
  ALIVE_SECONDS = 6, /* of silence, before TCP asks; and between questions */
  ALIVE_QUESTIONS = 4,
};

#define job solo_remote_mpi

typedef struct introduction {
  uint8_t secret[JOB_SECRET_BYTES];
  uint32_t rank;
} introduction;

typedef struct candidate {
  int socket; /* -1: none */
  int has_introduced;
} candidate;

static struct {
  _Atomic uint64_t next_look_ns; /* a hint */
  mpi_listener program;          /* where it listens */
  int listener;                  /* the program's; -1: none */
  struct pollfd *others; /* lifelines by the other side's rank (a server's: 0); fd -1: none */
  uint8_t *words;        /* the last that came on them; 0: none */
  candidate candidates[JOB_ADDRESSES]; /* a server's, of which one is answered */
  uint64_t connecting_since_ns;
} life = {.listener = -1};

static void close_candidate(candidate *w) {
  if (w->socket >= 0) close(w->socket);
  *w = (candidate){.socket = -1};
}

static void keep_asking(int socket) {
  const int on = 1, seconds = ALIVE_SECONDS, questions = ALIVE_QUESTIONS;
  (void)setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
  (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &questions, sizeof questions);
}

/* --- addresses -------------------------------------------------------------------------------- */

static const uint8_t of_ipv4[12] = {[10] = 0xff, [11] = 0xff};

/* Nonzero: other nodes may reach it, or at least this one. */
static int read_address(const struct sockaddr *a, uint8_t out[16]) {
  if (a->sa_family == AF_INET) {
    memcpy(out, of_ipv4, sizeof of_ipv4);
    memcpy(out + 12, &((const struct sockaddr_in *)(const void *)a)->sin_addr, 4);
    return 1;
  }
  if (a->sa_family != AF_INET6) return 0;
  const struct in6_addr *v6 = &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr;
  memcpy(out, v6, sizeof *v6);
  return !IN6_IS_ADDR_LINKLOCAL(v6); /* which names an interface of this node */
}

/* Those of the loopback interface come last: they lead each other node to itself. */
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

/* --- lifelines -------------------------------------------------------------------------------- */

static int has_table(void) {
  if (!life.others && (life.others = calloc((size_t)job.size, sizeof *life.others)))
    for (int n = 0; n < job.size; n++) life.others[n] = (struct pollfd){.fd = -1, .events = POLLIN};
  if (!life.words) life.words = calloc((size_t)job.size, sizeof *life.words);
  return life.others && life.words;
}

int solo_remote_mpi_has_lifeline(int rank) {
  return life.others && life.words && life.others[rank].fd >= 0;
}

uint8_t solo_remote_mpi_word_of(int rank) {
  return life.words ? life.words[rank] : 0;
}

void solo_remote_mpi_say(int rank, uint8_t word) {
  if (solo_remote_mpi_has_lifeline(rank))
    (void)send(life.others[rank].fd, &word, 1, MSG_NOSIGNAL); /* it is dead: heard by who listens */
}

void solo_remote_mpi_hear(int milliseconds) {
  int first = job.rank == 0, end = first ? job.size : 1; /* its servers, or the program */
  if (!has_table() || poll(life.others + first, (nfds_t)(end - first), milliseconds) <= 0) return;
  for (int n = first; n < end; n++) {
    if (life.others[n].fd < 0 || !life.others[n].revents) continue;
    ssize_t got = recv(life.others[n].fd, &life.words[n], 1, MSG_DONTWAIT);
    if (got == 1 || (got < 0 && (errno == EAGAIN || errno == EINTR))) continue;
    close(life.others[n].fd);
    life.others[n].fd = -1;
    solo_remote_mpi_note_death(n);
  }
}

/* --- the program's end ------------------------------------------------------------------------ */

/* For both families where there are both. */
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
  /* accepted when the introduction is there, which is read without waiting */
  (void)setsockopt(s, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
  if (listen(s, SOMAXCONN) != 0 || getsockname(s, (struct sockaddr *)(void *)&v6, &size) != 0) {
    close(s);
    return -1;
  }
  *out_port = ntohs(v6.sin6_port); /* at the same place in both families */
  return s;
}

void solo_remote_mpi_listen_for_lifelines(mpi_listener *out) {
  if (getrandom(life.program.secret, JOB_SECRET_BYTES, 0) != JOB_SECRET_BYTES) return;
  life.listener = listen_anywhere(&life.program.port);
  if (life.listener < 0) return;
  list_addresses(&life.program);
  *out = life.program;
}

/* Whoever has introduced itself. One that has a lifeline may still do so at the other addresses. */
void solo_remote_mpi_accept_lifelines(void) {
  if (life.listener < 0 || !has_table()) return;
  for (int s; (s = accept4(life.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
    introduction k;
    const char answer = 1;
    int is_known = recv(s, &k, sizeof k, 0) == (ssize_t)sizeof k &&
                   memcmp(k.secret, life.program.secret, sizeof k.secret) == 0 && k.rank > 0 &&
                   (int64_t)k.rank < job.size;
    if (is_known && life.others[k.rank].fd < 0 && !solo_remote_mpi_is_dead((int)k.rank) &&
        send(s, &answer, 1, MSG_NOSIGNAL) == 1) {
      keep_asking(s);
      life.others[k.rank].fd = s;
    } else {
      close(s);
    }
  }
}

/* --- a server's lifeline ---------------------------------------------------------------------- */

static void begin_to_connect(void) {
  life.connecting_since_ns = solo_now_ns();
  for (int n = 0; n < life.program.count && n < JOB_ADDRESSES; n++)
    life.candidates[n] =
        (candidate){.socket = connect_to(life.program.addresses[n], life.program.port)};
}

static void keep_only(candidate *w) {
  if (has_table()) {
    keep_asking(w->socket);
    life.others[0].fd = w->socket;
    *w = (candidate){.socket = -1};
  }
  for (int n = 0; n < JOB_ADDRESSES; n++) close_candidate(&life.candidates[n]);
}

/* Introduces this server where somebody has accepted, and hears who answers. Returns how many are left. */
static int go_on_connecting(int milliseconds) {
  struct pollfd polled[JOB_ADDRESSES];
  int left = 0;
  introduction k = {.rank = (uint32_t)job.rank};
  memcpy(k.secret, life.program.secret, sizeof k.secret);
  for (int n = 0; n < JOB_ADDRESSES; n++)
    polled[n] = (struct pollfd){.fd = life.candidates[n].socket,
                                .events = life.candidates[n].has_introduced ? POLLIN : POLLOUT};
  if (poll(polled, JOB_ADDRESSES, milliseconds) < 0) return 1;
  for (int n = 0; n < JOB_ADDRESSES && !solo_remote_mpi_has_lifeline(0); n++) {
    candidate *w = &life.candidates[n];
    char answer;
    if (w->socket >= 0 && polled[n].revents && !w->has_introduced)
      w->has_introduced = send(w->socket, &k, sizeof k, MSG_NOSIGNAL) == (ssize_t)sizeof k;
    else if (w->socket >= 0 && polled[n].revents && recv(w->socket, &answer, 1, 0) == 1)
      keep_only(w);
    else if (w->socket >= 0 && polled[n].revents)
      w->has_introduced = 0;
    if (w->socket >= 0 && polled[n].revents && !w->has_introduced) close_candidate(w);
    left += w->socket >= 0;
  }
  return left;
}

static int has_introduced(void) {
  for (int n = 0; n < JOB_ADDRESSES; n++)
    if (life.candidates[n].has_introduced) return 1;
  return 0;
}

void solo_remote_mpi_connect_lifeline(const mpi_listener *program) {
  life.program = *program;
  for (int n = 0; n < JOB_ADDRESSES; n++) life.candidates[n].socket = -1;
  begin_to_connect();
  /* the program knows of a death from here on; what is not answered yet is heard later */
  while (go_on_connecting(1) && !has_introduced() &&
         solo_now_ns() - life.connecting_since_ns < CONNECT_NS)
    continue;
}

static void go_on_looking_for_program(void) {
  if (!go_on_connecting(0) && solo_now_ns() - life.connecting_since_ns > RETRY_NS)
    begin_to_connect();
}

void solo_remote_mpi_settle_lifelines(void) {
  if (job.rank != 0)
    while (!solo_remote_mpi_has_lifeline(0) && has_introduced()) (void)go_on_connecting(SETTLE_MS);
  else if (life.listener >= 0)
    close(life.listener);
  life.listener = -1;
}

/* --- both ------------------------------------------------------------------------------------- */

void solo_remote_mpi_look_for_dead_locked(void) {
  uint64_t now = solo_now_ns();
  /* relaxed: guarded; a hint without the lock. A flag by itself */
  if (now < solo_load_relaxed(&life.next_look_ns) || solo_load_relaxed(&job.is_over)) return;
  solo_store_relaxed(&life.next_look_ns, now + LOOK_NS);
  if (job.rank == 0)
    solo_remote_mpi_accept_lifelines();
  else if (!solo_remote_mpi_has_lifeline(0))
    go_on_looking_for_program();
  solo_remote_mpi_hear(0);
}

void solo_remote_mpi_look_for_dead(void) {
  /* relaxed: as above. (In a child of fork the job is over, and the lock may be its parent's) */
  if (solo_now_ns() < solo_load_relaxed(&life.next_look_ns) || solo_load_relaxed(&job.is_over))
    return;
  solo_remote_mpi_acquire();
  solo_remote_mpi_look_for_dead_locked();
  solo_remote_mpi_release();
}

void solo_remote_mpi_close_lifelines(void) {
  for (int n = 0; life.others && n < job.size; n++)
    if (life.others[n].fd >= 0) close(life.others[n].fd);
  if (life.listener >= 0) close(life.listener);
  life.listener = -1;
}
