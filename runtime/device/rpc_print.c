/* printf of kernels that ask the host for it (rpc_port.h): the format comes first; the host answers how many bytes
 * of arguments it has, which come then; then the host asks for each string by its address on the device.
 */
#include "runtime/device/rpc_port.h"

#include "runtime/base/format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, MOST_TEXTS = 64 };

/* One lane's arguments, read three times: for their size, for the addresses of strings, to be printed. */
typedef struct lane {
  solo_rpc_bytes arguments;
  uint64_t at; /* bytes read */
  int is_packed;
  uint32_t text_count, next_text;
  uint64_t address[MOST_TEXTS]; /* of strings */
  char *text[MOST_TEXTS];
} lane;

typedef struct printing {
  solo_rpc_port *port;
  solo_rpc_bytes format[SOLO_RPC_LANES];
  lane lanes[SOLO_RPC_LANES];
  uint32_t most_texts;
} printing;

static uint64_t take(void *context, unsigned bytes) {
  lane *l = context;
  uint64_t value = 0;
  if (!l->is_packed) l->at = (l->at + bytes - 1) / bytes * bytes;
  if (l->at + bytes <= l->arguments.bytes) memcpy(&value, l->arguments.data + l->at, bytes);
  l->at += bytes;
  return value;
}

static const char *look_at_text(void *context) {
  lane *l = context;
  uint64_t address = take(l, 8);
  if (l->text_count < MOST_TEXTS) l->address[l->text_count++] = address;
  return "";
}

static const char *take_text(void *context) {
  lane *l = context;
  (void)take(l, 8);
  return l->next_text < l->text_count ? l->text[l->next_text++] : NULL;
}

static size_t walk(printing *p, uint32_t i, const char *(*text)(void *), char *line) {
  lane *l = &p->lanes[i];
  const solo_format_arguments arguments = {take, text, l};
  int32_t count;
  l->at = 0;
  if (text == look_at_text) l->text_count = 0;
  return solo_format(line, LINE, p->format[i].data, &arguments, &count);
}

static int receive_arguments(printing *p) {
  char line[LINE];
  solo_rpc_bytes bytes[SOLO_RPC_LANES] = {{0}};
  if (!solo_rpc_receive_bytes(p->port, p->format) || !solo_rpc_answer(p->port)) return 0;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (!solo_rpc_calls(p->port, i)) continue;
    walk(p, i, look_at_text, line);
    solo_rpc_words(p->port, i)[0] = p->lanes[i].at;
  }
  solo_rpc_send(p->port);
  int status = solo_rpc_receive_bytes(p->port, bytes);
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    p->lanes[i].arguments = bytes[i]; /* freed with the lane */
    if (!status || !solo_rpc_calls(p->port, i)) continue;
    walk(p, i, look_at_text, line);
    if (p->lanes[i].text_count > p->most_texts) p->most_texts = p->lanes[i].text_count;
  }
  return status;
}

/* The n-th string of each lane; 0 for those that have none, or a null pointer. */
static int receive_text(printing *p, uint32_t n) {
  solo_rpc_bytes bytes[SOLO_RPC_LANES] = {{0}};
  int any = 0;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++)
    any |= n < p->lanes[i].text_count && p->lanes[i].address[n];
  if (!any) return 1;
  if (!solo_rpc_answer(p->port)) return 0;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++)
    if (solo_rpc_calls(p->port, i))
      solo_rpc_words(p->port, i)[1] = n < p->lanes[i].text_count ? p->lanes[i].address[n] : 0;
  solo_rpc_send(p->port);
  int status = solo_rpc_receive_bytes(p->port, bytes);
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (n < p->lanes[i].text_count && p->lanes[i].address[n])
      p->lanes[i].text[n] = bytes[i].data;
    else
      free(bytes[i].data);
  }
  return status;
}

static void print(printing *p, FILE *to) {
  char line[LINE];
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (!solo_rpc_calls(p->port, i)) continue;
    size_t bytes = walk(p, i, take_text, line);
    uint64_t *words = solo_rpc_words(p->port, i);
    words[0] = fwrite(line, 1, bytes, to);
    words[1] = 0; /* no more strings */
  }
}

void solo_rpc_print(solo_rpc_port *port, int is_error, int is_packed) {
  printing *p = calloc(1, sizeof *p);
  if (!p) return;
  p->port = port;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) p->lanes[i].is_packed = is_packed;
  int status = receive_arguments(p);
  for (uint32_t n = 0; status && n < p->most_texts; n++) status = receive_text(p, n);
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
