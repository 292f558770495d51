/* Description: checks the server of kernels' host calls (runtime/device/rpc_port.h). A thread acts
 * as a warp. Cases: null strings, different formats, long arguments, invalid lengths, lanes,
 * formats and frees. */
#include "runtime/device/rpc_port.h"

#include "tests/unit/test.h"
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { WARP = 4, PORT = 3, MOST_STEPS = 40 };
#define LIBC(n) ((uint32_t)'c' << 24 | (n))

static _Atomic uint32_t host_word[SOLO_RPC_PORTS], device_word[SOLO_RPC_PORTS];
static solo_rpc_header headers[SOLO_RPC_PORTS];
static uint64_t packets[SOLO_RPC_PORTS * WARP][SOLO_RPC_WORDS];
static solo_rpc server = {.warp_size = WARP,
                          .host_word = host_word,
                          .device_word = device_word,
                          .headers = headers,
                          .packets = packets};

typedef struct printer {
  const char *format;
  uint64_t arguments[10];
  /* words: number of arguments; argument_bytes: bytes that the host requests */
  uint32_t words, argument_bytes;
  uint64_t result;
  int is_done;
} printer;

static printer lanes[WARP];

static void my_turn(void) {
  /* the partner is the release store in rpc_port.c */
  while (solo_load_acquire(&host_word[PORT]) != device_word[PORT]) sched_yield();
}

static void give(void) {
  /* the partner is the acquire load in rpc_port.c */
  solo_store_release(&device_word[PORT], !device_word[PORT]);
}

/* Sends the data of all lanes that have not ended, one packet per lane at a time. */
static void send_bytes(const void *const *data, const uint64_t *bytes) {
  uint64_t most = 56;
  for (int i = 0; i < WARP; i++)
    if (!lanes[i].is_done && bytes[i] > most) most = bytes[i];
  for (uint64_t at = 0; at < most; at += at ? 64 : 56) {
    my_turn();
    for (int i = 0; i < WARP; i++) {
      uint64_t *words = packets[PORT * WARP + i], room = at ? 64 : 56;
      if (lanes[i].is_done) continue;
      if (!at) words[0] = bytes[i];
      if (bytes[i] <= at) continue;
      memcpy(at ? words : words + 1, (const char *)data[i] + at,
             bytes[i] - at < room ? bytes[i] - at : room);
    }
    give();
  }
}

/* Acts as LLVM's printf: a lane ends when the host requests no further string. */
static void *print(void *unused) {
  const void *data[WARP];
  uint64_t bytes[WARP];
  int left = WARP;
  for (int i = 0; i < WARP; i++) data[i] = lanes[i].format, bytes[i] = strlen(data[i]) + 1;
  send_bytes(data, bytes);
  my_turn();
  for (int i = 0; i < WARP; i++) {
    lanes[i].argument_bytes = (uint32_t)packets[PORT * WARP + i][0];
    data[i] = lanes[i].arguments, bytes[i] = lanes[i].words * 8;
  }
  send_bytes(data, bytes);
  for (;;) {
    my_turn();
    for (int i = 0; i < WARP; i++) {
      const uint64_t *words = packets[PORT * WARP + i];
      if (lanes[i].is_done) continue;
      lanes[i].result = words[0];
      memcpy(&data[i], words + 1, sizeof data[i]);
      lanes[i].is_done = data[i] == NULL;
      left -= lanes[i].is_done;
      if (data[i]) bytes[i] = strlen(data[i]) + 1;
    }
    if (!left) return unused;
    send_bytes(data, bytes);
  }
}

static int serve(solo_rpc_port *port) {
  int served = 0;
  while (!solo_rpc_open(&server, PORT, port)) sched_yield();
  served = solo_rpc_serve(port);
  solo_rpc_close(port);
  return served;
}

/* Captures standard output. */
static char output[4096];
static int was, file[2];
static void begin_output(void) {
  fflush(stdout);
  was = dup(1);
  CHECK(pipe(file) == 0 && dup2(file[1], 1) == 1);
}
static void end_output(void) {
  fflush(stdout);
  dup2(was, 1);
  close(was), close(file[1]);
  ssize_t bytes = read(file[0], output, sizeof output - 1);
  output[bytes > 0 ? bytes : 0] = 0;
  close(file[0]);
}

/* The lanes print with this call in a second thread, while this thread serves as the host. */
static void print_by(const printer *printers, solo_rpc_header call) {
  pthread_t device;
  solo_rpc_port port;
  memcpy(lanes, printers, sizeof lanes);
  headers[PORT] = call;
  begin_output();
  CHECK_INT(pthread_create(&device, NULL, print, NULL), 0);
  int served = serve(&port);
  pthread_join(device, NULL);
  end_output();
  CHECK(served);
}

static void prints(void) {
  static const printer four[WARP] = {
      {.format = "0 %s %s %s\n", .words = 3, .arguments = {(uintptr_t) "a", 0, (uintptr_t) "c"}},
      {.format = "1 %s %s\n", .words = 2, .arguments = {0, (uintptr_t) "b"}},
      /* arguments that are numbers at positions where other formats have lengths of strings */
      {.format = "2 %llu %llu %llu %llu %llu %llu %llu %llu %llu\n",
       .words = 9,
       .arguments = {1, ~0ull, 1ull << 62, 4, 5, 6, 7, 1ull << 61, 1ull << 60}},
      {.format = "3 a format that is as long as two packets are, and a half of another one, "
                 "so that the others of the warp have sent theirs before %s\n",
       .words = 1,
       .arguments = {(uintptr_t) "a text longer than a packet, which is why it comes in two "
                                 "pieces to the host"}}};
  /* lanes 4 to 63 do not exist */
  print_by(four, (solo_rpc_header){.lanes = ~0ull, .opcode = LIBC(21)});
  CHECK_TEXT(
      output,
      "0 a (null) c\n1 (null) b\n"
      "2 1 18446744073709551615 4611686018427387904 4 5 6 7 2305843009213693952 "
      "1152921504606846976\n"
      "3 a format that is as long as two packets are, and a half of another one, so that the "
      "others of the warp have sent theirs before a text longer than a packet, which is why "
      "it comes in two pieces to the host\n");
  const char *line = output;
  for (int i = 0; i < WARP; i++) {
    const char *end = strchr(line, '\n');
    CHECK(end != NULL);
    if (!end) return;
    CHECK_INT(lanes[i].result, end + 1 - line);
    CHECK_INT(lanes[i].argument_bytes, lanes[i].words * 8);
    line = end + 1;
  }
}

/* Each lane has an invalid format. All arguments fit in one packet. */
static void hostile_formats(void) {
  static const printer four[WARP] = {
      {.format = "%.99999999999s|%*d|\n", .words = 3},
      {.format = "1 %S %m %w %\n", .words = 1, .arguments = {8}},
      {.format = "2 %n%5%%s\n", .words = 0},
      {.format = "3 %0999999999.999999999f%***9999999999f|%q%", .words = 4}};
  print_by(four, (solo_rpc_header){.lanes = 15, .opcode = LIBC(24)});
  CHECK_HAS(output, "|0|\n1 %S %m %w %\n");
  CHECK_HAS(output, "\n2 %(null)\n");
}

/* A faulty kernel sends packets with an invalid length. */
static void lengths(void) {
  static const uint64_t wrong[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 15, UINT64_MAX / 2,
                                   (uint64_t)INT64_MAX + 1};
  static const uint32_t opcodes[] = {2, 3, 5, 12, 21, 25};
  for (size_t o = 0; o < sizeof opcodes / sizeof *opcodes; o++)
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      solo_rpc_port port;
      headers[PORT] = (solo_rpc_header){.lanes = 6, .opcode = LIBC(opcodes[o])};
      /* the valid text of the first lane is freed, although the text of a later lane is invalid */
      packets[PORT * WARP + 1][0] = 5;
      packets[PORT * WARP + 2][0] = wrong[i];
      my_turn();
      give();
      CHECK(!serve(&port));
      CHECK(port.refused_bytes == wrong[i]);
    }
}

static void unknown(void) {
  static const uint32_t opcodes[] = {0, 1, LIBC(4), LIBC(14), LIBC(27), UINT32_MAX};
  for (size_t o = 0; o < sizeof opcodes / sizeof *opcodes; o++) {
    solo_rpc_port port;
    headers[PORT] = (solo_rpc_header){.lanes = 15, .opcode = opcodes[o]};
    my_turn();
    give();
    CHECK(!serve(&port));
    CHECK_INT(port.refused_bytes, 0);
    CHECK_INT(port.opcode, opcodes[o]);
  }
}

static uint64_t take(uint64_t bytes) {
  return solo_rpc_heap_allocate(&server.heap, bytes);
}

static void heap(void) {
  enum { BYTES = 1000 };
  server.heap = (solo_rpc_heap){.memory = 4096, .bytes = BYTES};
  static const uint64_t wrong[] = {UINT64_MAX, UINT64_MAX - 14, 1ull << 63, BYTES + 1, BYTES};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CHECK_INT(take(wrong[i]), 0);
  uint64_t a = take(0), b = take(1), c = take(33);
  CHECK_INT(a, 4096);
  CHECK_INT(b, a + 16);
  CHECK_INT(c, b + 16);
  solo_rpc_heap_free(&server.heap, b);
  solo_rpc_heap_free(&server.heap, b);
  solo_rpc_heap_free(&server.heap, b + 1);
  solo_rpc_heap_free(&server.heap, 0);
  solo_rpc_heap_free(&server.heap, UINT64_MAX);
  /* 17 bytes do not fit between a and c, only after c */
  CHECK_INT(take(17), c + 48);
  CHECK_INT(take(16), b);
  solo_rpc_heap_free(&server.heap, a);
  solo_rpc_heap_free(&server.heap, c);
  solo_rpc_heap_free(&server.heap, b);
  CHECK_INT(take(80), a);
  solo_rpc_heap_end(&server.heap);
}

int main(void) {
  prints();
  hostile_formats();
  lengths();
  unknown();
  heap();
  return TEST_RESULT();
}
