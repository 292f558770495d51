/* Launches of repeated kernels as CUDA graphs (SOLO_CUDA_GRAPHS). A graph of one kernel node starts
 * faster than the kernel (bench/results/nvidia_latency.txt). The device writes to a word in host
 * memory when the graph is complete. A queue makes a graph at the REPEATS-th launch of a kernel. */
#include "backends/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

enum {
  REPEATS = 8,
  SLOTS = 16,
  FAILED = -1,      /* value of `launches` after the driver has rejected the graph */
  MOST_QUEUES = 2,  /* with more threads the driver's locks make graphs slower than launches */
  POLL_NS = 100000, /* time for which the word is polled before a query of the stream */
};

typedef struct graph_slot {
  const solo_bkernel *kernel;
  int launches;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec exec;
} graph_slot;

struct solo_cuda_graphs {
  uint32_t *word; /* pinned host memory; NULL: not allocated */
  CUdeviceptr device_word;
  uint32_t number; /* number in the last enqueued write to the word */
  int rejected;    /* the driver has rejected the allocation of the word, or a write to it */
  graph_slot slot[SLOTS];
};

int solo_cuda_graphs_available(void) {
#define XX(name, parameters) &&name
  return 1 SOLO_CUDA_GRAPH_FUNCTIONS(XX);
#undef XX
}

int solo_cuda_graph_is_useful(solo_bqueue *queue) {
  _Atomic int *busy = &queue->device->busy_queues; /* relaxed: a hint */
  int queues = queue->is_counted ? solo_load_relaxed(busy) : solo_add_relaxed(busy, 1) + 1;
  queue->is_counted = 1;
  return queue->is_synced && queues <= MOST_QUEUES;
}

static graph_slot *find_slot(solo_cuda_graphs *graphs, const solo_bkernel *kernel) {
  size_t start = ((uintptr_t)kernel >> 6) % SLOTS;
  for (size_t i = 0; i < SLOTS; i++) {
    graph_slot *slot = &graphs->slot[(start + i) % SLOTS];
    if (!slot->kernel) slot->kernel = kernel;
    if (slot->kernel == kernel) return slot;
  }
  return NULL;
}

static void release_graph(solo_bdevice *device, graph_slot *slot) {
  if (slot->exec) SOLO_CUDA_RELEASE(device, cuGraphExecDestroy(slot->exec));
  if (slot->graph) SOLO_CUDA_RELEASE(device, cuGraphDestroy(slot->graph));
  slot->exec = NULL;
  slot->graph = NULL;
}

static CUresult make_graph(solo_bdevice *device, graph_slot *slot,
                           const CUDA_KERNEL_NODE_PARAMS *node) {
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result != CUDA_SUCCESS) return result;
  result = cuGraphCreate(&slot->graph, 0);
  if (result == CUDA_SUCCESS)
    result = cuGraphAddKernelNode_v2(&slot->node, slot->graph, NULL, 0, node);
  if (result == CUDA_SUCCESS) result = cuGraphInstantiateWithFlags(&slot->exec, slot->graph, 0);
  solo_cuda_pop_context(&scope);
  return result;
}

static CUresult prepare(solo_bdevice *device, graph_slot *slot, const solo_launch_record *launch) {
  CUresult result;
  size_t bytes = launch->argument_bytes;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)launch->arguments,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  const CUDA_KERNEL_NODE_PARAMS node = {
      .func = slot->kernel->function,
      .gridDimX = launch->teams[0],
      .gridDimY = launch->teams[1],
      .gridDimZ = launch->teams[2],
      .blockDimX = launch->threads[0],
      .blockDimY = launch->threads[1],
      .blockDimZ = launch->threads[2],
      .sharedMemBytes = launch->shared_bytes,
      .extra = bytes ? extra : NULL,
  };
  if (!slot->exec) return make_graph(device, slot, &node);
  SOLO_CUDA_DO(result, device, cuGraphExecKernelNodeSetParams_v2(slot->exec, slot->node, &node));
  return result;
}

CUresult solo_cuda_graph_launch(solo_bqueue *queue, const solo_bkernel *kernel,
                                const solo_launch_record *launch) {
  solo_bdevice *device = queue->device;
  CUresult result;
  graph_slot *slot = find_slot(queue->graphs, kernel);
  if (!slot || slot->launches == FAILED) return CUDA_ERROR_NOT_SUPPORTED;
  if (slot->launches < REPEATS && ++slot->launches < REPEATS) return CUDA_ERROR_NOT_SUPPORTED;
  result = prepare(device, slot, launch);
  if (result == CUDA_SUCCESS)
    SOLO_CUDA_DO(result, device, cuGraphLaunch(slot->exec, queue->stream));
  queue->by_graph = result == CUDA_SUCCESS;
  if (result == CUDA_SUCCESS || solo_cuda_ends_device(result)) return result;
  slot->launches =
      FAILED; /* solo_cuda_graphs_close() releases the graph, because an earlier launch may still run */
  return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult allocate_word(solo_bdevice *device, solo_cuda_graphs *graphs) {
  void *host = NULL;
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result != CUDA_SUCCESS) return result;
  result =
      cuMemHostAlloc(&host, sizeof(uint32_t), CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  if (result == CUDA_SUCCESS) {
    graphs->word = host;
    /* relaxed: the device does not write the word yet */
    solo_store_relaxed((_Atomic uint32_t *)graphs->word, graphs->number);
    result = cuMemHostGetDevicePointer_v2(&graphs->device_word, host, 0);
  }
  solo_cuda_pop_context(&scope);
  return result;
}

int solo_cuda_graph_await(solo_bqueue *queue) {
  solo_cuda_graphs *graphs = queue->graphs;
  solo_bdevice *device = queue->device;
  CUresult result = CUDA_SUCCESS;
  queue->by_graph = 0;
  if (graphs->rejected) return 0;
  if (!graphs->word) result = allocate_word(device, graphs);
  if (result == CUDA_SUCCESS)
    SOLO_CUDA_DO(
        result, device,
        cuStreamWriteValue32_v2(queue->stream, graphs->device_word, graphs->number + 1, 0));
  if (result != CUDA_SUCCESS) {
    graphs->rejected = 1;
    return 0;
  }
  graphs->number++;
  /* Waits for the work of the stream.
   * Invariant: the word equals `number` only after all earlier work of the stream is complete.
   * Ordering:  this acquire load pairs with the device's write, which follows a system-wide barrier
   *            (CUDA Driver API, cuStreamWriteValue32 without NO_MEMORY_BARRIER).
   * Otherwise: the caller could read data before a copy of the stream has written them.
   */
  for (uint64_t end = solo_now_ns() + POLL_NS; solo_now_ns() < end; solo_cpu_relax())
    if (solo_load_acquire((_Atomic uint32_t *)graphs->word) == graphs->number) return 1;
  return 0;
}

solo_cuda_graphs *solo_cuda_graphs_open(void) {
  return calloc(1, sizeof(solo_cuda_graphs));
}

void solo_cuda_graphs_close(solo_bqueue *queue) {
  solo_cuda_graphs *graphs = queue->graphs;
  if (!graphs) return;
  solo_cuda_graph_region_ended(queue);
  for (int i = 0; i < SLOTS; i++) release_graph(queue->device, &graphs->slot[i]);
  if (graphs->word) SOLO_CUDA_RELEASE(queue->device, cuMemFreeHost(graphs->word));
  free(graphs);
}
