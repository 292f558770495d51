/* Choosing the image that a device runs: the best of all leaves, and why each other was refused.
 *
 * Use: solo_choice_begin, solo_choice_consider for each image of a descriptor, then
 * solo_choice_result. An image that cannot be read or that needs a decompressor which is not linked
 * is refused like one that does not fit; only a lack of memory ends the choice early.
 *
 * Ownership: choice->image borrows from the bytes considered, or, when it came out of a compressed
 * container, from choice->owned, which solo_choice_end frees, as it does text. Threads: one choice,
 * one thread.
 * Errors: INCOMPATIBLE when nothing fits, with the reasons; NOMEM.
 */
#ifndef SOLO_IMAGE_CHOOSE_H
#define SOLO_IMAGE_CHOOSE_H

#include "runtime/image/image.h"

/* 0: refused, and why in reason (a phrase: "different processor"); higher is better. What is refused
 * is asked twice, first with room for no words (reason_size 1). */
typedef uint32_t solo_image_scorer(void *context, const solo_image *image, char *reason,
                                   size_t reason_size);

enum { SOLO_CHOICE_TEXT = 1024 };

typedef struct solo_choice {
  solo_image image; /* the best; kind UNKNOWN: none yet */
  uint32_t score;   /* of it */
  uint32_t index;   /* of the image it came from, counted from 1 */
  void *owned;      /* its bytes, when they were decompressed */
  uint32_t count;   /* images considered so far */
  uint32_t of;      /* images there are in all */
  uint32_t refused; /* leaves and unreadable images refused */
  size_t used;      /* bytes of text */
  int device;       /* its number */
  const char *arch; /* "gfx1100"; borrowed */
  /* One line per refusal, "image 2 of 3: gfx90a:xnack+, device 0 is gfx1100: different processor",
   * newlines between; what does not fit is counted by refused alone. NULL: none, or no memory. */
  char *text; /* SOLO_CHOICE_TEXT bytes */
} solo_choice;

/* device, arch: number and architecture, for messages; arch is borrowed until the end. */
void solo_choice_begin(solo_choice *choice, uint32_t image_count, int device, const char *arch);
/* The next image (any container); of two equally good leaves the first stays. */
solo_status solo_choice_consider(solo_choice *choice, solo_span bytes, solo_image_scorer *score,
                                 void *context) SOLO_MUST_CHECK;
/* OK when an image was chosen; else INCOMPATIBLE with the reasons (as many as a message holds). */
solo_status solo_choice_result(const solo_choice *choice) SOLO_MUST_CHECK;
/* Frees what the choice owns; the image is gone if it was decompressed. */
void solo_choice_end(solo_choice *choice);

#endif
