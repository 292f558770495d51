/* Adapter of the HSA backend. Kernels: file CONF_CODE_OBJECT, or those of the simulated runtime. */
#define _DEFAULT_SOURCE
#include "ports/conformance/image_file.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include <hsa/hsa.h>
#include <stdlib.h>

enum { FLAGS_OFFSET = 48, GFX906 = 0x2f };

extern const solo_backend solo_hsa_backend;

static void prepare(void) {
  setenv("SIM_DEVICES", "2", 0);
}

static const conf_image_file kernels = {.variable = "CONF_CODE_OBJECT",
                                        .path = "build/sim/hsa/conf-gfx90a.co",
                                        .foreign = 190,
                                        .misfit_at = FLAGS_OFFSET,
                                        .misfit = GFX906};

static int image(conf_image_choice choice, solo_image *out) {
  return conf_image_of(&kernels, choice, out);
}

static void fail_call(int nth, int lost) {
  hsa_sim_fail(NULL, (unsigned)nth,
               lost ? HSA_STATUS_ERROR_FATAL : HSA_STATUS_ERROR_OUT_OF_RESOURCES);
}

static int failure_delivered(void) {
  return hsa_sim_failed() != NULL;
}

/* Violations of HSA's rules count as leaks. */
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
