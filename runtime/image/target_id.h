/* Target ids: which processor an image was made for, and whether a device can run it.
 *
 * A target id is a processor and its features: "gfx90a:sramecc+:xnack-", "sm_90a", "x86_64". A
 * feature that is not named is "any": an image with "any" runs with the feature on or off. The
 * canonical form has no triple and names features in alphabetical order.
 *
 * Ownership: results are copied out. Threads: pure functions. Errors: as stated; reasons are short
 * phrases without punctuation at the end, meant to follow "image 2 of 3: gfx90a: ".
 * Sources: LLVM's AMDGPU usage guide (target ids, e_flags, generic processors); CUDA's compute
 * capability rules (binaries: same major, minor not above the device's; PTX: any newer device;
 * an "a" target: that capability alone; an "f" target: its family); cubin headers by ptxas 13.0.
 */
#ifndef SOLO_IMAGE_TARGET_ID_H
#define SOLO_IMAGE_TARGET_ID_H

#include "runtime/base/status.h"
#include "runtime/image/elf.h"
#include "runtime/image/span.h"

enum { SOLO_TARGET_TEXT = 64 };

/* e_machine of GPU code objects (not in every system's elf.h). */
enum { SOLO_EM_CUDA = 190, SOLO_EM_AMDGPU = 224 };

typedef enum solo_feature {
  SOLO_FEATURE_ANY, /* not said, or the processor has no such feature */
  SOLO_FEATURE_OFF,
  SOLO_FEATURE_ON,
} solo_feature;

typedef struct solo_target_id {
  char processor[40];
  solo_feature sramecc, xnack;
} solo_target_id;

/* Reads a target id, with or without a triple before it ("amdgcn-amd-amdhsa--gfx90a:xnack+"),
 * features in any order. INVALID: empty, too long, or a feature twice, unknown, or without sign. */
solo_status solo_target_parse(const char *text, solo_target_id *out) SOLO_MUST_CHECK;

/* The canonical form, NUL-terminated. */
void solo_target_format(const solo_target_id *id, char out[SOLO_TARGET_TEXT]);

/* Canonical target of an ELF file from its header (and, of a cubin, its .nv.compat section): ""
 * when the machine or its processor is unknown. */
void solo_target_of_elf(const solo_elf *elf, char out[SOLO_TARGET_TEXT]);

/* Target of PTX text from its .target line: "" when it has none. */
void solo_target_of_ptx(solo_span text, char out[SOLO_TARGET_TEXT]);

/* Does the name of a processor begin here ("gfx90a", "sm_90")? */
bool solo_target_is_processor(const char *text);

/* May a container say more of the target than the header of an image of this machine, as "sm_90a" of
 * an older cubin for "sm_90"? */
bool solo_target_is_refined(uint16_t machine);

/* Name of a CPU machine as triples spell it ("x86_64"); NULL: not one that we know. */
const char *solo_machine_name(uint16_t machine);

/* How well an image fits a device, by target id alone; 0: not at all, and *reason says why. More is
 * better: a native image of the exact processor beats one of an older or generic processor,
 * features named beat "any", and every native image beats PTX. */
uint32_t solo_target_score(const char *image, const char *device, char *reason, size_t reason_size);
/* The same for PTX, which any device of its capability or above can compile. */
uint32_t solo_target_score_ptx(const char *ptx, const char *device, char *reason,
                               size_t reason_size);

#endif
