/* solo_image_visit for programs in which solo-link found every image there will be: only linked
 * images are read, so that parsers, decompressors and loaders of all other kinds stay out of the
 * program (abi/library.ninja: libsolo_linked.a).
 */
#include "runtime/image/image.h"

#include "runtime/image/linked.h"

solo_status solo_image_visit(solo_span bytes, solo_image_visitor *visit, void *context) {
  solo_linked_image linked;
  if (!solo_span_read(bytes, 0, &linked, sizeof linked) || linked.magic != SOLO_LINKED_MAGIC)
    return solo_fail(SOLO_UNSUPPORTED,
                     "an image that solo-link did not put into the program: its static library "
                     "reads linked images only; link with solo-cc --runtime-images");
  solo_image image = {
      .kind = SOLO_IMAGE_LINKED,
      .bytes = bytes,
      .machine = (uint16_t)linked.machine,
      .target = SOLO_ARCH_NAME,
  };
  return visit(context, &image);
}
