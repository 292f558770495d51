/* Description: what a device server reads from a program, and a program from its server, is checked
 * before it is used. Writes nonsense into the shared memory: every byte of a message flipped, every
 * length wrong, counters that lie; and says hello wrongly. Each is refused with a reason or does no
 * harm; nothing hangs, no process is hurt (run with AddressSanitizer). Argument: only every nth byte.
 */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_server.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 30 };

/* A server in a child process; the other end of its socket. */
static pid_t start(int *out_socket) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) exit(2);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE_SECONDS);
    close(ends[0]);
    (void)!freopen("/dev/null", "w", stderr); /* it tells of each refusal */
    exit(solo_remote_serve(ends[1]) == SOLO_OK ? 0 : 3);
  }
  close(ends[1]);
  *out_socket = ends[0];
  return child;
}

/* Its exit status; 128 + signal: it crashed or hung. */
static int finish(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static solo_remote_link *connect_to(int socket) {
  solo_remote_link *link = NULL;
  CHECK_INT(solo_remote_shm_connect(socket, &link), SOLO_OK);
  return link;
}

/* A valid message of each kind, as small as it can be with something in it. */
static uint32_t make(solo_remote_kind kind, uint8_t *bytes) {
  memset(bytes, 0, 256);
  uint32_t size = 64;
  switch (kind) {
  case SOLO_REMOTE_IMAGE_PART: {
    solo_remote_image_part m = {.image_bytes = 16, .part_bytes = 16};
    memcpy(bytes, &m, sizeof m);
    break;
  }
  case SOLO_REMOTE_MODULE_KERNEL:
  case SOLO_REMOTE_MODULE_GLOBAL: {
    solo_remote_name m = {.module = 1, .kernel = 1, .name_bytes = 4};
    memcpy(bytes, &m, sizeof m);
    memcpy(bytes + sizeof m, "name", 5);
    break;
  }
  case SOLO_REMOTE_COPY:
  case SOLO_REMOTE_COPY_PEER:
  case SOLO_REMOTE_FILL: { /* beyond the staging area, of no bytes: refused before it is done */
    solo_remote_copy m = {.direction = SOLO_COPY_IN, .host = UINT64_MAX - 8, .bytes = 0};
    memcpy(bytes, &m, sizeof m);
    break;
  }
  case SOLO_REMOTE_LAUNCH: {
    solo_remote_launch m = {.kernel = 9, .teams = {1, 1, 1}, .argument_bytes = 8};
    memcpy(bytes, &m, sizeof m);
    size = 80;
    break;
  }
  case SOLO_REMOTE_GATE:
  case SOLO_REMOTE_WAIT: {
    solo_remote_wait_for m = {.channel = 0, .ticket = UINT64_MAX / 2};
    memcpy(bytes, &m, sizeof m);
    break;
  }
  default: {
    solo_remote_plain m = {.device = 0, .object = 2, .value = 64};
    memcpy(bytes, &m, sizeof m);
  }
  }
  const solo_remote_head head = {.bytes = size, .kind = (uint16_t)kind};
  memcpy(bytes, &head, sizeof head);
  return size;
}

/* Posts bytes as they are; returns when they are complete or the server has ended. */
static void post_raw(solo_remote_channel *c, const uint8_t *bytes, uint32_t size) {
  void *room = c->link->transport->reserve(c, size);
  if (!room) return;
  memcpy(room, bytes, size);
  c->link->transport->post(c, size);
  uint64_t end = solo_now_ns() + 1000000000u;
  while (solo_remote_completed(c) < c->count && solo_now_ns() < end)
    if (!c->link->transport->is_alive(c->link)) return;
  CHECK(solo_remote_completed(c) >= c->count);
}

typedef struct connection {
  pid_t server;
  solo_remote_link *link;
  solo_remote_channel control, queue;
} connection;

/* A connection with the CPU device open, and a queue on channel 1. */
static connection open_all(void) {
  connection c;
  int socket;
  uint8_t bytes[256];
  c.server = start(&socket);
  c.link = connect_to(socket);
  solo_remote_channel_of(c.link, 0, &c.control);
  solo_remote_channel_of(c.link, 1, &c.queue);
  uint32_t size = make(SOLO_REMOTE_FIND_DEVICES, bytes); /* object 2: host */
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  size = make(SOLO_REMOTE_DEVICE_OPEN, bytes);
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  size = make(SOLO_REMOTE_QUEUE_OPEN, bytes);
  ((solo_remote_plain *)(void *)bytes)->object = 1;
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  return c;
}

static void close_all(connection *c) {
  c->link->transport->close(c->link);
  CHECK_INT(finish(c->server), 0);
}

/* What would be done with what it names (a copy to a random address) is no mistake of the
 * protocol's, and would hurt the server as it would a program of its own. */
static int is_dangerous(const uint8_t *bytes, int is_queue) {
  solo_remote_head head;
  memcpy(&head, bytes, sizeof head);
  if (head.kind == SOLO_REMOTE_PAD) return 1; /* is not counted: nothing to wait for */
  if (!is_queue) return 0;
  solo_remote_copy m;
  memcpy(&m, bytes, sizeof m);
  return (head.kind == SOLO_REMOTE_COPY || head.kind == SOLO_REMOTE_FILL ||
          head.kind == SOLO_REMOTE_COPY_PEER) &&
         m.bytes != 0;
}

/* Each byte of each message flipped in eight ways. A server that refuses is replaced. */
static void check_flips(uint32_t stride) {
  int refused = 0, taken = 0;
  for (int kind = SOLO_REMOTE_PAD + 1; kind <= SOLO_REMOTE_KINDS; kind++) {
    uint8_t good[256], bytes[256];
    uint32_t size = make((solo_remote_kind)kind, good);
    int is_queue = kind >= SOLO_REMOTE_COPY;
    connection c = open_all(); /* the one before may have closed its device */
    for (uint32_t at = 0; at < size; at += at < 8 ? 1 : stride)
      for (int bit = 0; bit < 8; bit += stride == 1 && at < 8 ? 1 : 7) {
        memcpy(bytes, good, sizeof bytes);
        bytes[at] ^= (uint8_t)(1u << bit);
        if (is_dangerous(bytes, is_queue) || kind == SOLO_REMOTE_QUEUE_OPEN) continue;
        post_raw(is_queue ? &c.queue : &c.control, bytes, size);
        taken++;
        if (c.link->transport->is_alive(c.link)) continue;
        refused++;
        close_all(&c);
        c = open_all();
      }
    close_all(&c);
  }
  printf("%d messages with a flipped bit, %d of them refused\n", taken, refused);
  CHECK(refused > 100 / (int)stride && refused < taken);
}

/* The message ends the connection, and nothing else of the server. */
static void expect_end(connection *c, solo_remote_channel *channel, const void *message) {
  solo_remote_head head;
  memcpy(&head, message, sizeof head);
  memcpy(c->link->transport->reserve(channel, head.bytes), message, head.bytes);
  c->link->transport->post(channel, head.bytes);
  uint64_t end = solo_now_ns() + 5000000000u;
  while (c->link->transport->is_alive(c->link) && solo_now_ns() < end) usleep(100);
  CHECK(!c->link->transport->is_alive(c->link));
  close_all(c);
}

/* Copies that leave the staging area, an event that will never be. */
static void check_ranges(void) {
  static const struct {
    uint64_t host, bytes;
    uint32_t direction;
  } wrong[] = {{SOLO_REMOTE_STAGING_BYTES - 32, 64, SOLO_COPY_IN},
               {SOLO_REMOTE_STAGING_BYTES - 32, 64, SOLO_COPY_OUT},
               {SOLO_REMOTE_STAGING_BYTES, 1, SOLO_COPY_IN},
               {0, SOLO_REMOTE_STAGING_BYTES + 1, SOLO_COPY_OUT},
               {UINT64_MAX - 31, 64, SOLO_COPY_IN},
               {64, UINT64_MAX - 63, SOLO_COPY_IN},
               {0, 1, SOLO_COPY_WITHIN + 1}};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
    connection c = open_all();
    uint8_t bytes[256];
    make(SOLO_REMOTE_COPY, bytes);
    solo_remote_copy *m = (solo_remote_copy *)(void *)bytes;
    m->direction = wrong[n].direction;
    m->host = wrong[n].host;
    m->bytes = wrong[n].bytes;
    m->device = (uint64_t)(uintptr_t)c.queue.staging; /* an address of the server's, or nearly so */
    expect_end(&c, &c.queue, bytes);
  }
  connection c = open_all();
  uint8_t bytes[256];
  uint32_t size = make(SOLO_REMOTE_QUEUE_OPEN, bytes);
  ((solo_remote_plain *)(void *)bytes)->object = 2;
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  make(SOLO_REMOTE_WAIT, bytes);
  ((solo_remote_wait_for *)(void *)bytes)->channel = 2;
  ((solo_remote_wait_for *)(void *)bytes)->ticket = 1; /* nothing was posted there */
  expect_end(&c, &c.queue, bytes);
}

/* Counters of the ring that lie. */
static void check_counters(void) {
  static const uint64_t lies[] = {
      1, 8, 15, SOLO_REMOTE_RING_BYTES + 16, 1 << 20, UINT64_MAX, UINT64_MAX / 2, UINT64_MAX - 15};
  for (size_t n = 0; n < sizeof lies / sizeof *lies; n++)
    for (int queue = 0; queue < 2; queue++) {
      connection c = open_all();
      solo_remote_channel *channel = queue ? &c.queue : &c.control;
      solo_store_release(&channel->shared->head, channel->head + lies[n]); /* as shm_post */
      c.link->transport->wake(channel);
      uint64_t end = solo_now_ns() + 5000000000u;
      while (c.link->transport->is_alive(c.link) && solo_now_ns() < end) usleep(100);
      CHECK(!c.link->transport->is_alive(c.link));
      close_all(&c);
    }
}

/* "version 8": what the other side is told to speak. */
static const char *next_version(const char *before) {
  static char text[32];
  snprintf(text, sizeof text, "%sversion %d", before, SOLO_REMOTE_VERSION + 1);
  return text;
}

/* A hello cut short, of another version, without memory, with memory of the wrong size. */
static void check_hello(void) {
  solo_remote_hello good = {.magic = SOLO_REMOTE_MAGIC,
                            .version = SOLO_REMOTE_VERSION,
                            .shared_bytes = sizeof(solo_remote_shared),
                            .info_bytes = sizeof(solo_device_info),
                            .api_version = SOLO_BACKEND_API};
  for (size_t size = 1; size <= sizeof good; size += 3) {
    int socket;
    solo_remote_welcome w = {0};
    pid_t child = start(&socket);
    CHECK(send(socket, &good, size, 0) == (ssize_t)size);
    CHECK(recv(socket, &w, sizeof w, 0) == (ssize_t)sizeof w);
    CHECK(w.status != SOLO_OK && w.text[0] && w.version == SOLO_REMOTE_VERSION);
    close(socket);
    CHECK_INT(finish(child), 3);
  }
  int socket;
  solo_remote_welcome w = {0};
  pid_t child = start(&socket);
  good.version++;
  CHECK(send(socket, &good, sizeof good, 0) == (ssize_t)sizeof good);
  CHECK(recv(socket, &w, sizeof w, 0) == (ssize_t)sizeof w);
  CHECK_INT(w.status, SOLO_UNSUPPORTED);
  CHECK_HAS(w.text, next_version(""));
  close(socket);
  CHECK_INT(finish(child), 3);
}

/* --- the program's side: a server that lies ---------------------------------------------------- */

typedef struct liar {
  int socket;
  solo_remote_welcome welcome;
  size_t bytes;
} liar;

static void *lie(void *context) {
  liar *l = context;
  char hello[4096];
  (void)!recv(l->socket, hello, sizeof hello, 0);
  if (l->bytes) (void)!send(l->socket, &l->welcome, l->bytes, MSG_NOSIGNAL);
  close(l->socket);
  return NULL;
}

static void expect_refusal(const solo_remote_welcome *welcome, size_t bytes, const char *words) {
  int ends[2];
  pthread_t thread;
  solo_remote_link *link = NULL;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) exit(2);
  liar l = {.socket = ends[1], .welcome = *welcome, .bytes = bytes};
  pthread_create(&thread, NULL, lie, &l);
  solo_status status = solo_remote_shm_connect(ends[0], &link);
  pthread_join(thread, NULL);
  CHECK_INT(status, SOLO_UNAVAILABLE);
  CHECK_HAS(solo_error_last()->text, words);
}

static void check_welcome(void) {
  solo_remote_welcome good = {.magic = SOLO_REMOTE_MAGIC, .version = SOLO_REMOTE_VERSION}, w;
  memset(good.text, 'x', sizeof good.text); /* not terminated */
  expect_refusal(&good, 0, "ended before");
  expect_refusal(&good, 4, "no device server");
  expect_refusal(&good, sizeof good - 1, "bytes");
  w = good;
  w.magic++;
  expect_refusal(&w, sizeof w, "no device server");
  w = good;
  w.version++;
  expect_refusal(&w, sizeof w, next_version("speaks "));
  expect_refusal(&w, 16, next_version("speaks "));
  w = good;
  w.status = SOLO_NOMEM;
  expect_refusal(&w, sizeof w, "refuses: xxx");
}

/* A server that tells of work which nobody gave it: lost, with a reason, not believed. */
static void check_completion(void) {
  connection c = open_all();
  kill(c.server, SIGSTOP);
  solo_store_release(&c.queue.shared->completed, UINT64_MAX); /* as shm_complete */
  CHECK_INT(solo_remote_wait(&c.queue, 1), SOLO_DEVICE_LOST);
  CHECK_HAS(solo_error_last()->text, "more work than it was given");
  solo_store_relaxed(&c.queue.shared->completed, 0);
  solo_remote_result result = {.status = 9999};
  CHECK_INT(solo_remote_fail_result(&result), SOLO_INTERNAL);
  result.status = -1;
  CHECK_INT(solo_remote_fail_result(&result), SOLO_INTERNAL);
  result.status = SOLO_KERNEL_FAULT;
  memset(result.text, 'y', sizeof result.text);
  CHECK_INT(solo_remote_fail_result(&result), SOLO_KERNEL_FAULT);
  kill(c.server, SIGCONT);
  close_all(&c);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  setenv("SOLO_SPIN_US", "100", 1);
  alarm(10 * PATIENCE_SECONDS);
  check_hello();
  check_welcome();
  check_completion();
  check_counters();
  check_ranges();
  check_flips(argc > 1 ? (uint32_t)atoi(argv[1]) : 1);
  return TEST_RESULT();
}
