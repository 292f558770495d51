#include "ports/conformance/conformance.h"

#include "ports/skeleton/skeleton.h"
#include <stdio.h>
#include <string.h>

static char program[4096];

static const char fixed[] = "skeleton-one 1\n"
                            "global conf_global 32 7 11\n"
                            "kernel conf_empty 1\nend\n"
                            "kernel conf_affine 4\n"
                            "  ld r0 a1\n  mul r0 r0 a2\n  add r0 r0 a3\n  st a1 r0\nend\n"
                            "kernel conf_slow 4\n  spin a2\n  st a1 a3\nend\n"
                            "kernel conf_grid 2\n"
                            "  mul r1 team threads\n  add r1 r1 thread\n  mul r1 r1 8\n"
                            "  add r1 r1 a1\n  mul r0 team 65536\n  add r0 r0 thread\n"
                            "  add r0 r0 1\n  st r1 r0\nend\n"
                            "kernel conf_read 2\n  add r1 @conf_global 8\n  ld r0 r1\n"
                            "  st a1 r0\nend\n"
                            "kernel conf_write 2\n  add r1 @conf_global 8\n  st r1 a1\nend\n"
                            "kernel conf_fault 1\n  ld r0 0\nend\n";

static int image(conf_image_choice choice, solo_image *out) {
  static const char misfit[] = "skeleton-one 2\nend\n";
  static const char corrupt[] = "skeleton-one 1\nkernel k 1\n  jump nowhere\nend\n";
  *out = (solo_image){.kind = SOLO_IMAGE_UNKNOWN};
  switch (choice) {
  case CONF_IMAGE_KERNELS: {
    size_t at = (size_t)snprintf(program, sizeof program, "%skernel conf_many 25\n", fixed);
    for (int i = 2; i < CONF_MANY_SLOTS; i++)
      at += (size_t)snprintf(program + at, sizeof program - at, "  mul r1 a%d %d\n  add r0 r0 r1\n",
                             i, i);
    snprintf(program + at, sizeof program - at, "  st a1 r0\nend\n");
    out->bytes = solo_span_of(program, strlen(program));
    return 1;
  }
  case CONF_IMAGE_FOREIGN:
    out->bytes = solo_span_of("skeleton-two 1\n", 15);
    return 1;
  case CONF_IMAGE_MISFIT:
    out->bytes = solo_span_of(misfit, sizeof misfit - 1);
    return 1;
  case CONF_IMAGE_CORRUPT:
    out->bytes = solo_span_of(corrupt, sizeof corrupt - 1);
    return 1;
  }
  return 0;
}

static void fail_call(int nth, int lost) {
  skeldrv_fail_call(nth, lost ? SKELDRV_LOST : SKELDRV_NO_MEMORY);
}

const conf_adapter conf_adapter_chosen = {
    .name = "skeleton",
    .backend = &solo_skeleton_backend,
    .image = image,
    .fail_call = fail_call,
    .live_objects = skeldrv_live_objects,
};
