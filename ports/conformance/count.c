/* Counts allocations and mutex operations per thread, by the linker option --wrap. Calls within a
 * driver's shared library are not counted. */
#include "ports/conformance/conformance.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

_Thread_local uint64_t conf_allocations, conf_mutexes;

#define WRAP(type, name, parameters, arguments, counter)                                           \
  type __real_##name parameters;                                                                   \
  type __wrap_##name parameters;                                                                   \
  type __wrap_##name parameters {                                                                  \
    counter++;                                                                                     \
    return __real_##name arguments;                                                                \
  }

WRAP(void *, malloc, (size_t n), (n), conf_allocations)
WRAP(void *, calloc, (size_t n, size_t m), (n, m), conf_allocations)
WRAP(void *, realloc, (void *p, size_t n), (p, n), conf_allocations)
WRAP(void *, aligned_alloc, (size_t a, size_t n), (a, n), conf_allocations)
WRAP(int, posix_memalign, (void **p, size_t a, size_t n), (p, a, n), conf_allocations)
WRAP(int, pthread_mutex_lock, (pthread_mutex_t * m), (m), conf_mutexes)
WRAP(void *, mmap, (void *p, size_t n, int x, int f, int d, off_t o), (p, n, x, f, d, o),
     conf_allocations)
