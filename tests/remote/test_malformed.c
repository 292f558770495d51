/* Description: the server and the program validate each other's data: changed bytes, wrong lengths,
 * invalid counters, hellos and welcomes. Malformed data is rejected with a reason or is harmless;
 * nothing hangs or crashes (AddressSanitizer). Argument N: changes only every Nth byte (0: none). */
#define _GNU_SOURCE
#include "backends/remote/remote_server.h"
#include "tests/remote/malformed.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 100 };

/* file with the messages in which the servers report rejections */
static char said[] = "/tmp/solo-test-malformed-XXXXXX";

static int count_files(void) {
  int count = 0;
  DIR *d = opendir("/proc/self/fd");
  while (d && readdir(d)) count++;
  if (d) closedir(d);
  return count;
}

static pid_t start(int *out_socket) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) exit(2);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE_SECONDS);
    close(ends[0]);
    (void)!freopen(said, "a", stderr);
    int files = count_files(), status = solo_remote_serve(ends[1]) == SOLO_OK ? 0 : 3;
    /* the server must have closed its socket and all descriptors that it opened */
    exit(count_files() == files - 1 ? status : 9);
  }
  close(ends[1]);
  *out_socket = ends[0];
  return child;
}

/* Waits for the child. Returns its exit status, or 128 + signal. */
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

void malformed_connect(connection *out) {
  int socket;
  out->server = start(&socket);
  out->link = connect_to(socket);
}

void malformed_close(connection *c) {
  c->link->transport->close(c->link);
  CHECK_INT(finish(c->server), 0);
}

static void await_end(connection *c) {
  uint64_t end = solo_now_ns() + MALFORMED_PATIENCE_NS;
  while (c->link->transport->is_alive(c->link) && solo_now_ns() < end) usleep(100);
  CHECK(!c->link->transport->is_alive(c->link));
}

/* Writes a valid message and a counter that announces another length. The server must not execute
 * the message. */
static void check_counters(void) {
  static const uint64_t lies[] = {1,
                                  8,
                                  15,
                                  65,
                                  72,
                                  SOLO_REMOTE_RING_BYTES + 16,
                                  1 << 20,
                                  UINT64_MAX,
                                  UINT64_MAX / 2,
                                  UINT64_MAX - 15};
  for (size_t n = 0; n < sizeof lies / sizeof *lies; n++)
    for (int queue = 0; queue < 2; queue++) {
      connection c = malformed_open();
      solo_remote_channel *channel = queue ? &c.queue : &c.control;
      uint8_t bytes[256];
      uint32_t size =
          malformed_make(queue ? SOLO_REMOTE_COPY : SOLO_REMOTE_FIND_DEVICES, c.block, bytes);
      uint64_t completed = solo_load_relaxed(&channel->shared->completed);
      memcpy(solo_remote_reserve(channel, size), bytes, size);
      solo_store_release(&channel->shared->head,
                         /* for the memory order see solo_remote_shm_post() */
                         channel->head + lies[n]);
      solo_remote_wake(channel);
      await_end(&c);
      CHECK_INT(solo_remote_fail_lost(channel), SOLO_DEVICE_LOST);
      CHECK_HAS(solo_error_last()->text, queue ? "the ring of channel 1 is malformed"
                                               : "the ring of channel 0 is malformed");
      CHECK_INT(solo_load_relaxed(&channel->shared->completed), completed);
      malformed_close(&c);
    }
}

/* The head of a valid message has a wrong length, or the message is too long. The server must not execute it. */
static void check_lengths(void) {
  static const struct {
    uint32_t head, posted;
  } lies[] = {{0, 64},         {8, 64},
              {15, 64},        {17, 64},
              {56, 64},        {63, 64},
              {80, 64},        {SOLO_REMOTE_MESSAGE_BYTES + 16, SOLO_REMOTE_MESSAGE_BYTES + 16},
              {UINT32_MAX, 64}};
  for (size_t n = 0; n < sizeof lies / sizeof *lies; n++) {
    connection c = malformed_open();
    uint8_t bytes[256];
    uint64_t completed = solo_load_relaxed(&c.control.shared->completed);
    uint32_t size = malformed_make(SOLO_REMOTE_FIND_DEVICES, 0, bytes);
    memcpy(bytes, &lies[n].head, sizeof lies[n].head);
    memcpy(solo_remote_reserve(&c.control, lies[n].posted), bytes, size);
    c.link->transport->post(&c.control, lies[n].posted);
    await_end(&c);
    CHECK_INT(solo_remote_fail_lost(&c.control), SOLO_DEVICE_LOST);
    CHECK_HAS(solo_error_last()->text, "the ring of channel 0 is malformed");
    CHECK_INT(solo_load_relaxed(&c.control.shared->completed), completed);
    malformed_close(&c);
  }
}

static void check_printed(void) {
  char line[256], who[64];
  int lines = 0, good = 0;
  FILE *f = fopen(said, "r");
  snprintf(who, sizeof who, "solo-server: program %d (test_malformed): ", (int)getpid());
  while (f && fgets(line, sizeof line, f)) {
    if (strncmp(line, "solo-server: ", 13) != 0) continue; /* the line is a sanitizer's warning */
    lines++;
    good += strncmp(line, who, strlen(who)) == 0 && strstr(line, "is malformed");
  }
  if (f) fclose(f);
  unlink(said);
  CHECK(lines > 0);
  CHECK_INT(good, lines);
}

/* Returns `before` and a version number that does not match this program. */
static const char *next_version(const char *before) {
  static char text[32];
  snprintf(text, sizeof text, "%sversion %d", before, SOLO_REMOTE_VERSION + 1);
  return text;
}

static const solo_remote_hello good_hello = {.magic = SOLO_REMOTE_MAGIC,
                                             .version = SOLO_REMOTE_VERSION,
                                             .shared_bytes = sizeof(solo_remote_shared),
                                             .info_bytes = sizeof(solo_device_info),
                                             .api_version = SOLO_BACKEND_API,
                                             .memory_bytes = SOLO_REMOTE_MEMORY_BYTES};

typedef struct greeting {
  const solo_remote_hello *hello;
  size_t hello_bytes;
  uint64_t file_bytes;
  int seals;
  size_t files; /* number of descriptors of the file */
} greeting;

/* Sends a hello with a memory file. Returns the server's welcome. */
static solo_remote_welcome greet_by(const greeting *g) {
  enum { MOST_FILES = 8 };
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(MOST_FILES * sizeof(int))];
  } control = {.head = {.cmsg_level = SOL_SOCKET,
                        .cmsg_type = SCM_RIGHTS,
                        .cmsg_len = CMSG_LEN(g->files * sizeof(int))}};
  struct iovec part = {(void *)(uintptr_t)g->hello, g->hello_bytes};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = CMSG_SPACE(g->files * sizeof(int))};
  solo_remote_welcome w = {0};
  int socket, file = memfd_create("greeting", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  pid_t child = start(&socket);
  CHECK(file >= 0 && ftruncate(file, (off_t)g->file_bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, g->seals) == 0);
  for (size_t n = 0; n < g->files; n++)
    memcpy(CMSG_DATA(&control.head) + n * sizeof file, &file, sizeof file);
  CHECK(sendmsg(socket, &message, 0) == (ssize_t)g->hello_bytes);
  CHECK(recv(socket, &w, sizeof w, 0) == (ssize_t)sizeof w);
  close(socket);
  close(file);
  CHECK_INT(finish(child), w.status == SOLO_OK ? 0 : 3);
  return w;
}

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static solo_remote_welcome greet(uint64_t area_bytes, uint64_t file_bytes, int seals) {
  solo_remote_hello hello = good_hello;
  hello.area_bytes = area_bytes;
  return greet_by(&(greeting){&hello, sizeof hello, file_bytes, seals, 1});
}

static void check_memory_file(void) {
  const uint64_t memory = SOLO_REMOTE_MEMORY_BYTES, area = 4 * (uint64_t)SOLO_REMOTE_AREA_ALIGN;
  const int seals = SEALS;
  CHECK_INT(greet(0, memory, seals).status, SOLO_OK);
  CHECK_INT(greet(area, memory + area, seals).status, SOLO_OK);
  CHECK_INT(greet(area, memory + area, 0).status, SOLO_INVALID);
  CHECK_INT(greet(area, memory, seals).status, SOLO_INVALID);
  CHECK_INT(greet(0, memory - 4096, seals).status, SOLO_INVALID);
  CHECK_INT(greet(area + 4096, memory + area + 4096, seals).status, SOLO_INVALID);
  CHECK_INT(greet(-area, memory - area, seals).status,
            SOLO_INVALID); /* the sum overflows to the file's length */
  /* the server closes surplus descriptors */
  for (size_t files = 2; files <= 8; files += 3)
    CHECK_INT(greet_by(&(greeting){&good_hello, sizeof good_hello, memory, seals, files}).status,
              SOLO_OK);
}

/* The server rejects a program of another build: one field of a valid hello differs, or the last
 * bytes, which are 0, are missing. */
static void check_builds(void) {
  enum { FIELDS = 4 };
  for (int n = 0; n <= FIELDS; n++) {
    solo_remote_hello hello = good_hello;
    hello.shared_bytes += n == 0;
    hello.info_bytes += n == 1;
    hello.api_version += n == 2;
    hello.memory_bytes += n == 3 ? 4096 : 0;
    solo_remote_welcome w = greet_by(&(greeting){&hello, sizeof hello - (n == FIELDS ? 8 : 0),
                                                 SOLO_REMOTE_MEMORY_BYTES, SEALS, 1});
    CHECK_INT(w.status, SOLO_UNSUPPORTED);
    CHECK_HAS(w.text, "their builds differ");
  }
}

/* Sends a truncated hello, and a hello of another version. */
static void check_hello(void) {
  solo_remote_hello good = good_hello;
  good.memory_bytes = 0;
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

/* The program has ended, but its child holds the socket. The server must notice the end of the
 * program. */
static void check_gone(void) {
  int go[2], done[2], over[2];
  char byte = 0;
  if (pipe(go) != 0 || pipe(done) != 0 || pipe(over) != 0) exit(2);
  fflush(NULL);
  pid_t program = fork();
  if (program == 0) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) _exit(2);
    close(over[1]);
    pid_t child = fork();
    alarm(PATIENCE_SECONDS);
    if (child == 0) {
      close(ends[0]);
      (void)!read(go[0], &byte, 1);
      byte = solo_remote_serve(ends[1]) == SOLO_OK;
      _exit(write(done[1], &byte, 1) != 1);
    }
    solo_remote_link *link;
    if (fork() == 0 && solo_remote_shm_connect(ends[0], &link) == SOLO_OK)
      (void)!read(over[0], &byte, 1);
    _exit(0);
  }
  CHECK_INT(finish(program), 0);
  CHECK(write(go[1], &byte, 1) == 1);
  close(done[1]);
  CHECK(read(done[0], &byte, 1) == 1 && byte);
  close(over[1]);
  const int rest[] = {go[0], go[1], done[0], over[0]};
  for (size_t n = 0; n < sizeof rest / sizeof *rest; n++) close(rest[n]);
}

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
  memset(good.text, 'x', sizeof good.text); /* the text has no terminating NUL */
  expect_refusal(&good, 0, "ended before");
  expect_refusal(&good, 4, "not a device server");
  expect_refusal(&good, sizeof good - 1, "bytes");
  w = good;
  w.magic++;
  expect_refusal(&w, sizeof w, "not a device server");
  w = good;
  w.version++;
  expect_refusal(&w, sizeof w, next_version("protocol "));
  expect_refusal(&w, 16, next_version("protocol "));
  w = good;
  w.status = SOLO_NOMEM;
  expect_refusal(&w, sizeof w, "refuses: xxx");
}

/* A server reports more completed messages than were posted. The program must treat the device as
 * lost. */
static void check_completion(void) {
  connection c = malformed_open();
  kill(c.server, SIGSTOP);
  /* for the memory order see solo_remote_shm_complete() */
  solo_store_release(&c.queue.shared->completed, UINT64_MAX);
  CHECK_INT(solo_remote_wait(&c.queue, 1), SOLO_DEVICE_LOST);
  CHECK_HAS(solo_error_last()->text, "more completed messages than it received");
  solo_store_relaxed(&c.queue.shared->completed, 0);
  solo_remote_result result = {.status = 9999};
  CHECK_INT(solo_remote_fail_result(&result, result.status), SOLO_INTERNAL);
  result.status = -1;
  CHECK_INT(solo_remote_fail_result(&result, result.status), SOLO_INTERNAL);
  result.status = SOLO_KERNEL_FAULT;
  memset(result.text, 'y', sizeof result.text);
  CHECK_INT(solo_remote_fail_result(&result, result.status), SOLO_KERNEL_FAULT);
  kill(c.server, SIGCONT);
  malformed_close(&c);
}

static void post_to(solo_remote_channel *channel, const uint8_t *bytes, uint32_t size) {
  uint64_t end = solo_now_ns() + MALFORMED_PATIENCE_NS;
  memcpy(solo_remote_reserve(channel, size), bytes, size);
  channel->link->transport->post(channel, size);
  while (solo_remote_completed(channel) < channel->count && solo_now_ns() < end) usleep(100);
  CHECK(solo_remote_completed(channel) >= channel->count);
}

static void post_fill(connection *c, uint32_t value, uint16_t flags) {
  uint8_t bytes[256];
  uint32_t size = malformed_make(SOLO_REMOTE_FILL, c->block, bytes);
  ((solo_remote_copy *)(void *)bytes)->value = value;
  ((solo_remote_head *)(void *)bytes)->flags = flags;
  post_to(&c->queue, bytes, size);
}

/* After a failure, the queue keeps the result and executes nothing until the client has read the
 * result. */
static void check_failed_queue(void) {
  connection c = malformed_open();
  solo_remote_shared *s = c.queue.shared;
  uint8_t bytes[256];
  post_fill(&c, 0x11, 0);
  post_fill(&c, 0x22, SOLO_REMOTE_FAIL);
  post_fill(&c, 0x33, 0);
  post_fill(&c, 0x44, SOLO_REMOTE_FAIL);
  CHECK_INT(solo_load_acquire(&s->errors_made), 1); /* for the memory orders see note_error() */
  CHECK_INT(s->result.ticket, 2);
  solo_store_release(&s->errors_reported, 1);
  uint32_t size = malformed_make(SOLO_REMOTE_COPY, c.block, bytes);
  ((solo_remote_copy *)(void *)bytes)->direction = SOLO_COPY_OUT;
  post_to(&c.queue, bytes, size);
  CHECK_INT(c.queue.staging[256], 0x11);
  malformed_close(&c);
}

static uint64_t count_of_objects(connection *c) {
  uint8_t bytes[256];
  uint64_t count;
  post_to(&c->control, bytes, malformed_make(SOLO_REMOTE_COUNT_OBJECTS, 0, bytes));
  memcpy(&count, c->control.shared->result.answer, sizeof count);
  return count;
}

/* A block is freed only with the number of the block's device. */
static void check_owner(void) {
  connection c = malformed_open();
  uint8_t bytes[256];
  solo_remote_plain *m = (solo_remote_plain *)(void *)bytes;
  uint32_t size = malformed_make(SOLO_REMOTE_DEVICE_OPEN, 0, bytes);
  m->device = 1;
  post_to(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  uint64_t before = count_of_objects(&c);
  for (uint32_t device = 2; device-- > 0;) {
    size = malformed_make(SOLO_REMOTE_MEM_FREE, 0, bytes);
    m->device = device;
    m->value = c.block;
    post_to(&c.control, bytes, size);
    CHECK_INT(count_of_objects(&c), before - (device == 0));
  }
  malformed_close(&c);
}

#ifdef __x86_64__
/* Counts reads of a server's status: the page is inaccessible, and each access executes as a single step. After the
 * first read the server changes the status. */
static struct {
  solo_remote_shared *shared;
  size_t bytes;
  int reads;
} watched;

enum { TRAP_FLAG = 0x100 };

static void protect(int how) {
  if (mprotect(watched.shared, watched.bytes, how) != 0) _exit(9);
}

static void on_access(int number, siginfo_t *info, void *context) {
  ucontext_t *u = context;
  uintptr_t at = (uintptr_t)info->si_addr, status = (uintptr_t)&watched.shared->result.status;
  if (number == SIGSEGV) {
    if (at - (uintptr_t)watched.shared >= watched.bytes) _exit(8);
    watched.reads += at - status < sizeof watched.shared->result.status;
    protect(PROT_READ | PROT_WRITE);
    u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
  } else {
    if (watched.reads == 1) watched.shared->result.status = SOLO_OK;
    protect(PROT_NONE);
    u->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  }
}

static void post_nothing(solo_remote_channel *channel, uint32_t bytes) {
  (void)bytes;
  channel->count++;
}

static void check_one_read(void) {
  static solo_remote_server server;
  static const solo_remote_transport transport = {.post = post_nothing};
  solo_remote_link link = {.transport = &transport};
  const solo_remote_plain message = {
      .head = {.bytes = sizeof message, .kind = SOLO_REMOTE_FIND_DEVICES}};
  struct sigaction action = {.sa_sigaction = on_access, .sa_flags = SA_SIGINFO}, segv, trap;
  watched.bytes = offsetof(solo_remote_shared, ring); /* whole pages */
  watched.shared = mmap(NULL, sizeof *watched.shared, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  solo_store_relaxed(&watched.shared->posted, 1);
  solo_store_relaxed(&watched.shared->completed, 1);
  watched.shared->result.status = SOLO_NOT_FOUND;
  server.control = (solo_remote_channel){.link = &link, .shared = watched.shared};
  sigaction(SIGSEGV, &action, &segv);
  sigaction(SIGTRAP, &action, &trap);
  protect(PROT_NONE);
  solo_status status = solo_remote_call(&server, &message, NULL, 0);
  sigaction(SIGSEGV, &segv, NULL);
  sigaction(SIGTRAP, &trap, NULL);
  CHECK_INT(watched.reads, 1);
  CHECK_INT(status, SOLO_NOT_FOUND);
  munmap(watched.shared, sizeof *watched.shared);
}
#endif

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  setenv("SOLO_SPIN_US", "100", 1);
  setenv("SOLO_HOST_DEVICES", "2", 1);
  int file = mkstemp(said);
  if (file < 0) return 2;
  close(file);
  const char *seconds = getenv("TEST_SECONDS");
  alarm(seconds ? (unsigned)atoi(seconds) : 6 * PATIENCE_SECONDS);
  check_hello();
  check_memory_file();
  check_builds();
  check_gone();
  check_welcome();
  check_completion();
#ifdef __x86_64__
  check_one_read();
#endif
  check_counters();
  check_lengths();
  check_failed_queue();
  check_owner();
  malformed_ranges();
  malformed_sequences("build/sim/conf_kernels.so");
  uint32_t stride = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
  if (stride) malformed_flips(stride);
  check_printed();
  return TEST_RESULT();
}
