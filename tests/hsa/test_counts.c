/* Description: a launch and its wait need one dispatch packet, no barrier packet and at most one
 * sleep. A runtime that does not start is reported. */
#define _DEFAULT_SOURCE
#include "runtime/backend.h"

#include "tests/images/files.h"
#include "tests/sim/libhsa/hsa_sim.h"

extern const solo_backend solo_hsa_backend;

enum { ROUNDS = 500, CARRY = 64 };

static solo_status launch(solo_bqueue *queue, solo_bkernel *kernel) {
  const uint64_t slots[1] = {0};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 8, .arguments = slots};
  return solo_hsa_backend.queue_launch(queue, kernel, &record);
}

static void counts(solo_bdevice *device, solo_bkernel *kernel) {
  const solo_backend *b = &solo_hsa_backend;
  solo_bqueue *queue;
  CHECK_INT(b->queue_open(device, &queue), SOLO_OK);
  CHECK_INT(launch(queue, kernel), SOLO_OK);
  CHECK_INT(b->queue_sync(queue), SOLO_OK);
  unsigned dispatches = hsa_sim_packets(2), barriers = hsa_sim_packets(3);
  hsa_sim_reset_calls();
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_INT(launch(queue, kernel), SOLO_OK);
    CHECK_INT(b->queue_sync(queue), SOLO_OK);
  }
  CHECK_INT(hsa_sim_packets(2) - dispatches, ROUNDS);
  CHECK_INT(hsa_sim_packets(3) - barriers, 0);
  /* The first sleep also reads the clock's frequency. */
  CHECK_INT(hsa_sim_calls(NULL) - hsa_sim_calls("hsa_system_get_info"),
            hsa_sim_calls("hsa_signal_wait_scacquire"));
  CHECK(hsa_sim_calls("hsa_signal_wait_scacquire") <= ROUNDS);

  /* A copy between launches needs one barrier packet. */
  solo_devptr x, y;
  CHECK_INT(b->mem_alloc(device, 64, SOLO_MEMORY_DEVICE, &x), SOLO_OK);
  CHECK_INT(b->mem_alloc(device, 64, SOLO_MEMORY_DEVICE, &y), SOLO_OK);
  hsa_sim_delay(2000); /* us, so that operations overlap */
  barriers = hsa_sim_packets(3);
  CHECK_INT(launch(queue, kernel), SOLO_OK);
  CHECK_INT(b->queue_copy(queue, y, x, 64, SOLO_COPY_WITHIN), SOLO_OK);
  CHECK_INT(launch(queue, kernel), SOLO_OK);
  CHECK_INT(launch(queue, kernel), SOLO_OK);
  CHECK_INT(b->queue_sync(queue), SOLO_OK);
  CHECK_INT(hsa_sim_packets(3) - barriers, 1);
  hsa_sim_delay(0);
  CHECK_INT(b->mem_free(device, x, SOLO_MEMORY_DEVICE), SOLO_OK);
  CHECK_INT(b->mem_free(device, y, SOLO_MEMORY_DEVICE), SOLO_OK);
  b->queue_close(device, queue);
}

/* The limits of private data that is passed with the arguments (inline_data). */
static void carried(solo_bdevice *device, solo_bmodule *module) {
  const solo_backend *b = &solo_hsa_backend;
  /* arguments of conf_affine: a cell and two numbers */
  static const uint64_t data[9], slots[4] = {0, 8, 1, 1};
  solo_bqueue *queue;
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  CHECK_INT(b->module_kernel(module, "conf_affine", &kernel, &attributes), SOLO_OK);
  CHECK_INT(attributes.inline_data_bytes, CARRY);
  CHECK_INT(b->queue_open(device, &queue), SOLO_OK);
  solo_launch_record record = {.teams = {1, 1, 1},
                               .threads = {1, 1, 1},
                               .argument_bytes = sizeof slots,
                               .arguments = slots,
                               .inline_data = data,
                               .inline_data_bytes = CARRY,
                               .inline_data_slots = 2};
  CHECK_INT(b->queue_launch(queue, kernel, &record), SOLO_OK);
  /* sets bit 4, but the kernel has only four arguments (bits 0 to 3) */
  record.inline_data_slots = 1 << 4;
  CHECK_INT(b->queue_launch(queue, kernel, &record), SOLO_INVALID);
  record.inline_data_slots = 2;
  record.inline_data_bytes = CARRY + 1;
  CHECK_INT(b->queue_launch(queue, kernel, &record), SOLO_INVALID);
  CHECK_INT(b->queue_sync(queue), SOLO_OK);
  b->queue_close(device, queue);
}

int main(void) {
  const solo_backend *b = &solo_hsa_backend;
  int count = 7;
  setenv("SOLO_HSA_CARRY", "64", 1);
  setenv("SIM_HSA_ABSENT", "1", 1);
  CHECK_INT(b->device_count(&count), SOLO_UNAVAILABLE);
  CHECK_INT(count, 0);
  CHECK_HAS(solo_error_last()->text, "HSA_STATUS_ERROR_OUT_OF_RESOURCES");
  CHECK_HAS(solo_error_last()->text, "/dev/kfd");
  unsetenv("SIM_HSA_ABSENT");

  files_folder = "build/sim/hsa";
  solo_span bytes = file_load("conf-gfx90a.co");
  solo_image image;
  solo_bdevice *device;
  solo_device_info info;
  solo_bmodule *module;
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  CHECK_INT(solo_image_recognise(bytes, &image), SOLO_OK);
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(b->device_open(0, 0, &device, &info), SOLO_OK);
  CHECK_TEXT(info.arch, "gfx90a:sramecc+:xnack-");
  CHECK_INT(info.warp_size, 64);
  CHECK_INT(b->module_load(device, &image, &module), SOLO_OK);
  CHECK_INT(b->module_kernel(module, "conf_empty", &kernel, &attributes), SOLO_OK);
  CHECK_INT(attributes.argument_bytes, 8);
  counts(device, kernel);
  carried(device, module);
  /* A module that is unloaded and loaded again reuses the records of its kernels. */
  for (int i = 0; i < 3; i++) {
    solo_bkernel *before = kernel;
    b->module_unload(device, module);
    CHECK_INT(b->module_load(device, &image, &module), SOLO_OK);
    CHECK_INT(b->module_kernel(module, "conf_empty", &kernel, &attributes), SOLO_OK);
    CHECK(kernel == before);
  }
  b->module_unload(device, module);
  b->device_close(device);
  CHECK_INT(hsa_sim_live(NULL), 0);
  CHECK_INT(hsa_sim_violations(), 0);
  file_free(bytes);
  return TEST_RESULT();
}
