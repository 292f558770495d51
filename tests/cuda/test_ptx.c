/* Description: the driver compiles PTX if no binary fits; an error contains the compiler's message.
 * Argument 1: PTX with a simulated image. */
#define _GNU_SOURCE
#include "tests/cuda/cuda_test.h"

static const solo_backend *const b = &solo_cuda_backend;

static solo_image recognise(const char *text) {
  solo_image image;
  OK(solo_image_recognise(solo_span_of(text, strlen(text)), &image));
  return image;
}

int main(int argc, char **argv) {
  solo_bdevice *device;
  solo_device_info info;
  solo_bmodule *module = NULL;
  solo_bqueue *queue;
  char reason[128] = "";
  if (argc < 2) return 2;
  OK(b->device_open(0, 0, &device, &info));
  OK(b->queue_open(device, &queue));
  size_t size;
  char *text = test_read(argv[1], &size);
  solo_image image = recognise(text); /* PTX without a terminating NUL, as in an image */
  CHECK(b->image_recognise(&image));
  uint32_t score = b->image_score(device, &image, reason, sizeof reason);
  CHECK(score > 0);
  solo_image newer = recognise(".version 8.0\n.target sm_100\n.address_size 64\n");
  CHECK_INT(b->image_score(device, &newer, reason, sizeof reason), 0);
  CHECK(strlen(reason) > 10);
  solo_image binary = test_image("build/sim/cuda/kernels-sm90.cubin");
  CHECK(b->image_score(device, &binary, reason, sizeof reason) > score);

  OK(b->module_load(device, &image, &module));
  free(text);
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  OK(b->module_kernel(module, "sim_nothing", &kernel, &attributes));
  OK(test_launch(queue, kernel, 1, 1, NULL, 0));
  OK(b->queue_sync(queue));
  b->module_unload(device, module);

  setenv("SIM_CUDA_DRIVER", "12040", 1);
  solo_bdevice *older;
  OK(b->device_open(0, 0, &older, &info));
  solo_image by_19 = recognise(".version 8.5\n.target sm_90\n");
  solo_image known = recognise(".version 8.4\n.target sm_80\n");
  CHECK_INT(b->image_score(older, &by_19, reason, sizeof reason), 0);
  CHECK_HAS(reason, "PTX 8.5; the driver is CUDA 12.4's and compiles PTX up to 8.4");
  CHECK(b->image_score(older, &known, reason, sizeof reason) > 0);
  CHECK(b->image_score(device, &by_19, reason, sizeof reason) > 0);
  CHECK_INT(b->image_score(older, &binary, reason, sizeof reason), 0);
  CHECK_HAS(reason, "ptxas of CUDA 13");
  solo_bmodule *refused = NULL;
  CHECK_INT(b->module_load(older, &by_19, &refused), SOLO_INCOMPATIBLE);
  CHECK_HAS(solo_error_last()->text, "the image is PTX 8.5, the driver is CUDA 12.4's");
  b->device_close(older);
  unsetenv("SIM_CUDA_DRIVER");

  module = NULL;
  solo_image broken = recognise(".version 8.0\n.target sm_80\noops\n");
  CHECK_INT(b->module_load(device, &broken, &module), SOLO_BAD_IMAGE);
  CHECK(!module);
  CHECK_HAS(solo_error_last()->text, "CUDA_ERROR_INVALID_PTX");
  CHECK_HAS(solo_error_last()->text, "Parsing error near 'oops'");
  printf("%s\n", solo_error_last()->text);
  free((void *)(uintptr_t)binary.bytes.data);
  b->queue_close(device, queue);
  b->device_close(device);
  CHECK_INT(cuda_sim_live(NULL), 0);
  return TEST_RESULT();
}
