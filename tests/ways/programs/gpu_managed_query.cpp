/* A linked list in managed memory, and the device properties that deviceQuery prints. */
#include "gpu.h"
#include <string.h>

struct node {
  int value;
  node *next;
};

class managed {
public:
  static void *operator new(size_t bytes) {
    void *at = nullptr;
    CHECK(GPU(MallocManaged)(&at, bytes));
    return at;
  }
  static void operator delete(void *at) {
    CHECK(GPU(DeviceSynchronize)());
    CHECK(GPU(Free)(at));
  }
};

struct counter : managed {
  int sum = 0, nodes = 0;
  float mean = 0;
};

__global__ void follow(const node *first, counter *c) {
  for (const node *n = first; n; n = n->next) {
    c->sum += n->value;
    c->nodes++;
  }
  c->mean = (float)c->sum / (float)c->nodes;
}

static int query() {
  int count = 0, version = 0, wrong = 0;
  CHECK(GPU(GetDeviceCount)(&count));
  CHECK(GPU(RuntimeGetVersion)(&version));
  printf("%d devices, version %d\n", count, version);
  for (int d = 0; d < count; d++) {
#ifdef __HIP__
    hipDeviceProp_t p;
#else
    cudaDeviceProp p;
#endif
    size_t free_bytes = 0, bytes = 0;
    memset(&p, 0x55, sizeof p);
    CHECK(GPU(SetDevice)(d));
    CHECK(GPU(GetDeviceProperties)(&p, d));
    CHECK(GPU(MemGetInfo)(&free_bytes, &bytes));
    printf("device %d: \"%s\", %d.%d, %.0f MB, %d processors, %d threads at most, warps of %d, %zu "
           "bytes of "
           "shared memory, %zu of constants, %d registers, block %d x %d x %d, grid %d x %d x %d\n",
           d, p.name, p.major, p.minor, (double)p.totalGlobalMem / (1 << 20), p.multiProcessorCount,
           p.maxThreadsPerBlock, p.warpSize, p.sharedMemPerBlock, p.totalConstMem, p.regsPerBlock,
           p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0],
           p.maxGridSize[1], p.maxGridSize[2]);
    printf("  %d threads, %zu bytes of shared memory, %d registers of a processor, %d kHz, bus of "
           "%d, L2 %d, "
           "copies beside kernels: %d, managed: %d, unified: %d, mapped: %d, integrated: %d, bus "
           "id %d\n",
           p.maxThreadsPerMultiProcessor, p.sharedMemPerMultiprocessor, p.regsPerMultiprocessor,
           p.memoryClockRate, p.memoryBusWidth, p.l2CacheSize, p.asyncEngineCount, p.managedMemory,
           p.unifiedAddressing, p.canMapHostMemory, p.integrated, p.pciBusID);
    wrong += p.maxThreadsPerMultiProcessor < p.maxThreadsPerBlock || !p.managedMemory ||
             !p.unifiedAddressing || p.sharedMemPerMultiprocessor < p.sharedMemPerBlock ||
             p.memoryClockRate < 0 || p.sharedMemPerBlockOptin != p.sharedMemPerBlock;
    wrong += !p.name[0] || !bytes || free_bytes > bytes || bytes != p.totalGlobalMem;
  }
  wrong += !count || version <= 0;
  CHECK(GPU(SetDevice)(0));
  return wrong;
}

int main() {
  int wrong = query(), expected = 0;
  node *nodes;
  enum { N = 40 };
  CHECK(GPU(MallocManaged)(&nodes, N * sizeof *nodes));
  for (int i = 0; i < N; i++) {
    nodes[i] = {i * i, i + 1 < N ? &nodes[i + 1] : nullptr};
    expected += i * i;
  }
  CHECK(GPU(MemPrefetchAsync)(nodes, N * sizeof *nodes, 0, 0));
  counter *c = new counter;
  follow<<<1, 1>>>(nodes, c);
  CHECK(GPU(DeviceSynchronize)());
  wrong += c->sum != expected || c->nodes != N || c->mean != (float)expected / N;
  nodes[N / 2 - 1].next = nullptr; /* the host may write between launches */
  c->sum = c->nodes = 0;
  follow<<<1, 1>>>(nodes, c);
  CHECK(GPU(DeviceSynchronize)());
  wrong += c->nodes != N / 2;
  printf("%d nodes, sum %d, mean %g\n", c->nodes, c->sum, c->mean);
  delete c;
  CHECK(GPU(Free)(nodes));
  wrong += GPU(MemPrefetchAsync)(nodes, 8, 0, 0) != GPU(ErrorInvalidValue);
  return verdict(wrong);
}
