/* Matrix transposition: direct, through shared memory, and with padding; template parameters; timed
 * with events. */
#include "gpu.h"

template <typename T> __global__ void naive(T *out, const T *in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

template <typename T, int TILE, int PAD>
__global__ __launch_bounds__(256) void tiled(T *out, const T *in, int width, int height) {
  __shared__ T tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

enum { WIDTH = 100, HEIGHT = 70, REPEAT = 3 };

template <typename T> static int right(const T *in, const T *device, T *back) {
  CHECK(GPU(Memcpy)(back, device, WIDTH * HEIGHT * sizeof(T), GPU(MemcpyDeviceToHost)));
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if (back[x * HEIGHT + y] != in[y * WIDTH + x]) return 0;
  return 1;
}

template <typename T> static int test(const char *name) {
  static T in[WIDTH * HEIGHT], back[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++) in[i] = (T)(i % 119);
  T *d_in, *d_out;
  CHECK(GPU(Malloc)(&d_in, sizeof in));
  CHECK(GPU(Malloc)(&d_out, sizeof in));
  CHECK(GPU(Memcpy)(d_in, in, sizeof in, GPU(MemcpyHostToDevice)));
  dim3 block(16, 16), grid((WIDTH + 15) / 16, (HEIGHT + 15) / 16);
  int wrong = 0;
  naive<T><<<grid, block>>>(d_out, d_in, WIDTH, HEIGHT);
  wrong += !right(in, d_out, back);
  CHECK(GPU(Memset)(d_out, 0xff, sizeof in));
  tiled<T, 16, 0><<<grid, dim3(16, 8)>>>(d_out, d_in, WIDTH, HEIGHT);
  wrong += !right(in, d_out, back);
  CHECK(GPU(Memset)(d_out, 0xff, sizeof in));
  GPU(Event_t) start, stop;
  float ms = 0;
  CHECK(GPU(EventCreate)(&start));
  CHECK(GPU(EventCreate)(&stop));
  CHECK(GPU(EventRecord)(start, 0));
  for (int i = 0; i < REPEAT; i++) tiled<T, 16, 1><<<grid, block>>>(d_out, d_in, WIDTH, HEIGHT);
  CHECK(GPU(EventRecord)(stop, 0));
  CHECK(GPU(EventSynchronize)(stop));
  CHECK(GPU(EventElapsedTime)(&ms, start, stop));
  wrong += !right(in, d_out, back) || ms <= 0;
  printf("%s: average time %f ms, %d wrong\n", name, ms / REPEAT, wrong);
  CHECK(GPU(EventDestroy)(start));
  CHECK(GPU(EventDestroy)(stop));
  CHECK(GPU(Free)(d_in));
  CHECK(GPU(Free)(d_out));
  return wrong;
}

int main() {
  return verdict(test<float>("float") + test<double>("double") + test<char>("char"));
}
