#include "runtime/image/image.h"

#include "runtime/image/container.h"
#include <stdlib.h>

enum { DEEPEST = 4 };

typedef struct walk {
  solo_image_visitor *visit;
  void *context;
  int depth;
  int transient;
  /* nonzero: the visitor failed, so the error text receives no position */
  int visitor_ended;
} walk;

static solo_status visit_all(walk *w, solo_span bytes, const char *target);

static solo_status inside(walk *w, solo_status status, const char *container, uint64_t offset) {
  if (status != SOLO_OK && !w->visitor_ended)
    solo_error_note(" (%s, offset 0x%llx)", container, (unsigned long long)offset);
  return status;
}

static solo_status visit_compressed(walk *w, const solo_image *image,
                                    const solo_container *container,
                                    const solo_container_entry *entry) {
  uint8_t *bytes = NULL;
  int before = w->transient;
  SOLO_TRY(image->container->decompress(container, entry, &bytes));
  w->transient = 1;
  solo_status status =
      visit_all(w, solo_span_of(bytes, (size_t)entry->decompressed_size), entry->target);
  w->transient = before;
  free(bytes);
  return status;
}

static solo_status visit_container(walk *w, const solo_image *image) {
  const solo_container_type *type = image->container;
  solo_container container = {.bytes = image->bytes};
  solo_container_entry entry;
  solo_status status;
  SOLO_TRY(type->open(image->bytes, &container));
  while ((status = type->next(&container, &entry)) == SOLO_OK) {
    if (entry.no_image || entry.bytes.size == 0) continue;
    status = entry.compressed ? visit_compressed(w, image, &container, &entry)
                              : visit_all(w, entry.bytes, entry.target);
    SOLO_TRY(inside(w, status, type->entry_name, entry.offset));
  }
  return status == SOLO_NOT_FOUND ? SOLO_OK : status;
}

/* Uses the container's target if the leaf has none, or if that target extends the leaf's target. */
static void refine_target(solo_image *leaf, const char *target) {
  solo_target_id id;
  size_t own = strlen(leaf->target);
  if (!target[0] || strncmp(target, leaf->target, own) != 0) return;
  if (own && !solo_target_is_refined(leaf->machine) && leaf->kind != SOLO_IMAGE_PTX) return;
  if (leaf->kind == SOLO_IMAGE_ELF && solo_machine_name(leaf->machine)) return;
  if (solo_target_parse(target, &id) == SOLO_OK) solo_target_format(&id, leaf->target);
}

static solo_status visit_one(walk *w, solo_image *image, const char *target) {
  if (image->container) return visit_container(w, image);
  refine_target(image, target);
  image->transient = w->transient;
  solo_status status = w->visit(w->context, image);
  w->visitor_ended = status != SOLO_OK;
  return status;
}

static solo_status visit_all(walk *w, solo_span bytes, const char *target) {
  size_t at = 0;
  if (w->depth > DEEPEST)
    return solo_fail(SOLO_BAD_IMAGE, "containers are nested more than %d levels deep", DEEPEST);
  do {
    solo_image image;
    solo_span rest = {bytes.data + at, bytes.size - at};
    SOLO_TRY(inside(w, solo_image_recognise(rest, &image), "image", at));
    w->depth++;
    solo_status status = visit_one(w, &image, target);
    w->depth--;
    if (status != SOLO_OK || !image.container) return status;
    at += image.bytes.size;
    while (at < bytes.size && bytes.data[at] == 0) at++;
  } while (at < bytes.size);
  return SOLO_OK;
}

solo_status solo_image_visit(solo_span bytes, solo_image_visitor *visit, void *context) {
  walk w = {.visit = visit, .context = context};
  return visit_all(&w, bytes, "");
}
