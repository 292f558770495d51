/* The solo_image_visit of libsolo_linked.a. It accepts linked images only, so that programs with
 * this library do not contain the parsers of other formats. */
#include "runtime/image/image.h"

#include "runtime/image/linked.h"

solo_status solo_image_visit(solo_span bytes, solo_image_visitor *visit, void *context) {
  solo_linked_image linked;
  if (!solo_span_read(bytes, 0, &linked, sizeof linked) || linked.magic != SOLO_LINKED_MAGIC)
    return solo_fail(SOLO_UNSUPPORTED,
                     "not a linked image: the runtime of this static program "
                     "loads linked images only; link with solo-cc --runtime-images");
  solo_image image = {
      .kind = SOLO_IMAGE_LINKED,
      .bytes = bytes,
      .machine = (uint16_t)linked.machine,
      .target = SOLO_ARCH_NAME,
  };
  return visit(context, &image);
}
