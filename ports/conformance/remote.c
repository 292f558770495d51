/* Adapter: the remote backend under the conformance suite, with a device server of the same variant
 * beside this program. CONF_REMOTE: the server's backend: host (else), cuda or hsa, the last two on
 * the simulated drivers. */
#define _DEFAULT_SOURCE /* setenv, readlink */
#include "ports/conformance/image_file.h"

#include "backends/remote/remote.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLAGS_OFFSET = 48, GFX906 = 0x2f }; /* Elf64_Ehdr.e_flags */

static const struct {
  const char *name;
  conf_image_file kernels;
} kinds[] = {
    {"host", {.variable = "CONF_HOST_ELF", .path = "build/sim/conf_kernels.so", .foreign = 224}},
    {"cuda",
     {.variable = "CONF_CUBIN",
      .path = "build/sim/cuda/conf-sm90.cubin",
      .foreign = 224,
      .misfit_at = FLAGS_OFFSET + 1,
      .misfit = 75}},
    {"hsa",
     {.variable = "CONF_CODE_OBJECT",
      .path = "build/sim/hsa/conf-gfx90a.co",
      .foreign = 190,
      .misfit_at = FLAGS_OFFSET,
      .misfit = GFX906}},
};
static size_t chosen;

static void prepare(void) {
  char path[4096];
  const char *kind = getenv("CONF_REMOTE");
  for (size_t n = 0; kind && n < 3; n++)
    if (strcmp(kinds[n].name, kind) == 0) chosen = n;
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
  path[length > 0 ? length : 0] = 0;
  char *slash = strrchr(path, '/');
  if (slash) strcpy(slash + 1, "solo-server");
  setenv("SOLO_SERVER", path, 0);
  setenv("SOLO_SERVER_BACKENDS", kinds[chosen].name, 1);
  setenv("SOLO_HOST_DEVICES", "2", 1);
  setenv("SIM_DEVICES", "2", 0);
}

static int image(conf_image_choice choice, solo_image *out) {
  const conf_image_file *file = &kinds[chosen].kernels;
  if (choice == CONF_IMAGE_MISFIT && !file->misfit_at) return 0;
  return conf_image_of(file, choice, out);
}

const conf_adapter conf_adapter_chosen = {
    .name = "remote",
    .backend = &solo_remote_backend,
    .prepare = prepare,
    .image = image,
    .fail_call = solo_remote_fail_at,
    .live_objects = solo_remote_objects,
};
