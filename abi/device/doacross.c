/* Doacross loops for NVIDIA GPUs from sm_70, where threads of a warp can wait for one another. */
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef struct ident ident;

#define CALLED __attribute__((weak, visibility("hidden")))
#define SHARED __attribute__((address_space(3), loader_uninitialized))

i32 solo_get_num_threads(void);
i32 omp_get_thread_num(void);
void __kmpc_barrier(ident *loc, i32 thread);
void *malloc(u64 bytes);
void free(void *block);
int __llvm_omp_vprintf(const char *format, void *arguments, u32 size);

typedef struct dimension {
  i64 lower, upper, step;
} dimension;

typedef struct extent {
  i64 lower, step;
  u64 count;
} extent;

typedef struct nest {
  u32 *posted;
  u32 dimensions, left;
  extent extent[];
} nest, *nest_pointer;

static SHARED nest_pointer current;

static u64 count_of(const dimension *d) {
  if (d->step > 0) return d->upper < d->lower ? 0 : (u64)(d->upper - d->lower) / (u64)d->step + 1;
  return d->lower < d->upper ? 0 : (u64)(d->lower - d->upper) / -(u64)d->step + 1;
}

static nest *create(u32 dimensions, const dimension *d) {
  u64 total = 1, header = sizeof(nest) + dimensions * sizeof(extent);
  for (u32 i = 0; i < dimensions; i++) total *= count_of(&d[i]);
  u64 words = total / 32 + 1;
  nest *n = malloc(header + words * sizeof(u32));
  if (!n) {
    __llvm_omp_vprintf("solo: error: device code: no memory for a doacross loop\n", 0, 0);
    __builtin_trap();
  }
  n->posted = (u32 *)((char *)n + header);
  n->dimensions = dimensions;
  n->left = 0;
  for (u32 i = 0; i < dimensions; i++)
    n->extent[i] = (extent){d[i].lower, d[i].step, count_of(&d[i])};
  for (u64 i = 0; i < words; i++) n->posted[i] = 0;
  return n;
}

CALLED void __kmpc_doacross_init(ident *loc, i32 thread, i32 count, const dimension *d);
void __kmpc_doacross_init(ident *loc, i32 thread, i32 count, const dimension *d) {
  if (solo_get_num_threads() == 1) return;
  __kmpc_barrier(loc, thread);
  if (omp_get_thread_num() == 0) current = create((u32)count, d);
  __kmpc_barrier(loc, thread);
}

/* Returns 0 if the iteration is outside of the loop nest. */
static i32 number_of(const nest *n, const i64 *vector, u64 *out) {
  u64 number = 0;
  for (u32 i = 0; i < n->dimensions; i++) {
    const extent *e = &n->extent[i];
    u64 step = e->step < 0 ? -(u64)e->step : (u64)e->step;
    if (e->step < 0 ? vector[i] > e->lower : vector[i] < e->lower) return 0;
    u64 distance = e->step < 0 ? (u64)e->lower - (u64)vector[i] : (u64)vector[i] - (u64)e->lower;
    if (distance / step >= e->count) return 0;
    number = number * e->count + distance / step;
  }
  *out = number;
  return 1;
}

CALLED void __kmpc_doacross_wait(ident *loc, i32 thread, const i64 *vector);
void __kmpc_doacross_wait(ident *loc, i32 thread, const i64 *vector) {
  (void)loc, (void)thread;
  u64 number;
  if (solo_get_num_threads() == 1 || !number_of(current, vector, &number)) return;
  u32 bit = 1u << number % 32, *word = &current->posted[number / 32];
  /* Invariant: a set bit follows the iteration's stores.
   * Ordering:  pairs with __kmpc_doacross_post().
   * Otherwise: older data is loaded. */
  while (!(__atomic_fetch_add(word, 0, __ATOMIC_SEQ_CST) & bit))
    ;
  __nvvm_membar_cta();
}

CALLED void __kmpc_doacross_post(ident *loc, i32 thread, const i64 *vector);
void __kmpc_doacross_post(ident *loc, i32 thread, const i64 *vector) {
  (void)loc, (void)thread;
  u64 number;
  if (solo_get_num_threads() == 1 || !number_of(current, vector, &number)) return;
  __nvvm_membar_cta();
  (void)__atomic_fetch_or(&current->posted[number / 32], 1u << number % 32, __ATOMIC_SEQ_CST);
}

CALLED void __kmpc_doacross_fini(ident *loc, i32 thread);
void __kmpc_doacross_fini(ident *loc, i32 thread) {
  (void)loc, (void)thread;
  u32 threads = (u32)solo_get_num_threads();
  if (threads > 1 && __atomic_fetch_add(&current->left, 1, __ATOMIC_SEQ_CST) + 1 == threads)
    free(current);
}
