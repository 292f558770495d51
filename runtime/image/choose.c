#include "runtime/image/choose.h"

#include <stdio.h>
#include <stdlib.h>

enum { REASON = 256 };

typedef struct consideration {
  solo_choice *choice;
  solo_image_scorer *score;
  void *context;
  uint32_t part; /* number of scored leaves of this image */
} consideration;

void solo_choice_begin(solo_choice *choice, uint32_t image_count, int device, const char *arch) {
  *choice = (solo_choice){.of = image_count, .device = device, .arch = arch};
}

/* Adds a line to the text. part: number of the leaf; 0: the whole image. */
static SOLO_COLD void refuse(solo_choice *choice, uint32_t part, const char *what,
                             const char *reason) {
  char line[REASON + SOLO_TARGET_TEXT + 160], part_text[24] = "";
  choice->refused++;
  if (!choice->text) choice->text = calloc(1, SOLO_CHOICE_TEXT);
  if (!choice->text) return;
  if (part > 1) snprintf(part_text, sizeof part_text, " (part %u)", part);
  int size = snprintf(line, sizeof line, "%simage %u of %u%s: %s, device %d is %s: %s",
                      choice->used ? "\n" : "", choice->count, choice->of, part_text, what,
                      choice->device, choice->arch, reason);
  if (size < 0) return;
  if ((size_t)size >= sizeof line) size = sizeof line - 1;
  if ((size_t)size >= SOLO_CHOICE_TEXT - choice->used) return;
  memcpy(choice->text + choice->used, line, (size_t)size + 1);
  choice->used += (size_t)size;
}

/* Copies transient (decompressed) bytes, because the visit frees them. */
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

static SOLO_COLD void reject_leaf(consideration *c, const solo_image *image) {
  char reason[REASON] = "", what[SOLO_TARGET_TEXT + 32];
  (void)c->score(c->context, image, reason, sizeof reason);
  if (image->target[0])
    snprintf(what, sizeof what, "%s", image->target);
  else
    solo_image_describe(image, what, sizeof what);
  refuse(c->choice, c->part, what, reason[0] ? reason : "does not fit");
}

/* Formats the reason only for rejected images, so that an image that fits needs little stack at
 * start-up. */
static solo_status consider_leaf(void *context, const solo_image *image) {
  consideration *c = context;
  char no_words[1];
  c->part++;
  uint32_t score = c->score(c->context, image, no_words, sizeof no_words);
  if (score > c->choice->score) return keep(c->choice, image, score);
  if (!score) reject_leaf(c, image);
  return SOLO_OK;
}

static SOLO_COLD void reject_unreadable(solo_choice *choice, uint32_t part, solo_status status) {
  char reason[REASON];
  snprintf(reason, sizeof reason, "%.250s", solo_error_last()->text);
  refuse(choice, part, status == SOLO_BAD_IMAGE ? "malformed" : "not readable", reason);
}

solo_status solo_choice_consider(solo_choice *choice, solo_span bytes, solo_image_scorer *score,
                                 void *context) {
  consideration c = {.choice = choice, .score = score, .context = context};
  choice->count++;
  solo_status status = solo_image_visit(bytes, consider_leaf, &c);
  if (status == SOLO_OK && c.part == 0) {
    refuse(choice, 0, "empty container", "no device image");
  } else if (status == SOLO_BAD_IMAGE || status == SOLO_UNSUPPORTED) {
    reject_unreadable(choice, c.part + 1, status);
    status = SOLO_OK;
  }
  return status;
}

solo_status solo_choice_result(const solo_choice *choice) {
  if (choice->image.kind != SOLO_IMAGE_UNKNOWN) return SOLO_OK;
  if (choice->count == 0)
    return solo_fail(SOLO_INCOMPATIBLE, "device %d is %s: the program has no image", choice->device,
                     choice->arch);
  return solo_fail(SOLO_INCOMPATIBLE, "%s" SOLO_SEE("wrong-image"),
                   choice->text ? choice->text : "no image fits");
}

void solo_choice_end(solo_choice *choice) {
  free(choice->owned);
  free(choice->text);
  choice->owned = choice->text = NULL;
}
