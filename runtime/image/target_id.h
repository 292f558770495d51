/* Target ids: a processor with features ("gfx90a:sramecc+:xnack-", "sm_90a", "x86_64"), and the
 * compatibility of images with devices. A feature without a sign is "any". The canonical form has
 * no triple and sorts the features.
 *
 * Sources: LLVM's AMDGPU usage guide; CUDA's rules for compute capabilities. A CUDA binary runs on
 * devices with the same major and the same or a higher minor number; PTX also on all newer devices.
 * A target such as "sm_90a" runs on exactly this device, "sm_100f" on devices of the family. */
#ifndef SOLO_IMAGE_TARGET_ID_H
#define SOLO_IMAGE_TARGET_ID_H

#include "runtime/base/status.h"
#include "runtime/image/elf.h"
#include "runtime/image/span.h"

enum { SOLO_TARGET_TEXT = 64 };

/* some versions of elf.h lack these values */
enum { SOLO_EM_CUDA = 190, SOLO_EM_AMDGPU = 224 };

typedef enum solo_feature {
  SOLO_FEATURE_ANY, /* any, or unsupported */
  SOLO_FEATURE_OFF,
  SOLO_FEATURE_ON,
} solo_feature;

typedef struct solo_target_id {
  char processor[40];
  solo_feature sramecc, xnack;
} solo_target_id;

/* Accepts an id with or without a triple. INVALID: empty, too long, or a wrong feature. */
solo_status solo_target_parse(const char *text, solo_target_id *out) SOLO_MUST_CHECK;

void solo_target_format(const solo_target_id *id, char out[SOLO_TARGET_TEXT]);

/* Writes "" if the target is unknown. Uses the ELF header and, for cubins, .nv.compat. */
void solo_target_of_elf(const solo_elf *elf, char out[SOLO_TARGET_TEXT]);

/* Writes the target of the .target line, or "". */
void solo_target_of_ptx(solo_span text, char out[SOLO_TARGET_TEXT]);

bool solo_target_is_processor(const char *text);

/* Returns whether a container's target may be more specific than the image's header ("sm_90a" for
 * an older cubin with "sm_90"). */
bool solo_target_is_refined(uint16_t machine);

const char *solo_machine_name(uint16_t machine);

/* Rates an image for a device. 0: incompatible; writes a reason. Order from the best: exact
 * processor, older or generic processor, PTX. A specified feature is better than "any". */
uint32_t solo_target_score(const char *image, const char *device, char *reason, size_t reason_size);
uint32_t solo_target_score_ptx(const char *ptx, const char *device, char *reason,
                               size_t reason_size);

#endif
