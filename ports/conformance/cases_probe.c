#include "ports/conformance/conformance.h"

#include <string.h>

static void table(void) {
  CONF_OK(solo_backend_check(conf.b));
  CONF_CHECK(strcmp(conf.b->name, conf_adapter_chosen.name) == 0);
}

static void count(void) {
  int first = -1, second = -2;
  CONF_OK(conf.b->device_count(&first));
  CONF_OK(conf.b->device_count(&second));
  CONF_CHECK(first > 0);
  CONF_EQUAL(second, first);
}

static int is_text(const char *text, size_t size) {
  return text[0] && memchr(text, 0, size);
}

static void info(void) {
  conf_open();
  const solo_device_info *i = &conf.info;
  CONF_CHECK(is_text(i->name, sizeof i->name));
  CONF_CHECK(is_text(i->arch, sizeof i->arch));
  CONF_CHECK(memchr(i->uid, 0, sizeof i->uid) != NULL);
  CONF_CHECK(i->warp_size >= 1);
  CONF_CHECK(i->max_threads >= 1 && i->max_teams >= 1 && i->compute_units >= 1);
  CONF_CHECK(i->default_threads >= 1 && i->default_threads <= i->max_threads);
  CONF_CHECK(i->default_teams >= 1 && i->default_teams <= i->max_teams);
  CONF_CHECK(i->memory_bytes >= 1 << 20);
  const uint32_t of_rtl = SOLO_DEVICE_HEAP_FROM_HOST | SOLO_DEVICE_STRUCTORS_BY_HOST;
  CONF_CHECK((i->flags & ~(uint32_t)(SOLO_DEVICE_SYNCHRONOUS | SOLO_DEVICE_SHARED_MEMORY |
                                     SOLO_DEVICE_UNIFIED_ADDRESSES | SOLO_DEVICE_HAS_RTL |
                                     SOLO_DEVICE_SURVIVES_FORK | SOLO_DEVICE_COPIES_IN_TURN |
                                     SOLO_DEVICE_EXACT_BLOCKS | of_rtl)) == 0);
  CONF_CHECK(!(i->flags & SOLO_DEVICE_SHARED_MEMORY) || i->flags & SOLO_DEVICE_UNIFIED_ADDRESSES);
  CONF_CHECK(!(i->flags & of_rtl) || i->flags & SOLO_DEVICE_HAS_RTL);
  CONF_CHECK(memchr(i->init_kernel, 0, sizeof i->init_kernel) != NULL);
  CONF_CHECK(memchr(i->fini_kernel, 0, sizeof i->fini_kernel) != NULL);
  CONF_CHECK(!i->foreign || (i->foreign->id > 0 && i->foreign->name && i->foreign->vendor_name));
  conf_close();
}

static void ordinal(void) {
  int devices;
  CONF_OK(conf.b->device_count(&devices));
  const int wrong[] = {-1, devices, devices + 1000};
  for (int n = 0; n < 3; n++) {
    solo_bdevice *device = (solo_bdevice *)&devices;
    solo_device_info filled = {.flags = 0x5a5a};
    CONF_FAILS(conf.b->device_open(wrong[n], 0, &device, &filled), SOLO_INVALID);
    CONF_CHECK(device == (solo_bdevice *)&devices && filled.flags == 0x5a5a);
  }
}

static void reopen(void) {
  for (int n = 0; n < 3; n++) {
    conf_open();
    solo_devptr cell = conf_cell(5);
    solo_bqueue *queue = conf_queue();
    conf_launch(queue, conf.affine, 4, UINT64_C(0), cell, UINT64_C(3), (uint64_t)n);
    conf_queue_done(queue);
    CONF_EQUAL(conf_value(cell), 15 + n);
    conf_free(cell);
    conf_close();
  }
}

/* Two devices have separate memory, globals and queues. */
static void devices(void) {
  int have;
  CONF_OK(conf.b->device_count(&have));
  if (have < 2) conf_skip("one device only");
  conf_context second;
  conf_open();
  solo_devptr own_cell = conf_cell(1);
  second = conf;
  CONF_OK(conf.b->device_open(1, 1, &conf.device, &conf.info));
  CONF_OK(conf.b->module_load(conf.device, &conf.image, &conf.module));
  solo_devptr other = conf_cell(2);
  solo_bqueue *queue = conf_queue();
  conf_launch(queue, conf_kernel("conf_write"), 2, UINT64_C(0), UINT64_C(99));
  conf_launch(queue, conf_kernel("conf_read"), 2, UINT64_C(0), other);
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(other), 99);
  conf_free(other);
  conf.b->module_unload(conf.device, conf.module);
  conf.b->device_close(conf.device);
  conf = second;
  CONF_EQUAL(conf_value(own_cell), 1);
  queue = conf_queue();
  conf_launch(queue, conf_kernel("conf_read"), 2, UINT64_C(0), own_cell);
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(own_cell), CONF_GLOBAL_1);
  conf_free(own_cell);
  conf_close();
}

static void native_handle(void) {
  conf_open();
  void *handle = NULL;
  solo_status status =
      solo_backend_native_handle(conf.b, conf.device, NULL, SOLO_NATIVE_DEVICE, &handle);
  if (status == SOLO_UNSUPPORTED) conf_report_unsupported("the driver's handle is not available");
  CONF_OK(status);
  solo_bqueue *queue = conf_queue();
  status = solo_backend_native_handle(conf.b, conf.device, queue, SOLO_NATIVE_QUEUE, &handle);
  CONF_CHECK(status == SOLO_UNSUPPORTED || (status == SOLO_OK && handle));
  conf_queue_done(queue);
  conf_close();
}

const conf_case conf_cases_probe[] = {
    {"probe/table", table, 0},
    {"probe/count", count, 0},
    {"probe/info", info, 0},
    {"probe/ordinal", ordinal, 0},
    {"probe/reopen", reopen, 0},
    {"probe/devices", devices, 0},
    {"info/native_handle", native_handle, CONF_OPTIONAL(native_handle)},
    {0},
};
