/* Fuzz target: accepted target and bundle ids have a stable canonical form. */
#include "runtime/image/bundle.h"
#include "runtime/image/target_id.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[512], once[SOLO_TARGET_TEXT], twice[SOLO_TARGET_TEXT], reason[64];
  solo_target_id id;
  solo_bundle_id bundle;
  if (size >= sizeof text) size = sizeof text - 1;
  memcpy(text, data, size);
  text[size] = 0;
  (void)!solo_bundle_id_parse(text, &bundle);
  (void)solo_target_score(text, "gfx90a:xnack-", reason, sizeof reason);
  (void)solo_target_score("sm_90", text, reason, sizeof reason);
  (void)solo_target_score_ptx(text, "sm_90", reason, sizeof reason);
  if (solo_target_parse(text, &id) != SOLO_OK) return 0;
  solo_target_format(&id, once);
  if (solo_target_parse(once, &id) != SOLO_OK) abort();
  solo_target_format(&id, twice);
  if (strcmp(once, twice) != 0) abort();
  return 0;
}
