#define _GNU_SOURCE
#include "abi/kernel_handle.h"

#include "abi/tgt_upgrade.h"
#include "runtime/device/devices.h"
#include "runtime/image/image.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static solo_status count_leaf(void *context, const solo_image *image) {
  (void)image;
  ++*(int *)context;
  return SOLO_OK;
}

SOLO_EXPORT int solo_check_image(const void *bytes, size_t size) {
  int leaves = 0;
  if (!bytes || !size) return (int)solo_fail(SOLO_BAD_IMAGE, "not an image: it is empty");
  SOLO_TRY(solo_image_visit(solo_span_of(bytes, size), count_leaf, &leaves));
  return leaves ? 0
                : (int)solo_fail(SOLO_BAD_IMAGE, "not an image: a container without device code");
}

/* On failure, frees `owned`; otherwise the registration owns these bytes. */
static solo_status add(const tgt_device_image *image, void *owned, solo_registration **out) {
  solo_registration *r = calloc(1, sizeof *r);
  solo_status status = r ? SOLO_OK : solo_fail(SOLO_NOMEM, "no host memory to register an image");
  if (r) {
    solo_library_source source;
    r->image = *image;
    r->bytes = owned;
    r->descriptor = (tgt_bin_desc){1, &r->image, image->entries_begin, image->entries_end};
    status = tgt_read_descriptor(&r->descriptor, &source);
    if (status == SOLO_OK) status = solo_registry_add(&source);
  }
  if (status != SOLO_OK) {
    free(owned);
    free(r);
    return status;
  }
  solo_registration_insert(r);
  *out = r;
  return SOLO_OK;
}

static void *unconst(const void *p) {
  return (void *)(uintptr_t)p;
}

SOLO_EXPORT int solo_register_image(const void *bytes, size_t size, const void *entries_begin,
                                    const void *entries_end, solo_registration **out_registration) {
  if (!out_registration)
    return (int)solo_fail(SOLO_INVALID, "solo_register_image: out_registration is NULL");
  int status = solo_check_image(bytes, size);
  if (status) return status;
  tgt_device_image image = {unconst(bytes), (char *)unconst(bytes) + size, unconst(entries_begin),
                            unconst(entries_end)};
  return (int)add(&image, NULL, out_registration);
}

static solo_status cannot_read(const char *path, int number) {
  return solo_fail_vendor(number == ENOENT ? SOLO_NOT_FOUND : SOLO_IO, number,
                          "image file %s cannot be read: %s", path, strerror(number));
}

static solo_status read_all(int file, const char *path, char **out_bytes, size_t *out_size) {
  struct stat state;
  if (fstat(file, &state) != 0) return cannot_read(path, errno);
  if (S_ISDIR(state.st_mode)) return cannot_read(path, EISDIR);
  size_t capacity = S_ISREG(state.st_mode) ? (size_t)state.st_size + 1 : 1 << 16, size = 0;
  char *bytes = malloc(capacity);
  for (;;) {
    if (!bytes) return solo_fail(SOLO_NOMEM, "no host memory for image file %s", path);
    ssize_t got = read(file, bytes + size, capacity - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      int number = errno;
      free(bytes);
      return cannot_read(path, number);
    }
    size += (size_t)got;
    if (!got) break;
    if (size < capacity) continue;
    char *more = realloc(bytes, capacity *= 2);
    if (!more) free(bytes);
    bytes = more;
  }
  *out_bytes = bytes;
  *out_size = size;
  return SOLO_OK;
}

SOLO_EXPORT int solo_register_file(const char *path, const void *entries_begin,
                                   const void *entries_end, solo_registration **out_registration) {
  char *bytes = NULL;
  size_t size = 0;
  if (!path || !out_registration)
    return (int)solo_fail(SOLO_INVALID, "solo_register_file: path or out_registration is NULL");
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return (int)cannot_read(path, errno);
  solo_status status = read_all(file, path, &bytes, &size);
  close(file);
  if (status != SOLO_OK) return (int)status;
  if (solo_check_image(bytes, size)) {
    solo_error_note(" (image file %s)", path);
    free(bytes);
    return (int)solo_error_last()->status;
  }
  tgt_device_image image = {bytes, bytes + size, unconst(entries_begin), unconst(entries_end)};
  return (int)add(&image, bytes, out_registration);
}

SOLO_EXPORT void solo_unregister(solo_registration *registration) {
  if (!registration) return;
  /* the function has no result, so only the error record reports the invalid argument */
  if (!solo_registration_remove(registration)) {
    (void)solo_fail(SOLO_INVALID, "solo_unregister: %p is not a registered image",
                    (void *)registration);
    return;
  }
  solo_library *library = solo_registry_remove(&registration->descriptor);
  if (library) solo_device_unload_library(library);
  solo_kernel_handles_end(registration);
  free(registration->bytes);
  free(registration);
}
