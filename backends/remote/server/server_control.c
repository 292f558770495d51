/* The control channel: messages about devices, images, modules and memory. */
#include "backends/remote/server/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_IMAGE_BYTES (UINT64_C(1) << 32)
#define MOST_KEPT_BYTES  (UINT64_C(64) << 20)

typedef struct request {
  server_client *client;
  const void *message;
  uint32_t bytes;
  uint8_t answer[SOLO_REMOTE_ANSWER_BYTES];
} request;

static void answer(request *r, const void *data, size_t bytes) {
  memcpy(r->answer, data, bytes);
}

static server_device *open_device(const request *r, uint32_t device) {
  server_client *c = r->client;
  /* relaxed: no other writer */
  return device < c->device_count && solo_load_relaxed(&c->device_open[device]) ? c->devices[device]
                                                                                : NULL;
}

static solo_status not_open(uint32_t device) {
  return solo_fail(SOLO_INVALID, "device %u of the server is not open", device);
}

static solo_status find_devices(request *r, const solo_remote_plain *m) {
  static const char *const words[] = {[SOLO_REMOTE_CUDA] = "cuda",
                                      [SOLO_REMOTE_HSA] = "hsa",
                                      [SOLO_REMOTE_HOST] = "host",
                                      [SOLO_REMOTE_SIMT] = "simt"};
  server_client *c = r->client;
  if (m->object >= SOLO_REMOTE_FAMILIES) return MALFORMED;
  if (!c->family_count[m->object]) {
    server_device *first;
    uint32_t count;
    SOLO_TRY(server_find_devices(words[m->object], &first, &count));
    c->first_device[m->object] = c->device_count;
    c->family_count[m->object] = count;
    for (uint32_t n = 0; n < count; n++) c->devices[c->device_count++] = &first[n];
  }
  const uint32_t found[2] = {c->first_device[m->object], c->family_count[m->object]};
  answer(r, found, sizeof found);
  return SOLO_OK;
}

static solo_status device_open(request *r, const solo_remote_plain *m) {
  server_client *c = r->client;
  if (m->device >= c->device_count) return not_open(m->device);
  if (solo_load_relaxed(&c->device_open[m->device])) /* relaxed: no other writer */
    return solo_fail(SOLO_INVALID, "device %u of the server is open already", m->device);
  SOLO_TRY(server_open_device(c->devices[m->device], (int)m->number));
  /* relaxed: the client posts copies after this answer */
  solo_store_relaxed(&c->device_open[m->device], 1);
  answer(r, &c->devices[m->device]->info, sizeof(solo_device_info));
  return SOLO_OK;
}

/* Removes the module's kernels from the table, so that queues do not find them. Returns the kernels. */
static server_kernel *unlink_kernels(server_client *c, uint32_t module) {
  server_kernel *unlinked = NULL;
  for (uint32_t n = 0; n < SOLO_REMOTE_KERNELS; n++) {
    /* relaxed: no other writer */
    server_kernel *kernel = solo_load_relaxed(&c->kernels[n]);
    if (!kernel || kernel->module != module) continue;
    solo_store_release(&c->kernels[n], NULL); /* pairs with server_kernel_of() */
    kernel->next = unlinked;
    unlinked = kernel;
  }
  return unlinked;
}

static void unload(server_client *c, uint32_t handle) {
  server_module *module = &c->modules[handle];
  if (!module->handle) return;
  server_kernel *kernels = unlink_kernels(c, handle);
  /* a queue may be launching a kernel of the module */
  server_await_users(c, module->device);
  for (server_kernel *next; kernels; kernels = next) {
    next = kernels->next;
    solo_store_relaxed(&kernels->device, NULL); /* relaxed: no reader is left */
    kernels->next = c->spare_kernels;
    c->spare_kernels = kernels;
  }
  solo_lock_acquire(&module->device->lock);
  module->device->backend->module_unload(module->device->handle, module->handle);
  solo_lock_release(&module->device->lock);
  *module = (server_module){0};
  c->objects--;
}

void server_close_all(server_client *c, uint32_t device) {
  server_device *d = c->devices[device];
  if (!solo_load_relaxed(&c->device_open[device])) return; /* relaxed: no other writer */
  for (uint32_t n = 1; n < SOLO_REMOTE_CHANNELS; n++) {
    server_queue *q = solo_load_relaxed(&c->queues[n]);
    if (q && q->device == d) server_stop_queue(c, n);
  }
  for (uint32_t n = 1; n < SOLO_REMOTE_CHANNELS; n++) {
    server_queue *q = solo_load_relaxed(&c->queues[n]);
    if (q && q->device == d) server_close_queue(c, n);
  }
  for (uint32_t n = 1; n < SOLO_REMOTE_MODULES; n++)
    if (c->modules[n].device == d) unload(c, n);
  for (int n = 0; n < SERVER_BLOCK_LISTS; n++)
    for (server_block **link = &c->blocks[n], *b; (b = *link);) {
      if (b->device != d) {
        link = &b->next;
        continue;
      }
      (void)d->backend->mem_free(d->handle, b->address, b->kind);
      *link = b->next;
      free(b);
      c->objects--;
    }
  /* relaxed: ordered by server_await_users() */
  solo_store_relaxed(&c->device_open[device], 0);
  server_await_users(c, d);
  server_close_device(d);
}

static void drop_image(server_client *c) {
  free(c->image);
  c->image = NULL;
  c->image_bytes = c->image_filled = 0;
}

/* Returns whether the message is malformed. Lack of memory is reported only by the MODULE_LOAD. */
static int image_part(server_client *c, const solo_remote_image_part *m, uint32_t bytes) {
  if (bytes < sizeof *m || m->part_bytes > bytes - sizeof *m || !m->image_bytes ||
      m->image_bytes > MOST_IMAGE_BYTES)
    return 1;
  if (m->offset == 0) {
    drop_image(c);
    c->image = malloc(m->image_bytes);
    c->image_bytes = m->image_bytes;
  }
  if (m->image_bytes != c->image_bytes || m->offset != c->image_filled ||
      m->part_bytes > c->image_bytes - c->image_filled)
    return 1;
#ifdef SOLO_CHECK
  if (m->head.flags & SOLO_REMOTE_FAIL) {
    free(c->image);
    c->image = NULL;
  }
#endif
  if (c->image) memcpy(c->image + m->offset, m->part, m->part_bytes);
  c->image_filled += m->part_bytes;
  return 0;
}

/* Moves the last image to cache slot `number`. Returns 1; 0: not cached. */
static uint32_t keep_image(server_client *c, uint64_t number) {
  if (!number || !c->image || c->kept_bytes + c->image_bytes > MOST_KEPT_BYTES) return 0;
  if (c->kept[number - 1]) return 0;
  c->kept[number - 1] = server_image_cache_insert(c->image, c->image_bytes);
  if (!c->kept[number - 1]) return 0;
  c->kept_bytes += c->image_bytes;
  c->image = NULL;
  return 1;
}

/* Determines the format from the image's bytes, because the client's choice may be wrong. */
static solo_status load_image(server_device *d, solo_span bytes, solo_bmodule **out_module) {
  solo_image image;
  char reason[256];
  if (!bytes.data)
    return solo_fail(SOLO_NOMEM, "the device server has no memory for an image of %llu bytes",
                     (unsigned long long)bytes.size);
  SOLO_TRY(solo_image_recognise(bytes, &image));
  if (image.kind == SOLO_IMAGE_LINKED || !d->backend->image_recognise(&image))
    return solo_fail(SOLO_INCOMPATIBLE, "image refused: %s devices do not support its format",
                     d->backend->name);
  if (!d->backend->image_score(d->handle, &image, reason, sizeof reason))
    return solo_fail(SOLO_INCOMPATIBLE, "image refused: %s", reason);
  solo_lock_acquire(&d->lock);
  solo_status status = d->backend->module_load(d->handle, &image, out_module);
  solo_lock_release(&d->lock);
  return status;
}

static solo_status module_load(request *r, const solo_remote_plain *m) {
  server_client *c = r->client;
  server_device *d = open_device(r, m->device);
  if (m->object == 0 || m->object >= SOLO_REMOTE_MODULES || c->modules[m->object].handle)
    return MALFORMED;
  if (m->value > SOLO_REMOTE_IMAGES || (m->number && (!m->value || !c->kept[m->value - 1])))
    return MALFORMED;
  solo_bmodule *module = NULL;
  solo_status status = SOLO_OK;
  if (!d)
    status = not_open(m->device);
  else if (m->number)
    status = load_image(d, server_image_span(c->kept[m->value - 1]), &module);
  else if (c->image_filled != c->image_bytes || !c->image_bytes)
    status = solo_fail(SOLO_INVALID, "the image to load is incomplete");
  else
    status = load_image(d, solo_span_of(c->image, c->image_bytes), &module);
  const uint32_t kept = status == SOLO_OK && !m->number ? keep_image(c, m->value) : 0;
  drop_image(c);
  if (status != SOLO_OK) return status;
  answer(r, &kept, sizeof kept);
  c->modules[m->object] = (server_module){d, module};
  c->objects++;
  return SOLO_OK;
}

/* Returns NULL if the message is malformed. */
static server_module *named(const request *r, const solo_remote_name *m) {
  if (r->bytes < sizeof *m || m->name_bytes >= r->bytes - sizeof *m || m->name[m->name_bytes] ||
      m->module == 0 || m->module >= SOLO_REMOTE_MODULES)
    return NULL;
  server_module *module = &r->client->modules[m->module];
  return module->handle ? module : NULL;
}

static server_kernel *reuse_spare(server_client *c) {
  server_kernel *kernel = c->spare_kernels;
  if (kernel)
    c->spare_kernels = kernel->next;
  else
    kernel = calloc(1, sizeof *kernel);
  return kernel;
}

static solo_status module_kernel(request *r, const solo_remote_name *m) {
  server_client *c = r->client;
  server_module *module = named(r, m);
  if (!module || m->kernel == 0 || m->kernel >= SOLO_REMOTE_KERNELS) return MALFORMED;
  /* relaxed: no other writer */
  if (solo_load_relaxed(&c->kernels[m->kernel])) return MALFORMED;
  solo_kernel_attributes attributes = {0};
  server_kernel *kernel = reuse_spare(c);
  if (!kernel) return solo_fail(SOLO_NOMEM, "the device server has no memory for a kernel");
  solo_status status =
      module->device->backend->module_kernel(module->handle, m->name, &kernel->handle, &attributes);
  if (status != SOLO_OK) {
    kernel->next = c->spare_kernels;
    c->spare_kernels = kernel;
    return status;
  }
  kernel->module = m->module;
  kernel->name = server_log_name(c, m->name);
  solo_store_release(&kernel->device, module->device); /* pairs with server_kernel_of() */
  /* Invariant: a kernel in kernels is complete.
   * Ordering:  this release store pairs with the acquire load in server_kernel_of().
   * Otherwise: a launch could use a NULL handle.
   */
  solo_store_release(&c->kernels[m->kernel], kernel);
  answer(r, &attributes, sizeof attributes);
  return SOLO_OK;
}

static solo_status module_global(request *r, const solo_remote_name *m) {
  server_module *module = named(r, m);
  uint64_t found[2] = {0};
  if (!module) return MALFORMED;
  solo_status status =
      module->device->backend->module_global(module->handle, m->name, &found[0], &found[1]);
  if (status == SOLO_NOT_FOUND) solo_error_clear();
  if (status != SOLO_OK) return status;
  answer(r, found, sizeof found);
  return SOLO_OK;
}

static server_block **list_of(server_client *c, solo_devptr address) {
  return &c->blocks[(address >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static solo_status mem_alloc(request *r, const solo_remote_plain *m) {
  server_device *d = open_device(r, m->device);
  if (!d) return not_open(m->device);
  if (!m->value || m->memory_kind != SOLO_MEMORY_DEVICE) return MALFORMED;
  server_block *b = calloc(1, sizeof *b);
  if (!b) return solo_fail(SOLO_DEVICE_NOMEM, "the device server has no memory left");
  b->device = d;
  b->kind = SOLO_MEMORY_DEVICE;
  solo_status status = d->backend->mem_alloc(d->handle, m->value, b->kind, &b->address);
  if (status != SOLO_OK) {
    free(b);
    return status;
  }
  server_block **list = list_of(r->client, b->address);
  b->next = *list;
  *list = b;
  r->client->objects++;
  answer(r, &b->address, sizeof b->address);
  return SOLO_OK;
}

/* Ignores addresses that the client did not allocate. */
static void mem_free(server_client *c, const solo_remote_plain *m) {
  for (server_block **link = list_of(c, m->value), *b; (b = *link); link = &b->next) {
    if (b->address != m->value || m->device >= c->device_count ||
        b->device != c->devices[m->device])
      continue;
    (void)b->device->backend->mem_free(b->device->handle, b->address, b->kind);
    *link = b->next;
    free(b);
    c->objects--;
    return;
  }
}

static int queue_open(const request *r, const solo_remote_plain *m) {
  server_client *c = r->client;
  if (r->bytes < sizeof *m || !open_device(r, m->device) || m->object == 0 ||
      m->object >= SOLO_REMOTE_CHANNELS ||
      solo_load_relaxed(&c->queues[m->object])) /* relaxed: no other writer */
    return 1;
  server_open_queue(c, m->device, m->object, (m->head.flags & SOLO_REMOTE_FAIL) != 0);
  return 0;
}

static void count_objects(request *r) {
  const uint64_t counts[2] = {r->client->objects, server_image_bytes()};
  answer(r, counts, sizeof counts);
}

static solo_status answer_clock(request *r, const solo_remote_plain *m) {
  const uint64_t now = server_now();
  if (m->value) server_start_log(r->client);
  answer(r, &now, sizeof now);
  return SOLO_OK;
}

static solo_status area_free(request *r, const solo_remote_plain *m) {
  solo_remote_link *l = r->client->link;
  uint64_t bytes = m->number * (uint64_t)SOLO_REMOTE_AREA_ALIGN;
  if (!l->area || m->value % SOLO_REMOTE_AREA_ALIGN || m->value > l->area_bytes ||
      bytes > l->area_bytes - m->value)
    return MALFORMED;
  solo_remote_area_discard_pages(l, m->value, bytes);
  return SOLO_OK;
}

static solo_status answered(request *r, const solo_remote_head *head) {
  const solo_remote_plain *m = r->message;
#ifdef SOLO_CHECK
  if (head->flags & SOLO_REMOTE_FAIL)
    return solo_fail(SOLO_DEVICE_NOMEM, "a control message was ordered to fail");
#endif
  if (r->bytes < sizeof *m) return MALFORMED;
  switch (head->kind) {
  case SOLO_REMOTE_FIND_DEVICES:
    return find_devices(r, m);
  case SOLO_REMOTE_DEVICE_OPEN:
    return device_open(r, m);
  case SOLO_REMOTE_DEVICE_CLOSE:
    if (!open_device(r, m->device)) return not_open(m->device);
    server_close_all(r->client, m->device);
    return SOLO_OK;
  case SOLO_REMOTE_MODULE_LOAD:
    return module_load(r, m);
  case SOLO_REMOTE_MODULE_KERNEL:
    return module_kernel(r, r->message);
  case SOLO_REMOTE_MODULE_GLOBAL:
    return module_global(r, r->message);
  case SOLO_REMOTE_MEM_ALLOC:
    return mem_alloc(r, m);
  case SOLO_REMOTE_COUNT_OBJECTS:
    count_objects(r);
    return SOLO_OK;
  case SOLO_REMOTE_CLOCK:
    return answer_clock(r, m);
  case SOLO_REMOTE_AREA_FREE:
    return area_free(r, m);
  case SOLO_REMOTE_WORK:
    server_write_log(r->client, r->answer);
    return SOLO_OK;
  default:
    return MALFORMED;
  }
}

/* Executes a message that has no answer. Returns 1; -1: malformed; 0: the message has an answer. */
static int posted(request *r, const solo_remote_head *head) {
  server_client *c = r->client;
  const solo_remote_plain *m = r->message;
  switch (head->kind) {
  case SOLO_REMOTE_IMAGE_PART:
    return image_part(c, r->message, r->bytes) ? -1 : 1;
  case SOLO_REMOTE_MODULE_UNLOAD:
    if (r->bytes < sizeof *m || m->object >= SOLO_REMOTE_MODULES) return -1;
    unload(c, m->object);
    return 1;
  case SOLO_REMOTE_MEM_FREE:
    if (r->bytes < sizeof *m) return -1;
    mem_free(c, m);
    return 1;
  case SOLO_REMOTE_QUEUE_OPEN:
    return queue_open(r, m) ? -1 : 1;
  case SOLO_REMOTE_OPEN_GATE:
    if (r->bytes < sizeof *m || m->object >= SOLO_REMOTE_CHANNELS) return -1;
    server_open_gate(c, m->object, m->value);
    return 1;
  default:
    return 0;
  }
}

int server_control(server_client *client, const void *message, uint32_t bytes) {
  request r = {.client = client, .message = message, .bytes = bytes};
  int done = posted(&r, message);
  if (done) return done < 0;
  solo_error_clear();
  solo_status status = answered(&r, message);
  if (status == MALFORMED) return 1;
  solo_remote_result *result = &client->control.shared->result;
  const solo_error *error = solo_error_last();
  result->status = status;
  result->vendor_code = status == SOLO_OK ? 0 : error->vendor_code;
  snprintf(result->text, sizeof result->text, "%s", status == SOLO_OK ? "" : error->text);
  memcpy(result->answer, r.answer, sizeof r.answer);
  return 0;
}
