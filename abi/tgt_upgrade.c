#include "abi/tgt_upgrade.h"

#include <string.h>

static void read_entry_19(const void *entries, size_t index, solo_entry *out) {
  tgt_entry_19 e;
  memcpy(&e, (const char *)entries + index * sizeof e, sizeof e);
  *out = (solo_entry){.address = e.address,
                      .name = e.name,
                      .size = e.size,
                      .data = (uint32_t)e.data,
                      .flags = (uint32_t)e.flags};
}

static void read_entry_22(const void *entries, size_t index, solo_entry *out) {
  const tgt_entry_22 *e = (const tgt_entry_22 *)entries + index;
  *out = (solo_entry){
      .address = e->address, .name = e->name, .size = e->size, .data = e->data, .flags = e->flags};
}

static solo_span read_image(const void *images, size_t index) {
  const tgt_device_image *image = (const tgt_device_image *)images + index;
  if (!image->image_start || image->image_end < image->image_start) return (solo_span){NULL, 0};
  return solo_span_of(image->image_start,
                      (size_t)((char *)image->image_end - (char *)image->image_start));
}

/* A Clang 22 entry begins with eight zero bytes, version 1 and a known kind. A Clang 19 entry
 * begins with an address; a requires entry begins with NULL and a name pointer. */
static int is_layout_22(const void *entries, size_t bytes) {
  tgt_entry_22 e;
  if (bytes < sizeof e) return 0;
  memcpy(&e, entries, sizeof e);
  return e.reserved == 0 && e.version == 1 && e.kind != 0 && e.kind <= 8 &&
         bytes % sizeof(tgt_entry_22) == 0;
}

solo_status tgt_read_descriptor(const tgt_bin_desc *d, solo_library_source *out) {
  if (!d) return solo_fail(SOLO_INVALID, "__tgt_register_lib: descriptor is NULL");
  if (d->image_count < 0 || (d->image_count > 0 && !d->images))
    return solo_fail(SOLO_INVALID, "invalid descriptor %p: %d images at %p", (const void *)d,
                     d->image_count, (void *)d->images);
  size_t bytes = (size_t)((char *)d->entries_end - (char *)d->entries_begin);
  if (d->entries_end < d->entries_begin || (bytes && !d->entries_begin))
    return solo_fail(SOLO_INVALID, "invalid descriptor %p: entries from %p to %p", (const void *)d,
                     d->entries_begin, d->entries_end);
  *out = (solo_library_source){.key = d,
                               .entries = d->entries_begin,
                               .images = d->images,
                               .image_count = (size_t)d->image_count,
                               .read_image = read_image};
  if (bytes == 0 || is_layout_22(d->entries_begin, bytes)) {
    out->read_entry = read_entry_22;
    out->entry_count = bytes / sizeof(tgt_entry_22);
  } else if (bytes % sizeof(tgt_entry_19) == 0) {
    out->read_entry = read_entry_19;
    out->entry_count = bytes / sizeof(tgt_entry_19);
  } else {
    return solo_fail(
        SOLO_INVALID,
        "invalid descriptor %p: %zu bytes are not a multiple of the size of an entry of "
        "Clang 19 (32 bytes) or Clang 22 (56 bytes)",
        (const void *)d, bytes);
  }
  return SOLO_OK;
}

solo_status tgt_read_old_kernel_args(const tgt_kernel_args *args, solo_launch_request *out) {
  if (args->version < 1 || args->version > 2)
    return solo_fail(
        SOLO_UNSUPPORTED,
        "kernel arguments have version %u; versions 1 to 3 (Clang 15 to 22) are supported\n"
        "  hint: use a version of solo for this compiler",
        args->version);
  tgt_read_map_list(args, out);
  for (int d = 0; d < 3; d++) out->teams[d] = out->threads[d] = 0;
  out->shared_bytes = 0;
  out->flags = SOLO_LAUNCH_NO_HIDDEN;
  if (args->version == 2 && (args->flags & TGT_KERNEL_NOWAIT)) out->flags |= SOLO_LAUNCH_NOWAIT;
  return SOLO_OK;
}
