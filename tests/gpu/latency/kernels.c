/* Device code of the latency measurement: PTX by clang-19, or a simulated kernel (tests/sim/device).
 *
 * Parameters are 8-byte slots, the first of which is not used, because simulated kernels have the
 * signature of OpenMP kernels. Every loop is bounded by a clock, so that no kernel outlives the
 * measurement that started it.
 */
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
/* Returns whether the calling warp is the one that changes the block's newest command. */
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

/* Writes value to *word, which is host memory, as its last step. */
SIM_KERNEL void latency_signal(u64 unused, u32 *word, u64 value) {
  (void)unused;
  store_release(word, (u32)value);
}

/* Executes commands until none has arrived for lease_ns, or for at most most_ns.
 * mailbox[0]: the number of the newest command, written by the host; mailbox[32]: the number of the
 * newest completed command; mailbox[64]: 1 + the number of the last command, written at the end.
 * Each warp of the block polls. The warp that first reads a new number completes the command. */
SIM_KERNEL void latency_resident(u64 unused, u32 *mailbox, u64 lease_ns, u64 most_ns) {
  (void)unused;
#if !defined(__NVPTX__)
  if (sim_thread.thread[0] != 0) return; /* simulated threads run one after the other */
#endif
  begin_block();
  if ((sim_thread.thread[0] & 31) != 0) return;
  u64 begin = now_ns(), last = begin, now = begin;
  while (now - last < lease_ns && now - begin < most_ns) {
    u32 number = load(&mailbox[0]), seen = newest();
    now = now_ns();
    if ((int)(number - seen) <= 0) continue; /* a slower warp can hold an older number */
    last = now;
    if (advance(seen, number)) store_release(&mailbox[32], number);
  }
  if (sim_thread.thread[0] == 0) store_release(&mailbox[64], 1 + newest());
}
