/* Description: explores the ring between a program and a device server
 * (backends/remote/remote_shm.c). Each message is read once and intact, the completion of a message
 * publishes the server's writes, and no wake-up is lost. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long call_of_ring(long number, ...);
static void *copy_of_ring(void *to, const void *from, size_t bytes);
#define syscall call_of_ring
#define memcpy  copy_of_ring
#include "backends/remote/remote_shm.c"
#undef memcpy
#undef syscall
#include "tests/explore/explore.h"

void solo_futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns);
int solo_futex_wake(const _Atomic uint32_t *word, int most);

enum { BYTES = SOLO_REMOTE_MESSAGE_BYTES, PARTS = SOLO_REMOTE_RING_BYTES / BYTES };
enum { MESSAGES = 2, WORK = 8 };

static solo_remote_shared shared;
static solo_remote_link link_of_both;
static solo_remote_channel program, server;
/* for each part of the ring: written and read with the message in this part */
static uint64_t part[PARTS];
static uint64_t work[WORK]; /* data that the server writes for each message */
static uint64_t taken;

/* Replaces futex(2) by a step of the search. Arguments: word, operation, value. */
static long call_of_ring(long number, ...) {
  va_list rest;
  va_start(rest, number);
  const void *word = va_arg(rest, const void *);
  int operation = va_arg(rest, int);
  unsigned value = va_arg(rest, unsigned);
  va_end(rest);
  if (operation == FUTEX_WAIT)
    solo_futex_wait(word, value, 0);
  else
    solo_futex_wake(word, (int)value);
  return 0;
}

static int part_at(const void *p) { /* returns -1 if the address is outside the ring */
  size_t at = (size_t)((const uint8_t *)p - shared.ring);
  return at < sizeof shared.ring ? (int)(at / BYTES) : -1;
}

static void *copy_of_ring(void *to, const void *from, size_t bytes) {
  if (part_at(from) >= 0 && bytes > sizeof(solo_remote_head))
    (void)explore_read(&part[part_at(from)]);
  /* the later bytes of each message are constant */
  return memmove(to, from, bytes < 64 ? bytes : 64);
}

static void post(void) {
  solo_remote_head *head;
  while (!(head = solo_remote_reserve(&program, BYTES))) solo_cpu_relax();
  *head = (solo_remote_head){.bytes = BYTES, .kind = SOLO_REMOTE_MARK};
  if (explore_self() >= 0) explore_write(&part[part_at(head)], program.count + 1);
  solo_remote_shm_post(&program, BYTES);
}

static void wait_for(uint64_t count) {
  /* pairs with the release store in solo_remote_shm_complete() */
  while (solo_load_acquire(&shared.completed) < count)
    shm_await_completion(&program, count, 1000000);
  explore_check(explore_read(&work[count]) == count, "the server's write is not visible");
}

static void serve(int messages) {
  solo_remote_head buffer[BYTES / sizeof(solo_remote_head)];
  while (messages) {
    int bytes = solo_remote_shm_receive(&server, buffer);
    explore_check(bytes >= 0, "a message is corrupt");
    if (bytes <= 0) {
      shm_await_message(&server, 1000000);
      continue;
    }
    messages--;
    explore_check(server.count == ++taken, "messages are lost");
    explore_write(&work[server.count], server.count);
    solo_remote_shm_complete(&server, server.count);
  }
}

static void begin(void) {
  memset((void *)&shared, 0, offsetof(solo_remote_shared, ring));
  program = server = (solo_remote_channel){.link = &link_of_both, .shared = &shared};
  memset(part, 0, sizeof part);
  memset(work, 0, sizeof work);
  taken = 0;
}

static void begin_full(void) {
  begin();
  for (int i = 0; i < PARTS; i++) post();
}

static void post_and_wait(void) {
  post();
  wait_for(1);
}

static void serve_one(void) {
  serve(1);
}

static void post_some(void) {
  for (int i = 0; i < MESSAGES; i++) post();
}

static void wait_for_last(void) {
  wait_for(MESSAGES);
}

static void serve_some(void) {
  serve(MESSAGES);
}

static void post_again(void) {
  post();
}

static void serve_all(void) {
  serve(PARTS + 1);
}

int main(int count, char **arguments) {
  static const explore_scenario one = {
      "a message and its completion", begin, {post_and_wait, serve_one}, NULL, 4, 6};
  static const explore_scenario some = {
      "a thread posts, another waits", begin, {post_some, serve_some, wait_for_last}, NULL, 1, 2};
  static const explore_scenario full = {"a full ring", begin_full, {post_again, serve_all},
                                        NULL,          2,          3};
  static const char *const bugs[] = {
      "solo_remote_count_message/store", "solo_remote_shm_post/fence",
      "solo_remote_shm_receive/load",    "solo_remote_shm_complete",
      "solo_remote_shm_complete/fence",  "shm_await_message/fence",
      "shm_await_completion/fence",      NULL};
  static const char *const full_bugs[] = {"solo_remote_shm_receive/store", "solo_remote_reserve",
                                          NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  return explore_all(&one, bugs) + explore_all(&some, none) + explore_all(&full, full_bugs);
}
