/* Cached images, one copy for all clients. Images are shared only after a comparison of all bytes,
 * so that a client cannot obtain another client's image by its hash. */
#include "backends/remote/server/server.h"

#include <stdlib.h>
#include <string.h>

struct server_image {
  server_image *next;
  uint64_t bytes, hash;
  uint32_t users;
  uint8_t *data;
};

static solo_lock images_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF); /* guards the following variables */
static server_image *images;
static uint64_t image_bytes;

static uint64_t hash_of(const uint8_t *data, uint64_t bytes) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ bytes;
  for (uint64_t at = 0; at < bytes;) {
    uint64_t word = 0, step = bytes - at < sizeof word ? bytes - at : sizeof word;
    memcpy(&word, data + at, step);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    at += step;
  }
  return hash;
}

static server_image *find(const uint8_t *data, uint64_t bytes, uint64_t hash) {
  server_image *i = images;
  while (i && (i->hash != hash || i->bytes != bytes || memcmp(i->data, data, bytes) != 0))
    i = i->next;
  if (i) i->users++;
  return i;
}

server_image *server_image_cache_insert(uint8_t *data, uint64_t bytes) {
  uint64_t hash = hash_of(data, bytes);
  server_image *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  *made = (server_image){.bytes = bytes, .hash = hash, .users = 1, .data = data};
  solo_lock_acquire(&images_lock);
  server_image *image = find(data, bytes, hash);
  if (!image) {
    image = made;
    made->next = images;
    images = made;
    image_bytes += bytes;
  }
  solo_lock_release(&images_lock);
  if (image != made) {
    free(made);
    free(data);
  }
  return image;
}

solo_span server_image_span(const server_image *image) {
  return solo_span_of(image->data, image->bytes);
}

void server_image_release(server_image *image) {
  if (!image) return;
  solo_lock_acquire(&images_lock);
  int is_unused = --image->users == 0;
  if (is_unused) {
    server_image **link = &images;
    while (*link != image) link = &(*link)->next;
    *link = image->next;
    image_bytes -= image->bytes;
  }
  solo_lock_release(&images_lock);
  if (!is_unused) return;
  free(image->data);
  free(image);
}

uint64_t server_image_bytes(void) {
  solo_lock_acquire(&images_lock);
  uint64_t bytes = image_bytes;
  solo_lock_release(&images_lock);
  return bytes;
}
