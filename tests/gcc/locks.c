/* Locks, with an omp_lock_t of 4 bytes and an omp_nest_lock_t of 16 bytes. */
#include <omp.h>
#include <stdio.h>

static struct {
  omp_lock_t lock[3];
  int after;
} plain = {.after = 7};
static struct {
  omp_nest_lock_t lock[2];
  int after;
} nested = {.after = 7};

static int check(int holds, const char *what) {
  if (!holds) printf("failed: %s\n", what);
  return !holds;
}

int gcc_locks(void) {
  int failures = 0;
  _Static_assert(sizeof(omp_lock_t) == 4, "GCC's omp.h");
  omp_init_lock(&plain.lock[1]);
  omp_set_lock(&plain.lock[1]);
  omp_init_lock(&plain.lock[0]);
  failures += check(!omp_test_lock(&plain.lock[1]),
                    "a held lock is free after its neighbour was initialised");
  omp_destroy_lock(&plain.lock[0]);
  failures += check(!omp_test_lock(&plain.lock[1]),
                    "a held lock is free after its neighbour was destroyed");
  omp_init_lock_with_hint(&plain.lock[2], omp_sync_hint_contended);
  omp_set_lock(&plain.lock[2]);
  omp_unset_lock(&plain.lock[2]);
  omp_destroy_lock(&plain.lock[2]);
  failures += check(plain.after == 7, "the data after the locks has changed");
  omp_unset_lock(&plain.lock[1]);
  failures += check(omp_test_lock(&plain.lock[1]), "a free lock cannot be set");
  omp_init_nest_lock(&nested.lock[1]);
  omp_set_nest_lock(&nested.lock[1]);
  omp_init_nest_lock(&nested.lock[0]);
  failures +=
      check(omp_test_nest_lock(&nested.lock[1]) == 2, "the depth of a nested lock is not 2");
  failures += check(nested.after == 7, "the data after the nested locks has changed");
  return failures;
}
