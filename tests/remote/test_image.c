/* Description: an image goes to a server once: its other devices, and modules that are loaded again,
 * take what the server has kept. Another image, be it one byte that differs, goes by itself, also when
 * the server keeps no more. Argument 1: solo-server. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "tests/unit/test.h"

#include <unistd.h>

enum { PATIENCE_SECONDS = 60, MOST = 1 << 18, MORE_THAN_KEPT = SOLO_REMOTE_IMAGES + 3 };

static const solo_backend *const b = &solo_remote_host_backend;
static char bytes[MOST];
static size_t size;
static solo_bdevice *devices[2];

/* How many messages it took; the kernel of the module works. */
static uint64_t load(solo_bdevice *device) {
  solo_image image;
  solo_bmodule *module = NULL;
  solo_bkernel *kernel = NULL;
  solo_kernel_attributes attributes;
  uint64_t before = device->server->control.count;
  CHECK_INT(solo_image_recognise(solo_span_of(bytes, size), &image), SOLO_OK);
  CHECK_INT(b->module_load(device, &image, &module), SOLO_OK);
  uint64_t took = device->server->control.count - before;
  if (!module) return 0;
  CHECK_INT(b->module_kernel(module, "conf_empty", &kernel, &attributes), SOLO_OK);
  b->module_unload(device, module);
  return took;
}

int main(int argc, char **argv) {
  char *server = argc > 1 ? realpath(argv[1], NULL) : NULL;
  FILE *file = fopen("build/sim/conf_kernels.so", "rb");
  if (!server || !file) TEST_SKIP("no device server was built");
  size = fread(bytes, 1, MOST, file);
  fclose(file);
  alarm(PATIENCE_SECONDS);
  setenv("SOLO_SERVER", server, 1);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  setenv("SOLO_HOST_DEVICES", "2", 1);
  for (int n = 0; n < 2; n++) {
    solo_device_info info;
    CHECK_INT(b->device_open(n, n, &devices[n], &info), SOLO_OK);
    if (!devices[n]) return TEST_RESULT();
  }
  CHECK(load(devices[0]) > 1);
  CHECK_INT(load(devices[0]), 1);
  CHECK_INT(load(devices[1]), 1);
  enum { UNUSED = 14 }; /* of e_ident */
  for (int n = 1; n < MORE_THAN_KEPT; n++) {
    bytes[UNUSED] = (char)n;
    CHECK(load(devices[n % 2]) > 1);
    CHECK_INT(load(devices[0]) > 1, n >= SOLO_REMOTE_IMAGES);
  }
  for (int n = 0; n < 2; n++) b->device_close(devices[n]);
  return TEST_RESULT();
}
