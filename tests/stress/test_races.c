/* Description: checks threads that launch while a library is loaded and unloaded, and that map,
 * update, delete and unmap the same and neighbouring ranges. Results must be correct, and no
 * mapping may remain. */
#include "tests/stress/stress.h"

#include <pthread.h>
#include <stdatomic.h>

enum { LAUNCHERS = 4, PIECE = 16 };
enum { ROUNDS = 4000 };

static void add_one(void *hidden, int *all, int *piece) {
  (void)hidden, (void)all;
  for (int i = 0; i < PIECE; i++) piece[i]++;
}

static void nothing(void *hidden) {
  (void)hidden;
}

static library fixed, guest;
static int fixed_host, fixed_device, guest_host, guest_device;
static int shared[LAUNCHERS][PIECE], neighbour[LAUNCHERS][PIECE], deleted[PIECE];
/* CHECK is not thread-safe, so other threads count wrong results */
static atomic_int running, failures_reported, wrong_results;

static void reported(void *context, const solo_failure *failure) {
  (void)context;
  if (failures_reported++ < 5) printf("reported: %s\n", failure->text);
}

/* Copies this thread's piece of a shared mapping, which exists while a thread uses it. */
static void *launcher(void *argument) {
  int t = (int)(intptr_t)argument;
  int wrong = 0;
  for (int r = 0; r < ROUNDS; r++) {
    list l = {0};
    add(&l, shared, shared, sizeof shared, SOLO_MAP_TARGET_PARAM);
    add(&l, shared[t], shared[t], sizeof shared[t],
        SOLO_MAP_ALWAYS | SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM |
            (r % 2 ? UINT64_C(1) << SOLO_MAP_MEMBER_SHIFT : 0));
    for (int i = 0; i < PIECE; i++) shared[t][i] = r + i;
    if (launch(&fixed.key, &l)) wrong++;
    for (int i = 0; i < PIECE; i++) wrong += shared[t][i] != r + i + 1;
    /* a neighbouring range, which this thread maps in each round */
    list own = {0};
    add(&own, neighbour[t], neighbour[t], sizeof neighbour[t],
        SOLO_MAP_TO | (r % 3 ? 0 : SOLO_MAP_HOLD));
    for (int i = 0; i < PIECE; i++) neighbour[t][i] = r ^ i;
    enter(&own);
    own.types[0] = SOLO_MAP_TO;
    update(&own);
    for (int i = 0; i < PIECE; i++) neighbour[t][i] = 0;
    own.types[0] = SOLO_MAP_FROM | (r % 3 ? 0 : SOLO_MAP_HOLD) | (r % 5 ? 0 : SOLO_MAP_DELETE);
    leave(&own);
    for (int i = 0; i < PIECE; i++) wrong += neighbour[t][i] != (r ^ i);
  }
  wrong_results += wrong;
  running--;
  return NULL;
}

/* Maps, updates and deletes a shared range without copies to the host. */
static void *deleter(void *argument) {
  int t = (int)(intptr_t)argument;
  for (int r = 0; running > 0; r++) {
    list l = {0};
    add(&l, deleted, deleted, sizeof deleted, SOLO_MAP_TO);
    add(&l, deleted, deleted, sizeof deleted, SOLO_MAP_TO);
    enter(&l);
    list own = {0};
    update(add(&own, deleted, deleted + 8 + 4 * t, 4 * sizeof(int), SOLO_MAP_TO));
    l.types[0] = (r + t) % 4 == 0 ? SOLO_MAP_DELETE : 0;
    l.types[1] = 0;
    leave(&l);
  }
  return NULL;
}

static void *visitor(void *unused) {
  int wrong = 0;
  while (running > 0) {
    __tgt_register_lib(&guest.descriptor);
    list none = {0};
    if (launch(&guest.key, &none)) wrong++;
    guest_host = 5;
    list l = {0};
    update(add(&l, &guest_host, &guest_host, sizeof guest_host, SOLO_MAP_TO));
    guest_host = 0;
    l.types[0] = SOLO_MAP_FROM;
    update(&l);
    wrong += guest_host != 5;
    __tgt_unregister_lib(&guest.descriptor);
  }
  wrong_results += wrong;
  return unused;
}

int main(void) {
  solo_set_error_callback(reported, NULL);
  library_make(&fixed, (void *)(uintptr_t)add_one, &fixed_host, &fixed_device);
  library_make(&guest, (void *)(uintptr_t)nothing, &guest_host, &guest_device);
  __tgt_register_lib(&fixed.descriptor);
  pthread_t threads[LAUNCHERS + 3];
  running = LAUNCHERS;
  for (int t = 0; t < LAUNCHERS; t++)
    pthread_create(&threads[t], NULL, launcher, (void *)(intptr_t)t);
  pthread_create(&threads[LAUNCHERS], NULL, deleter, (void *)0);
  pthread_create(&threads[LAUNCHERS + 1], NULL, deleter, (void *)1);
  pthread_create(&threads[LAUNCHERS + 2], NULL, visitor, NULL);
  for (int t = 0; t < LAUNCHERS + 3; t++) pthread_join(threads[t], NULL);
  CHECK_INT(failures_reported, 0);
  CHECK_INT(wrong_results, 0);
  list l = {0}; /* a deleter may have left the mapping */
  leave(add(&l, deleted, deleted, sizeof deleted, SOLO_MAP_DELETE));
  check_left(1);
  __tgt_unregister_lib(&fixed.descriptor);
  check_left(0);
  solo_fini();
  return TEST_RESULT();
}
