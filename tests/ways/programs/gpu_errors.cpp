/* Errors: sticky errors, invalid launches, exhausted memory, invalid handles and pointers. Later
 * valid calls succeed. */
#include "gpu.h"
#include <string.h>

__global__ void fill(int *data, int value) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static int wrong;

static void expect(GPU(Error_t) error, GPU(Error_t) wanted, const char *what) {
  GPU(Error_t) last = GPU(GetLastError)();
  if (error == wanted && last == wanted && GPU(GetLastError)() == GPU(Success)) return;
  printf("%s: %d (%s), last %d, expected %d\n", what, error, GPU(GetErrorName)(error), last,
         wanted);
  wrong++;
}
#define EXPECT(call, wanted) expect(call, wanted, #call)

static GPU(Error_t) launched(dim3 grid, dim3 block, int *data) {
  fill<<<grid, block>>>(data, 1);
  return GPU(PeekAtLastError)();
}

int main() {
  int *device, value[64], on_stack = 0;
  void *none = nullptr;
  GPU(Event_t) event, never;
  GPU(Stream_t) stream;
  float ms;
  CHECK(GPU(Malloc)(&device, sizeof value));
  CHECK(GPU(EventCreate)(&event));
  CHECK(GPU(EventCreate)(&never));
  CHECK(GPU(StreamCreate)(&stream));

  EXPECT(GPU(Malloc)(&none, (size_t)1 << 60), GPU(ErrorMemoryAllocation));
  wrong += none != nullptr;
  EXPECT(GPU(Malloc)((void **)nullptr, 4), GPU(ErrorInvalidValue));
  EXPECT(GPU(Free)(&on_stack), GPU(ErrorInvalidValue));
  EXPECT(GPU(Memcpy)(device, nullptr, 4, GPU(MemcpyHostToDevice)), GPU(ErrorInvalidValue));
  EXPECT(GPU(Memcpy)(device, value, 4, (GPU(MemcpyKind))9), GPU(ErrorInvalidMemcpyDirection));
  EXPECT(GPU(Memset)(nullptr, 0, 4), GPU(ErrorInvalidValue));
  EXPECT(GPU(SetDevice)(99), GPU(ErrorInvalidDevice));
  EXPECT(GPU(SetDevice)(-1), GPU(ErrorInvalidDevice));
  EXPECT(GPU(GetDeviceCount)(nullptr), GPU(ErrorInvalidValue));
  EXPECT(launched(dim3(0), dim3(1), device), GPU(ErrorInvalidConfiguration));
  EXPECT(launched(dim3(1), dim3(0), device), GPU(ErrorInvalidConfiguration));
  EXPECT(launched(dim3(1), dim3(1 << 20), device), GPU(ErrorInvalidConfiguration));
  EXPECT(GPU(LaunchKernel)((const void *)&on_stack, dim3(1), dim3(1), nullptr, 0, 0),
         GPU(ErrorInvalidDeviceFunction));
  EXPECT(GPU(MemcpyToSymbol)((const void *)&on_stack, value, 4, 0, GPU(MemcpyHostToDevice)),
         GPU(ErrorInvalidSymbol));
  EXPECT(GPU(EventElapsedTime)(&ms, event, never), GPU(ErrorInvalidResourceHandle));
  EXPECT(GPU(EventRecord)(nullptr, stream), GPU(ErrorInvalidResourceHandle));
  EXPECT(GPU(EventSynchronize)(nullptr), GPU(ErrorInvalidResourceHandle));
  EXPECT(GPU(EventDestroy)(nullptr), GPU(ErrorInvalidResourceHandle));
  EXPECT(GPU(StreamDestroy)(nullptr), GPU(ErrorInvalidResourceHandle));
  EXPECT(GPU(StreamCreate)(nullptr), GPU(ErrorInvalidValue));
  EXPECT(GPU(StreamWaitEvent)(stream, nullptr, 0), GPU(ErrorInvalidResourceHandle));
  EXPECT(GPU(EventCreate)(nullptr), GPU(ErrorInvalidValue));
  EXPECT(GPU(GetDevice)(nullptr), GPU(ErrorInvalidValue));
  EXPECT(GPU(GetDeviceProperties)(nullptr, 0), GPU(ErrorInvalidValue));
  EXPECT(GPU(RuntimeGetVersion)(nullptr), GPU(ErrorInvalidValue));
  EXPECT(GPU(LaunchKernel)((const void *)fill, dim3(1), dim3(1), nullptr, 0, 0),
         GPU(ErrorInvalidValue));
  EXPECT(GPU(MemGetInfo)(nullptr, nullptr), GPU(ErrorInvalidValue));
  wrong += GPU(GetErrorString)(12345) == nullptr || GPU(GetErrorName)(-1) == nullptr;
  wrong += !strstr(GPU(GetErrorName)(GPU(ErrorInvalidDevice)), "ErrorInvalidDevice");

  /* an error remains until GetLastError; successful calls do not clear it */
  (void)GPU(SetDevice)(99);
  CHECK(GPU(Memset)(device, 0, sizeof value));
  wrong += GPU(PeekAtLastError)() != GPU(ErrorInvalidDevice);
  wrong += GPU(GetLastError)() != GPU(ErrorInvalidDevice);
  wrong += GPU(PeekAtLastError)() != GPU(Success);

  CHECK(GPU(Free)(nullptr));
  CHECK(GPU(Memcpy)(device, value, 0, GPU(MemcpyHostToDevice)));
  fill<<<4, 16, 0, stream>>>(device, 42);
  CHECK(GPU(GetLastError)());
  CHECK(GPU(MemcpyAsync)(value, device, sizeof value, GPU(MemcpyDeviceToHost), stream));
  CHECK(GPU(StreamSynchronize)(stream));
  for (int i = 0; i < 64; i++) wrong += value[i] != 42;
  CHECK(GPU(StreamDestroy)(stream));
  CHECK(GPU(EventDestroy)(event));
  CHECK(GPU(EventDestroy)(never));
  CHECK(GPU(Free)(device));
  EXPECT(GPU(Free)(device), GPU(ErrorInvalidValue));
  return verdict(wrong);
}
