/* Description: checks task memory: alignment, distinct blocks, frees by other threads, and that a
 * steady state allocates no slab. */
#include "abi/kmpc/task/memory.h"
#include "tests/unit/test.h"
#include <pthread.h>

enum { BLOCKS = 100, ROUNDS = 200 };

static void *block[BLOCKS];

static void *put_all(void *argument) {
  kmpc_cache *own = argument;
  for (int i = 0; i < BLOCKS; i++) solo_kmp_cache_free(own, block[i]);
  return NULL;
}

static void check_blocks(kmpc_cache *cache) {
  for (size_t bytes = 1; bytes < 40000; bytes = bytes * 3 / 2 + 1) {
    for (int i = 0; i < BLOCKS; i++) {
      block[i] = solo_kmp_cache_allocate(cache, bytes);
      if (bytes > 16) CHECK_INT((uintptr_t)block[i] % 64, 16);
      memset(block[i], i & 0xff, bytes);
    }
    int wrong = 0;
    for (int i = 0; i < BLOCKS; i++)
      for (size_t k = 0; k < bytes; k++) wrong += ((unsigned char *)block[i])[k] != (i & 0xff);
    CHECK_INT(wrong, 0);
    put_all(cache);
  }
}

static void check_other_thread(kmpc_cache *cache, kmpc_cache *other) {
  uint64_t slabs = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < BLOCKS; i++) {
      block[i] = solo_kmp_cache_allocate(cache, 200);
      memset(block[i], round, 200);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, put_all, round & 1 ? other : NULL);
    pthread_join(thread, NULL);
    if (round == 1) slabs = cache->slab_count;
  }
  CHECK_INT(cache->slab_count, slabs);
  CHECK_INT(other->slab_count, 0);
}

/* Two threads free half of the blocks each, while the owner allocates. */
static void *put_half(void *argument) {
  for (int i = argument ? 1 : 0; i < BLOCKS; i += 2) solo_kmp_cache_free(NULL, block[i]);
  return NULL;
}

static void check_stress(kmpc_cache *cache) {
  void *mine[BLOCKS];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < BLOCKS; i++) block[i] = solo_kmp_cache_allocate(cache, 100);
    pthread_t thread[2];
    for (intptr_t i = 0; i < 2; i++) pthread_create(&thread[i], NULL, put_half, (void *)i);
    for (int i = 0; i < BLOCKS; i++) {
      mine[i] = solo_kmp_cache_allocate(cache, 100);
      memset(mine[i], 1, 100);
    }
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < BLOCKS; i++) solo_kmp_cache_free(cache, mine[i]);
  }
}

/* No size exceeds the size of its class, and the size of a class belongs to this class. */
static void check_classes(void) {
  for (size_t bytes = 1; bytes <= KMPC_CACHE_LIMIT; bytes++) {
    uint32_t at = solo_kmp_cache_class(bytes);
    size_t holds = at == 0 ? 32 : at <= 16 ? at * 64 : (size_t)1024 << (at - 16);
    if (at >= KMPC_CACHE_CLASSES || holds < bytes || (at && solo_kmp_cache_class(holds) != at))
      CHECK(!"a class that does not fit");
  }
}

int main(void) {
  check_classes();
  kmpc_cache *cache = solo_kmp_cache_open(), *other = solo_kmp_cache_open();
  check_blocks(cache);
  check_other_thread(cache, other);
  check_stress(cache);
  solo_kmp_cache_close(other);
  CHECK(solo_kmp_cache_open() == other);
  solo_kmp_cache_close(other);
  solo_kmp_cache_close(cache);
  return TEST_RESULT();
}
