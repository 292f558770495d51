#include "ports/conformance/image_file.h"

enum { FLAGS_OFFSET = 48 };

extern const solo_backend solo_simt_backend;

static const conf_image_file kernels = {.variable = "CONF_SIMT",
                                        .path = "build/sim/simt/conf.image",
                                        .foreign = 190,
                                        .misfit_at = FLAGS_OFFSET,
                                        .misfit = 75};

static int image(conf_image_choice choice, solo_image *out) {
  return conf_image_of(&kernels, choice, out);
}

const conf_adapter conf_adapter_chosen = {
    .name = "simt",
    .backend = &solo_simt_backend,
    .image = image,
};
