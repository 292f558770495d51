/* Description: a server of an MPI job is killed at the Nth message of work on two servers, for
 * increasing N. Later operations succeed or fail with DEVICE_LOST within a second, and the other
 * server continues. The first job also checks that a stopped server is not treated as dead, that
 * connections from outside the job have no effect, that a long copy to a dying server ends, and
 * that a server which the program treats as lost writes nothing more to the program's memory.
 *   mpirun -n 1 test_mpi_lost KIND IMAGE FIRST STEP : -n 4 solo-server      (the other ranks must survive)
 * Prints "next N" for the next job when all servers are dead, or "all".
 *   test_mpi_lost strangers FIRST COUNT: listens at these ports outside the job and answers all connections.
 */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"

#include "backends/remote/remote.h"
#include "tests/remote/read_image.h"
#include "tests/unit/test.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  SERVERS = 4,
  LONG_WORDS = 300000,
  STAGED_WORDS = 10000,
  FEW_WORDS = 100,
  PATIENCE_SECONDS = 90,
  SECOND = 1000000000,
  STOP_US = 1200 * 1000
};

#define job solo_remote_mpi

typedef struct device {
  int ordinal;
  solo_bdevice *handle;
  solo_bqueue *queue;
  solo_bmodule *module;
  solo_devptr long_block, few;
} device;

static const solo_backend *b;
static solo_image image;
static uint64_t sent[LONG_WORDS], got[LONG_WORDS];

static solo_status open_device(device *d) {
  solo_device_info info;
  SOLO_TRY(b->device_open(d->ordinal, d->ordinal, &d->handle, &info));
  SOLO_TRY(b->queue_open(d->handle, &d->queue));
  SOLO_TRY(b->mem_alloc(d->handle, sizeof sent, SOLO_MEMORY_DEVICE, &d->long_block));
  SOLO_TRY(b->mem_alloc(d->handle, FEW_WORDS * sizeof *sent, SOLO_MEMORY_DEVICE, &d->few));
  return b->module_load(d->handle, &image, &d->module);
}

static void close_device(device *d) {
  if (d->module) b->module_unload(d->handle, d->module);
  if (d->few) (void)b->mem_free(d->handle, d->few, SOLO_MEMORY_DEVICE);
  if (d->long_block) (void)b->mem_free(d->handle, d->long_block, SOLO_MEMORY_DEVICE);
  if (d->queue) b->queue_close(d->handle, d->queue);
  if (d->handle) b->device_close(d->handle);
  *d = (device){.ordinal = d->ordinal};
}

static solo_status change(device *d, uint64_t value) {
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  const uint64_t slots[4] = {0, d->long_block + 8, 1000, value};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
  SOLO_TRY(b->module_kernel(d->module, "conf_slow", &kernel, &attributes));
  return b->queue_launch(d->queue, kernel, &record);
}

static solo_status copy(device *d, void *host, solo_devptr block, size_t words,
                        solo_copy_direction direction) {
  uint64_t here = (uint64_t)(uintptr_t)host, bytes = words * sizeof *sent;
  return direction == SOLO_COPY_IN ? b->queue_copy(d->queue, block, here, bytes, direction)
                                   : b->queue_copy(d->queue, here, block, bytes, direction);
}

static solo_status work_alone(device *d, uint64_t value) {
  for (size_t i = 0; i < LONG_WORDS; i++) sent[i] = value + i;
  SOLO_TRY(copy(d, sent, d->long_block, LONG_WORDS, SOLO_COPY_IN));
  SOLO_TRY(copy(d, sent, d->few, FEW_WORDS, SOLO_COPY_IN));
  SOLO_TRY(change(d, value));
  SOLO_TRY(copy(d, got, d->long_block, LONG_WORDS, SOLO_COPY_OUT));
  SOLO_TRY(b->queue_sync(d->queue));
  sent[1] = value;
  CHECK(memcmp(sent, got, sizeof sent) == 0);
  return SOLO_OK;
}

/* Copies from one server to the other and back, ordered by an event. */
static solo_status work_together(device *from, device *to) {
  solo_bevent *event;
  memset(got, 0, sizeof got);
  SOLO_TRY(b->event_open(from->handle, &event));
  solo_status status =
      b->queue_copy_peer(from->queue, to->handle, to->long_block, from->long_block, sizeof sent);
  if (status == SOLO_OK) status = b->event_record(from->queue, event);
  if (status == SOLO_OK) status = b->queue_wait_event(to->queue, event);
  if (status == SOLO_OK)
    status =
        b->queue_copy_peer(to->queue, from->handle, from->few, to->few, FEW_WORDS * sizeof *sent);
  if (status == SOLO_OK) status = copy(to, got, to->long_block, LONG_WORDS, SOLO_COPY_OUT);
  solo_status first = b->queue_sync(to->queue), second = b->queue_sync(from->queue);
  b->event_close(from->handle, event);
  if (status == SOLO_OK) status = first != SOLO_OK ? first : second;
  if (status == SOLO_OK) CHECK(memcmp(sent, got, sizeof sent) == 0);
  return status;
}

/* Copies one array to both servers concurrently. A living second server receives the array even if
 * the forwarding server has died. */
static solo_status work_concurrently(device *one, device *other) {
  memset(got, 0, sizeof got);
  solo_status gave = copy(one, sent, one->long_block, LONG_WORDS, SOLO_COPY_IN);
  solo_status took = copy(other, sent, other->long_block, LONG_WORDS, SOLO_COPY_IN);
  if (took == SOLO_OK) took = copy(other, got, other->long_block, LONG_WORDS, SOLO_COPY_OUT);
  if (took == SOLO_OK) took = b->queue_sync(other->queue);
  if (gave == SOLO_OK) gave = b->queue_sync(one->queue);
  if (took == SOLO_OK)
    CHECK(memcmp(sent, got, sizeof sent) == 0);
  else
    CHECK(solo_remote_mpi_is_dead(other->ordinal + 1));
  return took != SOLO_OK ? took : gave;
}

static solo_status work(device *one, device *other) {
  SOLO_TRY(open_device(one));
  SOLO_TRY(open_device(other));
  SOLO_TRY(work_alone(one, 7));
  SOLO_TRY(work_together(one, other));
  SOLO_TRY(work_concurrently(one, other));
  return work_concurrently(other, one);
}

static void *resume_process_later(void *process) {
  usleep(STOP_US);
  kill((pid_t)(intptr_t)process, SIGCONT);
  return NULL;
}

/* Stops the server's process and waits for the stop. Returns the process number. */
static int stop_process(const device *d) {
  int process = d->handle->server->link->welcome.process;
  char path[64], state = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  kill(process, SIGSTOP);
  for (int n = 0; n < 1000 && state != 'T'; n++) {
    FILE *f = fopen(path, "r");
    CHECK(f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1);
    if (f) fclose(f);
    usleep(10 * 1000);
  }
  CHECK_INT(state, 'T');
  return process;
}

static void check_stopped(void) {
  device d = {.ordinal = 0};
  pthread_t thread;
  CHECK_INT(open_device(&d), SOLO_OK);
  int process = stop_process(&d);
  uint64_t start = solo_now_ns();
  if (pthread_create(&thread, NULL, resume_process_later, (void *)(intptr_t)process)) abort();
  CHECK_INT(work_alone(&d, 3), SOLO_OK);
  CHECK(solo_now_ns() - start > 1000 * (uint64_t)STOP_US);
  pthread_join(thread, NULL);
  close_device(&d);
}

/* Returns the port of the liveness connections: only its socket has the option TCP_DEFER_ACCEPT. */
static int find_port(void) {
  for (int fd = 0; fd < 1024; fd++) {
    struct sockaddr_in6 a = {0};
    socklen_t size = sizeof a, number = sizeof(int);
    int seconds = 0;
    if (getsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, &number) == 0 && seconds &&
        getsockname(fd, (struct sockaddr *)(void *)&a, &size) == 0)
      return ntohs(a.sin6_port);
  }
  return 0;
}

/* The program rejects a connection without the job's secret. The end of such a connection does not
 * count as the death of a server. */
static void check_strangers(void) {
  const struct sockaddr_in there = {.sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)find_port()),
                                    .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const uint32_t words[6] = {0, 0, 0, 0, 1, 1}; /* the secret, the rank, and surplus bytes */
  CHECK(there.sin_port != 0);
  for (size_t bytes = 0; bytes <= sizeof words; bytes += 4) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(connect(s, (const struct sockaddr *)(const void *)&there, sizeof there), 0);
    if (bytes) CHECK(send(s, words, bytes, MSG_NOSIGNAL) == (ssize_t)bytes);
    close(s);
  }
  usleep(100 * 1000);
  device d = {.ordinal = 0};
  CHECK_INT(open_device(&d), SOLO_OK);
  CHECK_INT(work_alone(&d, 3), SOLO_OK);
  CHECK(d.queue->channel.link->transport->is_alive(d.queue->channel.link));
  CHECK(!solo_remote_mpi_is_dead(1));
  close_device(&d);
}

/* The copy exceeds the limit of bytes in transit. (On a CPU device it would need 0.5 GiB.) */
enum { LONG_BYTES = 24 << 20 };

static void *kill_soon(void *process) {
  usleep(STOP_US / 4);
  kill((pid_t)(intptr_t)process, SIGKILL);
  return NULL;
}

static void check_long_copy(int ordinal) {
  device d = {.ordinal = ordinal};
  solo_devptr block = 0;
  pthread_t thread;
  void *bytes = calloc(1, LONG_BYTES);
  CHECK(bytes != NULL);
  CHECK_INT(open_device(&d), SOLO_OK);
  CHECK_INT(b->mem_alloc(d.handle, LONG_BYTES, SOLO_MEMORY_DEVICE, &block), SOLO_OK);
  int process = stop_process(&d);
  if (pthread_create(&thread, NULL, kill_soon, (void *)(intptr_t)process)) abort();
  solo_status status =
      b->queue_copy(d.queue, block, (uint64_t)(uintptr_t)bytes, LONG_BYTES, SOLO_COPY_IN);
  if (status == SOLO_OK) status = b->queue_sync(d.queue);
  CHECK_INT(status, SOLO_DEVICE_LOST);
  pthread_join(thread, NULL);
  (void)b->mem_free(d.handle, block, SOLO_MEMORY_DEVICE);
  close_device(&d);
  free(bytes);
}

/* Resumes a server that is treated as lost. It must not change the memory of the program. */
static void resume_abandoned_server(device *d, int process, device *left) {
  memset(got, 0xaa, sizeof got);
  memcpy(sent, got, sizeof got);
  kill(process, SIGCONT);
  usleep(100 * 1000);
  for (int n = 0; n < 100; n++) {
    CHECK_INT(b->queue_fill(left->queue, left->few, 1, 64), SOLO_OK);
    CHECK_INT(b->queue_sync(left->queue), SOLO_OK);
  }
  CHECK_INT(copy(d, got, d->long_block, STAGED_WORDS, SOLO_COPY_OUT), SOLO_DEVICE_LOST);
  CHECK_INT(b->queue_sync(d->queue), SOLO_DEVICE_LOST);
  CHECK(memcmp(sent, got, sizeof got) == 0);
}

static void copy_and_record(device *d, size_t at, size_t words, solo_bevent **event) {
  CHECK_INT(b->event_open(d->handle, event), SOLO_OK);
  for (size_t done = 0; done < words; done += STAGED_WORDS)
    CHECK_INT(copy(d, got + at + done, d->long_block, STAGED_WORDS, SOLO_COPY_OUT), SOLO_OK);
  CHECK_INT(b->event_record(d->queue, *event), SOLO_OK);
}

static solo_status query_until_known(solo_bevent *event) {
  int done = 0;
  solo_status status = SOLO_OK;
  while (status == SOLO_OK && !done) status = b->event_query(event, &done);
  return status;
}

/* A copy that completed before the loss has delivered its bytes. Later copies fail and write
 * nothing, although the server's process continues. */
static void check_cut(int ordinal, int other) {
  device d = {.ordinal = ordinal}, left = {.ordinal = other};
  solo_bevent *before, *behind, *last;
  CHECK_INT(open_device(&d), SOLO_OK);
  CHECK_INT(open_device(&left), SOLO_OK);
  CHECK_INT(work_alone(&d, 5), SOLO_OK);
  const solo_remote_channel *c = &d.queue->channel;
  memset(got, 0, sizeof got);
  copy_and_record(&d, 0, STAGED_WORDS, &before);
  while (solo_remote_completed(c) < before->ticket)
    c->link->transport->await(&d.queue->channel, before->ticket, 0);
  int process = stop_process(&d);
  copy_and_record(&d, STAGED_WORDS, 3 * STAGED_WORDS,
                  &behind); /* the ring has free space, so this call does not detect the loss */
  copy_and_record(&d, 4 * STAGED_WORDS, STAGED_WORDS, &last);
  if (c->link->copies_directly)
    CHECK_INT(copy(&d, got, d.long_block, LONG_WORDS, SOLO_COPY_OUT), SOLO_OK);
  solo_remote_mpi_cut_liveness(ordinal + 1); /* simulates a long network failure */
  CHECK_INT(query_until_known(behind), SOLO_DEVICE_LOST);
  CHECK_INT(query_until_known(before), SOLO_OK);
  CHECK(memcmp(sent, got, STAGED_WORDS * sizeof *got) == 0);
  resume_abandoned_server(&d, process, &left);
  CHECK_INT(query_until_known(last), SOLO_DEVICE_LOST);
  b->event_close(d.handle, before);
  b->event_close(d.handle, behind);
  b->event_close(d.handle, last);
  close_device(&left);
  close_device(&d);
}

/* As check_cut(), but the ring is full: the copy itself detects the loss. */
static void check_cut_full(int ordinal, int other) {
  device d = {.ordinal = ordinal}, left = {.ordinal = other};
  CHECK_INT(open_device(&d), SOLO_OK);
  CHECK_INT(open_device(&left), SOLO_OK);
  CHECK_INT(work_alone(&d, 5), SOLO_OK);
  int process = stop_process(&d);
  solo_remote_mpi_cut_liveness(ordinal + 1);
  solo_status status = SOLO_OK;
  for (int n = 0; status == SOLO_OK && n < 1000; n++)
    status = copy(&d, got + (n % 16) * STAGED_WORDS, d.long_block, STAGED_WORDS, SOLO_COPY_OUT);
  CHECK_INT(status, SOLO_DEVICE_LOST);
  resume_abandoned_server(&d, process, &left);
  close_device(&left);
  close_device(&d);
}

/* Returns the number of the dead server. Checks that the other server works. */
static int find_dead(int one, int other) {
  int dead = solo_remote_mpi_is_dead(one + 1) ? one : other, alive = one + other - dead;
  device left = {.ordinal = alive}, gone = {.ordinal = dead};
  solo_status status = open_device(&left);
  if (status == SOLO_OK) status = work_alone(&left, 9);
  CHECK_INT(status, SOLO_OK);
  if (status != SOLO_OK) printf("the surviving server: %s\n", solo_error_last()->text);
  close_device(&left);
  CHECK(solo_remote_mpi_is_dead(dead + 1) && !solo_remote_mpi_is_dead(alive + 1));
  CHECK_INT(open_device(&gone), SOLO_UNAVAILABLE);
  CHECK(strstr(solo_error_last()->text, "has died") != NULL);
  close_device(&gone);
  return dead;
}

/* Makes a server die at the nth message and executes the work. Returns nonzero if a server died. */
static int kill_at(int nth, int one, int other, uint64_t *out_ns) {
  device first = {.ordinal = one}, second = {.ordinal = other};
  uint64_t start = solo_now_ns();
  solo_remote_fail_at(nth, 1);
  solo_status status = work(&first, &second);
  *out_ns = solo_now_ns() - start;
  const solo_error kept = *solo_error_last();
  solo_remote_fail_at(0, 0);
  close_device(&second);
  close_device(&first);
  if (status == SOLO_OK) return 0;
  /* the first report can be that of the surviving server, which copied from the dead one */
  CHECK(kept.status == SOLO_DEVICE_LOST ||
        (kept.status == SOLO_UNAVAILABLE && strstr(kept.text, "ended during a copy")));
  CHECK(kept.text[0] != 0);
  return 1;
}

/* Kills servers at the nth message until one is left. */
static void check_losses(int nth, int step, int servers) {
  int left[SERVERS] = {0, 1, 2, 3}, count = servers;
  uint64_t ns, usual_ns, least_ns = UINT64_MAX;
  CHECK_INT(kill_at(0, left[0], left[1], &usual_ns), 0); /* no server dies */
  while (count > 1 && !test_failures && kill_at(nth, left[0], left[1], &ns)) {
    if (ns < least_ns) least_ns = ns;
    int dead = find_dead(left[0], left[1]);
    if (test_failures) printf("at message %d, server %d\n", nth, dead);
    left[dead == left[0] ? 0 : 1] = left[--count];
    CHECK(ns < 30 * (uint64_t)SECOND);
  }
  if (count == servers)
    printf("all: %d messages\n", nth - 1);
  else
    printf("next %d\n", nth + step);
  /* one fast report suffices; a loaded machine delays reports and the usual work */
  if (count < servers) CHECK(least_ns < SECOND + 20 * usual_ns);
}

/* Listens outside the job at ports that a program might use, and sends data first. Never returns. */
static int listen_to_strangers(int first, int count) {
  static struct pollfd listeners[1024];
  int found = 0;
  for (int n = 0; n < count && n < 1024; n++) {
    const struct sockaddr_in here = {.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)(first + n))};
    listeners[n] = (struct pollfd){.fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN};
    const int on = 1; /* permits ports of connections that were closed recently */
    (void)setsockopt(listeners[n].fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    int is_there =
        bind(listeners[n].fd, (const struct sockaddr *)(const void *)&here, sizeof here) == 0 &&
        listen(listeners[n].fd, SOMAXCONN) == 0;
    if (!is_there) { /* another process uses the port */
      close(listeners[n].fd);
      listeners[n].fd = -1;
    }
    found += is_there;
  }
  if (found < count / 2) return 1;
  for (;;) {
    if (poll(listeners, (nfds_t)count, -1) < 0) return 1;
    for (int n = 0; n < count; n++)
      if (listeners[n].revents)
        (void)send(accept(listeners[n].fd, NULL, NULL), "220 hello\r\n", 11, MSG_NOSIGNAL);
  }
}

int main(int argc, char **argv) {
  int count = 0, servers = SERVERS;
  if (argc == 4 && strcmp(argv[1], "strangers") == 0)
    return listen_to_strangers(atoi(argv[2]), atoi(argv[3]));
  if (argc != 5) return 2;
  alarm(PATIENCE_SECONDS);
  b = strcmp(argv[1], "host") == 0 ? &solo_remote_host_backend : &solo_remote_cuda_backend;
  CHECK_INT(read_image(argv[2], &image), SOLO_OK);
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, SERVERS);
  if (atoi(argv[3]) == 1) {
    check_strangers();
    check_stopped();
    if (b == &solo_remote_cuda_backend) {
      check_cut_full(--servers, 0);
      check_long_copy(--servers);
    } else { /* pairs of ranks may communicate through shared memory */
      check_cut(--servers, 0);
      check_cut(--servers, 0);
    }
  }
  if (!test_failures) check_losses(atoi(argv[3]), atoi(argv[4]), servers);
  return TEST_RESULT();
}
