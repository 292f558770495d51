/* Adapter of the CUDA backend. Kernels: file CONF_CUBIN, or those of the simulated driver. */
#define _DEFAULT_SOURCE
#include "ports/conformance/image_file.h"

#include "tests/sim/libcuda/cuda_sim.h"
#include <stdlib.h>

enum { OUT_OF_MEMORY = 2, ECC_UNCORRECTABLE = 214 };
enum { FLAGS_OFFSET = 48 };

extern const solo_backend solo_cuda_backend;

static void prepare(void) {
  setenv("SIM_DEVICES", "2", 0);
}

static const conf_image_file kernels = {.variable = "CONF_CUBIN",
                                        .path = "build/sim/cuda/conf-sm90.cubin",
                                        .foreign = 224,
                                        .misfit_at = FLAGS_OFFSET + 1,
                                        .misfit = 75};

static int image(conf_image_choice choice, solo_image *out) {
  return conf_image_of(&kernels, choice, out);
}

/* NULL with a real driver */
#pragma weak cuda_sim_fail
#pragma weak cuda_sim_live

static void fail_call(int nth, int lost) {
  if (!cuda_sim_fail) conf_skip("a real driver cannot inject failures");
  cuda_sim_fail(NULL, (unsigned)nth, lost ? ECC_UNCORRECTABLE : OUT_OF_MEMORY);
}

static long live_objects(void) {
  return cuda_sim_live ? cuda_sim_live(NULL) : 0;
}

const conf_adapter conf_adapter_chosen = {
    .name = "cuda",
    .backend = &solo_cuda_backend,
    .prepare = prepare,
    .image = image,
    .fail_call = fail_call,
    .live_objects = live_objects,
};
