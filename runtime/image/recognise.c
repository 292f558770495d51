#include "runtime/image/image.h"

#include "runtime/image/container.h"
#include "runtime/image/elf.h"
#include "runtime/image/fatbin.h"
#include "runtime/image/linked.h"
#include <stdio.h>

static const char *const kind_names[] = {
    [SOLO_IMAGE_UNKNOWN] = "unknown image",
    [SOLO_IMAGE_ELF] = "ELF",
    [SOLO_IMAGE_PTX] = "PTX",
    [SOLO_IMAGE_BITCODE] = "LLVM bitcode",
    [SOLO_IMAGE_SPIRV] = "SPIR-V",
    [SOLO_IMAGE_LINKED] = "linked image",
};

void solo_image_describe(const solo_image *image, char *out, size_t size) {
  const char *kind = image->container ? image->container->name : kind_names[image->kind];
  if (image->target[0])
    snprintf(out, size, "%s for %s", kind, image->target);
  else if (image->kind == SOLO_IMAGE_ELF)
    snprintf(out, size, "%s for machine %u, flags 0x%x", kind, image->machine, image->flags);
  else
    snprintf(out, size, "%s", kind);
}

static solo_status recognise_elf(solo_span bytes, solo_image *out) {
  solo_elf elf;
  SOLO_TRY(solo_elf_open(bytes, &elf));
  out->kind = SOLO_IMAGE_ELF;
  out->bytes = elf.file;
  out->type = elf.type;
  out->machine = elf.machine;
  out->osabi = elf.osabi;
  out->abi_version = elf.abi_version;
  out->flags = elf.flags;
  solo_target_of_elf(&elf, out->target);
  return SOLO_OK;
}

static solo_status recognise_linked(solo_span bytes, solo_image *out) {
  solo_linked_image linked;
  if (!solo_span_read(bytes, 0, &linked, sizeof linked))
    return solo_fail(SOLO_BAD_IMAGE, "linked image: %zu bytes, but its header has %zu", bytes.size,
                     sizeof linked);
  if (linked.version != SOLO_LINKED_VERSION)
    return solo_fail(
        SOLO_BAD_IMAGE,
        "linked image at offset 8: version %u, this library needs %d: link again with its "
        "own solo-link",
        linked.version, SOLO_LINKED_VERSION);
  out->kind = SOLO_IMAGE_LINKED;
  out->machine = (uint16_t)linked.machine;
  const char *name = solo_machine_name(out->machine);
  if (name) snprintf(out->target, sizeof out->target, "%s", name);
  return SOLO_OK;
}

static size_t skip_blank(solo_span text) {
  size_t at = 0;
  while (at < text.size) {
    const uint8_t *c = text.data + at;
    size_t left = text.size - at;
    if (*c == ' ' || (*c >= '\t' && *c <= '\r')) {
      at++;
    } else if (left >= 2 && c[0] == '/' && c[1] == '/') {
      const uint8_t *end = memchr(c, '\n', left);
      at = end ? (size_t)(end - text.data) : text.size;
    } else if (left >= 4 && c[0] == '/' && c[1] == '*') {
      size_t i = 2;
      while (i + 1 < left && !(c[i] == '*' && c[i + 1] == '/')) i++;
      at += i + 1 < left ? i + 2 : left;
    } else {
      break;
    }
  }
  return at;
}

static bool is_ptx(solo_span bytes) {
  static const char word[] = ".version";
  size_t at = skip_blank(bytes);
  return solo_span_has(bytes, at, sizeof word - 1) &&
         memcmp(bytes.data + at, word, sizeof word - 1) == 0;
}

static void recognise_ptx(solo_span bytes, solo_image *out) {
  const uint8_t *end = memchr(bytes.data, 0, bytes.size);
  if (end) bytes.size = (size_t)(end - bytes.data);
  out->kind = SOLO_IMAGE_PTX;
  out->bytes = bytes;
  solo_target_of_ptx(bytes, out->target);
}

static solo_status unknown(solo_span bytes) {
  char text[8 * 3 + 1] = "";
  for (size_t i = 0; i < bytes.size && i < 8; i++)
    snprintf(text + 3 * i, sizeof text - 3 * i, " %02x", bytes.data[i]);
  return solo_fail(SOLO_BAD_IMAGE, "not an image: %zu bytes that begin with%s", bytes.size,
                   bytes.size ? text : " nothing");
}

/* Returns an error that names the file type, for files that users often pass instead of images. */
static solo_status refuse(solo_span bytes) {
  if (solo_fatbin_is_wrapper(bytes))
    return solo_fail(
        SOLO_BAD_IMAGE,
        "a wrapper of a fat binary, not an image: pass the address that it holds at offset 8");
  if (bytes.size >= 8 && memcmp(bytes.data, "!<arch>\n", 8) == 0)
    return solo_fail(SOLO_BAD_IMAGE, "an archive, not an image: link it (solo-cc, solo-link)");
  return unknown(bytes);
}

static solo_status recognise_container(const solo_container_type *type, solo_span bytes,
                                       solo_image *out) {
  solo_container container = {.bytes = bytes};
  SOLO_TRY(type->open(bytes, &container));
  out->kind = SOLO_IMAGE_CONTAINER;
  out->container = type;
  out->bytes = container.bytes;
  return SOLO_OK;
}

const solo_container_type *solo_container_find(solo_span bytes) {
  static const solo_container_type *const types[] = {
#define X(name) &solo_container_##name,
      SOLO_CONTAINERS(X)
#undef X
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i]->recognise(bytes)) return types[i];
  return NULL;
}

solo_status solo_image_recognise(solo_span bytes, solo_image *out) {
  solo_image image = {.bytes = bytes};
  const solo_container_type *container;
  uint64_t word = 0;
  (void)solo_span_read(bytes, 0, &word, bytes.size < sizeof word ? bytes.size : sizeof word);
  if (solo_elf_is(bytes)) {
    SOLO_TRY(recognise_elf(bytes, &image));
  } else if (word == SOLO_LINKED_MAGIC) {
    SOLO_TRY(recognise_linked(bytes, &image));
  } else if ((container = solo_container_find(bytes)) != NULL) {
    SOLO_TRY(recognise_container(container, bytes, &image));
  } else if ((uint32_t)word == 0xdec04342 || (uint32_t)word == 0x0b17c0de) {
    image.kind = SOLO_IMAGE_BITCODE; /* bare or wrapped */
  } else if ((uint32_t)word == 0x07230203) {
    image.kind = SOLO_IMAGE_SPIRV;
  } else if (is_ptx(bytes)) {
    /* tested after containers, because a text bundle of PTX also begins with a comment */
    recognise_ptx(bytes, &image);
  } else {
    return refuse(bytes);
  }
  *out = image;
  return SOLO_OK;
}
