/* Unwrapping: every leaf of an image, whatever containers it is in. */
#include "runtime/image/image.h"

#include "runtime/image/bundle.h"
#include "runtime/image/fatbin.h"
#include "runtime/image/offload_binary.h"
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 4 };

typedef struct walk {
  solo_image_visitor *visit;
  void *context;
  int depth;
  int transient;
  int visitor_ended; /* the status is the visitor's: nothing of ours is added to it */
} walk;

static solo_status visit_all(walk *w, solo_span bytes, const char *target);

/* Adds to a parser's message where, in the container around it, the bytes were. */
static solo_status inside(walk *w, solo_status status, const char *container, uint64_t offset) {
  if (status != SOLO_OK && !w->visitor_ended)
    solo_error_note(" (%s, offset 0x%llx)", container, (unsigned long long)offset);
  return status;
}

/* The same walk over decompressed bytes, which die here. */
static solo_status visit_unfolded(walk *w, uint8_t *bytes, uint64_t size, const char *target) {
  int before = w->transient;
  w->transient = 1;
  solo_status status = visit_all(w, solo_span_of(bytes, (size_t)size), target);
  w->transient = before;
  free(bytes);
  return status;
}

static solo_status visit_offload_binary(walk *w, solo_span bytes) {
  solo_offload_binary binary;
  uint8_t *unfolded = NULL;
  solo_status status;
  SOLO_TRY(solo_offload_binary_open(bytes, &binary));
  int before = w->transient;
  if (binary.inflated_size) {
    SOLO_TRY(solo_offload_binary_inflate(&binary, &unfolded, &binary));
    w->transient = 1;
  }
  status = SOLO_OK;
  for (uint64_t i = 0; i < binary.entry_count && status == SOLO_OK; i++) {
    solo_offload_entry entry;
    status = solo_offload_binary_entry(&binary, i, &entry);
    if (status != SOLO_OK || (entry.flags & SOLO_OFFLOAD_METADATA_ONLY) || entry.image.size == 0)
      continue;
    status = inside(w, visit_all(w, entry.image, entry.arch), "OffloadBinary entry", entry.offset);
  }
  w->transient = before;
  free(unfolded);
  return status;
}

static solo_status visit_bundle(walk *w, solo_span bytes) {
  solo_bundle bundle;
  solo_bundle_member member;
  solo_status status;
  SOLO_TRY(solo_bundle_open(bytes, &bundle));
  while ((status = solo_bundle_next(&bundle, &member)) == SOLO_OK) {
    if (member.bytes.size == 0 || strcmp(member.parts.kind, "host") == 0) continue;
    SOLO_TRY(
        inside(w, visit_all(w, member.bytes, member.parts.target), "bundle member", member.offset));
  }
  return status == SOLO_NOT_FOUND ? SOLO_OK : status;
}

static solo_status visit_compressed_bundle(walk *w, solo_span bytes) {
  solo_compressed_bundle bundle;
  uint8_t *unfolded = NULL;
  SOLO_TRY(solo_compressed_bundle_open(bytes, &bundle));
  SOLO_TRY(solo_compressed_bundle_unfold(&bundle, &unfolded));
  return inside(w, visit_unfolded(w, unfolded, bundle.unfolded_size, ""), "compressed bundle", 0);
}

static solo_status visit_fatbin(walk *w, solo_span bytes) {
  solo_fatbin fatbin;
  solo_fatbin_entry entry;
  solo_status status;
  SOLO_TRY(solo_fatbin_open(bytes, &fatbin));
  while ((status = solo_fatbin_next(&fatbin, &entry)) == SOLO_OK) {
    if (entry.kind != SOLO_FATBIN_PTX && entry.kind != SOLO_FATBIN_ELF) continue;
    if (entry.flags & (SOLO_FATBIN_LZ4 | SOLO_FATBIN_ZSTD)) {
      uint8_t *unfolded = NULL;
      SOLO_TRY(inside(w, solo_fatbin_unfold(&entry, &unfolded), "fat binary entry", entry.offset));
      status = visit_unfolded(w, unfolded, entry.unfolded_size, entry.target);
    } else {
      status = visit_all(w, entry.payload, entry.target);
    }
    SOLO_TRY(inside(w, status, "fat binary entry", entry.offset));
  }
  return status == SOLO_NOT_FOUND ? SOLO_OK : status;
}

/* A container's word for the target counts where the leaf has none, and where it only says more of
 * the same ("sm_90a" of a leaf "sm_90"). */
static void settle_target(solo_image *leaf, const char *target) {
  solo_target_id id;
  size_t own = strlen(leaf->target);
  if (!target[0] || strncmp(target, leaf->target, own) != 0) return;
  if (own && leaf->machine != SOLO_EM_CUDA && leaf->kind != SOLO_IMAGE_PTX) return;
  if (leaf->kind == SOLO_IMAGE_ELF && solo_machine_name(leaf->machine)) return;
  if (solo_target_parse(target, &id) == SOLO_OK) solo_target_format(&id, leaf->target);
}

static solo_status visit_one(walk *w, solo_image *image, const char *target) {
  switch (image->kind) {
  case SOLO_IMAGE_OFFLOAD_BINARY:
    return visit_offload_binary(w, image->bytes);
  case SOLO_IMAGE_BUNDLE:
    return visit_bundle(w, image->bytes);
  case SOLO_IMAGE_COMPRESSED_BUNDLE:
    return visit_compressed_bundle(w, image->bytes);
  case SOLO_IMAGE_FATBIN:
    return visit_fatbin(w, image->bytes);
  default:
    break;
  }
  settle_target(image, target);
  image->transient = w->transient;
  solo_status status = w->visit(w->context, image);
  w->visitor_ended = status != SOLO_OK;
  return status;
}

/* Bytes of one leaf, or of containers one behind the other with zeros between. */
static solo_status visit_all(walk *w, solo_span bytes, const char *target) {
  size_t at = 0;
  if (w->depth > DEEPEST)
    return solo_fail(SOLO_BAD_IMAGE, "containers within containers, more than %d deep", DEEPEST);
  do {
    solo_image image;
    solo_span rest = {bytes.data + at, bytes.size - at};
    SOLO_TRY(inside(w, solo_image_recognise(rest, &image), "image", at));
    w->depth++;
    solo_status status = visit_one(w, &image, target);
    w->depth--;
    if (status != SOLO_OK || image.kind < SOLO_IMAGE_OFFLOAD_BINARY) return status;
    at += image.bytes.size;
    while (at < bytes.size && bytes.data[at] == 0) at++;
  } while (at < bytes.size);
  return SOLO_OK;
}

solo_status solo_image_visit(solo_span bytes, solo_image_visitor *visit, void *context) {
  walk w = {.visit = visit, .context = context};
  return visit_all(&w, bytes, "");
}
