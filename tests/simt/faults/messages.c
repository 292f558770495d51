/* One function per error. Comments mark lines that its message may contain. */
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#if defined(__NVPTX__)
void __assertfail(const char *, const char *, unsigned, const char *, unsigned long);
#define check(x)             ((x) ? (void)0 : __assertfail(#x, __FILE__, __LINE__, __func__, 1))
#define aligned_barrier()    __nvvm_bar_sync(0)
#define barrier(id)          __nvvm_barrier_sync(id)
#define barrier_of(id, n)    __nvvm_barrier_sync_cnt(id, n)
#define value_of(mask, x, i) __nvvm_shfl_sync_idx_i32(mask, x, i, 31)
#else
#define check(x)             ((void)(x))
#define aligned_barrier()    ((void)0)
#define barrier(id)          ((void)0)
#define barrier_of(id, n)    ((void)0)
#define value_of(mask, x, i) (x)
#endif

typedef int function(int);

#pragma omp begin declare target
static int deeper(int depth) {                /* overflow */
  volatile int own = depth;                   /* overflow */
  return depth ? deeper(depth - 1) + own : 1; /* overflow */
}
#pragma omp end declare target

static void overflow(void) {
  int deep = 100000;
#pragma omp target teams thread_limit(32) map(tofrom : deep)
#pragma omp parallel
  if (deep == 100000) deep = deeper(deep);
}

static void beyond(void) {
  enum { N = 1000 };
  int x[N], far = 1 << 28;
#pragma omp target teams distribute parallel for map(from : x)
  for (int i = 0; i < N; i++) x[i + (i == 500 ? far : 0)] = i; /* beyond */
}

static void one_beyond(void) {
  enum { N = 100 };
  int *a = calloc(N + 1, sizeof *a), *b = calloc(N, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom : a [0:N]) map(to : b [0:N])
  for (int i = 0; i <= N; i++) a[i] += i < N ? b[i] : 1; /* one_beyond */
}

static void freed(void) {
  int n = 0;
#pragma omp target map(tofrom : n)
  {
    volatile int *p = malloc(100 * sizeof *p);
    p[3] = n;
    free((void *)p);
    n = p[3]; /* freed */
  }
}

static void foreign(void) {
  int *volatile first = NULL;
  int sum = 0;
#pragma omp target parallel map(tofrom : first, sum)
  {
    volatile int *own = __builtin_alloca(sizeof *own);
    *own = 7;
    if (!omp_get_thread_num()) first = (int *)own;
#pragma omp barrier
    if (omp_get_thread_num() == 40) sum = *first; /* foreign */
#pragma omp barrier
  }
}

static void null(void) {
  int n = 7;
  function *volatile f = 0;
#pragma omp target map(tofrom : n) map(to : f)
  n = f(n) + 1; /* null */
}

static void divide(void) {
  int n = 7, zero = 0;
#pragma omp target map(tofrom : n) map(to : zero)
  n = n / zero; /* divide */
}

static void trap(void) {
  int n = 7;
#pragma omp target map(tofrom : n)
  if (n == 7) __builtin_trap(); /* trap */
}

static void asserts(void) {
  int n = 7;
#pragma omp target map(to : n)
  assert(n == 8); /* asserts */
}

static void assertfail(void) {
  int n = 7;
#pragma omp target map(to : n)
  check(n == 8); /* assertfail */
}

static void skipped(void) {
  int x[64];
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(from : x)
  for (int i = 0; i < 64; i++) {
    x[i] = i;
    if (i % 64 < 32) aligned_barrier(); /* skipped */
  }
}

static void deadlock(void) {
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(64)
  for (int i = 0; i < 64; i++)
    if (i < 32) barrier_of(3, 64); /* deadlock */
}

static void warp(void) {
  int x[32];
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(from : x)
  for (int i = 0; i < 32; i++) {
    x[i] = i;
    if (i < 2)
      x[i] = value_of(0xffffffff, i, 1); /* warp */
    else
      barrier(5);
    if (i < 2) barrier(5);
  }
}

static void race(void) {
  int sum = 0, part[4] = {0};
  /* clang-format off */
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) \
    map(tofrom : sum, part)
  /* clang-format on */
  for (int i = 0; i < 256; i++) {
    sum += i; /* race */
#pragma omp atomic
    part[i / 64] += 1; /* not race */
  }
}

static void blocks(void) {
  int sum = 0;
#pragma omp target teams num_teams(4) thread_limit(32) map(tofrom : sum)
  sum += 1; /* blocks */
}

static void relaxed(void) {
  int data = 0, flag = 0, got = 0;
#pragma omp target teams num_teams(1) thread_limit(64) map(tofrom : data, flag, got)
#pragma omp parallel
  {
    int is_set = 0, me = 0;
#pragma omp atomic capture
    me = got++;
    if (me == 0) {
      data = 7;
#pragma omp atomic write
      flag = 1;
    } else if (me == 1) {
      while (!is_set) {
#pragma omp atomic read
        is_set = flag;
      }
      data += 1; /* relaxed */
    }
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } of[] = {{"overflow", overflow}, {"beyond", beyond},     {"one_beyond", one_beyond},
            {"freed", freed},       {"null", null},         {"divide", divide},
            {"trap", trap},         {"asserts", asserts},   {"assertfail", assertfail},
            {"skipped", skipped},   {"deadlock", deadlock}, {"warp", warp},
            {"race", race},         {"blocks", blocks},     {"relaxed", relaxed},
            {"foreign", foreign}};
  for (size_t i = 0; argc > 1 && i < sizeof of / sizeof *of; i++)
    if (strcmp(of[i].name, argv[1]) == 0) {
      of[i].run();
      return 0;
    }
  return 2;
}
