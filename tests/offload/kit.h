/* Platforms and kernels for tests of OffloadAPI.h. */
#ifndef SOLO_TEST_OFFLOAD_KIT_H
#define SOLO_TEST_OFFLOAD_KIT_H

#include "abi/include/OffloadAPI.h"
#include "tests/unit/test.h"
#include <stdlib.h>
#include <string.h>

typedef struct kit_platform {
  const char *name, *image;
  ol_device_handle_t devices[4];
  int count;
  ol_program_handle_t program;
  ol_symbol_handle_t affine, slow, global;
} kit_platform;

static kit_platform kit[] = {{.name = "host", .image = "build/sim/conf_kernels.so"},
                             {.name = "cuda", .image = "build/sim/cuda/conf-sm90.cubin"},
                             {.name = "hsa", .image = "build/sim/hsa/conf-gfx90a.co"}};
enum { KIT_HOST, KIT_CUDA, KIT_HSA, KIT_PLATFORMS };

static const ol_kernel_launch_size_args_t kit_one = {1, {1, 1, 1}, {1, 1, 1}, 0};

static inline int kit_code(ol_result_t result) {
  if (result && (!result->Details || !result->Details[0])) return -1;
  return result ? (int)result->Code : 0;
}

static inline bool kit_add(ol_device_handle_t device, void *user) {
  ol_platform_handle_t platform;
  char name[64] = "";
  (void)user;
  if (olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform, &platform) ||
      olGetPlatformInfo(platform, OL_PLATFORM_INFO_NAME, sizeof name, name))
    return true;
  for (int k = 0; k < KIT_PLATFORMS; k++)
    if (strcmp(kit[k].name, name) == 0 && kit[k].count < 4) kit[k].devices[kit[k].count++] = device;
  return true;
}

static inline int kit_start(void) {
  int good = !kit_code(olInit());
  for (int k = 0; k < KIT_PLATFORMS; k++) kit[k].count = 0;
  good &= !kit_code(olIterateDevices(kit_add, NULL));
  static char image[1 << 18];
  for (int k = 0; k < KIT_PLATFORMS; k++) {
    kit_platform *p = &kit[k];
    FILE *f = fopen(p->image, "rb");
    size_t size = f ? fread(image, 1, sizeof image, f) : 0;
    if (f) fclose(f);
    good &= p->count > 0 && !kit_code(olCreateProgram(p->devices[0], image, size, &p->program)) &&
            !kit_code(olGetSymbol(p->program, "conf_affine", OL_SYMBOL_KIND_KERNEL, &p->affine)) &&
            !kit_code(olGetSymbol(p->program, "conf_slow", OL_SYMBOL_KIND_KERNEL, &p->slow)) &&
            !kit_code(
                olGetSymbol(p->program, "conf_global", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &p->global));
  }
  return good;
}

/* kernel: *cell = *cell * mul + add */
static inline ol_result_t kit_affine(const kit_platform *p, ol_queue_handle_t queue, void *cell,
                                     uint64_t mul, uint64_t add) {
  const struct {
    uint64_t environment;
    void *cell;
    uint64_t mul, add;
  } arguments = {0, cell, mul, add};
  return olLaunchKernel(queue, p->devices[0], p->affine, &arguments, sizeof arguments, &kit_one);
}

#endif
