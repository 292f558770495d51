/* printf of kernels (rpc_port.h). The kernel sends the format. The host answers with the size of
 * the arguments, and the kernel sends the arguments. Then the host requests each string argument by
 * its device address. */
#include "runtime/device/rpc_port.h"

#include "runtime/base/format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, MOST_TEXTS = 64 };

/* The arguments of a lane. They are read three times: for their size, for string addresses, for the
 * output. */
typedef struct lane {
  solo_rpc_bytes arguments;
  uint64_t at;
  int is_packed;
  /* requested: number of requested or null strings */
  uint32_t text_count, next_text, requested;
  uint64_t address[MOST_TEXTS];
  char *text[MOST_TEXTS];
} lane;

typedef struct printing {
  solo_rpc_port *port;
  solo_rpc_bytes format[SOLO_RPC_LANES];
  lane lanes[SOLO_RPC_LANES];
  uint64_t all;
} printing;

static uint64_t next_argument(void *context, unsigned bytes) {
  lane *l = context;
  uint64_t value = 0;
  if (!l->is_packed) l->at = (l->at + bytes - 1) / bytes * bytes;
  if (l->at + bytes <= l->arguments.bytes) memcpy(&value, l->arguments.data + l->at, bytes);
  l->at += bytes;
  return value;
}

static const char *inspect_text(void *context) {
  lane *l = context;
  uint64_t address = next_argument(l, 8);
  if (l->text_count < MOST_TEXTS) l->address[l->text_count++] = address;
  return "";
}

static const char *append_text(void *context) {
  lane *l = context;
  (void)next_argument(l, 8);
  return l->next_text < l->text_count ? l->text[l->next_text++] : NULL;
}

static size_t walk(printing *p, uint32_t i, const char *(*text)(void *), char *line) {
  lane *l = &p->lanes[i];
  const solo_format_arguments arguments = {next_argument, text, l};
  int32_t count;
  l->at = l->next_text = 0;
  if (text == inspect_text) l->text_count = 0;
  return solo_format(line, LINE, p->format[i].data, &arguments, &count);
}

static int receive_arguments(printing *p) {
  char line[LINE];
  solo_rpc_bytes bytes[SOLO_RPC_LANES] = {{0}};
  if (!solo_rpc_receive_bytes(p->port, p->format) || !solo_rpc_answer(p->port)) return 0;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (!solo_rpc_calls(p->port, i)) continue;
    walk(p, i, inspect_text, line);
    solo_rpc_words(p->port, i)[0] = p->lanes[i].at;
  }
  solo_rpc_send(p->port);
  int status = solo_rpc_receive_bytes(p->port, bytes);
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    p->lanes[i].arguments = bytes[i];
    if (status && solo_rpc_calls(p->port, i)) walk(p, i, inspect_text, line);
  }
  return status;
}

/* Returns the mask of lanes that have a string to request. Skips null pointers. */
static uint64_t with_texts(printing *p) {
  uint64_t lanes = 0;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    lane *l = &p->lanes[i];
    while (l->requested < l->text_count && !l->address[l->requested]) l->requested++;
    if (l->requested < l->text_count) lanes |= UINT64_C(1) << i;
  }
  return lanes;
}

/* Requests the next string of each lane in `lanes`. The other lanes receive the length of their
 * output and return; their packets are not used again. */
static int receive_text(printing *p, uint64_t lanes) {
  char line[LINE];
  solo_rpc_bytes bytes[SOLO_RPC_LANES] = {{0}};
  if (!solo_rpc_answer(p->port)) return 0;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (!solo_rpc_calls(p->port, i)) continue;
    uint64_t *words = solo_rpc_words(p->port, i);
    int requests = (lanes >> i & 1) != 0;
    words[0] = requests ? 0 : walk(p, i, append_text, line);
    words[1] = requests ? p->lanes[i].address[p->lanes[i].requested] : 0;
  }
  p->port->lanes = lanes;
  solo_rpc_send(p->port);
  int status = solo_rpc_receive_bytes(p->port, bytes);
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++)
    if (bytes[i].data) p->lanes[i].text[p->lanes[i].requested++] = bytes[i].data;
  return status;
}

static void print(printing *p, FILE *to) {
  char line[LINE];
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (!(p->all >> i & 1)) continue;
    size_t bytes = walk(p, i, append_text, line), wrote = fwrite(line, 1, bytes, to);
    if (!solo_rpc_calls(p->port, i)) continue;
    uint64_t *words = solo_rpc_words(p->port, i);
    words[0] = wrote;
    words[1] = 0;
  }
}

void solo_rpc_print(solo_rpc_port *port, int is_error, int is_packed) {
  printing *p = calloc(1, sizeof *p);
  if (!p) {
    port->refused_bytes = sizeof *p;
    return;
  }
  p->port = port;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    p->lanes[i].is_packed = is_packed;
    p->all |= (uint64_t)solo_rpc_calls(port, i) << i;
  }
  int status = receive_arguments(p);
  for (uint64_t lanes; status && (lanes = with_texts(p)) != 0;) status = receive_text(p, lanes);
  if (status && solo_rpc_answer(port)) {
    print(p, is_error ? stderr : stdout);
    solo_rpc_send(port);
  }
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    free(p->lanes[i].arguments.data);
    for (uint32_t n = 0; n < MOST_TEXTS; n++) free(p->lanes[i].text[n]);
  }
  solo_rpc_free_bytes(p->format);
  free(p);
}
