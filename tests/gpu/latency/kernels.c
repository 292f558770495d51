/* Device code of the latency measurement: PTX by clang-19, or simulated kernels, which have an
 * unused first parameter. A clock bounds each loop, so that no kernel runs longer than its
 * measurement. */
#define SIM_KERNEL_SOURCE
#include "tests/sim/device/kernel.h"

typedef unsigned int u32;
typedef unsigned long long u64;

#if defined(__NVPTX__)
static u64 now_ns(void) {
  u64 now;
  __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
static u32 load(const u32 *word) {
  u32 value;
  __asm__ volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
static void store_release(u32 *word, u32 value) {
  __asm__ volatile("st.release.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
static __attribute__((address_space(3))) u32 done;
static void begin_block(void) {
  if (sim_thread.thread[0] == 0) done = 0;
  __asm__ volatile("bar.sync 0;" ::: "memory");
}
static u32 newest(void) {
  return *(volatile __attribute__((address_space(3))) u32 *)&done;
}
/* Sets the block's newest command. Returns nonzero in the one warp that changed the command. */
static int advance(u32 from, u32 to) {
  u32 old;
  __asm__ volatile("atom.shared.cas.b32 %0, [%1], %2, %3;"
                   : "=r"(old)
                   : "r"((u32)(u64)&done), "r"(from), "r"(to)
                   : "memory");
  return old == from;
}
#else
static u64 now_ns(void) {
  return __builtin_ia32_rdtsc() / 2;
}
static u32 load(const u32 *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static void store_release(u32 *word, u32 value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static u32 done;
static void begin_block(void) {
  done = 0;
}
static u32 newest(void) {
  return done;
}
static int advance(u32 from, u32 to) {
  (void)from;
  done = to;
  return 1;
}
#endif

SIM_KERNEL void latency_empty(u64 unused, u32 *word, u64 value) {
  (void)unused;
  (void)word;
  (void)value;
}

/* Writes to host memory as its last step. */
SIM_KERNEL void latency_signal(u64 unused, u32 *word, u64 value) {
  (void)unused;
  store_release(word, (u32)value);
}

/* Executes commands until no command arrives for lease_ns, or for at most most_ns. The host writes
 * the newest command to mailbox[0]. The kernel writes the newest completed command to mailbox[32]
 * and, at its end, 1 + its last command to mailbox[64]. Each warp polls. The first warp that sees a
 * command completes the command. */
SIM_KERNEL void latency_resident(u64 unused, u32 *mailbox, u64 lease_ns, u64 most_ns) {
  (void)unused;
#if !defined(__NVPTX__)
  if (sim_thread.thread[0] != 0) return; /* simulated threads run in sequence */
#endif
  begin_block();
  if ((sim_thread.thread[0] & 31) != 0) return;
  u64 begin = now_ns(), last = begin, now = begin;
  while (now - last < lease_ns && now - begin < most_ns) {
    u32 number = load(&mailbox[0]), seen = newest();
    now = now_ns();
    if ((int)(number - seen) <= 0) continue; /* a slower warp can read an older number */
    last = now;
    if (advance(seen, number)) store_release(&mailbox[32], number);
  }
  if (sim_thread.thread[0] == 0) store_release(&mailbox[64], 1 + newest());
}
