/* Destructors of functions' static objects. */
typedef unsigned long long u64;

#define CALLED __attribute__((weak, visibility("hidden")))

void *malloc(u64 bytes);

typedef struct object {
  struct object *previous;
  void (*destroy)(void *);
  void *address;
} object;

static object *last;
CALLED char __dso_handle;

CALLED int __cxa_atexit(void (*destroy)(void *), void *address, void *library);
int __cxa_atexit(void (*destroy)(void *), void *address, void *library) {
  (void)library;
  object *o = malloc(sizeof *o);
  if (!o) return -1;
  o->destroy = destroy;
  o->address = address;
  /* relaxed: destroy_all() runs later */
  o->previous = __atomic_load_n(&last, __ATOMIC_RELAXED);
  while (
      !__atomic_compare_exchange_n(&last, &o->previous, o, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return 0;
}

/* above priorities of C++ */
__attribute__((destructor(65536))) static void destroy_all(void) {
  while (last) {
    const object *o = last;
    last = o->previous;
    o->destroy(o->address);
  }
}
