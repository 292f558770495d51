/* Description: text bundles and archives are truncated at each byte, and each header field and byte
 * is changed. The reader reads the result or reports the offset of the fault, and accesses no other
 * memory (AddressSanitizer). */
#include "tests/unit/test.h"
#include "tools/pack.h"

static const char bundle[] = "# __CLANG_OFFLOAD_BUNDLE____START__ host-x86_64-unknown-linux-gnu-\n"
                             "host: .text\n"
                             "\n# __CLANG_OFFLOAD_BUNDLE____END__ host-x86_64-unknown-linux-gnu-\n"
                             "\n# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx906\n"
                             "device: s_endpgm\n"
                             "\n# __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx906\n";

static char archive[4096];
static size_t archive_size, headers[8], header_count, refused, read_count;

static void put(const void *bytes, size_t size) {
  memcpy(archive + archive_size, bytes, size);
  archive_size += size;
}

static void put_member(const char *name, const void *bytes, size_t size) {
  char header[64];
  snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644u, size);
  headers[header_count++] = archive_size;
  put(header, 60);
  put(bytes, size);
  if (size & 1) put("\n", 1);
}

static void make_archive(void) {
  static const char names[] = "a-name-that-does-not-fit-into-a-header.s/\nanother-such-name.s/\n";
  char bsd[sizeof bundle + 12] = "name-inside.";
  memcpy(bsd + 12, bundle, sizeof bundle - 1);
  put("!<arch>\n", 8);
  put_member("/", "\0\0\0\0", 4);
  put_member("//", names, sizeof names - 1);
  put_member("/0", bundle, sizeof bundle - 1);
  put_member("/42", "odd", 3);
  put_member("#1/12", bsd, sizeof bsd - 1);
  put_member("short.s/", bundle, sizeof bundle - 1);
}

static void see(void *context, const solo_pack_item *item) {
  int *errors = context;
  if (!item->error) return;
  ++*errors;
  /* the error names the offset, or the first bytes of an unknown format */
  CHECK(strstr(item->error, "offset") || strstr(item->error, "bytes that begin with"));
}

static void try_bytes(const char *bytes, size_t size) {
  int errors = 0;
  uint8_t *exact = malloc(size ? size : 1);
  memcpy(exact, bytes, size);
  bool sound = solo_pack_walk(solo_span_of(exact, size), see, &errors);
  CHECK(sound == (errors == 0));
  refused += !sound;
  read_count += sound;
  free(exact);
}

static void try_all(char *bytes, size_t size) {
  static const unsigned char values[] = {0, 0xff, '0', '9', ' ', '\n', '/', '-'};
  for (size_t cut = 0; cut <= size; cut++) try_bytes(bytes, cut);
  for (size_t i = 0; i < size; i++) {
    char old = bytes[i];
    for (size_t v = 0; v < sizeof values; v++) {
      bytes[i] = (char)values[v];
      try_bytes(bytes, size);
    }
    bytes[i] = (char)(old + 1);
    try_bytes(bytes, size);
    bytes[i] = (char)(old - 1);
    try_bytes(bytes, size);
    bytes[i] = old;
  }
}

/* Replaces a decimal field by an empty field, limits, invalid text, one more and one less. */
static void try_field(size_t at, size_t width) {
  char old[16], text[32];
  memcpy(old, archive + at, width);
  unsigned long is = strtoul(old, NULL, 10);
  const char *values[] = {"0", "9999999999999999", "-1", "18446744073709551615", "", "x"};
  for (size_t v = 0; v < 8; v++) {
    snprintf(text, sizeof text, "%-16s", v < 6 ? values[v] : "");
    if (v >= 6) snprintf(text, sizeof text, "%-16lu", v == 6 ? is + 1 : is - 1);
    memcpy(archive + at, text, width);
    try_bytes(archive, archive_size);
  }
  memcpy(archive + at, old, width);
}

int main(void) {
  char text[sizeof bundle];
  memcpy(text, bundle, sizeof bundle);
  make_archive();
  try_bytes(bundle, sizeof bundle - 1);
  try_bytes(archive, archive_size);
  CHECK_INT(read_count, 2);
  try_all(text, sizeof bundle - 1);
  for (size_t i = 0; i < header_count; i++) {
    try_field(headers[i], 16);
    for (size_t at = 48; at < 58; at += 10) try_field(headers[i] + at, 10);
  }
  for (const char *c = "/9999999999999999#1/9999999999999"; *c;
       c += 17) { /* changes the offsets of names so that they exceed the name table */
    memcpy(archive + headers[3], c, 16);
    try_bytes(archive, archive_size);
    if (strlen(c) <= 17) break;
  }
  try_all(archive, archive_size);
  printf("%zu rejected, %zu read\n", refused, read_count);
  CHECK(refused > 100);
  return TEST_RESULT();
}
