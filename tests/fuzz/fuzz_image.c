/* Fuzz target: recognition, containers, description and choice of images. */
#include "runtime/image/choose.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t score(void *context, const solo_image *image, char *reason, size_t size) {
  char words[96];
  volatile uint8_t last = image->bytes.size ? image->bytes.data[image->bytes.size - 1] : 0;
  (void)context, (void)last;
  solo_image_describe(image, words, sizeof words);
  uint32_t gpu = solo_target_score(image->target, "gfx90a:sramecc+:xnack-", reason, size);
  return gpu + solo_target_score_ptx(image->target, "sm_90", reason, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  solo_choice choice;
  solo_choice_begin(&choice, 1, 0, "gfx90a:sramecc+:xnack-");
  if (solo_choice_consider(&choice, solo_span_of(data, size), score, NULL) == SOLO_OK &&
      solo_choice_result(&choice) != SOLO_OK && (!choice.text || !choice.text[0]))
    abort(); /* a rejection needs a reason */
  solo_choice_end(&choice);
  return 0;
}
