/* Adapter: the HSA backend under the conformance suite, on the simulated runtime or a GPU. The
 * kernels come from a file: CONF_CODE_OBJECT, else the simulated runtime's. */
#define _DEFAULT_SOURCE /* setenv */
#include "ports/conformance/conformance.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include <hsa/hsa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLAGS_OFFSET = 48, GFX906 = 0x2f }; /* Elf64_Ehdr.e_flags */

extern const solo_backend solo_hsa_backend;

static void prepare(void) {
  setenv("SIM_DEVICES", "2", 0);
}

static solo_span read_file(void) {
  static char bytes[1 << 18];
  const char *path = getenv("CONF_CODE_OBJECT");
  FILE *file = fopen(path ? path : "build/sim/hsa/conf-gfx90a.co", "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file) fclose(file);
  return solo_span_of(bytes, size);
}

static int image(conf_image_choice choice, solo_image *out) {
  static char copy[1 << 18];
  solo_span kernels = read_file();
  if (!kernels.size || solo_image_recognise(kernels, out) != SOLO_OK) return 0;
  switch (choice) {
  case CONF_IMAGE_KERNELS:
    return 1;
  case CONF_IMAGE_FOREIGN:
    *out = (solo_image){.kind = SOLO_IMAGE_ELF, .machine = 190};
    return 1;
  case CONF_IMAGE_MISFIT:
    memcpy(copy, kernels.data, kernels.size);
    copy[FLAGS_OFFSET] = GFX906;
    return solo_image_recognise(solo_span_of(copy, kernels.size), out) == SOLO_OK;
  case CONF_IMAGE_CORRUPT: /* good to its header, rubbish behind */
    memcpy(copy, kernels.data, kernels.size);
    memset(copy + 64, 0x5a, 4096 - 64);
    out->bytes = solo_span_of(copy, kernels.size);
    return 1;
  }
  return 0;
}

static void fail_call(int nth, int lost) {
  hsa_sim_fail(NULL, (unsigned)nth,
               lost ? HSA_STATUS_ERROR_FATAL : HSA_STATUS_ERROR_OUT_OF_RESOURCES);
}

static int failure_delivered(void) {
  return hsa_sim_failed() != NULL;
}

/* What the simulated runtime saw done wrong (packets above all) counts like what was left behind.
 */
static long live_objects(void) {
  return hsa_sim_live(NULL) + hsa_sim_violations();
}

const conf_adapter conf_adapter_chosen = {
    .name = "hsa",
    .backend = &solo_hsa_backend,
    .prepare = prepare,
    .image = image,
    .fail_call = fail_call,
    .failure_delivered = failure_delivered,
    .live_objects = live_objects,
};
