/* Adapter: the CUDA backend under the conformance suite, on the simulated driver or a GPU. The
 * kernels come from a file: CONF_CUBIN, else the simulated driver's. */
#define _DEFAULT_SOURCE /* setenv */
#include "ports/conformance/conformance.h"

#include "tests/sim/libcuda/cuda_sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_MEMORY = 2, ECC_UNCORRECTABLE = 214 }; /* CUresult */
enum { FLAGS_OFFSET = 48 };                          /* Elf64_Ehdr.e_flags */

extern const solo_backend solo_cuda_backend;

static void prepare(void) {
  setenv("SIM_DEVICES", "2", 0);
}

static solo_span read_file(void) {
  static char bytes[1 << 18];
  const char *path = getenv("CONF_CUBIN");
  FILE *file = fopen(path ? path : "build/sim/cuda/conf-sm90.cubin", "rb");
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
    *out = (solo_image){.kind = SOLO_IMAGE_ELF, .machine = 224};
    return 1;
  case CONF_IMAGE_MISFIT: /* for sm_75, in the header of the present layout */
    memcpy(copy, kernels.data, kernels.size);
    copy[FLAGS_OFFSET + 1] = 75;
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
  cuda_sim_fail(NULL, (unsigned)nth, lost ? ECC_UNCORRECTABLE : OUT_OF_MEMORY);
}

static long live_objects(void) {
  return cuda_sim_live(NULL);
}

const conf_adapter conf_adapter_chosen = {
    .name = "cuda",
    .backend = &solo_cuda_backend,
    .prepare = prepare,
    .image = image,
    .fail_call = fail_call,
    .live_objects = live_objects,
};
