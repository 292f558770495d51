/* Adapter of the remote backend, compiled once per kind of device. CONF_KIND: 0 cuda, 1 hsa, 2
 * host, 3 simt. */
#define _DEFAULT_SOURCE
#include "ports/conformance/image_file.h"

#include "backends/remote/remote.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLAGS_OFFSET = 48, GFX906 = 0x2f };

#if CONF_KIND == 0
#define NAME    "cuda"
#define BACKEND solo_remote_cuda_backend
static const conf_image_file kernels = {.variable = "CONF_CUBIN",
                                        .path = "build/sim/cuda/conf-sm90.cubin",
                                        .foreign = 224,
                                        .misfit_at = FLAGS_OFFSET + 1,
                                        .misfit = 75};
#elif CONF_KIND == 1
#define NAME    "hsa"
#define BACKEND solo_remote_hsa_backend
static const conf_image_file kernels = {.variable = "CONF_CODE_OBJECT",
                                        .path = "build/sim/hsa/conf-gfx90a.co",
                                        .foreign = 190,
                                        .misfit_at = FLAGS_OFFSET,
                                        .misfit = GFX906};
#elif CONF_KIND == 3
#define NAME    "simt"
#define BACKEND solo_remote_simt_backend
static const conf_image_file kernels = {.variable = "CONF_SIMT",
                                        .path = "build/sim/simt/conf.image",
                                        .foreign = 190,
                                        .misfit_at = FLAGS_OFFSET,
                                        .misfit = 75};
#else
#define NAME    "host"
#define BACKEND solo_remote_host_backend
static const conf_image_file kernels = {
    .variable = "CONF_HOST_ELF", .path = "build/sim/conf_kernels.so", .foreign = 224};
#endif

/* Cases after which a new server is needed, which MPI jobs cannot start. */
#if CONF_KIND == 2
#define WHY "the fault ends the device server, and with it the job"
#else
#define WHY "the device is lost for the server: requires a separate job"
#endif
static const conf_listed alone[] = {{"errors/fault", WHY},       {"errors/kept", WHY},
                                    {"errors/events", WHY},      {"errors/blame", WHY},
                                    {"errors/fresh_queue", WHY}, {0}};

static void prepare(void) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
  path[length > 0 ? length : 0] = 0;
  char *slash = strrchr(path, '/');
  if (slash) strcpy(slash + 1, "solo-server");
  setenv("SOLO_SERVER", path, 0);
  setenv("SOLO_SERVER_BACKENDS", NAME, 1);
  setenv("SOLO_HOST_DEVICES", "2", 0);
  setenv("SIM_DEVICES", "2", 0);
  setenv("SIMT_TARGET", "sm_90", 0); /* read by the server */
}

static int image(conf_image_choice choice, solo_image *out) {
  if (choice == CONF_IMAGE_MISFIT && !kernels.misfit_at) return 0;
  return conf_image_of(&kernels, choice, out);
}

const conf_adapter conf_adapter_chosen = {
    .name = "remote-" NAME,
    .backend = &BACKEND,
    .prepare = prepare,
    .image = image,
    .fail_call = solo_remote_fail_at,
    .comes_back = 1,
    .live_objects = solo_remote_objects,
    .alone = alone,
};
