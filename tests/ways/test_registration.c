/* Description: wrong calls of solo.h's registration interface: NULL, wrong sizes, unknown names and
 * devices, use after solo_unregister. Each call returns INVALID, NOT_FOUND or BAD_IMAGE with a
 * text, and later calls succeed. Two threads register, launch and unregister one file. Argument: an
 * image with the kernel scale (examples/by_hand.c). */
#include "abi/include/solo.h"
#include "abi/include/tgt_rtl.h"
#include "tests/unit/test.h"
#include <pthread.h>

static const char *path;

/* Checks the name and the text of a failure. */
static void expect(int status, const char *name, const char *words, int line) {
  solo_failure failure = {.status_name = "", .text = ""};
  test_checks++;
  if (status) solo_last_error(&failure);
  if (status && !strcmp(failure.status_name, name) && strstr(failure.text, words)) return;
  test_failures++;
  printf("line %d: %d %s (%s), expected %s (%s)\n", line, status, failure.status_name, failure.text,
         name, words);
}
#define EXPECT(call, name, words) expect(call, name, words, __LINE__)

static int launch(const solo_kernel_handle *kernel, double *data, long factor, long count) {
  void *parameters[] = {&data, &factor, &count};
  struct {
    double *data;
    long factor, count;
  } block = {data, factor, count};
  (void)parameters; /* unused, because the name of a C function does not contain its parameters */
  solo_launch_options o = {.size = sizeof o, .block = &block, .block_bytes = sizeof block};
  solo_completion completion = NULL;
  int status = solo_launch_kernel(kernel, &o, &completion);
  if (!status) status = solo_completion_wait(completion);
  solo_completion_release(completion);
  return status;
}

static void registers_wrongly(void) {
  solo_registration *r = NULL;
  static const char garbage[64] = "garbage";
  EXPECT(solo_register_file(NULL, NULL, NULL, &r), "INVALID", "path or out_registration is NULL");
  EXPECT(solo_register_file(path, NULL, NULL, NULL), "INVALID", "is NULL");
  EXPECT(solo_register_file("no/such/file", NULL, NULL, &r), "NOT_FOUND", "no/such/file");
  EXPECT(solo_register_file("/", NULL, NULL, &r), "IO", "directory");
  EXPECT(solo_register_image(NULL, 64, NULL, NULL, &r), "BAD_IMAGE", "empty");
  EXPECT(solo_register_image(garbage, 0, NULL, NULL, &r), "BAD_IMAGE", "empty");
  EXPECT(solo_register_image(garbage, sizeof garbage, NULL, NULL, &r), "BAD_IMAGE", "67 61 72 62");
  EXPECT(solo_register_image(garbage, sizeof garbage, NULL, NULL, NULL), "INVALID",
         "out_registration is NULL");
  EXPECT(solo_register_file(path, garbage + 8, garbage, &r), "INVALID", "entries");
  CHECK(r == NULL);
  solo_unregister(NULL);
}

static void looks_up_wrongly(solo_registration *r, solo_kernel_handle *kernel) {
  solo_kernel_handle *out = NULL;
  void *address = NULL;
  size_t bytes = 0;
  int other;
  EXPECT(solo_find_kernel(NULL, 0, "scale", &out), "INVALID",
         "solo_find_kernel: an argument is NULL");
  EXPECT(solo_find_kernel(r, 0, NULL, &out), "INVALID", "is NULL");
  EXPECT(solo_find_kernel(r, 0, "scale", NULL), "INVALID", "is NULL");
  EXPECT(solo_find_kernel(r, 0, "", &out), "NOT_FOUND", "kernel");
  EXPECT(solo_find_kernel(r, 0, "no_such_kernel", &out), "NOT_FOUND", "no_such_kernel");
  EXPECT(solo_find_kernel(r, -7, "scale", &out), "NOT_FOUND", "-7");
  EXPECT(solo_find_kernel(r, 1 << 20, "scale", &out), "NOT_FOUND", "1048576");
  EXPECT(solo_find_kernel((solo_registration *)(void *)&other, 0, "scale", &out), "INVALID",
         "not a registered image");
  EXPECT(solo_find_global(r, 0, "no_such_variable", &address, &bytes), "NOT_FOUND",
         "no_such_variable");
  EXPECT(solo_find_global(NULL, 0, "x", &address, &bytes), "INVALID",
         "solo_find_global: an argument is NULL");
  EXPECT(solo_find_global(r, 0, "x", NULL, NULL), "INVALID", "is NULL");
  EXPECT(solo_kernel_parameter(NULL, 0, NULL, NULL), "INVALID", "kernel is NULL");
  EXPECT(solo_kernel_parameter(kernel, 0, &bytes, &bytes), "NOT_FOUND", "does not describe them");
}

static void check_invalid_launches(const solo_kernel_handle *kernel) {
  double data[4] = {1, 2, 3, 4};
  solo_completion completion = NULL;
  void *none[3] = {NULL, NULL, NULL};
  solo_launch_options o = {.size = sizeof o - 8};
  int done;
  EXPECT(solo_launch_kernel(NULL, NULL, &completion), "INVALID", "kernel is NULL");
  EXPECT(solo_launch_kernel(kernel, &o, &completion), "INVALID", "size");
  o.size = 0;
  EXPECT(solo_launch_kernel(kernel, &o, &completion), "INVALID", "size");
  o = (solo_launch_options){.size = sizeof o, .block = NULL, .block_bytes = 24};
  EXPECT(solo_launch_kernel(kernel, &o, &completion), "INVALID", "block");
  o = (solo_launch_options){.size = sizeof o, .block = data, .block_bytes = (size_t)1 << 40};
  EXPECT(solo_launch_kernel(kernel, &o, &completion), "INVALID", "block");
  o = (solo_launch_options){.size = sizeof o, .parameters = none};
  EXPECT(solo_launch_kernel(kernel, &o, &completion), "NOT_FOUND", "does not describe them");
  o = (solo_launch_options){.size = sizeof o, .after_count = -1};
  EXPECT(solo_launch_kernel(kernel, &o, &completion), "INVALID", "-1");
  o = (solo_launch_options){.size = sizeof o, .after_count = 3};
  EXPECT(solo_launch_kernel(kernel, &o, &completion), "INVALID", "3");
  CHECK(completion == NULL);
  EXPECT(solo_completion_query(NULL, NULL), "INVALID", "out_done is NULL");
  CHECK(solo_completion_query(NULL, &done) == 0 && done);
  CHECK_INT(solo_completion_wait(NULL), 0);
  solo_completion_release(NULL);
  CHECK_INT(launch(kernel, data, 3, 4), 0);
  CHECK(data[3] == 12);
  solo_device_description d = {.size = 8};
  EXPECT(solo_describe_device(0, &d), "INVALID", "size");
  EXPECT(solo_describe_device(0, NULL), "INVALID", "size");
}

static void used_after_unregister(void) {
  solo_registration *r, *again;
  solo_kernel_handle *kernel, *out = NULL;
  double data[2] = {1, 2};
  void *address;
  CHECK_INT(solo_register_file(path, NULL, NULL, &r), 0);
  CHECK_INT(solo_find_kernel(r, 0, "scale", &kernel), 0);
  CHECK_INT(launch(kernel, data, 2, 2), 0);
  solo_unregister(r);
  EXPECT(launch(kernel, data, 2, 2), "INVALID", "scale: its image is no longer registered");
  EXPECT(solo_kernel_parameter(kernel, 0, NULL, NULL), "INVALID", "no longer registered");
  EXPECT(solo_find_kernel(r, 0, "scale", &out), "INVALID", "not a registered image");
  EXPECT(solo_find_global(r, 0, "x", &address, NULL), "INVALID", "not a registered image");
  solo_unregister(r); /* a second solo_unregister only returns an error */
  solo_failure failure;
  solo_last_error(&failure);
  CHECK(strstr(failure.text, "solo_unregister"));
  CHECK(data[0] == 2 && data[1] == 4 && out == NULL);
  CHECK_INT(solo_register_file(path, NULL, NULL, &again), 0);
  CHECK_INT(solo_find_kernel(again, 0, "scale", &kernel), 0);
  CHECK_INT(launch(kernel, data, 2, 2), 0);
  CHECK(data[1] == 8);
  solo_unregister(again);
}

enum { ROUNDS = 40 };

static void *works(void *wrong) {
  for (int i = 0; i < ROUNDS; i++) {
    solo_registration *r = NULL;
    solo_kernel_handle *kernel = NULL, *missing = NULL;
    double data[3] = {1, 2, 3};
    int bad = solo_register_file(path, NULL, NULL, &r) != 0 ||
              solo_find_kernel(r, 0, "scale", &kernel) != 0 ||
              solo_find_kernel(r, 0, "none", &missing) == 0 || launch(kernel, data, 7, 3) != 0;
    *(int *)wrong += bad || data[2] != 21;
    solo_unregister(r);
  }
  return NULL;
}

int main(int argc, char **argv) {
  solo_registration *r;
  solo_kernel_handle *kernel;
  pthread_t thread[2];
  int wrong[2] = {0, 0};
  if (argc < 2) return 2;
  path = argv[1];
  registers_wrongly();
  CHECK_INT(solo_register_file(path, NULL, NULL, &r), 0);
  CHECK_INT(solo_find_kernel(r, 0, "scale", &kernel), 0);
  looks_up_wrongly(r, kernel);
  check_invalid_launches(kernel);
  used_after_unregister();
  for (int t = 0; t < 2; t++) pthread_create(&thread[t], NULL, works, &wrong[t]);
  for (int t = 0; t < 2; t++) pthread_join(thread[t], NULL);
  CHECK_INT(wrong[0] + wrong[1], 0);
  check_invalid_launches(kernel); /* the threads must not have changed the first registration */
  solo_unregister(r);
  solo_fini();
  EXPECT(launch(kernel, NULL, 1, 0), "INVALID", "no longer");
  return TEST_RESULT();
}
