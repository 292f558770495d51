/* Functions of device code for all targets. */
#include "backends/simt/device/self.h"

static _Atomic u64 shared_used;

/* LLVM's emulated TLS, if shared.awk fails. Size 0: dynamic shared memory. */
SIMT_KEPT void *__emutls_get_address(void *variable);
void *__emutls_get_address(void *variable) {
  simt_shared *v = variable;
  u64 offset = __c11_atomic_load(&v->offset, __ATOMIC_RELAXED);
  if (__builtin_expect(offset != 0, 1)) return simt_shared_memory() + offset - 1;
  const simt_lane *lane = simt_self();
  return v->bytes ? lane->calls->shared(v, &shared_used) : lane->dynamic_shared;
}

SIMT_KEPT simt_shared dynamic __asm__("__emutls_v.DynamicSharedBuffer");
simt_shared dynamic = {0, 16, 0, 0};

/* Called before each atomic operation. Yields at regular intervals, because a loop may wait for
 * another thread. */
SIMT_INLINED void simt_atomic(void);
void simt_atomic(void) {
  simt_lane *lane = (simt_lane *)(uintptr_t)simt_self();
  if (--lane->patience == 0) lane->calls->yield();
}

/* Called before a warp operation or barrier. place: the operation's line in the LLVM assembly. */
SIMT_INLINED void simt_at(u32 place);
void simt_at(u32 place) {
  ((simt_lane *)(uintptr_t)simt_self())->place = place;
}

/* For device/gpu.c. */
SIMT_KEPT u32 simt_is_lazy(void);
SIMT_KEPT u32 *simt_slice(void);
u32 simt_is_lazy(void) {
  return simt_self()->is_lazy;
}
u32 *simt_slice(void) {
  return &((simt_lane *)(uintptr_t)simt_self())->slice;
}

SIMT_KEPT void simt_set_workers(u32 (*count)(void), void (*region)(void), u32 most);
void simt_set_workers(u32 (*count)(void), void (*region)(void), u32 most) {
  simt_self()->calls->workers(count, region, most);
}

/* Called before each memory access if races are checked. */
SIMT_INLINED void simt_access(const void *address, u64 bytes, u32 flags);
void simt_access(const void *address, u64 bytes, u32 flags) {
  simt_self()->calls->access(address, bytes, flags);
}

/* Called when memory gets a new owner (translate.sh); clears the records of accesses. */
SIMT_INLINED void simt_clear_accesses(const void *address, u64 bytes);
void simt_clear_accesses(const void *address, u64 bytes) {
  simt_self()->calls->access(address, bytes, SIMT_CLEARS);
}

SIMT_INLINED void simt_trap(void);
void simt_trap(void) {
  simt_self()->calls->stop(SIMT_STOP_TRAP, 0);
}

SIMT_INTRINSIC void *stdout;

SIMT_INTRINSIC void *malloc(u64 bytes);
SIMT_INTRINSIC void free(void *address);
void *malloc(u64 bytes) {
  return simt_self()->calls->allocate(bytes);
}
void free(void *address) {
  simt_self()->calls->release(address);
}

SIMT_KEPT void *memcpy(void *to, const void *from, u64 n);
SIMT_KEPT void *memmove(void *to, const void *from, u64 n);
SIMT_KEPT void *memset(void *to, int value, u64 n);
SIMT_KEPT int memcmp(const void *a, const void *b, u64 n);
SIMT_KEPT u64 strlen(const char *text); /* Clang 22 replaces loops by calls of strlen */

__attribute__((no_builtin)) void *memcpy(void *to, const void *from, u64 n) {
  void *at = to;
  __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n) : : "memory");
  return to;
}
__attribute__((no_builtin)) void *memmove(void *to, const void *from, u64 n) {
  char *t = to;
  const char *f = from;
  if ((u64)(t - f) >= n) return memcpy(to, from, n);
  while (n--) t[n] = f[n];
  return to;
}
__attribute__((no_builtin)) void *memset(void *to, int value, u64 n) {
  void *at = to;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(value) : "memory");
  return to;
}
__attribute__((no_builtin)) int memcmp(const void *a, const void *b, u64 n) {
  const unsigned char *x = a, *y = b;
  for (u64 i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

__attribute__((no_builtin)) u64 strlen(const char *text) {
  u64 n = 0;
  while (text[n]) n++;
  return n;
}
