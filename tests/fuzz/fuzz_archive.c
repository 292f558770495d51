/* Fuzz target: archives and the images in their members. */
#include "runtime/image/image.h"
#include "tools/pack.h"
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static solo_status ask(void *context, const solo_image *image) {
  char words[96];
  (void)context;
  solo_image_describe(image, words, sizeof words);
  return SOLO_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char words[SOLO_CONTAINER_WORDS];
  solo_container archive = {.words = words};
  solo_container_entry entry;
  if (solo_pack_archive.open(solo_span_of(data, size), &archive) != SOLO_OK) return 0;
  while (solo_pack_archive.next(&archive, &entry) == SOLO_OK) {
    if (entry.bytes.size > size || entry.offset > size - entry.bytes.size) abort();
    (void)!solo_image_visit(entry.bytes, ask, NULL);
  }
  return 0;
}
