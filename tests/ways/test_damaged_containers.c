/* Description: each container that solo-pack writes is truncated at each byte, and each number in
 * it is changed. The reader reads the result or reports the offset of the fault, and accesses no
 * other memory (AddressSanitizer). */
#include "runtime/image/image.h"
#include "tests/unit/test.h"
#include "tools/pack.h"

/* Switch LeakSanitizer off for the writers, which free nothing (tools/pack.h). */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

enum { HEADERS = 360 };
static const char ptx[] = "//\n.version 7.0\n.target sm_80\n.address_size 64\n";
static const char other[] =
    "//\n.version 7.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n";
static const char *format;
static long refused, read_count;

static void see(void *context, const solo_pack_item *item) {
  int *errors = context;
  if (!item->error) return;
  ++*errors;
  if (strstr(item->error, "offset") || strstr(item->error, " at 0x") ||
      strstr(item->error, "bytes that begin with"))
    return;
  printf("%s: no offset: %s\n", format, item->error);
  CHECK(!"an error has its offset");
}

/* Returns 1 if the container was read without an error. */
static int try(const uint8_t *bytes, size_t size) {
  int errors = 0;
  uint8_t *exact = malloc(size ? size : 1);
  memcpy(exact, bytes, size);
  bool sound = solo_pack_walk(solo_span_of(exact, size), see, &errors);
  CHECK(sound == (errors == 0));
  free(exact);
  sound ? read_count++ : refused++;
  return sound;
}

static void try_numbers(uint8_t *bytes, size_t size, size_t at, size_t width) {
  uint64_t was = 0, number;
  memcpy(&was, bytes + at, width);
  const uint64_t values[] = {0,       UINT64_MAX, (UINT64_C(1) << (8 * width - 1)) - 1,
                             was + 1, was - 1,    size};
  for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
    number = values[v];
    memcpy(bytes + at, &number, width);
    (void)try(bytes, size);
  }
  memcpy(bytes + at, &was, width);
}

static void try_format(const char *name) {
  solo_pack_image images[3] = {
      {.path = "a", .bytes = solo_span_of(ptx, sizeof ptx - 1), .triple = "nvptx64-nvidia-cuda"},
      {.path = "b",
       .bytes = solo_span_of(other, sizeof other - 1),
       .triple = "nvptx64-nvidia-cuda"},
      {.path = "c", .bytes = solo_span_of(ptx, sizeof ptx - 1), .triple = "nvptx64-nvidia-cuda"}};
  static const char *const arches[] = {"sm_80", "sm_90", "sm_89"};
  for (int i = 0; i < 3; i++) {
    images[i].arch = arches[i];
    images[i].kind = "openmp";
    images[i].image = (solo_image){.kind = SOLO_IMAGE_PTX, .bytes = images[i].bytes};
    (void)snprintf(images[i].image.target, sizeof images[i].image.target, "%s", arches[i]);
  }
  solo_pack_options options = {.align = 8, .comment = "#", .level = 3, .compress = *name == '+'};
  solo_pack_buffer out = {NULL, 0, 0};
  format = name + options.compress;
  solo_pack_writer *write = solo_pack_format(format);
  CHECK(write != NULL);
  if (!write) return;
  if (&__lsan_disable) __lsan_disable();
  write(&out, images, 3, &options);
  if (&__lsan_enable) __lsan_enable();
  CHECK(try(out.data, out.size));
  long before = refused;
  for (size_t cut = 0; cut < out.size; cut++) (void)try(out.data, cut);
  CHECK(refused > before);
  for (size_t at = 0; at < HEADERS && at + 8 <= out.size; at++) {
    try_numbers(out.data, out.size, at, 4);
    try_numbers(out.data, out.size, at, 8);
  }
  CHECK(try(out.data, out.size));
  free(out.data);
}

int main(void) {
  static const char *const formats[] = {"offload", "offload2", "offload3", "+offload3",
                                        "bundle",  "hip",      "text",     "ccob1",
                                        "ccob2",   "ccob3",    "fatbin",   "+fatbin"};
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) try_format(formats[f]);
  printf("%ld rejected, %ld read\n", refused, read_count);
  return TEST_RESULT();
}
