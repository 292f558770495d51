/* OpenMP and OffloadAPI.h in one process have the same devices, memory and queues. Usage:
 * with_openmp IMAGE */
#include <omp.h>
#include <solo_offload.h>
#include <stdio.h>
#include <stdlib.h>

static int bad;
#define CHECK(condition)                                                                           \
  ((condition) ? (void)0 : (void)(bad++, printf("line %d: failed: %s\n", __LINE__, #condition)))
#define OK(call) CHECK((call) == OL_SUCCESS)

int main(int argc, char **argv) {
  static char image[1 << 18];
  static double data[100];
  ol_device_handle_t device = NULL, host = NULL;
  ol_program_handle_t program = NULL;
  ol_symbol_handle_t affine = NULL;
  ol_queue_handle_t queue = NULL, own = NULL;
  int number = -1, back = -1;
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  size_t size = file ? fread(image, 1, sizeof image, file) : 0;
  if (file) fclose(file);
  OK(olInit());
  OK(solo_offload_device(0, &device));
  OK(solo_offload_device(omp_get_initial_device(), &host));
  OK(solo_offload_device_number(device, &back));
  CHECK(back == 0);
  CHECK(solo_offload_device(77, &device) &&
        solo_offload_device(77, &device)->Code == OL_ERRC_INVALID_DEVICE);

  /* memory of the interface in a target region, and memory of OpenMP in olMemcpy */
  double *memory = NULL, out[100] = {0};
  for (int i = 0; i < 100; i++) data[i] = i;
  OK(olMemAlloc(device, OL_ALLOC_TYPE_DEVICE, sizeof data, (void **)&memory));
  OK(olMemcpy(NULL, memory, device, data, host, sizeof data));
#pragma omp target teams distribute parallel for is_device_ptr(memory) device(0)
  for (int i = 0; i < 100; i++) memory[i] *= 2;
  double *target = omp_target_alloc(sizeof data, 0);
  OK(olMemcpy(NULL, target, device, memory, device, sizeof data));
  CHECK(omp_target_memcpy(out, target, sizeof data, 0, 0, omp_get_initial_device(), 0) == 0);
  CHECK(out[1] == 2 && out[99] == 198);
  omp_target_free(target, 0);
  OK(olMemFree(memory));

  /* a queue of the interface as interop object, and back */
  OK(olCreateQueue(device, &own));
  void *made = NULL;
  OK(solo_offload_interop_of_queue(own, &made));
  omp_interop_t interop = (omp_interop_t)made;
  int rc = 0;
  number = (int)omp_get_interop_int(interop, omp_ipr_device_num, &rc);
  CHECK(number == 0 && rc == omp_irc_success);
#pragma omp interop use(interop)
#pragma omp interop destroy(interop)
  OK(olSyncQueue(own));
  OK(olDestroyQueue(own));
  omp_interop_t object = omp_interop_none;
#pragma omp interop init(targetsync : object) device(0)
  OK(solo_offload_queue_of_interop(object, &queue));
  uint64_t x = 5;
  OK(olCreateProgram(device, image, size, &program));
  OK(olGetSymbol(program, "conf_affine", OL_SYMBOL_KIND_KERNEL, &affine));
  uint64_t *cell = NULL;
  OK(olMemAlloc(device, OL_ALLOC_TYPE_DEVICE, 8, (void **)&cell));
  OK(olMemcpy(queue, cell, device, &x, host, 8));
  struct {
    uint64_t environment;
    uint64_t *cell;
    uint64_t mul, add;
  } arguments = {0, cell, 8, 2};
  ol_kernel_launch_size_args_t one = {1, {1, 1, 1}, {1, 1, 1}, 0};
  OK(olLaunchKernel(queue, device, affine, &arguments, sizeof arguments, &one));
  OK(olMemcpy(queue, &x, host, cell, device, 8));
#pragma omp interop use(object)
  CHECK(x == 42);
  OK(olDestroyQueue(queue));
#pragma omp interop destroy(object)
  OK(olShutDown());
  int value = 1;
#pragma omp target map(tofrom : value)
  value++;
  CHECK(value == 2);
  if (!bad) printf("right\n");
  return bad != 0;
}
