/* Description: a program without zstd and zlib rejects compressed images and names the library to
 * link. */
#include "runtime/image/choose.h"

#include "tests/images/files.h"

static uint32_t never(void *context, const solo_image *image, char *reason, size_t size) {
  (void)context, (void)image, (void)reason, (void)size;
  return 0;
}

static solo_status pass(void *context, const solo_image *image) {
  (void)image;
  ++*(int *)context;
  return SOLO_OK;
}

int main(int argc, char **argv) {
  if (argc > 1) files_folder = argv[1];
  solo_span bytes = file_load("ccob-19.hipfb");
  solo_choice choice;
  solo_choice_begin(&choice, 1, 0, "gfx1030");
  CHECK_INT(solo_choice_consider(&choice, bytes, never, NULL), SOLO_OK);
  CHECK_INT(solo_choice_result(&choice), SOLO_INCOMPATIBLE);
  CHECK_HAS(solo_error_last()->text, "image 1 of 1: not readable, device 0 is gfx1030: ");
  CHECK_HAS(solo_error_last()->text, "link with -lzstd");
  solo_choice_end(&choice);
  file_bytes(bytes)[6] = 0; /* changes the compression method in the header to zlib */
  int leaves = 0;
  CHECK_INT(solo_image_visit(bytes, pass, &leaves), SOLO_UNSUPPORTED);
  CHECK_HAS(solo_error_last()->text, "link with -lz");
  file_free(bytes);
  /* LZ4 is built in. */
  bytes = file_load("ptx-speed.fatbin");
  CHECK_INT(solo_image_visit(bytes, pass, &leaves), SOLO_OK);
  CHECK_INT(leaves, 1);
  file_free(bytes);
  return TEST_RESULT();
}
