/* Description: each server receives an image once. Its other devices, later loads and other
 * programs use the cached copy. An image that differs in one byte is sent separately, even if the
 * cache is full. Argument 1: solo-server. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "tests/remote/listening.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 60, MOST = 1 << 18, MORE_THAN_KEPT = SOLO_REMOTE_IMAGES + 3 };

static const solo_backend *const b = &solo_remote_host_backend;
static char bytes[MOST];
static size_t size;
static solo_bdevice *devices[2];

/* Loads the module and checks its kernel. Returns the number of messages of the load. */
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

static uint64_t kept_bytes(void) {
  solo_remote_server *s = devices[0]->server;
  uint64_t counts[2] = {0};
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_COUNT_OBJECTS);
  CHECK_INT(solo_remote_call(s, m, counts, sizeof counts), SOLO_OK);
  solo_lock_release(&s->lock);
  return counts[1];
}

/* Writes to `out` the number of bytes that the server caches after one image and after two. */
static int be_program(int out, int in) {
  solo_device_info info;
  uint64_t told[2];
  char word;
  if (b->device_open(0, 0, &devices[0], &info) != SOLO_OK) return 1;
  (void)load(devices[0]);
  told[0] = kept_bytes();
  bytes[14] = 77;
  (void)load(devices[0]);
  told[1] = kept_bytes();
  if (write(out, told, sizeof told) != sizeof told) return 1;
  return read(in, &word, 1) < 0;
}

static void check_shared(char *server) {
  char name[48];
  uint64_t told[2][2] = {{0}};
  int from[2][2], to[2][2];
  pid_t programs[2];
  snprintf(name, sizeof name, "@solo-test-image-%d", (int)getpid());
  pid_t listening = listening_start(server, name + 1, NULL);
  AWAIT(listening_answers(name + 1));
  setenv("SOLO_SERVER", name, 1);
  for (int n = 0; n < 2; n++) {
    if (pipe(from[n]) != 0 || pipe(to[n]) != 0) exit(2);
    programs[n] = fork();
    if (programs[n] == 0) {
      for (int m = 0; m <= n; m++) close(to[m][1]);
      _exit(be_program(from[n][1], to[n][0]));
    }
    CHECK(read(from[n][0], told[n], sizeof told[n]) == sizeof told[n]);
  }
  for (int n = 0; n < 2; n++) close(to[n][1]);
  for (int n = 0; n < 2; n++) {
    int status = 0;
    waitpid(programs[n], &status, 0);
    CHECK_INT(status, 0);
    /* the first program has loaded two images by then */
    CHECK_INT(told[n][0], n ? 2 * size : size);
    CHECK_INT(told[n][1], 2 * size);
  }
  kill(listening, SIGTERM);
  waitpid(listening, NULL, 0);
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
  check_shared(server); /* forks, which must precede the first connection of this process */
  setenv("SOLO_SERVER", server, 1);
  for (int n = 0; n < 2; n++) {
    solo_device_info info;
    CHECK_INT(b->device_open(n, n, &devices[n], &info), SOLO_OK);
    if (!devices[n]) return TEST_RESULT();
  }
  CHECK(load(devices[0]) > 1);
  CHECK_INT(load(devices[0]), 1);
  CHECK_INT(load(devices[1]), 1);
  /* offset of an unused byte of e_ident: each value of the byte makes another image */
  enum { UNUSED = 14 };
  for (int n = 1; n < MORE_THAN_KEPT; n++) {
    bytes[UNUSED] = (char)n;
    CHECK(load(devices[n % 2]) > 1);
    CHECK_INT(load(devices[0]) > 1, n >= SOLO_REMOTE_IMAGES);
  }
  for (int n = 0; n < 2; n++) b->device_close(devices[n]);
  return TEST_RESULT();
}
