/* Description: checks the pool of a CPU device: different page offsets of large blocks, reuse, huge
 * pages, limits. AddressSanitizer checks that blocks are freed correctly. */
#define _DEFAULT_SOURCE /* madvise, syscall */
#include "runtime/device/devices.h"
#include "runtime/device/pool.h"
#include "runtime/device/transfer.h"
#include "tests/unit/test.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLACES = 32, BLOCKS = 3 * PLACES, SMALL = 48 << 10, LEAST = 64 << 10, THREADS = 4 };
static solo_device *device;

static uint64_t size_of(int number) {
  static const uint64_t sizes[] = {LEAST, 800000, 1 << 20, LEAST + 1, 3 << 20, 100000};
  return sizes[number % 6];
}

static solo_block *take(uint64_t bytes) {
  solo_block *block = NULL;
  CHECK(solo_pool_allocate(device, bytes, &block) == SOLO_OK && block && block->bytes >= bytes);
  return block;
}

static char *bytes_of(const solo_block *block) {
  return (char *)(uintptr_t)block->address;
}

static void give(solo_block **block, int count) {
  for (int i = 0; i < count; i++) solo_pool_free(device, block[i]);
}

/* Any PLACES consecutive large blocks have different offsets in a page. Each block is writable. */
static void test_places(void) {
  static solo_block *block[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    block[i] = take(size_of(i));
    CHECK_INT(block[i]->address % SOLO_CACHE_PAIR, 0);
    for (int k = i >= PLACES ? i - PLACES + 1 : 0; k < i; k++)
      CHECK((block[i]->address ^ block[k]->address) & 4095);
    memset(bytes_of(block[i]), i, block[i]->bytes);
  }
  for (int i = 0; i < BLOCKS; i++) {
    const char *bytes = bytes_of(block[i]);
    CHECK(bytes[0] == (char)i && bytes[block[i]->bytes - 1] == (char)i);
  }
  give(block, BLOCKS);
}

/* Replaces the C library's madvise and records the last request for huge pages. */
static uintptr_t asked_at;
static size_t asked_bytes;
int madvise(void *address, size_t bytes, int advice) {
  if (advice == MADV_HUGEPAGE) asked_at = (uintptr_t)address, asked_bytes = bytes;
  return (int)syscall(SYS_madvise, address, bytes, advice);
}

/* A block of at least 4 MiB requests huge pages for exactly the huge pages that lie inside the
 * block. */
static void test_huge_pages(void) {
  enum { PAGE = 2 << 20 };
  solo_block *small = take(3 << 20);
  CHECK_INT(asked_bytes, 0);
  solo_block *large = take(64 << 20);
  uintptr_t begin = large->address, end = begin + large->bytes, asked_end = asked_at + asked_bytes;
  CHECK(asked_at % PAGE == 0 && asked_bytes % PAGE == 0 && asked_bytes >= 62 << 20);
  CHECK(asked_at + PAGE > begin && asked_end <= end && asked_end + PAGE > end - large->slack);
  memset(bytes_of(large), 1, large->bytes);
  solo_pool_free(device, small);
  solo_pool_free(device, large);
}

static void test_reuse(void) {
  solo_block *large = take(800000), *small = take(SMALL);
  solo_devptr at = large->address, small_at = small->address;
  CHECK_INT(small->offset, 0);
  solo_pool_free(device, large);
  solo_pool_free(device, small);
  large = take(790000);
  small = take(SMALL);
  CHECK(large->address == at && small->address == small_at);
  solo_pool_free(device, large);
  solo_pool_free(device, small);
  solo_pool_trim(device);
  small = take(SMALL); /* the reused descriptor must not have the offset of a large block */
  CHECK_INT(small->offset, 0);
  solo_pool_free(device, small);
}

/* Sizes that are too large are rejected without an overflow, for any
 * LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD. */
static void test_too_large(uint64_t threshold) {
  uint64_t usual = device->pool_threshold;
  device->pool_threshold = threshold;
  static const uint64_t sizes[] = {
      UINT64_MAX, UINT64_MAX - 4095, UINT64_MAX - 8192, (uint64_t)INT64_MAX + 1,
      INT64_MAX,  INT64_MAX / 2,     INT64_MAX / 4};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    solo_block *block = NULL;
    CHECK(solo_pool_allocate(device, sizes[i], &block) == SOLO_DEVICE_NOMEM && !block);
  }
  device->pool_threshold = usual;
}

/* With pool_large = 0, as on asynchronous devices, the driver selects the addresses and the pool
 * adds no offset. */
static void test_elsewhere(void) {
  uint64_t large = device->pool_large;
  device->pool_large = 0;
  solo_pool_trim(device);
  solo_block *block[4];
  for (int i = 0; i < 4; i++) {
    block[i] = take(size_of(i));
    CHECK_INT(block[i]->offset, 0);
  }
  give(block, 4);
  solo_pool_trim(device);
  device->pool_large = large;
}

static _Atomic int wrong; /* CHECK is not thread-safe */

static void allocate_and_free_some(int own, int round) {
  solo_block *block[6];
  for (int i = 0; i < 6; i++) {
    if (solo_pool_allocate(device, size_of(i + round), &block[i]) != SOLO_OK) abort();
    bytes_of(block[i])[0] = bytes_of(block[i])[block[i]->bytes - 1] = (char)own;
  }
  for (int i = 0; i < 6; i++)
    wrong |= bytes_of(block[i])[0] != own || bytes_of(block[i])[block[i]->bytes - 1] != own;
  give(block, 6);
}

static void *allocate_and_free(void *argument) {
  int own = (int)(intptr_t)argument;
  for (int round = 0; round < 200; round++) {
    allocate_and_free_some(own, round);
    if (round % 50 == own) solo_pool_trim(device);
  }
  return NULL;
}

static void test_threads(void) {
  pthread_t thread[THREADS];
  for (intptr_t i = 0; i < THREADS; i++)
    CHECK(pthread_create(&thread[i], NULL, allocate_and_free, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  CHECK(!wrong);
}

enum { USER = 200, SMALL_USER = 1000, MIDDLE_USER = 200000, LARGE_USER = 1200000 };

static void *borrow_kind(uint64_t bytes, solo_memory_kind kind) {
  void *address = NULL;
  if (solo_memory_alloc(device, bytes, kind, &address) != SOLO_OK) abort();
  return address;
}

static void *borrow(uint64_t bytes) {
  return borrow_kind(bytes, SOLO_MEMORY_DEVICE);
}

static void return_block(void *address) {
  if (solo_memory_free(device, address, SOLO_MEMORY_DEVICE) != SOLO_OK) abort();
}

/* Every third block is too small for the pool. */
static uint64_t user_bytes(int i) {
  return i % 3 ? LARGE_USER + (uint64_t)i : SMALL_USER;
}

static void borrow_many(int own) {
  char *user[USER];
  for (int i = 0; i < USER; i++) {
    user[i] = borrow(user_bytes(i));
    user[i][0] = user[i][user_bytes(i) - 1] = (char)(own + i);
  }
  for (int k = 0; k < USER; k++) {
    int i = (int)(k * 7 % USER); /* visits each block once, because 7 and LENT are coprime */
    wrong |= user[i][0] != (char)(own + i) || user[i][user_bytes(i) - 1] != (char)(own + i);
    return_block(user[i]);
  }
}

static void *borrow_often(void *own) {
  for (int round = 0; round < 5; round++) borrow_many((int)(intptr_t)own);
  return NULL;
}

/* Each kind of memory reuses only blocks of this kind. The kinds that the host can access share one
 * limit. */
static void test_kinds(void) {
  enum { ALL = SOLO_POOL_KEPT / LARGE_USER + 10 };
  static const solo_memory_kind kinds[] = {SOLO_MEMORY_DEVICE, SOLO_MEMORY_HOST,
                                           SOLO_MEMORY_SHARED};
  void *first[3], *all[ALL];
  solo_pool_trim(device);
  for (int k = 0; k < 3; k++) first[k] = borrow_kind(MIDDLE_USER, kinds[k]);
  /* return_block() does not pass the kind: the pool finds the kind by the address */
  for (int k = 0; k < 3; k++) return_block(first[k]);
  CHECK(device->pool.kept >= 2 * MIDDLE_USER && device->pool.kept < 3 * MIDDLE_USER);
  for (int k = 2; k >= 0; k--) CHECK(borrow_kind(MIDDLE_USER, kinds[k]) == first[k]);
  for (int k = 0; k < 3; k++) return_block(first[k]);
  for (int i = 0; i < ALL; i++) all[i] = borrow_kind(LARGE_USER, SOLO_MEMORY_HOST);
  for (int i = 0; i < ALL; i++) return_block(all[i]);
  CHECK(device->pool.kept <= SOLO_POOL_KEPT && device->pool.kept > SOLO_POOL_KEPT / 2);
  solo_pool_trim(device);
  CHECK_INT(device->pool.kept, 0);
}

static void test_user_blocks(void) {
  solo_pool_trim(device);
  void *user = borrow(LARGE_USER);
  return_block(user);
  CHECK(device->pool.kept >= LARGE_USER);
  CHECK(borrow(LARGE_USER - 10) == user);
  solo_pool_drain(device);
  /* the drained pool must not free this block, which the program still uses */
  memset(user, 1, LARGE_USER - 10);
  return_block(user);
  CHECK_INT(device->pool.kept, 0); /* the driver freed the block, because the pool was drained */
  pthread_t thread[THREADS];
  for (intptr_t i = 0; i < THREADS; i++)
    CHECK(pthread_create(&thread[i], NULL, borrow_often, (void *)(i * 31)) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  CHECK(!wrong);
  solo_user_blocks *all = device->pool.user;
  CHECK(all != NULL);
  for (int i = 0; all && i < 1 << SOLO_POOL_USER_BITS; i++) CHECK(!all->by_address[i]);
}

int main(void) {
  CHECK(solo_device_get(0, &device) == SOLO_OK && device->pool_large > 0);
  test_places();
  solo_pool_trim(device);
  CHECK_INT(device->pool.kept, 0);
  test_huge_pages();
  solo_pool_trim(device);
  test_reuse();
  test_too_large(device->pool_threshold);
  test_too_large(UINT64_MAX);
  test_elsewhere();
  test_threads();
  test_user_blocks();
  test_kinds();
  solo_pool_trim(device);
  CHECK_INT(device->pool.kept, 0);
  return TEST_RESULT();
}
