/* y = a x + y in several streams: page-locked memory, events, parameters of several sizes. */
#include "gpu.h"

__global__ void axpy(int n, float a, const float *x, float *y, char sign, double offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += sign * a * x[i] + (float)offset;
}

int main() {
  enum { N = 10000, STREAMS = 4, PIECE = N / STREAMS };
  float *x, *y, *dx, *dy;
  GPU(Stream_t) stream[STREAMS];
  GPU(Event_t) start, stop, uploaded;
  CHECK(GPU(MallocHost)(&x, N * sizeof *x));
  CHECK(GPU(MallocHost)(&y, N * sizeof *y));
  for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = 1;
  CHECK(GPU(Malloc)(&dx, N * sizeof *dx));
  CHECK(GPU(Malloc)(&dy, N * sizeof *dy));
  CHECK(GPU(EventCreate)(&start));
  CHECK(GPU(EventCreate)(&stop));
  CHECK(GPU(EventCreateWithFlags)(&uploaded, GPU(EventDisableTiming)));
  for (int s = 0; s < STREAMS; s++)
    CHECK(s % 2 ? GPU(StreamCreate)(&stream[s])
                : GPU(StreamCreateWithFlags)(&stream[s], GPU(StreamNonBlocking)));
  CHECK(GPU(EventRecord)(start, 0));
  CHECK(GPU(MemcpyAsync)(dx, x, N * sizeof *x, GPU(MemcpyHostToDevice), stream[0]));
  CHECK(GPU(EventRecord)(uploaded, stream[0]));
  for (int s = 0; s < STREAMS; s++) {
    int at = s * PIECE;
    CHECK(GPU(StreamWaitEvent)(stream[s], uploaded, 0));
    CHECK(GPU(MemcpyAsync)(dy + at, y + at, PIECE * sizeof *y, GPU(MemcpyHostToDevice), stream[s]));
    axpy<<<(PIECE + 63) / 64, 64, 0, stream[s]>>>(PIECE, 2, dx + at, dy + at, -1, 0.5);
    CHECK(GPU(GetLastError)());
    CHECK(GPU(MemcpyAsync)(y + at, dy + at, PIECE * sizeof *y, GPU(MemcpyDeviceToHost), stream[s]));
  }
  CHECK(GPU(DeviceSynchronize)());
  CHECK(GPU(EventRecord)(stop, 0));
  CHECK(GPU(EventSynchronize)(stop));
  float ms = -1;
  CHECK(GPU(EventElapsedTime)(&ms, start, stop));
  int wrong = !(ms > 0);
  if (wrong) printf("%g ms\n", ms);
  for (int i = 0; i < N; i++)
    if (y[i] != 1.5f - 2 * (float)i && !wrong++) printf("y[%d] is %g\n", i, y[i]);
  for (int s = 0; s < STREAMS; s++) CHECK(GPU(StreamDestroy)(stream[s]));
  CHECK(GPU(EventDestroy)(start));
  CHECK(GPU(EventDestroy)(stop));
  CHECK(GPU(EventDestroy)(uploaded));
  CHECK(GPU(Free)(dx));
  CHECK(GPU(Free)(dy));
  return verdict(wrong);
}
