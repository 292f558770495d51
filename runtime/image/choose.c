/* Choosing the image that a device runs. */
#include "runtime/image/choose.h"

#include <stdio.h>
#include <stdlib.h>

enum { REASON = 256 };

typedef struct consideration {
  solo_choice *choice;
  solo_image_scorer *score;
  void *context;
  uint32_t part; /* leaves seen in this image */
} consideration;

void solo_choice_begin(solo_choice *choice, uint32_t image_count, const char *device) {
  memset(choice, 0, sizeof *choice);
  choice->of = image_count;
  choice->device = device;
}

/* Adds one line; part 0: the image as a whole. A line that does not fit is left out. */
static void refuse(solo_choice *choice, uint32_t part, const char *what, const char *reason) {
  char line[REASON + SOLO_TARGET_TEXT + 160], part_text[24] = "";
  choice->refused++;
  if (part > 1) snprintf(part_text, sizeof part_text, " (part %u)", part);
  int size = snprintf(line, sizeof line, "%simage %u of %u%s: %s, %s: %s", choice->used ? "\n" : "",
                      choice->count, choice->of, part_text, what, choice->device, reason);
  if (size < 0) return;
  if ((size_t)size >= sizeof line) size = sizeof line - 1;
  if ((size_t)size >= sizeof choice->text - choice->used) return;
  memcpy(choice->text + choice->used, line, (size_t)size + 1);
  choice->used += (size_t)size;
}

/* Makes image the best so far; decompressed bytes are copied, since they die with the visit. */
static solo_status keep(solo_choice *choice, const solo_image *image, uint32_t score) {
  void *copy = NULL;
  if (image->transient) {
    copy = malloc(image->bytes.size ? image->bytes.size : 1);
    if (!copy)
      return solo_fail(SOLO_NOMEM, "no memory for a decompressed image of %zu bytes",
                       image->bytes.size);
    memcpy(copy, image->bytes.data, image->bytes.size);
  }
  free(choice->owned);
  choice->owned = copy;
  choice->image = *image;
  if (copy) choice->image.bytes.data = copy;
  choice->image.transient = 0;
  choice->score = score;
  choice->index = choice->count;
  return SOLO_OK;
}

static solo_status consider_leaf(void *context, const solo_image *image) {
  consideration *c = context;
  char reason[REASON] = "", what[SOLO_TARGET_TEXT + 32];
  c->part++;
  uint32_t score = c->score(c->context, image, reason, sizeof reason);
  if (score > c->choice->score) return keep(c->choice, image, score);
  if (score) return SOLO_OK;
  if (image->target[0])
    snprintf(what, sizeof what, "%s", image->target);
  else
    solo_image_describe(image, what, sizeof what);
  refuse(c->choice, c->part, what, reason[0] ? reason : "does not fit");
  return SOLO_OK;
}

solo_status solo_choice_consider(solo_choice *choice, solo_span bytes, solo_image_scorer *score,
                                 void *context) {
  consideration c = {.choice = choice, .score = score, .context = context};
  choice->count++;
  solo_status status = solo_image_visit(bytes, consider_leaf, &c);
  if (status == SOLO_OK && c.part == 0) {
    refuse(choice, 0, "empty container", "it holds no device image");
  } else if (status == SOLO_BAD_IMAGE || status == SOLO_UNSUPPORTED) {
    char reason[REASON];
    snprintf(reason, sizeof reason, "%.250s", solo_error_last()->text);
    refuse(choice, c.part + 1, status == SOLO_BAD_IMAGE ? "malformed" : "not readable", reason);
    status = SOLO_OK;
  }
  return status;
}

solo_status solo_choice_result(const solo_choice *choice) {
  if (choice->image.kind != SOLO_IMAGE_UNKNOWN) return SOLO_OK;
  if (choice->count == 0)
    return solo_fail(SOLO_INCOMPATIBLE, "%s: the program has no image", choice->device);
  return solo_fail(SOLO_INCOMPATIBLE, "%s", choice->text);
}

void solo_choice_end(solo_choice *choice) {
  free(choice->owned);
  choice->owned = NULL;
}
