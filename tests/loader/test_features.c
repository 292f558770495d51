/* Description: the loader handles relocations, thread-local data, constructors, indirect functions
 * and symbol versions, and rejects unsupported images. Argument: folder of the images. */
#define _GNU_SOURCE
#include "abi/include/omp.h"
#include "backends/host/elf/arch.h"
#include "backends/host/elf/load.h"
#include "tests/loader/image_file.h"
#include "tests/loader/images/thing.h"
#include "tests/unit/test.h"
#include <pthread.h>
#include <unistd.h>

static const char *folder;

static solo_host_elf *load(const char *name, int device) {
  solo_span bytes = read_image(folder, name);
  solo_host_elf *m = NULL;
  solo_status status = solo_host_elf_load(bytes, device, &m);
  free((void *)bytes.data);
  CHECK_INT(status, SOLO_OK);
  if (status != SOLO_OK) {
    printf("%s: %s\n", name, solo_error_last()->text);
    exit(1);
  }
  return m;
}

static void *symbol(solo_host_elf *m, const char *name) {
  void *address = NULL;
  uint64_t size;
  CHECK_INT(solo_host_elf_symbol(m, name, &address, &size), SOLO_OK);
  if (!address) exit(1);
  return address;
}

#if defined(__clang__) /* UBSan reads bytes before a callee, which images lack */
__attribute__((no_sanitize("function")))
#endif
static int
call_address(void *address) {
  return ((int (*)(void))(uintptr_t)address)();
}

static int call(solo_host_elf *m, const char *name) {
  return call_address(symbol(m, name));
}

static void refused(const char *name, solo_status expected, const char *word, const char *advice) {
  solo_span bytes = read_image(folder, name);
  solo_host_elf *m;
  CHECK_INT(solo_host_elf_load(bytes, 0, &m), expected);
  CHECK_HAS(solo_error_last()->text, word);
  CHECK_HAS(solo_error_last()->text, advice);
  free((void *)bytes.data);
}

static int writable_code_exists(void) {
  char line[512];
  int found = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  while (f && fgets(line, sizeof line, f))
    if (strstr(line, "rwxp")) found = 1;
  if (f) fclose(f);
  return found;
}

static void relocations(const char *name) {
  solo_host_elf *a = load(name, 0), *b = load(name, 1);
  CHECK_INT(call(a, "next_count"), 5 + 7 + 6);
  CHECK_INT(call(a, "next_count"), 6 + 8 + 7);
  CHECK_INT(call(b, "next_count"), 5 + 7 + 6); /* each instance of the image has separate globals */
  CHECK(symbol(a, "counter") != symbol(b, "counter"));
  CHECK_INT(*(int *)symbol(a, "counter"), 7);
  CHECK_INT(call(a, "use_process"), 300000 + 13000 + 400 + 42);
  CHECK_INT(call(a, "use_data"), 1);
  CHECK_INT(call(a, "negative_addend"), 10);
  CHECK(!writable_code_exists());
  void *address;
  uint64_t size;
  CHECK_INT(solo_host_elf_symbol(a, "aligned_data", &address, &size), SOLO_OK);
  CHECK_INT(size, 16);
  CHECK_INT(solo_host_elf_symbol(a, "no_such_name", &address, &size), SOLO_NOT_FOUND);
  CHECK_INT(solo_host_elf_symbol(a, "strlen", &address, &size), SOLO_NOT_FOUND);
  solo_host_elf_unload(a);
  CHECK_INT(call(b, "next_count"), 6 + 8 + 7);
  solo_host_elf_unload(b);
}

/* Threads count wrong results instead of calling CHECK, which is not thread-safe. */
typedef struct tls_context {
  void *sum, *of_process;
  int wrong;
} tls_context;

static void *tls_thread(void *argument) {
  tls_context *c = argument;
  for (int i = 1; i <= 3; i++)
    c->wrong +=
        call_address(c->sum) != (41 + i) * 1000000 + (5 + i) * 10000 + i * 100 + (2 + i) * 10 + 1;
  c->wrong += call_address(c->of_process) != 77;
  return NULL;
}

static void tls_in_this_thread(solo_host_elf *m) {
  thing_tls = 77;
  tls_context c = {symbol(m, "tls_sum"), symbol(m, "tls_of_process"), 0};
  tls_thread(&c);
  CHECK_INT(c.wrong, 0);
}

static void thread_local_data(void) {
  solo_host_elf *a = load("tls", 0), *b = load("tls", 1);
  for (int round = 0; round < 2; round++) {
    pthread_t t[4];
    tls_context c[4];
    for (int i = 0; i < 4; i++) {
      solo_host_elf *m = i & 1 ? a : b;
      c[i] = (tls_context){symbol(m, "tls_sum"), symbol(m, "tls_of_process"), 0};
      pthread_create(&t[i], NULL, tls_thread, &c[i]);
    }
    for (int i = 0; i < 4; i++) {
      pthread_join(t[i], NULL);
      CHECK_INT(c[i].wrong, 0);
    }
  }
  tls_in_this_thread(a);
  tls_in_this_thread(b);
  CHECK_INT(thing_tls, 78); /* the image used the library's variable, not a copy */
  typedef int *address_function(void);
  CHECK(((address_function *)(uintptr_t)symbol(a, "tls_address"))() !=
        ((address_function *)(uintptr_t)symbol(b, "tls_address"))());
  solo_host_elf_unload(a);
  /* reuses the slot of `a`: the variables must have their initial values again */
  solo_host_elf *c = load("tls", 0);
  tls_in_this_thread(c);
  solo_host_elf_unload(c);
  solo_host_elf_unload(b);
}

static void *ie_thread(void *argument) {
  tls_context *c = argument;
  c->wrong += call_address(c->sum) != 102;
  c->wrong += call_address(c->sum) != 204;
  c->wrong += call_address(c->of_process) != 1;
  return NULL;
}

static void initial_exec(void) {
  solo_host_elf *m = load("tls_ie", 0);
  tls_context c = {symbol(m, "ie_next"), symbol(m, "ie_same"), 0};
  pthread_t t;
  pthread_create(&t, NULL, ie_thread, &c);
  pthread_join(t, NULL);
  ie_thread(&c);
  CHECK_INT(c.wrong, 0);
  refused("tls_ie_value", SOLO_UNSUPPORTED, "initial values", "-ftls-model=initial-exec");
  refused("tls_ie_large", SOLO_UNSUPPORTED, "4000 bytes", "-ftls-model=initial-exec");
  solo_host_elf_unload(m);
}

/* Calls keeps(), which returns 1496 (the sum of 16 squares) plus the counters. */
static void *descriptor_thread(void *argument) {
  double ones[16];
  tls_context *c = argument;
  for (int i = 0; i < 16; i++) ones[i] = i + 1;
  int (*keeps)(const double *) = (int (*)(const double *))(uintptr_t)c->sum;
  thing_tls = 1000;
  c->wrong += call_address(c->of_process) != 9;
  c->wrong += keeps(ones) != 1496 + 4 + 10 + 1000;
  thing_tls = 2000;
  c->wrong += keeps(ones) != 1496 + 5 + 11 + 2000;
  c->wrong += call_address(c->of_process) != 11;
  return NULL;
}

static void descriptors(void) {
  if (!solo_host_tls_descriptor_function()) {
    refused("tls_descriptor", SOLO_UNSUPPORTED, "descriptor", "-mtls-dialect=gnu");
    return;
  }
  solo_host_elf *m = load("tls_descriptor", 0);
  tls_context c = {symbol(m, "keeps"), symbol(m, "value"), 0};
  pthread_t t;
  pthread_create(&t, NULL, descriptor_thread, &c);
  pthread_join(t, NULL);
  descriptor_thread(&c);
  CHECK_INT(c.wrong, 0);
  solo_host_elf_unload(m);
}

static void order(void) {
  int log[16];
  thing_read_log(log, 16);
  solo_host_elf *m = load("order", 0);
  /* third() precedes the constructor of global_object in the same unit */
  static const int starts[] = {1, 2, 3, 4};
  CHECK_INT(thing_read_log(log, 16), 4);
  CHECK(memcmp(log, starts, sizeof starts) == 0);
  CHECK_INT(call(m, "touch_local"), 5);
  CHECK_INT(thing_read_log(log, 16), 1);
  solo_host_elf_unload(m);
  int n = thing_read_log(log, 16), place[4] = {0};
  CHECK_INT(n, 4);
  for (int i = 0; i < n; i++)
    if (log[i] >= 102 && log[i] <= 105) place[log[i] - 102] = i + 1;
  CHECK(place[0] && place[0] < place[1]); /* destructor 202 runs before 201 */
  CHECK(place[2] && place[3]);            /* the destructors of both objects ran */
}

static void references(void) {
  solo_host_elf *m = load("indirect", 0);
  CHECK_INT(call(m, "call_local"), 505);
  CHECK_INT(call(m, "call_exported"), 1010);
  /* the symbol lookup returns the address that the resolver selected */
  CHECK_INT(call(m, "exported_choice"), 505);
  solo_host_elf_unload(m);
  m = load("weak", 0);
  CHECK_INT(call(m, "weak_sum"), 48);
  solo_host_elf_unload(m);
  m = load("version", 0);
  CHECK_INT(call(m, "versions"), 123);
  solo_host_elf_unload(m);
  m = load("unversioned", 0);
  CHECK_INT(call(m, "versions"), 20);
  solo_host_elf_unload(m);
}

/* Code in an image calls the runtime of this process, even if the image contains a copy of the
 * function. */
static void one_runtime(void) {
  solo_host_elf *m = load("redirect", 0);
  CHECK_INT(call(m, "count_devices"), omp_get_num_devices());
  CHECK_INT(call(m, "through_address"), omp_get_num_devices());
  CHECK_INT(call(m, "initial_device"), omp_get_initial_device());
  CHECK_INT(call(m, "has_version"), 1);
  CHECK_INT(call(m, "device_num"), omp_get_device_num());
  CHECK_INT(call(m, "omp_get_num_devices"), omp_get_num_devices());
  CHECK(!writable_code_exists());
  solo_host_elf_unload(m);
}

static void refusals(void) {
  refused("missing", SOLO_NOT_FOUND, "undefined_function", "-rdynamic");
  refused("needed", SOLO_NOT_FOUND, "absent_function", "libabsent.so.3");
  refused("needed", SOLO_NOT_FOUND, "absent_function", "-labsent");
  refused("writable_code", SOLO_UNSUPPORTED, "writable and executable", "-N");
  refused("program", SOLO_UNSUPPORTED, "program", "-shared");
}

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  folder = argv[1];
  relocations("reloc");
  relocations("reloc_relr");
  relocations("reloc_sysv");
  relocations("reloc_one_page");
  relocations("reloc_large_page");
  relocations("reloc_textrel");
  relocations("reloc_stripped");
  thread_local_data();
  initial_exec();
  descriptors();
  order();
  references();
  one_runtime();
  refusals();
  return TEST_RESULT();
}
