/* Adapter of the host backend: a linked image, or CONF_HOST_ELF=FILE. */
#define _DEFAULT_SOURCE
#include "ports/conformance/conformance.h"

#include "backends/host/host.h"
#include "runtime/image/linked.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

static void conf_empty(u64 env) {
  (void)env;
}

static void conf_affine(u64 env, u64 *x, u64 mul, u64 add) {
  (void)env;
  *x = *x * mul + add;
}

static void conf_slow(u64 env, u64 *x, u64 ns, u64 value) {
  const struct timespec pause = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
  (void)env;
  nanosleep(&pause, NULL);
  *x = value;
}

static void conf_many(u64 env, u64 *out, u64 a2, u64 a3, u64 a4, u64 a5, u64 a6, u64 a7, u64 a8,
                      u64 a9, u64 a10, u64 a11, u64 a12, u64 a13, u64 a14, u64 a15, u64 a16,
                      u64 a17, u64 a18, u64 a19, u64 a20, u64 a21, u64 a22, u64 a23, u64 a24) {
  (void)env;
  *out = 2 * a2 + 3 * a3 + 4 * a4 + 5 * a5 + 6 * a6 + 7 * a7 + 8 * a8 + 9 * a9 + 10 * a10 +
         11 * a11 + 12 * a12 + 13 * a13 + 14 * a14 + 15 * a15 + 16 * a16 + 17 * a17 + 18 * a18 +
         19 * a19 + 20 * a20 + 21 * a21 + 22 * a22 + 23 * a23 + 24 * a24;
}

static void conf_fault(u64 env) {
  (void)env;
  *(volatile u64 *)NULL;
}

static u64 global_0[4] = {CONF_GLOBAL_0, CONF_GLOBAL_1};
static u64 global_1[4] = {CONF_GLOBAL_0, CONF_GLOBAL_1};

static void read_0(u64 env, u64 *out) {
  (void)env;
  *out = global_0[1];
}

static void read_1(u64 env, u64 *out) {
  (void)env;
  *out = global_1[1];
}

static void write_0(u64 env, u64 value) {
  (void)env;
  global_0[1] = value;
}

static void write_1(u64 env, u64 value) {
  (void)env;
  global_1[1] = value;
}

#define CODE(name, function)                                                                       \
  { name, (void *)(uintptr_t)(function), 0 }
#define COPY(n)                                                                                    \
  CODE("conf_affine", conf_affine), CODE("conf_empty", conf_empty),                                \
      CODE("conf_fault", conf_fault), {"conf_global", global_##n, sizeof global_##n},              \
      CODE("conf_many", conf_many), CODE("conf_read", read_##n), CODE("conf_slow", conf_slow),     \
      CODE("conf_write", write_##n)

static const solo_linked_symbol symbols[] = {COPY(0), COPY(1)};
static const solo_linked_image kernels = {
    .magic = SOLO_LINKED_MAGIC,
    .version = SOLO_LINKED_VERSION,
    .flags = SOLO_LINKED_HAS_GLOBALS,
    .copies = 2,
    .machine = SOLO_ARCH_ELF_MACHINE,
    .symbol_count = sizeof symbols / sizeof *symbols / 2,
    .symbols = symbols,
};

static int elf_image(const char *path, conf_image_choice choice, solo_image *out) {
  static uint8_t bytes[1 << 17];
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file) fclose(file);
  if (solo_image_recognise(solo_span_of(bytes, size), out) != SOLO_OK) return 0;
  if (choice == CONF_IMAGE_FOREIGN) out->machine = 224;
  if (choice == CONF_IMAGE_CORRUPT) memset(bytes + 64, 0x5a, 4096 - 64);
  return choice != CONF_IMAGE_MISFIT;
}

static int image(conf_image_choice choice, solo_image *out) {
  const char *elf = getenv("CONF_HOST_ELF");
  if (elf) return elf_image(elf, choice, out);
  static solo_linked_image misfit;
  *out = (solo_image){.kind = SOLO_IMAGE_LINKED, .bytes = solo_span_of(&kernels, sizeof kernels)};
  if (choice == CONF_IMAGE_MISFIT) {
    misfit = kernels;
    misfit.version = SOLO_LINKED_VERSION + 1;
    out->bytes.data = (const uint8_t *)&misfit;
  }
  if (choice == CONF_IMAGE_FOREIGN) *out = (solo_image){.kind = SOLO_IMAGE_ELF, .machine = 224};
  return choice != CONF_IMAGE_CORRUPT;
}

static void prepare(void) {
  setenv("SOLO_HOST_DEVICES", "2", 1);
}

#define FAULT "a fault of a CPU kernel is a fault of the process"
static const conf_listed unsupported[] = {
    {"errors/fault", FAULT}, {"errors/kept", FAULT},        {"errors/events", FAULT},
    {"errors/blame", FAULT}, {"errors/fresh_queue", FAULT}, {0},
};

const conf_adapter conf_adapter_chosen = {
    .name = "host",
    .backend = &solo_host_backend,
    .prepare = prepare,
    .image = image,
    .unsupported = unsupported,
};
