/* Malformed messages: changed bytes and wrong lengths. */
#define _GNU_SOURCE
#include "tests/remote/malformed.h"
#include "tests/remote/read_image.h"

#include <unistd.h>

enum { HALF_BLOCK = SOLO_REMOTE_STAGING_BYTES / 2 };

uint32_t malformed_make(solo_remote_kind kind, solo_devptr block, uint8_t *bytes) {
  memset(bytes, 0, 256);
  uint32_t size = 64;
  switch (kind) {
  case SOLO_REMOTE_IMAGE_PART: {
    solo_remote_image_part m = {.image_bytes = 16, .part_bytes = 16};
    memcpy(bytes, &m, sizeof m);
    break;
  }
  case SOLO_REMOTE_MODULE_KERNEL:
  case SOLO_REMOTE_MODULE_GLOBAL: {
    solo_remote_name m = {.module = 1, .kernel = 1, .name_bytes = 4};
    memcpy(bytes, &m, sizeof m);
    memcpy(bytes + sizeof m, "name", 5);
    break;
  }
  case SOLO_REMOTE_COPY:
  case SOLO_REMOTE_COPY_PEER:
  /* a copy from the staging area; COPY_PEER copies the second half of the block to the first half */
  case SOLO_REMOTE_FILL: {
    solo_remote_copy m = {.direction = SOLO_COPY_IN, .device = block, .host = 256, .bytes = 64};
    if (kind == SOLO_REMOTE_COPY_PEER) m.host = block + HALF_BLOCK;
    memcpy(bytes, &m, sizeof m);
    break;
  }
  case SOLO_REMOTE_AREA_FREE: {
    solo_remote_plain m = {.value = SOLO_REMOTE_AREA_ALIGN, .number = 1};
    memcpy(bytes, &m, sizeof m);
    break;
  }
  case SOLO_REMOTE_LAUNCH: {
    solo_remote_launch m = {.kernel = 9, .teams = {1, 1, 1}, .argument_bytes = 8};
    memcpy(bytes, &m, sizeof m);
    size = 80;
    break;
  }
  case SOLO_REMOTE_GATE:
  case SOLO_REMOTE_WAIT: {
    solo_remote_wait_for m = {.channel = 0, .ticket = UINT64_MAX / 2};
    memcpy(bytes, &m, sizeof m);
    break;
  }
  default: {
    solo_remote_plain m = {.device = 0, .object = 2, .value = 64};
    memcpy(bytes, &m, sizeof m);
  }
  }
  const solo_remote_head head = {.bytes = size, .kind = (uint16_t)kind};
  memcpy(bytes, &head, sizeof head);
  return size;
}

/* Posts the bytes. Waits until the server has processed the bytes or has ended. */
static void post_raw(solo_remote_channel *c, const uint8_t *bytes, uint32_t size) {
  void *room = solo_remote_reserve(c, size);
  if (!room) return;
  memcpy(room, bytes, size);
  c->link->transport->post(c, size);
  uint64_t end = solo_now_ns() + MALFORMED_PATIENCE_NS;
  while (solo_remote_completed(c) < c->count && solo_now_ns() < end) {
    c->link->transport->await(c, c->count, 0);
    if (!c->link->transport->is_alive(c->link)) return;
  }
  CHECK(solo_remote_completed(c) >= c->count);
}

connection malformed_open(void) {
  connection c;
  uint8_t bytes[256];
  malformed_connect(&c);
  solo_remote_channel_of(c.link, 0, &c.control);
  solo_remote_channel_of(c.link, 1, &c.queue);
  uint32_t size =
      malformed_make(SOLO_REMOTE_FIND_DEVICES, 0, bytes); /* object 2 selects the host backend */
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  size = malformed_make(SOLO_REMOTE_DEVICE_OPEN, 0, bytes);
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  size = malformed_make(SOLO_REMOTE_QUEUE_OPEN, 0, bytes);
  ((solo_remote_plain *)(void *)bytes)->object = 1;
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  size = malformed_make(SOLO_REMOTE_MEM_ALLOC, 0, bytes);
  ((solo_remote_plain *)(void *)bytes)->value = SOLO_REMOTE_STAGING_BYTES;
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  memcpy(&c.block, c.control.shared->result.answer, sizeof c.block);
  return c;
}

static int is_in_block(const connection *c, uint64_t address, uint64_t bytes) {
  return address - c->block <= SOLO_REMOTE_STAGING_BYTES &&
         bytes <= SOLO_REMOTE_STAGING_BYTES - (address - c->block);
}

/* Returns nonzero for a valid message that accesses an arbitrary address and so would crash the
 * server. */
static int is_dangerous(const connection *c, const uint8_t *bytes, int is_queue) {
  solo_remote_head head;
  solo_remote_copy m;
  memcpy(&head, bytes, sizeof head);
  memcpy(&m, bytes, sizeof m);
  /* a pad does not count as a message, so post_raw() would wait forever */
  if (head.kind == SOLO_REMOTE_PAD) return 1;
  if (!is_queue || !m.bytes) return 0;
  int is_here = is_in_block(c, m.device, m.bytes);
  if (head.kind == SOLO_REMOTE_FILL) return !is_here;
  if (head.kind == SOLO_REMOTE_COPY_PEER) return !is_here || !is_in_block(c, m.host, m.bytes);
  if (head.kind != SOLO_REMOTE_COPY) return 0;
  /* valid only with a transport that moves data separately */
  if (head.flags & SOLO_REMOTE_DIRECT_COPY && c->link->transport->move) return 1;
  if (m.direction == SOLO_COPY_WITHIN) return !is_here || !is_in_block(c, m.host, m.bytes);
  int is_taken =
      m.host <= SOLO_REMOTE_STAGING_BYTES && m.bytes <= SOLO_REMOTE_STAGING_BYTES - m.host;
  return !is_here && (is_taken || head.flags & SOLO_REMOTE_INLINE);
}

/* Checks that unchanged copies succeed. */
static void check_good(connection *c) {
  uint8_t bytes[256];
  static const solo_remote_kind kinds[] = {SOLO_REMOTE_COPY, SOLO_REMOTE_FILL,
                                           SOLO_REMOTE_COPY_PEER};
  for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
    uint32_t size = malformed_make(kinds[n], c->block, bytes);
    post_raw(&c->queue, bytes, size);
  }
  CHECK(c->link->transport->is_alive(c->link));
  /* for the memory order see note_error() */
  CHECK_INT(solo_load_acquire(&c->queue.shared->errors_made), 0);
}

void malformed_flips(uint32_t stride) {
  int refused = 0, taken = 0, copies = 0;
  connection first = malformed_open();
  check_good(&first);
  malformed_close(&first);
  for (int kind = SOLO_REMOTE_PAD + 1; kind <= SOLO_REMOTE_KINDS; kind++) {
    uint8_t good[256], bytes[256];
    int is_queue = kind >= SOLO_REMOTE_COPY;
    /* the messages of the previous kind may have closed the device */
    connection c = malformed_open();
    uint32_t size = malformed_make((solo_remote_kind)kind, c.block, good);
    for (uint32_t at = 0; at < size; at += at < 8 ? 1 : stride)
      for (int bit = 0; bit < 8; bit += stride == 1 && at < 8 ? 1 : 7) {
        memcpy(bytes, good, sizeof bytes);
        bytes[at] ^= (uint8_t)(1u << bit);
        if (is_dangerous(&c, bytes, is_queue)) continue;
        post_raw(is_queue ? &c.queue : &c.control, bytes, size);
        taken++;
        copies += kind >= SOLO_REMOTE_COPY && kind <= SOLO_REMOTE_COPY_PEER;
        if (c.link->transport->is_alive(c.link)) continue;
        refused++;
        malformed_close(&c);
        c = malformed_open();
        size = malformed_make((solo_remote_kind)kind, c.block, good);
      }
    malformed_close(&c);
  }
  printf("%d messages with a changed bit, %d of them copies, %d rejected\n", taken, copies,
         refused);
  CHECK(copies > 60 / (int)stride);
  CHECK(refused > 100 / (int)stride && refused < taken);
}

void malformed_expect_end(connection *c, solo_remote_channel *channel, const void *message) {
  solo_remote_head head;
  memcpy(&head, message, sizeof head);
  memcpy(solo_remote_reserve(channel, head.bytes), message, head.bytes);
  c->link->transport->post(channel, head.bytes);
  uint64_t end = solo_now_ns() + MALFORMED_PATIENCE_NS;
  while (c->link->transport->is_alive(c->link) && solo_now_ns() < end) {
    c->link->transport->await(channel, channel->count, 0);
    usleep(100);
  }
  CHECK(!c->link->transport->is_alive(c->link));
  CHECK_INT(solo_remote_fail_lost(channel), SOLO_DEVICE_LOST);
  char why[64]; /* the text that the server reports for this message */
  snprintf(why, sizeof why, "message %llu of channel %u (kind %u, ",
           (unsigned long long)channel->count, channel->number, head.kind);
  CHECK_HAS(solo_error_last()->text, why);
  malformed_close(c);
}

void malformed_ranges(void) {
  static const struct {
    uint64_t host, bytes;
    uint32_t direction, flags;
  } wrong[] = {{SOLO_REMOTE_STAGING_BYTES - 32, 64, SOLO_COPY_IN, 0},
               {SOLO_REMOTE_STAGING_BYTES - 32, 64, SOLO_COPY_OUT, 0},
               {SOLO_REMOTE_STAGING_BYTES, 1, SOLO_COPY_IN, 0},
               {0, SOLO_REMOTE_STAGING_BYTES + 1, SOLO_COPY_OUT, 0},
               {UINT64_MAX - 31, 64, SOLO_COPY_IN, 0},
               {64, UINT64_MAX - 63, SOLO_COPY_IN, 0},
               {0, 1, SOLO_COPY_WITHIN + 1, 0},
               {0, 64, SOLO_COPY_WITHIN, SOLO_REMOTE_DIRECT_COPY},
               {0, SOLO_REMOTE_MAX_MOVE_BYTES + UINT64_C(1), SOLO_COPY_IN, SOLO_REMOTE_DIRECT_COPY},
               {0, UINT64_MAX, SOLO_COPY_OUT, SOLO_REMOTE_DIRECT_COPY},
               {0, 25, SOLO_COPY_IN, SOLO_REMOTE_INLINE},
               {0, 8, SOLO_COPY_OUT, SOLO_REMOTE_INLINE},
               {0, 8, SOLO_COPY_IN, SOLO_REMOTE_INLINE | SOLO_REMOTE_DIRECT_COPY}};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
    connection c = malformed_open();
    uint8_t bytes[256];
    malformed_make(SOLO_REMOTE_COPY, 0, bytes);
    solo_remote_copy *m = (solo_remote_copy *)(void *)bytes;
    m->direction = wrong[n].direction;
    m->head.flags = (uint16_t)wrong[n].flags;
    m->host = wrong[n].host;
    m->bytes = wrong[n].bytes;
    /* approximately an address of the server's own memory */
    m->device = (uint64_t)(uintptr_t)c.queue.staging;
    malformed_expect_end(&c, &c.queue, bytes);
  }
  connection c = malformed_open();
  uint8_t bytes[256];
  uint32_t size = malformed_make(SOLO_REMOTE_QUEUE_OPEN, 0, bytes);
  ((solo_remote_plain *)(void *)bytes)->object = 2;
  post_raw(&c.control, bytes, size);
  CHECK_INT(c.control.shared->result.status, SOLO_OK);
  malformed_make(SOLO_REMOTE_WAIT, 0, bytes);
  ((solo_remote_wait_for *)(void *)bytes)->channel = 2;
  /* no message with this number was posted on channel 2 */
  ((solo_remote_wait_for *)(void *)bytes)->ticket = 1;
  malformed_expect_end(&c, &c.queue, bytes);
}

enum { SEQUENCE_PART = 8192 };

/* Posts the whole image in parts. */
static void send_image(connection *c, solo_span image) {
  uint8_t bytes[sizeof(solo_remote_image_part) + SEQUENCE_PART];
  for (size_t at = 0; at < image.size; at += SEQUENCE_PART) {
    size_t part = image.size - at < SEQUENCE_PART ? image.size - at : SEQUENCE_PART;
    uint32_t size = (uint32_t)(sizeof(solo_remote_image_part) + part + SOLO_REMOTE_ALIGN - 1) &
                    ~(uint32_t)(SOLO_REMOTE_ALIGN - 1);
    const solo_remote_image_part m = {.head = {.bytes = size, .kind = SOLO_REMOTE_IMAGE_PART},
                                      .offset = at,
                                      .image_bytes = image.size,
                                      .part_bytes = part};
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &m, sizeof m);
    memcpy(bytes + sizeof m, (const uint8_t *)image.data + at, part);
    post_raw(&c->control, bytes, size);
  }
}

static void plain(solo_remote_kind kind, uint32_t object, uint64_t value, uint8_t *bytes) {
  const uint32_t size = malformed_make(kind, 0, bytes);
  const solo_remote_plain m = {
      .head = {.bytes = size, .kind = (uint16_t)kind}, .object = object, .value = value};
  memcpy(bytes, &m, sizeof m);
}

static void kernel_name(uint32_t kernel, const char *name, uint8_t *bytes) {
  const uint32_t size = malformed_make(SOLO_REMOTE_MODULE_KERNEL, 0, bytes);
  const solo_remote_name m = {.head = {.bytes = size, .kind = SOLO_REMOTE_MODULE_KERNEL},
                              .module = 1,
                              .kernel = kernel,
                              .name_bytes = (uint32_t)strlen(name)};
  memcpy(bytes, &m, sizeof m);
  memcpy(bytes + sizeof m, name, strlen(name));
}

static void image_part(uint64_t offset, uint64_t image, uint64_t part, uint8_t *bytes) {
  const uint32_t size = malformed_make(SOLO_REMOTE_IMAGE_PART, 0, bytes);
  const solo_remote_image_part m = {.head = {.bytes = size, .kind = SOLO_REMOTE_IMAGE_PART},
                                    .offset = offset,
                                    .image_bytes = image,
                                    .part_bytes = part};
  memcpy(bytes, &m, sizeof m);
}

/* Writes the wrong message of case n, after its valid predecessors. Returns 0 after the last case. */
static int sequence(int n, connection *c, solo_span image, uint8_t *bytes) {
  uint64_t area = c->link->area_bytes;
  switch (n) {
  case 0: /* the module's number is invalid */
    send_image(c, image);
    return plain(SOLO_REMOTE_MODULE_LOAD, 0, 0, bytes), 1;
  case 1: /* the module's number is in use */
    send_image(c, image);
    return plain(SOLO_REMOTE_MODULE_LOAD, 1, 0, bytes), 1;
  case 2: /* the cache has fewer slots */
    send_image(c, image);
    return plain(SOLO_REMOTE_MODULE_LOAD, 2, SOLO_REMOTE_IMAGES + 1, bytes), 1;
  case 3: /* the slot of the cache is empty */
    plain(SOLO_REMOTE_MODULE_LOAD, 2, 1, bytes);
    ((solo_remote_plain *)(void *)bytes)->number = 1;
    return 1;
  case 4: /* a gap */
    image_part(0, 64, 16, bytes);
    post_raw(&c->control, bytes, 64);
    return image_part(32, 64, 16, bytes), 1;
  case 5: /* the part exceeds the image */
    image_part(0, 16, 8, bytes);
    post_raw(&c->control, bytes, 64);
    return image_part(8, 16, 16, bytes), 1;
  case 6: /* the part exceeds the message */
    return image_part(0, 4096, 64, bytes), 1;
  case 7: /* the kernel's number is in use */
    return kernel_name(1, "conf_empty", bytes), 1;
  case 8: /* the length covers only a prefix, which has no terminating NUL */
    kernel_name(2, "conf_empty", bytes);
    ((solo_remote_name *)(void *)bytes)->name_bytes = 4;
    return 1;
  case 9:
    plain(SOLO_REMOTE_MEM_ALLOC, 0, 64, bytes);
    ((solo_remote_plain *)(void *)bytes)->memory_kind = 7;
    return 1;
  case 10: /* behind the end of the area, which is 0 bytes long if there is none */
    plain(SOLO_REMOTE_AREA_FREE, 0, area ? area - SOLO_REMOTE_AREA_ALIGN : 0, bytes);
    ((solo_remote_plain *)(void *)bytes)->number = 2;
    return 1;
  default:
    return 0;
  }
}

void malformed_sequences(const char *image) {
  solo_image of;
  uint8_t bytes[256];
  CHECK_INT(read_image(image, &of), SOLO_OK);
  for (int n = 0;; n++) {
    connection c = malformed_open();
    send_image(&c, of.bytes);
    plain(SOLO_REMOTE_MODULE_LOAD, 1, 0, bytes);
    post_raw(&c.control, bytes, 64);
    CHECK_INT(c.control.shared->result.status, SOLO_OK);
    kernel_name(1, "conf_empty", bytes);
    post_raw(&c.control, bytes, 64);
    CHECK_INT(c.control.shared->result.status, SOLO_OK);
    if (!sequence(n, &c, of.bytes, bytes)) {
      malformed_close(&c);
      return;
    }
    malformed_expect_end(&c, &c.control, bytes);
  }
}
