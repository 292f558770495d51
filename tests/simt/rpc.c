/* Description: kernels call the host with the protocol of LLVM 20 to 22 (__llvm_rpc_client): host
 * calls, memory, printf, long texts, exit. */
#include "../unit/test.h"
#include <omp.h>

#pragma omp begin declare target
typedef unsigned long long u64;
struct header {
  u64 lanes;
  unsigned opcode;
};
struct client {
  unsigned ports;
  unsigned *in, *out;
  struct header *headers;
  u64 (*packets)[8];
  unsigned locks[128];
};
__attribute__((weak, visibility("protected"), used)) struct client __llvm_rpc_client;

#if defined(__NVPTX__)
static unsigned lane(void) {
  return __nvvm_read_ptx_sreg_tid_x() % 32;
}
static unsigned width(void) {
  return 32;
}
static void meet(u64 lanes) {
  __nvvm_bar_warp_sync((unsigned)lanes);
}
#elif defined(__AMDGCN__)
static unsigned width(void) {
  return __builtin_amdgcn_wavefrontsize();
}
static unsigned lane(void) {
  return __builtin_amdgcn_workitem_id_x() % width();
}
static void meet(u64 lanes) {
  (void)lanes;
  __builtin_amdgcn_wave_barrier();
}
#else
static unsigned lane(void) {
  return 0;
}
static unsigned width(void) {
  return 1;
}
static void meet(u64 lanes) {
  (void)lanes;
}
#endif

struct port {
  unsigned index, out;
};
static struct port open_port(unsigned opcode, u64 lanes) {
  struct client *c = &__llvm_rpc_client;
  for (unsigned i = 0;; i = (i + 1) % c->ports) {
    unsigned bit = 1u << i % 32;
    if (__atomic_fetch_or(&c->locks[i / 32], bit, __ATOMIC_ACQUIRE) & bit) continue;
    unsigned out = __atomic_load_n(&c->out[i], __ATOMIC_RELAXED);
    if (__atomic_load_n(&c->in[i], __ATOMIC_RELAXED) == out) {
      c->headers[i].lanes = lanes;
      c->headers[i].opcode = opcode;
      return (struct port){i, out};
    }
    __atomic_fetch_and(&c->locks[i / 32], ~bit, __ATOMIC_RELEASE);
  }
}
static void close_port(struct port p) {
  __atomic_fetch_and(&__llvm_rpc_client.locks[p.index / 32], ~(1u << p.index % 32),
                     __ATOMIC_RELEASE);
}
static u64 *my_turn(struct port p) {
  while (__atomic_load_n(&__llvm_rpc_client.in[p.index], __ATOMIC_ACQUIRE) != p.out) {
  }
  return __llvm_rpc_client.packets[p.index * width() + lane()];
}
static void give(struct port *p) {
  p->out = !p->out;
  __atomic_store_n(&__llvm_rpc_client.out[p->index], p->out, __ATOMIC_RELEASE);
}
static void copy(void *to, const void *from, u64 n) {
  for (u64 i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}
static void send_bytes(struct port *p, const void *data, u64 n) {
  u64 *words = my_turn(*p);
  words[0] = n;
  copy(words + 1, data, n < 56 ? n : 56);
  give(p);
  for (u64 at = 56; at < n; at += 64) {
    copy(my_turn(*p), (const char *)data + at, n - at < 64 ? n - at : 64);
    give(p);
  }
}
#define LIBC(n) ((unsigned)'c' << 24 | (n))
static u64 alone(void) {
  return 1ull << lane();
}

static u64 host_call(u64 function, const void *data, u64 n) {
  struct port p = open_port((unsigned)'o' << 24, alone());
  send_bytes(&p, data, n);
  *my_turn(p) = function;
  give(&p);
  u64 result = *my_turn(p);
  close_port(p);
  return result;
}
static void *take(u64 bytes) {
  struct port p = open_port(LIBC(10), alone());
  *my_turn(p) = bytes;
  give(&p);
  void *result = (void *)*my_turn(p);
  close_port(p);
  return result;
}
static void return_block(void *block) {
  struct port p = open_port(LIBC(11), alone());
  *my_turn(p) = (u64)block;
  give(&p);
  close_port(p);
}
static u64 put(unsigned opcode, const char *text, u64 n) {
  struct port p = open_port(opcode, alone());
  send_bytes(&p, text, n);
  u64 result = *my_turn(p);
  close_port(p);
  return result;
}
static u64 length(const char *text) {
  u64 n = 0;
  while (text[n]) n++;
  return n;
}
static u64 print(unsigned opcode, const char *format, const void *arguments, u64 *out_bytes) {
  struct port p = open_port(opcode, alone());
  send_bytes(&p, format, length(format) + 1);
  *out_bytes = *my_turn(p);
  send_bytes(&p, arguments, *out_bytes);
  for (;;) {
    u64 *words = my_turn(p);
    u64 result = words[0];
    const char *text = (const char *)words[1];
    if (!text) {
      close_port(p);
      return result;
    }
    send_bytes(&p, text, length(text) + 1);
  }
}
static void end(int status) {
  struct port p = open_port(LIBC(1), alone());
  my_turn(p);
  give(&p);
  *my_turn(p) = (u64)status;
  give(&p);
  my_turn(p); /* waits for the answer to exit, which never arrives */
}
struct port of_warp;
#pragma omp end declare target

enum { N = 96, BLOCKS = 40 };
static int calls;

static u64 square(void *data) { /* runs on the host */
  int number;
  memcpy(&number, data, sizeof number);
  calls++;
  return (u64)number * (u64)number;
}

static u64 sum(void *data) {
  const int *numbers = data;
  u64 result = 0;
  for (int i = 0; i < 100; i++) result += (u64)numbers[i];
  return result;
}

static void calls_of_lanes(void) {
  u64 results[N] = {0}, sums[2] = {0}, function = (u64)square, adder = (u64)sum;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(32) map(from : results)
  for (int i = 0; i < N; i++) results[i] = host_call(function, &i, sizeof i);
  for (int i = 0; i < N; i++) CHECK(results[i] == (u64)i * (u64)i);
  CHECK(calls == N);
#pragma omp target teams num_teams(2) thread_limit(1) map(from : sums)
  {
    int numbers[100], team = omp_get_team_num();
    for (int i = 0; i < 100; i++) numbers[i] = i + team;
    sums[team] = host_call(adder, numbers, sizeof numbers);
  }
  CHECK(sums[0] == 4950 && sums[1] == 5050);
}

static void calls_of_warp(void) {
  u64 results[64] = {0}, function = (u64)square;
  int lanes = 0;
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(from            \
                                                                                   : results)      \
    map(tofrom                                                                                     \
        : lanes)
  for (int i = 0; i < 32; i++) {
    const u64 all = 0xffffffff;
    if (lane() == 0) of_warp = open_port((unsigned)'o' << 24, all);
    meet(all);
    struct port p = of_warp;
    u64 *words = my_turn(p);
    words[0] = sizeof i;
    copy(words + 1, &i, sizeof i);
    meet(all);
    if (lane() == 0)
      give(&p);
    else
      p.out = !p.out;
    *my_turn(p) = function;
    meet(all);
    if (lane() == 0)
      give(&p);
    else
      p.out = !p.out;
    results[i] = *my_turn(p);
    meet(all);
    if (lane() == 0) close_port(p), lanes = 32;
  }
  for (int i = 0; i < lanes; i++) CHECK(results[i] == (u64)i * (u64)i);
  CHECK(lanes == 32 && calls == N + 32);
}

static void memory(void) {
  int right = 0, refused = 0, again = 0;
/* One thread, because Clang 19 (gfx) executes such a region with all threads. */
#pragma omp target map(from : right, refused, again) thread_limit(1)
  {
    int *block[BLOCKS], same_blocks = 0;
    for (int i = 0; i < BLOCKS; i++) {
      block[i] = take(1000 + i);
      for (int k = 0; block[i] && k < 250; k++) block[i][k] = i * 1000 + k;
    }
    for (int i = 0; i < BLOCKS; i++) {
      int same = block[i] != NULL;
      for (int k = 0; same && k < 250; k++) same = block[i][k] == i * 1000 + k;
      same_blocks += same;
    }
    right = same_blocks;
    refused = take(1ull << 60) == NULL;
    for (int i = 0; i < BLOCKS; i += 2) return_block(block[i]);
    for (int i = 1; i < BLOCKS; i += 2) return_block(block[i]);
    void *whole = NULL; /* retries, because the host frees the blocks asynchronously */
    for (int i = 0; !whole && i < 1000; i++) whole = take(8380000);
    again = whole == block[0]; /* the freed blocks were merged */
  }
  CHECK(right == BLOCKS && refused && again);
}

static void output(void) {
  u64 wrote = 0, sizes[2] = {0}, printed[2] = {0};
#pragma omp target map(from : wrote, sizes, printed) thread_limit(1)
  {
    /* static, because Clang 22 reads a constant local array from private memory */
    static const char text[] =
        "a text that is longer than a packet, longer than two of them, and that "
        "comes out as it is, "
        "in one piece, followed by the end of its line\n";
    wrote = put(LIBC(2), text, sizeof text - 1);
    wrote += put(LIBC(5), "a line", 6);
    struct {
      int a;
      double b;
      const char *c;
      char d;
      u64 e;
      const char *f;
    } gaps = {-7, 2.5, "the first", 'x', 1ull << 40, "the second"};
    printed[0] = print(LIBC(21), "%d %5.2f [%s] %c %llu [%-12s] 100%%\n", &gaps, &sizes[0]);
    struct {
      int a, b;
      const char *c;
    } __attribute__((packed)) none = {6, 42, NULL};
    printed[1] = print(LIBC(24), "%*d %s\n", &none, &sizes[1]);
  }
  CHECK(wrote == 137 + 7);
  CHECK(sizes[0] == 48 && sizes[1] == 16);
  CHECK(printed[0] == strlen("-7  2.50 [the first] x 1099511627776 [the second  ] 100%\n"));
  CHECK(printed[1] == strlen("    42 (null)\n"));
}

int main(void) {
  int here = 1;
#pragma omp target map(from : here)
  here = omp_is_initial_device();
  if (here) return puts("skipped: the region runs on the host"), 77;
  calls_of_lanes();
  calls_of_warp();
  memory();
  output();
  fflush(stdout);
  if (test_failures) return 1;
#pragma omp target thread_limit(1)
  end(0);
  puts("the program continued after its exit");
  return 1;
}
