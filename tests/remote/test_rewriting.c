/* Description: a client rewrites messages and counters while the server reads them, and a server
 * rewrites counters and results while the client reads them. Neither side crashes or hangs
 * (AddressSanitizer). Argument N: rounds of each attack. */
#define _GNU_SOURCE
#include "backends/remote/remote_server.h"
#include "tests/remote/malformed.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 100, MESSAGES = 400, ROUND_US = 20000 };

typedef enum attack { CONTROL_BYTES, COPY_FIELDS, CLIENT_COUNTERS, SERVER_WORDS } attack;

typedef struct rewriter {
  attack what;
  connection *c;
  uint64_t seed;
  pid_t server; /* SERVER_WORDS: killed at the end of the round */
  _Atomic int stop;
} rewriter;

static uint64_t next(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

/* The attacks are data races on purpose, between two processes; volatile keeps each store. */
static void store_byte(uint8_t *at, uint64_t value) {
  *(volatile uint8_t *)at = (uint8_t)value;
}
static void store_word(uint8_t *at, uint64_t value) {
  *(volatile uint64_t *)(void *)at = value;
}

static void rewrite_control(rewriter *r) {
  solo_remote_shared *s = r->c->control.shared;
  uint64_t at = solo_load_relaxed(&s->tail) + next(&r->seed) % 96;
  store_byte(s->ring + at % SOLO_REMOTE_RING_BYTES, next(&r->seed));
}

/* A field changes between a valid and an invalid value. A server that reads the field twice could
 * check the valid value and use the invalid value. */
static void rewrite_copy(rewriter *r) {
  enum { CHANGES = 32 };
  solo_remote_shared *s = r->c->queue.shared;
  uint8_t *message = s->ring + solo_load_relaxed(&s->tail) % SOLO_REMOTE_RING_BYTES;
  volatile uint32_t *head_bytes = (volatile uint32_t *)(void *)message;
  switch (r->seed % 3) {
  case 0:
    for (int n = 0; n < CHANGES; n++) {
      *head_bytes = UINT32_C(1) << 30;
      *head_bytes = 64;
    }
    break;
  case 1:
    for (int n = 0; n < CHANGES; n++) {
      store_word(message + offsetof(solo_remote_copy, bytes), UINT64_C(1) << 40);
      store_word(message + offsetof(solo_remote_copy, bytes), 64);
    }
    break;
  default:
    for (int n = 0; n < CHANGES; n++) {
      store_word(message + offsetof(solo_remote_copy, host), UINT64_MAX - 31);
      store_word(message + offsetof(solo_remote_copy, host), 256);
    }
  }
}

static void rewrite_client_counters(rewriter *r) {
  solo_remote_shared *s = next(&r->seed) % 2 ? r->c->queue.shared : r->c->control.shared;
  uint64_t value = next(&r->seed);
  switch (value % 8) {
  case 0:
    solo_add_relaxed(&s->head, 16 * (value >> 32 & 7));
    break;
  case 1:
    solo_store_relaxed(&s->posted, value);
    break;
  case 2:
    solo_store_relaxed(&s->errors_reported, (uint32_t)(value >> 32));
    break;
  case 3:
    solo_store_relaxed(&s->server_sleeps, (uint32_t)(value >> 32));
    break;
  case 4:
    solo_store_relaxed(&s->server_futex, (uint32_t)(value >> 32));
    break;
  case 5:
    solo_store_relaxed(&s->waiters, (uint32_t)(value >> 32));
    break;
  default:
    solo_store_relaxed(&s->done_futex, (uint32_t)(value >> 32));
  }
}

static void rewrite_server_words(rewriter *r) {
  solo_remote_shared *s = next(&r->seed) % 4 ? r->c->queue.shared : r->c->control.shared;
  uint64_t value = next(&r->seed);
  switch (value % 8) {
  case 0:
    solo_store_relaxed(&s->tail, value >> 40);
    break;
  case 1:
    solo_store_relaxed(&s->completed, value >> 56);
    break;
  case 2:
    solo_store_relaxed(&s->errors_made, (uint32_t)(value >> 32));
    break;
  case 3:
    solo_store_relaxed(&s->done_futex, (uint32_t)(value >> 32));
    break;
  case 4:
    solo_store_relaxed(&s->refused, (uint32_t)(value >> 32 & 3));
    break;
  case 5:
    store_byte((uint8_t *)s->refusal + (value >> 32) % sizeof s->refusal, value >> 8);
    break;
  default:
    store_byte((uint8_t *)&s->result + (value >> 32) % sizeof s->result, value >> 8);
  }
}

static void *rewrite(void *context) {
  rewriter *r = context;
  uint64_t end = solo_now_ns() + ROUND_US * UINT64_C(1000);
  while (!solo_load_acquire(&r->stop)) { /* pairs with round() */
    switch (r->what) {
    case CONTROL_BYTES:
      rewrite_control(r);
      break;
    case COPY_FIELDS:
      rewrite_copy(r);
      break;
    case CLIENT_COUNTERS:
      rewrite_client_counters(r);
      break;
    case SERVER_WORDS:
      rewrite_server_words(r);
    }
    if (r->what == SERVER_WORDS && solo_now_ns() > end) {
      kill(r->server, SIGKILL);
      break;
    }
  }
  return NULL;
}

void malformed_connect(connection *out) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) exit(2);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE_SECONDS);
    close(ends[0]);
    (void)!freopen("/dev/null", "w", stderr); /* one rejection per round */
    exit(solo_remote_serve(ends[1]) == SOLO_OK ? 0 : 3);
  }
  close(ends[1]);
  out->server = child;
  CHECK_INT(solo_remote_shm_connect(ends[0], &out->link), SOLO_OK);
}

static int end_of(connection *c) {
  int status = 0;
  c->link->transport->close(c->link);
  waitpid(c->server, &status, 0);
  return status;
}

void malformed_close(connection *c) {
  CHECK_INT(end_of(c), 0);
}

static int is_alive(const connection *c) {
  return c->link->transport->is_alive(c->link);
}

/* Returns nonzero if the message was posted; zero if the connection has ended. */
static int post(connection *c, solo_remote_channel *channel, const uint8_t *bytes, uint32_t size) {
  void *space;
  while (!(space = solo_remote_reserve(channel, size))) {
    if (!is_alive(c)) return 0;
    usleep(10);
  }
  memcpy(space, bytes, size);
  c->link->transport->post(channel, size);
  return is_alive(c);
}

static void attack_server(connection *c, attack what) {
  uint8_t bytes[256];
  int kind = SOLO_REMOTE_FIND_DEVICES;
  for (int n = 0; n < MESSAGES; n++) {
    int is_copy = what == COPY_FIELDS || (what == CLIENT_COUNTERS && n % 2);
    uint32_t size =
        malformed_make(is_copy ? SOLO_REMOTE_COPY : (solo_remote_kind)kind, c->block, bytes);
    if (++kind == SOLO_REMOTE_COPY) kind = SOLO_REMOTE_FIND_DEVICES;
    if (!post(c, is_copy ? &c->queue : &c->control, bytes, size)) return;
    if (n % 8 == 7) usleep(50); /* the server sleeps from time to time */
  }
}

/* The client posts copies and waits for each, until the server is lost. */
static void attack_client(connection *c) {
  uint8_t bytes[256];
  uint32_t size = malformed_make(SOLO_REMOTE_COPY, c->block, bytes);
  while (post(c, &c->queue, bytes, size))
    if (solo_remote_wait(&c->queue, c->queue.count) == SOLO_DEVICE_LOST) break;
}

static int attack_once(attack what, uint64_t seed) {
  connection c = malformed_open();
  rewriter r = {.what = what, .c = &c, .seed = seed | 1, .server = c.server};
  pthread_t thread;
  pthread_create(&thread, NULL, rewrite, &r);
  if (what == SERVER_WORDS)
    attack_client(&c);
  else
    attack_server(&c, what);
  if (what != SERVER_WORDS) solo_store_release(&r.stop, 1); /* pairs with rewrite() */
  pthread_join(thread, NULL);
  int was_alive = is_alive(&c), status = end_of(&c);
  /* the server ends normally, also after a rejection */
  if (what != SERVER_WORDS) CHECK_INT(status, 0);
  return !was_alive;
}

/* A client allocates until the server refuses, also with impossible sizes, and ends without
 * freeing. Other clients are served before and after. */
static void flood_allocations(void) {
  enum { ALLOCATIONS = 20000 };
  connection c = malformed_open();
  uint8_t bytes[256];
  uint32_t size = malformed_make(SOLO_REMOTE_MEM_ALLOC, 0, bytes);
  for (int n = 0; n < ALLOCATIONS; n++) {
    ((solo_remote_plain *)(void *)bytes)->value = n % 100 ? 1 << 16 : UINT64_MAX >> n / 100 % 40;
    if (!post(&c, &c.control, bytes, size)) break;
  }
  connection other = malformed_open();
  malformed_close(&other);
  malformed_close(&c);
}

int main(int argc, char **argv) {
  static const char *const names[] = {"bytes of control messages", "fields of copies",
                                      "counters of the client", "words of the server"};
  int rounds = argc > 1 ? atoi(argv[1]) : 20;
  signal(SIGPIPE, SIG_IGN);
  setenv("SOLO_SPIN_US", "100", 1);
  for (int what = CONTROL_BYTES; what <= SERVER_WORDS; what++) {
    int ended = 0;
    for (int n = 0; n < rounds; n++)
      ended += attack_once((attack)what, (uint64_t)(n + 1) * UINT64_C(0x9e3779b97f4a7c15));
    printf("%s: %d rounds, %d connections ended\n", names[what], rounds, ended);
    CHECK(ended > 0);
  }
  flood_allocations();
  return TEST_RESULT();
}
