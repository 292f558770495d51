/* Selection of the image that a device loads: solo_choice_begin, solo_choice_consider for each
 * image, solo_choice_result, solo_choice_end. Selects the leaf with the highest score. Unreadable
 * images count as rejected; only NOMEM ends the selection. */
#ifndef SOLO_IMAGE_CHOOSE_H
#define SOLO_IMAGE_CHOOSE_H

#include "runtime/image/image.h"

/* Returns a score, or 0 and a reason (a phrase). A rejected image is scored twice: first with
 * reason_size 1, then with a buffer for the reason. */
typedef uint32_t solo_image_scorer(void *context, const solo_image *image, char *reason,
                                   size_t reason_size);

enum { SOLO_CHOICE_TEXT = 1024 };

typedef struct solo_choice {
  solo_image image; /* best image so far; kind UNKNOWN: none */
  uint32_t score;
  uint32_t index;
  void *owned; /* the copied bytes of a decompressed image, or NULL */
  uint32_t count;
  uint32_t of;
  uint32_t refused;
  size_t used;
  int device;
  const char *arch;
  /* One line per rejection: "image 2 of 3: gfx90a:xnack+, device 0 is gfx1100: different
   * processor". Lines that do not fit into the text are omitted. NULL: no rejection, or no memory. */
  char *text;
} solo_choice;

void solo_choice_begin(solo_choice *choice, uint32_t image_count, int device, const char *arch);
/* Scores the leaves of an image. Of leaves with equal scores, the first is selected. */
solo_status solo_choice_consider(solo_choice *choice, solo_span bytes, solo_image_scorer *score,
                                 void *context) SOLO_MUST_CHECK;
/* INCOMPATIBLE: no image fits; the error text has the reasons. */
solo_status solo_choice_result(const solo_choice *choice) SOLO_MUST_CHECK;
void solo_choice_end(solo_choice *choice);

#endif
