/* The shared-memory transport (docs/design/remote-protocol.md). The client sends a memory file with
 * the rings over a socket. Idle threads sleep on futexes. After the hello, the socket only reports
 * the peer's end. */
#define _GNU_SOURCE
#include "backends/remote/remote_transport.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* not the private futexes of base/platform.h, because two processes map the words */
enum { FUTEX_WAIT = 0, FUTEX_WAKE = 1 };
enum { HELLO_MS = 10000 };

typedef struct shm_link {
  solo_remote_link link;
  int socket;
} shm_link;

static shm_link *of(solo_remote_link *link) {
  return (shm_link *)(void *)link;
}

static void futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
  const struct timespec limit = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                                 .tv_nsec = (long)(timeout_ns % 1000000000u)};
  int saved = errno;
  syscall(SYS_futex, (const void *)word, FUTEX_WAIT, expected, &limit, NULL, 0);
  errno = saved;
}

static void futex_wake_all(_Atomic uint32_t *word) {
  int saved = errno;
  syscall(SYS_futex, (const void *)word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  errno = saved;
}

static uint64_t space(solo_remote_channel *c) {
  uint64_t used = c->head - c->tail;
  return used <= SOLO_REMOTE_RING_BYTES ? SOLO_REMOTE_RING_BYTES - used : 0;
}

void *solo_remote_reserve(solo_remote_channel *c, uint32_t bytes) {
  uint64_t at = c->head % SOLO_REMOTE_RING_BYTES, left = SOLO_REMOTE_RING_BYTES - at;
  uint64_t padding = left < bytes ? left : 0;
  if (SOLO_UNLIKELY(space(c) < bytes + padding)) {
    /* acquire: pairs with solo_remote_shm_receive() */
    c->tail = solo_load_acquire(&c->shared->tail);
    if (space(c) < bytes + padding) return NULL;
  }
  if (SOLO_UNLIKELY(padding)) {
    const solo_remote_head pad = {.bytes = (uint32_t)padding, .kind = SOLO_REMOTE_PAD};
    memcpy(c->shared->ring + at, &pad, sizeof pad);
    c->head += padding;
    at = 0;
  }
  return c->shared->ring + at;
}

void solo_remote_shm_post(solo_remote_channel *c, uint32_t bytes) {
  solo_remote_shared *s = c->shared;
  solo_remote_count_message(c, bytes);
  /* Invariant: the server never sleeps while the ring holds a message.
   * Ordering:  head is stored before this fence, server_sleeps is loaded after it; pairs with the
   *            fence in shm_await_message().
   * Otherwise: the server could sleep until its timeout with a message pending.
   */
  solo_fence_seq_cst();
  /* ordered by the fence */
  if (SOLO_UNLIKELY(solo_load_relaxed(&s->server_sleeps))) {
    solo_add_relaxed(&s->server_futex, 1); /* ordered by the futex call */
    futex_wake_all(&s->server_futex);
  }
}

int solo_remote_shm_receive(solo_remote_channel *c, void *buffer) {
  solo_remote_shared *s = c->shared;
  for (;;) {
    if (c->tail == c->head) {
      c->head = solo_load_acquire(&s->head); /* pairs with solo_remote_count_message() */
      if (c->tail == c->head) return 0;
    }
    uint64_t filled = c->head - c->tail, at = c->tail % SOLO_REMOTE_RING_BYTES;
    solo_remote_head head;
    if (filled > SOLO_REMOTE_RING_BYTES || filled % SOLO_REMOTE_ALIGN) return -1;
    /* read once: the client could change the head after the check */
    memcpy(&head, s->ring + at, sizeof head);
    if (head.bytes < SOLO_REMOTE_ALIGN || head.bytes % SOLO_REMOTE_ALIGN || head.bytes > filled ||
        head.bytes > SOLO_REMOTE_RING_BYTES - at)
      return -1;
    int is_message = head.kind != SOLO_REMOTE_PAD;
    if (is_message && head.bytes > SOLO_REMOTE_MESSAGE_BYTES) return -1;
    if (is_message) {
      memcpy(buffer, s->ring + at, head.bytes);
      memcpy(buffer, &head, sizeof head);
    }
    c->tail += head.bytes;
    /* Invariant: messages before tail have been copied to buffer.
     * Ordering:  this release store pairs with the acquire load in solo_remote_reserve().
     * Otherwise: the client could overwrite a message while it is copied.
     */
    solo_store_release(&s->tail, c->tail);
    if (!is_message) continue;
    c->count++;
    /* Orders this message after other channels' work for which the client has waited. The acquire
     * load of head suffices, but ThreadSanitizer does not see the client's process. Pairs with the
     * fence in solo_remote_shm_complete(). */
    solo_fence_acquire();
    return (int)head.bytes;
  }
}

void solo_remote_shm_complete(solo_remote_channel *c, uint64_t count) {
  solo_remote_shared *s = c->shared;
  solo_fence_release(); /* pairs with the fence in solo_remote_shm_receive() */
  /* Invariant: results and bytes of the first count messages are in memory.
   * Ordering:  this release store pairs with the acquire load in solo_remote_completed().
   * Otherwise: the client could read a staging area before it is filled.
   */
  solo_store_release(&s->completed, count);
  /* Invariant: no thread sleeps while the message that it waits for is complete.
   * Ordering:  completed is stored before this fence, waiters is loaded after it; pairs with the
   *            fence in shm_await_completion().
   * Otherwise: a thread could sleep until its timeout.
   */
  solo_fence_seq_cst();
  /* ordered by the fence */
  c->is_awaited = solo_load_relaxed(&s->waiters) != 0;
  if (SOLO_UNLIKELY(c->is_awaited)) {
    solo_add_relaxed(&s->done_futex, 1); /* ordered by the futex call */
    futex_wake_all(&s->done_futex);
  }
}

static void shm_await_completion(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  solo_remote_shared *s = c->shared;
  if (!timeout_ns) {
    solo_cpu_relax();
    return;
  }
  solo_add_relaxed(&s->waiters, 1);                   /* ordered by the fence */
  uint32_t futex = solo_load_relaxed(&s->done_futex); /* ordered by the fence */
  if (count == SOLO_REMOTE_NEVER) futex = c->done_futex;
  solo_fence_seq_cst(); /* pairs with the fence in solo_remote_shm_complete() */
  if (solo_load_relaxed(&s->completed) < count) /* relaxed: the caller checks again */
    futex_wait(&s->done_futex, futex, timeout_ns);
  solo_sub_relaxed(&s->waiters, 1); /* relaxed: a superfluous wake is harmless */
}

static void shm_await_message(solo_remote_channel *c, uint64_t timeout_ns) {
  solo_remote_shared *s = c->shared;
  solo_store_relaxed(&s->server_sleeps, 1); /* ordered by the fence */
  solo_fence_seq_cst();                     /* pairs with the fence in solo_remote_shm_post() */
  /* relaxed: the caller checks again */
  if (solo_load_relaxed(&s->head) == c->head)
    futex_wait(&s->server_futex, c->server_futex, timeout_ns);
  solo_store_relaxed(&s->server_sleeps, 0); /* relaxed: a superfluous wake is harmless */
}

void solo_remote_wake(solo_remote_channel *c) {
  /* Invariant: a futex word changes after each event that it announces.
   * Ordering:  these release additions pair with the acquire loads in solo_remote_read_bells().
   * Otherwise: a thread could read the new value, miss the event and sleep.
   */
  solo_add_release(&c->shared->server_futex, 1);
  solo_add_release(&c->shared->done_futex, 1);
  futex_wake_all(&c->shared->server_futex);
  futex_wake_all(&c->shared->done_futex);
}

void solo_remote_shm_await(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  if (count == SOLO_REMOTE_NEXT_MESSAGE)
    shm_await_message(c, timeout_ns);
  else
    shm_await_completion(c, count, timeout_ns);
}

static int shm_is_alive(solo_remote_link *link) {
  struct pollfd p = {.fd = of(link)->socket, .events = POLLIN};
  int saved = errno;
  int ready = poll(&p, 1, 0);
  errno = saved;
  return ready == 0 && !solo_load_relaxed(&link->lost); /* relaxed: a late read is harmless */
}

static void shm_end(solo_remote_link *link) {
  solo_store_relaxed(&link->lost, 1);
  (void)shutdown(of(link)->socket, SHUT_RDWR);
}

static void shm_close(solo_remote_link *link) {
  solo_remote_unmap_file(link);
  close(of(link)->socket);
  free(link);
}

const solo_remote_transport solo_remote_shm_transport = {
    .post = solo_remote_shm_post,
    .receive = solo_remote_shm_receive,
    .complete = solo_remote_shm_complete,
    .await = solo_remote_shm_await,
    .is_alive = shm_is_alive,
    .end = shm_end,
    .close = shm_close,
};

static shm_link *make_link(int socket, int memory_file, uint64_t area_bytes) {
  shm_link *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->link.transport = &solo_remote_shm_transport;
  l->socket = socket;
  if (solo_remote_map_file(&l->link, memory_file, area_bytes) == 0) return l;
  free(l);
  return NULL;
}

static int send_hello(int socket, const solo_remote_hello *hello, int memory_file) {
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {(void *)(uintptr_t)hello, sizeof *hello};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  struct cmsghdr *c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(c), &memory_file, sizeof memory_file);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *hello;
}

/* Receives a hello with its descriptor. Returns the number of bytes; 0: failure. Missing bytes
 * become zeros. */
static size_t receive(int socket, void *out, size_t bytes, int *out_file) {
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  memset(out, 0, bytes);
  struct iovec part = {out, bytes};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      /* not CMSG_SPACE, because its padding could receive a second descriptor */
      .msg_controllen = CMSG_LEN(sizeof(int))};
  struct pollfd p = {.fd = socket, .events = POLLIN};
  int ready;
  do ready = poll(&p, 1, HELLO_MS);
  while (ready < 0 && errno == EINTR);
  ssize_t got = ready == 1 ? recvmsg(socket, &message, MSG_CMSG_CLOEXEC) : -1;
  if (got <= 0) return 0;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    int file;
    memcpy(&file, CMSG_DATA(c), sizeof file);
    if (out_file && *out_file < 0)
      *out_file = file;
    else
      close(file);
  }
  return (size_t)got;
}

static solo_status check_welcome(solo_remote_welcome *w, size_t bytes) {
  w->text[sizeof w->text - 1] = 0;
  w->host[sizeof w->host - 1] = 0;
  if (!bytes)
    return solo_fail(SOLO_UNAVAILABLE,
                     "remote: the device server ended before it answered the hello");
  if (w->magic != SOLO_REMOTE_MAGIC)
    return solo_fail(SOLO_UNAVAILABLE, "remote: the peer is not a device server");
  if (w->version != SOLO_REMOTE_VERSION)
    return solo_fail(SOLO_UNAVAILABLE,
                     "remote: the device server uses protocol version %u, this program version %d: "
                     "use the solo-server of the program's version of solo",
                     w->version, SOLO_REMOTE_VERSION);
  if (w->status != SOLO_OK)
    return solo_fail(SOLO_UNAVAILABLE, "remote: the device server refuses: %s", w->text);
  if (bytes != sizeof *w)
    return solo_fail(SOLO_UNAVAILABLE, "remote: the device server's hello has %zu bytes, not %zu",
                     bytes, sizeof *w);
  return SOLO_OK;
}

solo_status solo_remote_shm_connect(int socket, solo_remote_link **out_link) {
  solo_remote_hello hello = {.magic = SOLO_REMOTE_MAGIC,
                             .version = SOLO_REMOTE_VERSION,
                             .shared_bytes = sizeof(solo_remote_shared),
                             .info_bytes = sizeof(solo_device_info),
                             .api_version = SOLO_BACKEND_API,
                             .memory_bytes = SOLO_REMOTE_MEMORY_BYTES,
                             .area_bytes = solo_remote_area_default_bytes()};
  int file = solo_remote_make_file(hello.area_bytes);
  shm_link *l = file >= 0 ? make_link(socket, file, hello.area_bytes) : NULL;
  solo_status status = SOLO_OK;
  if (!l)
    status = solo_fail_vendor(SOLO_NOMEM, errno, "remote: no shared memory for a connection");
  else if (!send_hello(socket, &hello, file))
    status = check_welcome(&l->link.welcome, 0);
  else
    status = check_welcome(&l->link.welcome,
                           receive(socket, &l->link.welcome, sizeof l->link.welcome, NULL));
  if (file >= 0) close(file);
  if (status == SOLO_OK) {
    solo_remote_exclude_from_fork(&l->link);
    *out_link = &l->link;
  } else if (l) {
    shm_close(&l->link);
  } else {
    close(socket);
  }
  return status;
}

solo_status solo_remote_shm_accept(int socket, solo_remote_hello *out_hello,
                                   solo_remote_link **out_link) {
  int file = -1;
  solo_status status = SOLO_OK;
  shm_link *l = NULL;
  size_t bytes = receive(socket, out_hello, sizeof *out_hello, &file);
  if (out_hello->magic != SOLO_REMOTE_MAGIC)
    status = solo_fail(SOLO_INVALID, "the peer did not send the hello of a solo program");
  else if (out_hello->version != SOLO_REMOTE_VERSION || bytes != sizeof *out_hello ||
           out_hello->shared_bytes != sizeof(solo_remote_shared) ||
           out_hello->info_bytes != sizeof(solo_device_info) ||
           out_hello->api_version != SOLO_BACKEND_API ||
           out_hello->memory_bytes != SOLO_REMOTE_MEMORY_BYTES)
    status = solo_fail(SOLO_UNSUPPORTED,
                       "the program uses protocol version %u, this server version %d, or their "
                       "builds differ: use program and solo-server of the same version of solo",
                       out_hello->version, SOLO_REMOTE_VERSION);
  else if (!solo_remote_is_file(file, out_hello->area_bytes))
    status = solo_fail(SOLO_INVALID, "the program's shared memory is missing or of the wrong size");
  if (status == SOLO_OK && !(l = make_link(socket, file, out_hello->area_bytes)))
    status = solo_fail_vendor(SOLO_NOMEM, errno, "cannot map the program's shared memory");
  if (file >= 0) close(file);
  if (status != SOLO_OK) return status;
  solo_remote_shm_name_peer(socket, l->link.title, sizeof l->link.title);
  *out_link = &l->link;
  return SOLO_OK;
}

void solo_remote_shm_refuse(int socket, const solo_remote_welcome *welcome) {
  (void)!send(socket, welcome, sizeof *welcome, MSG_NOSIGNAL);
  close(socket);
}

solo_status solo_remote_shm_welcome(solo_remote_link *link) {
  solo_remote_welcome *w = &link->welcome;
  w->area = (uintptr_t)link->area;
  return send(of(link)->socket, w, sizeof *w, MSG_NOSIGNAL) == (ssize_t)sizeof *w
             ? SOLO_OK
             : solo_fail_vendor(SOLO_DEVICE_LOST, errno, "the program ended during the hello");
}

void solo_remote_shm_name_peer(int socket, char *out, size_t size) {
  struct ucred peer = {0};
  socklen_t bytes = sizeof peer;
  char path[48], name[32] = "";
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) peer.pid = 0;
  snprintf(path, sizeof path, "/proc/%d/comm", (int)peer.pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file >= 0 ? read(file, name, sizeof name - 1) : 0;
  if (file >= 0) close(file);
  name[length > 0 ? length - 1 : 0] = 0;
  snprintf(out, size, "program %d (%s)", (int)peer.pid, name[0] ? name : "ended");
}

/* Opens *out, which becomes readable when the peer process ends, even if a child of the peer still
 * holds the socket. *out is -1 if unsupported. Returns nonzero if the peer has ended. */
static int watch_peer(int socket, int *out) {
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  *out = -1;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return 0;
  *out = (int)syscall(SYS_pidfd_open, peer.pid, 0);
  return *out < 0 && errno == ESRCH;
}

void solo_remote_shm_await_end(solo_remote_link *link) {
  int process;
  if (watch_peer(of(link)->socket, &process)) return;
  struct pollfd p[] = {{.fd = of(link)->socket, .events = POLLIN},
                       {.fd = process, .events = POLLIN}}; /* poll ignores -1 */
  /* the program sends nothing more, so any event means its end */
  while (poll(p, 2, 1000) <= 0)
    if (solo_load_relaxed(&link->lost)) break; /* relaxed: a late read is harmless */
  if (process >= 0) close(process);
}
