#include "ports/conformance/conformance.h"

#include <stdlib.h>
#include <string.h>

static void recognise(void) {
  conf_open();
  CONF_CHECK(conf.b->image_recognise(&conf.image));
  const uint8_t bytes[16] = "not an image";
  const solo_image nothing = {.kind = SOLO_IMAGE_UNKNOWN, .bytes = {bytes, sizeof bytes}};
  const solo_image empty = {.kind = SOLO_IMAGE_UNKNOWN, .bytes = {bytes, 0}};
  CONF_CHECK(!conf.b->image_recognise(&nothing));
  CONF_CHECK(!conf.b->image_recognise(&empty));
  solo_image foreign;
  if (conf_adapter_chosen.image(CONF_IMAGE_FOREIGN, &foreign))
    CONF_CHECK(!conf.b->image_recognise(&foreign));
  conf_close();
}

static void score(void) {
  conf_open();
  char reason[128];
  uint64_t before = conf_allocations;
  CONF_CHECK(conf.b->image_score(conf.device, &conf.image, reason, sizeof reason) > 0);
  CONF_EQUAL(conf_allocations, before);
  solo_image misfit;
  if (conf_adapter_chosen.image(CONF_IMAGE_MISFIT, &misfit)) {
    CONF_CHECK(conf.b->image_recognise(&misfit));
    memset(reason, 'x', sizeof reason);
    CONF_EQUAL(conf.b->image_score(conf.device, &misfit, reason, sizeof reason), 0);
    CONF_CHECK(memchr(reason, 0, sizeof reason) && reason[0] && reason[0] != 'x');
    /* the text is terminated even in a small buffer */
    for (size_t size = 1; size <= 8; size++) {
      memset(reason, 'x', sizeof reason);
      CONF_EQUAL(conf.b->image_score(conf.device, &misfit, reason, size), 0);
      CONF_CHECK(memchr(reason, 0, size) && reason[size] == 'x');
    }
    solo_bmodule *module = NULL;
    CONF_FAILS(conf.b->module_load(conf.device, &misfit, &module), SOLO_INCOMPATIBLE);
    CONF_CHECK(!module);
  }
  conf_close();
}

static void corrupt(void) {
  conf_open();
  solo_image image;
  if (!conf_adapter_chosen.image(CONF_IMAGE_CORRUPT, &image)) conf_skip("no corrupt image");
  solo_bmodule *module = NULL;
  solo_status status = conf.b->module_load(conf.device, &image, &module);
  CONF_CHECK(status == SOLO_BAD_IMAGE || status == SOLO_INCOMPATIBLE);
  CONF_CHECK(solo_error_last()->text[0] && !module);
  conf_close();
}

/* The image's bytes are valid only during module_load. */
static void borrowed(void) {
  conf_open();
  if (conf.image.kind == SOLO_IMAGE_LINKED) conf_skip("linked images are part of the program");
  size_t size = conf.image.bytes.size;
  uint8_t *copy = malloc(size);
  CONF_MUST(copy);
  memcpy(copy, conf.image.bytes.data, size);
  solo_image image = conf.image;
  image.bytes = solo_span_of(copy, size);
  conf.b->module_unload(conf.device, conf.module);
  CONF_OK(conf.b->module_load(conf.device, &image, &conf.module));
  memset(copy, '#', size);
  solo_devptr cell = conf_cell(4);
  solo_bqueue *queue = conf_queue();
  conf_launch(queue, conf_kernel("conf_affine"), 4, UINT64_C(0), cell, UINT64_C(10), UINT64_C(2));
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(cell), 42);
  conf_free(cell);
  conf_close();
  free(copy); /* frees here, so that the compiler does not remove the memset */
}

static void kernel(void) {
  conf_open();
  static const struct {
    const char *name;
    uint32_t bytes;
  } kernels[] = {{"conf_empty", 8}, {"conf_affine", 32}, {"conf_many", 8 * CONF_MANY_SLOTS}};
  solo_bkernel *handle;
  solo_kernel_attributes attributes;
  for (int n = 0; n < 3; n++) {
    handle = NULL;
    CONF_OK(conf.b->module_kernel(conf.module, kernels[n].name, &handle, &attributes));
    CONF_CHECK(handle != NULL);
    CONF_CHECK(attributes.argument_bytes == 0 || attributes.argument_bytes == kernels[n].bytes);
    CONF_CHECK(attributes.max_threads <= conf.info.max_threads);
  }
  const char *const wrong[] = {"conf_nothing", "conf_affin", "conf_affine2", "", "conf_global"};
  for (int n = 0; n < 5; n++) {
    solo_bkernel *none = (solo_bkernel *)&attributes;
    CONF_FAILS(conf.b->module_kernel(conf.module, wrong[n], &none, &attributes), SOLO_NOT_FOUND);
    CONF_CHECK(none == (solo_bkernel *)&attributes);
  }
  conf_close();
}

static void global(void) {
  conf_open();
  solo_devptr address = 0;
  uint64_t bytes = 0;
  CONF_OK(conf.b->module_global(conf.module, "conf_global", &address, &bytes));
  CONF_MUST(address != 0);
  CONF_EQUAL(bytes, CONF_GLOBAL_BYTES);
  CONF_EQUAL(conf_value(address), CONF_GLOBAL_0);
  CONF_EQUAL(conf_value(address + 8), CONF_GLOBAL_1);
  CONF_EQUAL(conf_value(address + 24), 0);
  solo_devptr cell = conf_cell(0);
  solo_bqueue *queue = conf_queue();
  const uint64_t value = 0x123456789abcdef0;
  CONF_OK(conf.b->queue_copy(queue, address + 8, conf_host(&value), 8, SOLO_COPY_IN));
  conf_launch(queue, conf_kernel("conf_read"), 2, UINT64_C(0), cell);
  conf_launch(queue, conf_kernel("conf_write"), 2, UINT64_C(0), UINT64_C(77));
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(cell), value);
  CONF_EQUAL(conf_value(address + 8), 77);
  conf_free(cell);

  solo_devptr none = 1;
  bytes = 2;
  solo_error_clear();
  CONF_CHECK(conf.b->module_global(conf.module, "conf_nothing", &none, &bytes) == SOLO_NOT_FOUND);
  CONF_CHECK(none == 1 && bytes == 2);
  CONF_CHECK(solo_error_last()->status == SOLO_OK);
  conf_close();
}

/* Two modules of one image have separate globals. */
static void twice(void) {
  conf_open();
  if (conf.image.kind == SOLO_IMAGE_LINKED) conf_skip("a linked image exists once");
  solo_bmodule *first = conf.module, *second;
  CONF_OK(conf.b->module_load(conf.device, &conf.image, &second));
  solo_bqueue *queue = conf_queue();
  conf_launch(queue, conf_kernel("conf_write"), 2, UINT64_C(0), UINT64_C(1000));
  conf_queue_done(queue);
  conf.module = second;
  solo_devptr cell = conf_cell(0);
  queue = conf_queue();
  conf_launch(queue, conf_kernel("conf_read"), 2, UINT64_C(0), cell);
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(cell), CONF_GLOBAL_1);
  conf.b->module_unload(conf.device, first);
  queue = conf_queue();
  conf_launch(queue, conf_kernel("conf_affine"), 4, UINT64_C(0), cell, UINT64_C(2), UINT64_C(0));
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(cell), 2 * CONF_GLOBAL_1);
  conf_free(cell);
  conf_close();
}

static void unload(void) {
  conf_open();
  for (int n = 0; n < 50; n++) {
    solo_bmodule *module = NULL;
    CONF_OK(conf.b->module_load(conf.device, &conf.image, &module));
    conf.b->module_unload(conf.device, module);
  }
  conf_close();
}

const conf_case conf_cases_module[] = {
    {"module/recognise", recognise, 0},
    {"module/score", score, 0},
    {"module/corrupt", corrupt, 0},
    {"module/borrowed", borrowed, 0},
    {"module/kernel", kernel, 0},
    {"module/global", global, 0},
    {"module/twice", twice, 0},
    {"module/unload", unload, 0},
    {0},
};
