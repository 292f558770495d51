/* The memory allocators of OpenMP 5.2, 18.13. Every memory space is the device's heap, which all
 * threads can access. AMD's heap does not reuse memory and ends the kernel when it is full. */
typedef int i32;
typedef unsigned char u8;
typedef unsigned long size;

#define CALLED __attribute__((weak, visibility("hidden")))

enum { NULL_ALLOCATOR, DEFAULT_MEM_ALLOC };
/* LLVM's handles for memory that the host can access. */
enum { TARGET_HOST = 100, TARGET_SHARED };
enum { DEFAULT_MEM_FB = 11, NULL_FB, ABORT_FB, ALLOCATOR_FB };
enum { LEAST_ALIGNMENT = 16 };

enum { SYNC_HINT = 1, ALIGNMENT, ACCESS, POOL_SIZE, FALLBACK, FB_DATA, PINNED, PARTITION };

typedef struct trait {
  i32 key;
  size value;
} trait;

typedef struct allocator {
  size alignment, pool_size, used;
  size fallback, fallback_data;
} allocator;

typedef struct header {
  void *heap;
  size bytes;
  size handle;
} header;

void *malloc(size bytes);
void free(void *block);

static allocator *object_of(size handle) {
  return handle > 255 ? (allocator *)handle : 0;
}

static i32 is_power_of_two(size n) {
  return n && !(n & (n - 1));
}

static void *heap_allocate(size alignment, size bytes, size handle) {
  size more = sizeof(header) + alignment, total;
  if (__builtin_add_overflow(bytes, more, &total)) return 0;
  u8 *heap = malloc(total);
  if (!heap) return 0;
  size at = ((size)heap + sizeof(header) + alignment - 1) & ~(alignment - 1);
  header *h = (header *)at - 1;
  h->heap = heap;
  h->bytes = bytes;
  h->handle = handle;
  return (void *)at;
}

static void heap_free(void *block) {
  header *h = (header *)block - 1;
  allocator *from = object_of(h->handle);
  if (from) __atomic_fetch_sub(&from->used, h->bytes, __ATOMIC_RELAXED);
  free(h->heap);
}

/* Reserves bytes of the allocator's pool. Returns 0 if too few are left. */
static i32 pool_reserve(allocator *from, size bytes) {
  size used = __atomic_load_n(&from->used, __ATOMIC_RELAXED);
  do {
    if (bytes > from->pool_size - used) return 0;
  } while (!__atomic_compare_exchange_n(&from->used, &used, used + bytes, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return 1;
}

static void *allocate(size alignment, size bytes, size handle) {
  if (!bytes || (alignment && !is_power_of_two(alignment))) return 0;
  if (alignment < LEAST_ALIGNMENT) alignment = LEAST_ALIGNMENT;
  if (!handle) handle = DEFAULT_MEM_ALLOC;
  for (;;) {
    allocator *from = object_of(handle);
    if (!from) {
      i32 is_of_host = handle == TARGET_HOST || handle == TARGET_SHARED;
      return is_of_host ? 0 : heap_allocate(alignment, bytes, handle);
    }
    size wanted = alignment > from->alignment ? alignment : from->alignment;
    if (pool_reserve(from, bytes)) {
      void *block = heap_allocate(wanted, bytes, handle);
      if (block) return block;
      __atomic_fetch_sub(&from->used, bytes, __ATOMIC_RELAXED);
    }
    if (from->fallback == NULL_FB) return 0;
    if (from->fallback == ABORT_FB) __builtin_trap();
    handle = from->fallback == ALLOCATOR_FB ? from->fallback_data : DEFAULT_MEM_ALLOC;
  }
}

static void *allocate_zeroed(size alignment, size count, size each, size handle) {
  size bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) return 0;
  void *block = allocate(alignment, bytes, handle);
  if (block) __builtin_memset(block, 0, bytes);
  return block;
}

/* Returns 0 if a trait has an invalid value (5.2, 18.13.2). */
static i32 trait_apply(allocator *to, const trait *t) {
  switch (t->key) {
  case ALIGNMENT:
    if (!is_power_of_two(t->value)) return 0;
    to->alignment = t->value;
    return 1;
  case POOL_SIZE:
    if (!t->value) return 0;
    to->pool_size = t->value;
    return 1;
  case FALLBACK:
    if (t->value < DEFAULT_MEM_FB || t->value > ALLOCATOR_FB) return 0;
    to->fallback = t->value;
    return 1;
  case FB_DATA:
    to->fallback_data = t->value;
    return 1;
  case SYNC_HINT:
  case ACCESS:
  case PINNED:
  case PARTITION:
    return 1; /* valid for each block of the heap */
  default:
    return 0;
  }
}

CALLED size omp_init_allocator(size space, i32 count, const trait traits[]);
size omp_init_allocator(size space, i32 count, const trait traits[]) {
  if (space == TARGET_HOST || space == TARGET_SHARED) return NULL_ALLOCATOR;
  allocator *a = malloc(sizeof *a);
  if (!a) return NULL_ALLOCATOR;
  *a = (allocator){LEAST_ALIGNMENT, ~(size)0, 0, DEFAULT_MEM_FB, NULL_ALLOCATOR};
  i32 is_valid = 1;
  for (i32 i = 0; i < count; i++) {
    trait t = traits[i];
    if (t.value == ~(size)0) continue;
    if (!trait_apply(a, &t)) is_valid = 0;
  }
  if (is_valid && (a->fallback != ALLOCATOR_FB || a->fallback_data)) return (size)a;
  free(a);
  return NULL_ALLOCATOR;
}

CALLED void omp_destroy_allocator(size handle);
void omp_destroy_allocator(size handle) {
  allocator *a = object_of(handle);
  if (a) free(a);
}

CALLED size omp_get_default_allocator(void);
size omp_get_default_allocator(void) {
  return DEFAULT_MEM_ALLOC;
}

CALLED void *omp_alloc(size bytes, size handle);
void *omp_alloc(size bytes, size handle) {
  return allocate(0, bytes, handle);
}

CALLED void *omp_aligned_alloc(size alignment, size bytes, size handle);
void *omp_aligned_alloc(size alignment, size bytes, size handle) {
  return allocate(alignment, bytes, handle);
}

CALLED void *omp_calloc(size count, size each, size handle);
void *omp_calloc(size count, size each, size handle) {
  return allocate_zeroed(0, count, each, handle);
}

CALLED void *omp_aligned_calloc(size alignment, size count, size each, size handle);
void *omp_aligned_calloc(size alignment, size count, size each, size handle) {
  return allocate_zeroed(alignment, count, each, handle);
}

CALLED void omp_free(void *block, size handle);
void omp_free(void *block, size handle) {
  (void)handle;
  if (block) heap_free(block);
}

CALLED void *omp_realloc(void *block, size bytes, size handle, size free_handle);
void *omp_realloc(void *block, size bytes, size handle, size free_handle) {
  if (!block) return allocate(0, bytes, handle);
  const header *h = (const header *)block - 1;
  if (!bytes) {
    omp_free(block, free_handle);
    return 0;
  }
  void *to = allocate(0, bytes, handle ? handle : h->handle);
  if (!to) return 0;
  __builtin_memcpy(to, block, h->bytes < bytes ? h->bytes : bytes);
  omp_free(block, free_handle);
  return to;
}

CALLED void *__kmpc_alloc(i32 thread, size bytes, size handle);
void *__kmpc_alloc(i32 thread, size bytes, size handle) {
  (void)thread;
  return allocate(0, bytes, handle);
}

CALLED void *__kmpc_aligned_alloc(i32 thread, size alignment, size bytes, size handle);
void *__kmpc_aligned_alloc(i32 thread, size alignment, size bytes, size handle) {
  (void)thread;
  return allocate(alignment, bytes, handle);
}

CALLED void __kmpc_free(i32 thread, void *block, size handle);
void __kmpc_free(i32 thread, void *block, size handle) {
  (void)thread;
  omp_free(block, handle);
}
