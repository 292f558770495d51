/* scale: a kernel on each device of LLVM's offload interface (OffloadAPI.h), without OpenMP. build.sh
 * compiles the kernel for the CPU, for NVIDIA GPUs and for the virtual GPU.
 *   gcc -O2 scale.c -o scale -lsolo_offload -lsolo -lpthread -lm
 *   ./scale scale.cpu scale.ptx scale.simt
 */
#ifdef DEVICE

#ifdef __NVPTX__
#define KERNEL __attribute__((nvptx_kernel))
static long first(void) {
  return (long)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}
static long step(void) {
  return (long)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
}
#else /* a CPU calls the kernel once */
#define KERNEL
static long first(void) {
  return 0;
}
static long step(void) {
  return 1;
}
#endif

KERNEL void scale(double *data, long factor, long count) {
  for (long i = first(); i < count; i += step()) data[i] *= (double)factor;
}

#else

#include <OffloadAPI.h>
#include <stdio.h>
#include <stdlib.h>

static void check(ol_result_t result) {
  if (result == OL_SUCCESS) return;
  fprintf(stderr, "error %d: %s\n", (int)result->Code, result->Details);
  exit(1);
}

enum { MOST = 16, COUNT = 1000 };
static ol_device_handle_t devices[MOST];
static int device_count;

static bool add_device(ol_device_handle_t device, void *user_data) {
  (void)user_data;
  if (device_count < MOST) devices[device_count++] = device;
  return true;
}

static void run(ol_device_handle_t device, ol_device_handle_t host, const void *image,
                size_t size) {
  static double data[COUNT];
  ol_program_handle_t program;
  ol_symbol_handle_t kernel;
  ol_queue_handle_t queue;
  void *memory;
  for (int i = 0; i < COUNT; i++) data[i] = i;
  check(olCreateProgram(device, image, size, &program));
  check(olGetSymbol(program, "scale", OL_SYMBOL_KIND_KERNEL, &kernel));
  check(olCreateQueue(device, &queue));
  check(olMemAlloc(device, OL_ALLOC_TYPE_DEVICE, sizeof data, &memory));
  check(olMemcpy(queue, memory, device, data, host, sizeof data));
  const struct {
    void *data;
    long factor, count;
  } arguments = {memory, 3, COUNT};
  const ol_kernel_launch_size_args_t size_of_grid = {1, {4, 1, 1}, {64, 1, 1}, 0};
  check(olLaunchKernel(queue, device, kernel, &arguments, sizeof arguments, &size_of_grid));
  check(olMemcpy(queue, data, host, memory, device, sizeof data));
  check(olSyncQueue(queue));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += data[i] != 3.0 * i;
  char name[64] = "";
  check(olGetDeviceInfo(device, OL_DEVICE_INFO_NAME, sizeof name, name));
  printf("%s: %s\n", name, wrong ? "wrong" : "right");
  check(olMemFree(memory));
  check(olDestroyQueue(queue));
  check(olDestroyProgram(program));
}

int main(int argc, char **argv) {
  static char image[1 << 20];
  check(olInit());
  check(olIterateDevices(add_device, NULL));
  ol_device_handle_t host = devices[device_count - 1]; /* the host is the last device */
  for (int a = 1; a < argc; a++) {
    FILE *file = fopen(argv[a], "rb");
    size_t size = file ? fread(image, 1, sizeof image, file) : 0;
    if (file) fclose(file);
    for (int d = 0; d < device_count; d++) {
      bool fits = false;
      check(olIsValidBinary(devices[d], image, size, &fits));
      if (fits) run(devices[d], host, image, size);
    }
  }
  check(olShutDown());
  return 0;
}
#endif
