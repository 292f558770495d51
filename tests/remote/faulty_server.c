/* A device server with a transport that changes results as faulty_server_plan specifies. */
#define _GNU_SOURCE
#include "tests/remote/faulty_server.h"
#include "backends/remote/remote_server.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 60, WAITING = 64, MISPLACED_BYTES = 512 << 10 };

static faulty_server_plan *plan;
static const solo_remote_transport *truth = &solo_remote_shm_transport;
static _Thread_local uint16_t taken_kind; /* kind of the message that this thread processes */

static void tell(void) {
  solo_add_relaxed(&plan->requested, 1);
}

static void flip_byte(void *of) {
  ((uint8_t *)of)[plan->at] ^= plan->flip;
  tell();
}

static int applies_to_channel(const solo_remote_channel *c, faulty_server_fault where) {
  return plan->where == where && (c->number == 0) == plan->is_control;
}

/* Maps device numbers that the faulty server invented to existing devices. */
static void translate(void *buffer) {
  solo_remote_plain *m = buffer;
  if (m->head.kind != SOLO_REMOTE_MODULE_KERNEL && m->head.kind != SOLO_REMOTE_MODULE_GLOBAL &&
      m->head.kind != SOLO_REMOTE_IMAGE_PART)
    m->device %= SOLO_REMOTE_DEVICES;
}

static int receive(solo_remote_channel *c, void *buffer) {
  int bytes = truth->receive(c, buffer);
  if (bytes <= 0) return bytes;
  taken_kind = ((const solo_remote_head *)buffer)->kind;
  if (applies_to_channel(c, FAULT_TAIL)) {
    solo_store_release(&c->shared->tail,
                       /* for the memory order see solo_remote_shm_receive() */
                       c->tail ^ UINT64_C(1) << plan->at % 64);
    tell();
  }
  if (plan->where == FAULT_NUMBERS && c->number == 0) translate(buffer);
  return bytes;
}

/* Reports two kernel names that are equal up to a NUL. Only the second name continues after the
 * NUL. */
static void change_kernel_names(solo_remote_result *r) {
  static const char names[2][64] = {
      "k", "k\0 and what is behind the end of a name that was kept before"};
  static const uint32_t lengths[2] = {1, 60};
  const solo_remote_works head = {.count = 2};
  uint8_t *at = r->answer + sizeof head;
  memcpy(r->answer, &head, sizeof head);
  for (int n = 0; n < 2; n++) {
    const solo_remote_work w = {.begin_ns = 1, .end_ns = 2, .name_bytes = lengths[n]};
    memcpy(at, &w, sizeof w);
    memcpy(at + sizeof w, names[n], lengths[n]);
    at += (sizeof w + lengths[n] + 7) & ~(size_t)7;
  }
  tell();
}

/* Changes the address of the second block that the server allocates. */
static void misplace(solo_remote_result *r) {
  static uint64_t first;
  /* not atomic: a server process has one program and one thread that answers */
  static int answered;
  uint64_t address;
  memcpy(&address, r->answer, sizeof address);
  if (++answered == 1) first = address;
  if (answered != 2) return;
  address = plan->at == FAULT_IN_FIRST       ? first + MISPLACED_BYTES
            : plan->at == FAULT_ACROSS_FIRST ? first - MISPLACED_BYTES
                                             : UINT64_MAX - MISPLACED_BYTES + 1;
  memcpy(r->answer, &address, sizeof address);
  tell();
}

static void change_control_result(solo_remote_result *r) {
  static const uint32_t numbers[2] = {SOLO_REMOTE_DEVICES, SOLO_REMOTE_DEVICES};
  if (plan->where == FAULT_ANSWER && plan->kind == taken_kind) flip_byte(r);
  if (plan->where == FAULT_NAMES && taken_kind == SOLO_REMOTE_WORK &&
      !solo_load_relaxed(&plan->requested))
    change_kernel_names(r);
  if ((plan->where == FAULT_MEMORY || plan->where == FAULT_NO_AREA) &&
      taken_kind == SOLO_REMOTE_MEM_ALLOC && r->status == SOLO_OK)
    misplace(r);
  if (plan->where == FAULT_INFO && taken_kind == SOLO_REMOTE_DEVICE_OPEN &&
      !solo_load_relaxed(&plan->requested)) {
    memset(r->answer, 0, sizeof(solo_device_info));
    tell();
  }
  if (plan->where == FAULT_NUMBERS && taken_kind == SOLO_REMOTE_FIND_DEVICES) {
    memcpy(r->answer, numbers, sizeof numbers);
    tell();
  }
}

static void complete(solo_remote_channel *c, uint64_t count) {
  solo_remote_shared *s = c->shared;
  if (c->number == 0) change_control_result(&s->result);
  /* relaxed: only this thread writes the counter */
  if (plan->where == FAULT_FAILURE && c->number && solo_load_relaxed(&s->errors_made) &&
      !solo_load_relaxed(&plan->requested))
    flip_byte(&s->result);
  if (applies_to_channel(c, FAULT_ERRORS)) {
    solo_store_release(&s->errors_made, solo_load_relaxed(&s->errors_made) ^ 1u << plan->at % 32);
    tell();
  }
  uint64_t other = count ^ UINT64_C(1) << plan->at % 64;
  if (applies_to_channel(c, FAULT_COMPLETED) && other > count) {
    count = other;
    tell();
  }
  truth->complete(c, count);
}

static void *await_end(void *link) {
  solo_remote_link *l = link;
  solo_remote_channel control;
  solo_remote_shm_await_end(l);
  solo_store_relaxed(&l->lost, 1);
  solo_remote_channel_of(l, 0, &control);
  solo_remote_wake(&control);
  return NULL;
}

static void serve(int socket) {
  solo_remote_transport lying = solo_remote_shm_transport;
  solo_remote_hello hello;
  solo_remote_link *link;
  pthread_t thread;
  lying.receive = receive;
  lying.complete = complete;
  if (solo_remote_shm_accept(socket, &hello, &link) != SOLO_OK) _exit(1);
  link->transport = &lying;
  solo_remote_fill_welcome(&link->welcome, SOLO_OK);
  solo_remote_welcome w = link->welcome;
  w.area = plan->where == FAULT_NO_AREA ? 0 : (uintptr_t)link->area;
  if (plan->where == FAULT_WELCOME) flip_byte(&w);
  if (send(socket, &w, sizeof w, MSG_NOSIGNAL) != (ssize_t)sizeof w) _exit(1);
  if (pthread_create(&thread, NULL, await_end, link) != 0) _exit(1);
  pthread_detach(thread);
  (void)solo_remote_serve_link(link);
  _exit(0);
}

static void listen_for(int s) {
  signal(SIGCHLD, SIG_IGN);
  for (;;) {
    int client = accept4(s, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) continue;
    if (fork() == 0) {
      alarm(PATIENCE_SECONDS);
      close(s);
      serve(client);
    }
    close(client);
  }
}

faulty_server_plan *faulty_server_start(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  memcpy(address.sun_path + 1, name, length);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  if (plan == MAP_FAILED || s < 0 || bind(s, (struct sockaddr *)&address, size) != 0 ||
      listen(s, WAITING) != 0) {
    perror("liar");
    exit(2);
  }
  fflush(NULL);
  pid_t parent = getpid();
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    const char *log = getenv("TEST_LIAR_STDERR");
    /* a file, or no output, for the error messages that the faults cause */
    (void)!freopen(log ? log : "/dev/null", "a", stderr);
    listen_for(s);
  }
  close(s);
  return plan;
}
