/* Description: checks fork while threads map, launch, delete and load libraries. The child can use
 * a CPU device, receives an error for other devices, can call solo_fini, and never hangs. */
#define _GNU_SOURCE
#include "tests/stress/stress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

/* AddressSanitizer's quarantine has a lock that another thread of the parent may hold during the fork. A
 * thread that ends in the child then waits forever. */
#if defined __SANITIZE_ADDRESS__
#define ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifndef ASAN
#define ASAN 0
#endif

enum { THREADS = 3, FORKS = 60, PIECE = 32 };

static library fixed, guest;
static int fixed_host, fixed_device, guest_host, guest_device;
static int shared[PIECE], own[THREADS][PIECE];
static atomic_int stop, launches;
static int failures_reported;
static char text[1024];

static void add_one(void *hidden, int *v) {
  (void)hidden;
  for (int i = 0; i < PIECE; i++) v[i]++;
}

static void nothing(void *hidden) {
  (void)hidden;
}

static void reported(void *context, const solo_failure *failure) {
  (void)context;
  if (!failures_reported++) snprintf(text, sizeof text, "%s", failure->text);
}

static void *worker(void *argument) {
  int t = (int)(intptr_t)argument;
  for (int r = 0; !stop; r++) {
    list l = {0};
    add(&l, own[t], own[t], sizeof own[t], SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM);
    if (launch(&fixed.key, &l) == 0) launches++;
    list both = {0};
    enter(add(&both, shared, shared, sizeof shared, SOLO_MAP_TO));
    update(&both);
    both.types[0] = r % 3 ? 0 : SOLO_MAP_DELETE;
    leave(&both);
  }
  return NULL;
}

static void *visitor(void *unused) {
  while (!stop) {
    __tgt_register_lib(&guest.descriptor);
    list none = {0};
    launch(&guest.key, &none);
    __tgt_unregister_lib(&guest.descriptor);
  }
  return unused;
}

/* Holds the lock of the device, like a thread that is descheduled while it opens the device. fork()
 * must wait for this thread. */
static void *slow_holder(void *has_it) {
  solo_device_lock(solo_devices[0]);
  *(atomic_int *)has_it = 1;
  usleep(1500000);
  solo_lock_release(&solo_devices[0]->lock);
  return NULL;
}

/* Runs in the child; returns a bit mask of failures. */
static int child(void) {
  static int value[PIECE];
  int wrong = 0;
  alarm(20); /* ends the child if it hangs */
  failures_reported = 0;
  for (int round = 0; round < 3; round++) {
    list l = {0};
    add(&l, value, value, sizeof value, SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM);
    if (launch(&fixed.key, &l)) /* the launch failed, so the test executes the host version */
      for (int i = 0; i < PIECE; i++) value[i]++;
    list others = {0};
    enter(add(&others, shared, shared, sizeof shared, SOLO_MAP_TO));
    add(&others, own[0], own[0], sizeof own[0], SOLO_MAP_TO);
    update(&others);
    others.types[0] = others.types[1] = SOLO_MAP_DELETE;
    leave(&others);
  }
  for (int i = 0; i < PIECE; i++) wrong += value[i] != 3;
  if (solo_deferred_count ? !strstr(text, "forked") || !failures_reported : failures_reported) {
    printf("%d failures reported: %s\n", failures_reported, text);
    wrong |= 0x100;
  }
  if (!solo_deferred_count &&
      !ASAN) { /* the child can also use a CPU device from a second thread */
    pthread_t thread;
    stop = 0;
    pthread_create(&thread, NULL, worker, (void *)1);
    usleep(1000);
    stop = 1;
    pthread_join(thread, NULL);
  }
  __tgt_unregister_lib(&fixed.descriptor);
  solo_fini();
  return wrong;
}

static void fork_once(void) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    int wrong = child();
    fflush(NULL);
    _exit(wrong ? 1 : 0);
  }
  int status = -1;
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  CHECK_INT(status, 0);
}

static void fork_while_held(void) {
  atomic_int has_it = 0;
  pthread_t holder;
  pthread_create(&holder, NULL, slow_holder, &has_it);
  while (!has_it) usleep(100);
  fork_once();
  pthread_join(holder, NULL);
}

int main(void) {
  solo_set_error_callback(reported, NULL);
  library_make(&fixed, (void *)(uintptr_t)add_one, &fixed_host, &fixed_device);
  library_make(&guest, (void *)(uintptr_t)nothing, &guest_host, &guest_device);
  __tgt_register_lib(&fixed.descriptor);
  pthread_t threads[THREADS + 1];
  for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, worker, (void *)(intptr_t)t);
  pthread_create(&threads[THREADS], NULL, visitor, NULL);
  while (launches < THREADS) usleep(100);
  for (int f = 0; f < FORKS && !test_failures; f++) fork_once();
  stop = 1;
  for (int t = 0; t < THREADS + 1; t++) pthread_join(threads[t], NULL);
  fork_while_held();
  list l = {0};
  leave(add(&l, shared, shared, sizeof shared, SOLO_MAP_DELETE));
  check_left(1);
  __tgt_unregister_lib(&fixed.descriptor);
  check_left(0);
  solo_fini();
  return TEST_RESULT();
}
