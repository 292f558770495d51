/* Copies and kernels overlap in several streams, depth first and breadth first; events between
 * streams; a pipeline of two kernels. */
#include "gpu.h"

enum { STREAMS = 3, PIECE = 512, N = STREAMS * PIECE };

__global__ void stage(float *data, int offset, float add) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float s = sinf((float)i), c = cosf((float)i);
  data[i] = data[i] + sqrtf(s * s + c * c) + add;
}

static float worst(const float *data, float expected) {
  float most = 0;
  for (int i = 0; i < N; i++) {
    float error = data[i] < expected ? expected - data[i] : data[i] - expected;
    if (error > most) most = error;
  }
  return most;
}

/* More streams than one operation can wait for: a synchronisation must wait for all of them. */
static int many_streams(float *host, float *other, float *device) {
  enum { MANY = 100 };
  GPU(Stream_t) many[MANY];
  int wrong = 0;
  for (int round = 0; round < 2; round++) {
    for (int s = 0; s < MANY; s++) host[s] = 5, other[s] = 0;
    for (int s = 0; s < MANY; s++) {
      if (!round) CHECK(GPU(StreamCreate)(&many[s]));
      CHECK(GPU(MemcpyAsync)(device + s, host + s, 4, GPU(MemcpyHostToDevice), many[s]));
      stage<<<1, 1, 0, many[s]>>>(device, s, (float)round);
      if (!round)
        CHECK(GPU(MemcpyAsync)(other + s, device + s, 4, GPU(MemcpyDeviceToHost), many[s]));
    }
    if (round)
      CHECK(GPU(Memcpy)(other, device, MANY * sizeof *other, GPU(MemcpyDeviceToHost)));
    else
      CHECK(GPU(DeviceSynchronize)());
    for (int s = 0; s < MANY; s++) wrong += other[s] < 5.99f + (float)round || other[s] > 7.01f;
  }
  for (int s = 0; s < MANY; s++) CHECK(GPU(StreamDestroy)(many[s]));
  return wrong;
}

int main() {
  float *host, *other, *device;
#ifdef __HIP__
  CHECK(hipHostMalloc(&host, N * sizeof *host, hipHostMallocDefault));
  CHECK(hipHostMalloc((void **)&other, N * sizeof *other));
#else
  CHECK(cudaHostAlloc(&host, N * sizeof *host, cudaHostAllocDefault));
  CHECK(cudaMallocHost((void **)&other, N * sizeof *other));
#endif
  CHECK(GPU(Malloc)(&device, N * sizeof *device));
  GPU(Stream_t) stream[STREAMS];
  GPU(Event_t) done[STREAMS], start, stop;
  for (int s = 0; s < STREAMS; s++) {
    CHECK(GPU(StreamCreate)(&stream[s]));
    CHECK(GPU(EventCreateWithFlags)(&done[s], GPU(EventDisableTiming)));
  }
  CHECK(GPU(EventCreate)(&start));
  CHECK(GPU(EventCreate)(&stop));
  int wrong = 0;
  size_t bytes = PIECE * sizeof *host;
  for (int i = 0; i < N; i++) host[i] = 0;
  CHECK(GPU(EventRecord)(start, 0));
  /* depth first: all operations of a stream, then those of the next */
  for (int s = 0; s < STREAMS; s++) {
    int at = s * PIECE;
    CHECK(GPU(MemcpyAsync)(device + at, host + at, bytes, GPU(MemcpyHostToDevice), stream[s]));
    stage<<<PIECE / 128, 128, 0, stream[s]>>>(device, at, 0);
    CHECK(GPU(MemcpyAsync)(host + at, device + at, bytes, GPU(MemcpyDeviceToHost), stream[s]));
  }
  CHECK(GPU(EventRecord)(stop, 0));
  CHECK(GPU(EventSynchronize)(stop));
  float ms;
  CHECK(GPU(EventElapsedTime)(&ms, start, stop));
  wrong += worst(host, 1) > 1e-4f || ms <= 0;

  /* breadth first: one operation of each stream, then the next operation */
  for (int s = 0; s < STREAMS; s++) {
    int at = s * PIECE;
    CHECK(GPU(MemcpyAsync)(device + at, host + at, bytes, GPU(MemcpyHostToDevice), stream[s]));
    CHECK(GPU(EventRecord)(done[s], stream[s]));
  }
  for (int s = 0; s < STREAMS; s++) {
    int next = (s + 1) % STREAMS;
    /* stream s uses the data that stream `next` copied */
    CHECK(GPU(StreamWaitEvent)(stream[s], done[next], 0));
    stage<<<PIECE / 64, 64, 0, stream[s]>>>(device, next * PIECE, 1);
    stage<<<PIECE / 64, 64, 0, stream[s]>>>(device, next * PIECE, -1);
  }
  for (int s = 0; s < STREAMS; s++) {
    int at = (s + 1) % STREAMS * PIECE;
    CHECK(GPU(MemcpyAsync)(other + at, device + at, bytes, GPU(MemcpyDeviceToHost), stream[s]));
  }
  for (int s = 0; s < STREAMS; s++) {
    GPU(Error_t) state = GPU(StreamQuery)(stream[s]);
    wrong += state != GPU(Success) && state != GPU(ErrorNotReady);
    CHECK(GPU(StreamSynchronize)(stream[s]));
    CHECK(GPU(StreamQuery)(stream[s]));
    CHECK(GPU(EventQuery)(done[s]));
  }
  wrong += worst(other, 3) > 1e-3f;
  (void)GPU(GetLastError)(); /* clears NotReady, which a query may have set */
  for (int s = 0; s < STREAMS; s++) {
    CHECK(GPU(StreamDestroy)(stream[s]));
    CHECK(GPU(EventDestroy)(done[s]));
  }
  wrong += many_streams(host, other, device);
  CHECK(GPU(EventDestroy)(start));
  CHECK(GPU(EventDestroy)(stop));
  CHECK(GPU(Free)(device));
#ifdef __HIP__
  CHECK(hipHostFree(host));
  CHECK(hipHostFree(other));
#else
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(other));
#endif
  return verdict(wrong);
}
