/* Fuzz target: kernel parameters. The first line of the input is the kernel's name, the remaining
 * bytes are an image. */
#include "runtime/image/image.h"
#include "runtime/image/target_parameters.h"
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static solo_status ask(void *name, const solo_image *image) {
  solo_parameters p;
  if (solo_target_parameters(image, name, &p) == SOLO_OK) {
    if (p.bytes > SOLO_MAX_PARAMETER_BYTES) abort();
    for (uint32_t i = 0; i < p.count; i++)
      if (p.list[i].offset + p.list[i].bytes > p.bytes) abort();
    free(p.list);
  }
  return SOLO_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char name[64] = "";
  size_t at = 0;
  while (at < size && at + 1 < sizeof name && data[at] != '\n') {
    name[at] = (char)data[at];
    at++;
  }
  if (at < size && data[at] == '\n') at++;
  solo_span rest = solo_span_of(data + at, size - at);
  (void)solo_image_visit(rest, ask, name);
  solo_image text = {.kind = SOLO_IMAGE_PTX, .bytes = rest};
  return (int)ask(name, &text);
}
