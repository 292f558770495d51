/* The simulated driver: graphs of one kernel node, and words that a stream writes. With
 * SIM_CUDA_NO_GRAPHS=1 graph functions return CUDA_ERROR_NOT_SUPPORTED. */
#include "tests/sim/libcuda/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 4096 };

struct CUgraphNode_st {
  CUDA_KERNEL_NODE_PARAMS parameters;
  char arguments[MOST_ARGUMENTS];
  size_t bytes;
};

struct CUgraph_st {
  CUcontext context;
  int has_node;
  struct CUgraphNode_st node;
};

struct CUgraphExec_st {
  CUcontext context;
  CUgraphNode node; /* the node that an update must name */
  struct CUgraphNode_st copy;
};

static int unsupported(void) {
  return getenv("SIM_CUDA_NO_GRAPHS") != NULL;
}

/* Copies the parameters and arguments during the call, as the real driver does. */
static CUresult read_node(CUcontext context, const CUDA_KERNEL_NODE_PARAMS *parameters,
                          struct CUgraphNode_st *node) {
  if (!parameters->func || parameters->kernelParams || parameters->kern || parameters->ctx ||
      parameters->func->module->context != context)
    return CUDA_ERROR_INVALID_VALUE;
  node->parameters = *parameters;
  node->bytes = 0;
  void **extra = parameters->extra;
  if (!extra) return CUDA_SUCCESS;
  if (extra[0] != CU_LAUNCH_PARAM_BUFFER_POINTER || extra[2] != CU_LAUNCH_PARAM_BUFFER_SIZE ||
      extra[4] != CU_LAUNCH_PARAM_END || *(size_t *)extra[3] > MOST_ARGUMENTS)
    return CUDA_ERROR_INVALID_VALUE;
  node->bytes = *(size_t *)extra[3];
  memcpy(node->arguments, extra[1], node->bytes);
  return CUDA_SUCCESS;
}

CUresult cuGraphCreate(CUgraph *out, unsigned flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (unsupported()) return CUDA_ERROR_NOT_SUPPORTED;
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  CUgraph graph = calloc(1, sizeof *graph);
  if (!graph) return CUDA_ERROR_OUT_OF_MEMORY;
  graph->context = context;
  cuda_sim_handle_add(graph, HANDLE_GRAPH, "graph");
  *out = graph;
  return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (!cuda_sim_handle_ok(graph, HANDLE_GRAPH) || dependencies || count || graph->has_node)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = read_node(context, parameters, &graph->node);
  if (result) return result;
  graph->has_node = 1;
  *out = &graph->node;
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph, unsigned long long flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (!cuda_sim_handle_ok(graph, HANDLE_GRAPH) || flags || !graph->has_node)
    return CUDA_ERROR_INVALID_VALUE;
  CUgraphExec exec = calloc(1, sizeof *exec);
  if (!exec) return CUDA_ERROR_OUT_OF_MEMORY;
  *exec = (struct CUgraphExec_st){context, &graph->node, graph->node};
  cuda_sim_handle_add(exec, HANDLE_GRAPH_EXEC, "graph exec");
  *out = exec;
  return CUDA_SUCCESS;
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS *parameters) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (!cuda_sim_handle_ok(exec, HANDLE_GRAPH_EXEC) || node != exec->node)
    return CUDA_ERROR_INVALID_VALUE;
  return read_node(context, parameters, &exec->copy);
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  if (!cuda_sim_handle_ok(exec, HANDLE_GRAPH_EXEC) || exec->context != context)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS *p = &exec->copy.parameters;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, exec->copy.arguments,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &exec->copy.bytes, CU_LAUNCH_PARAM_END};
  return cuda_sim_launch(stream, context, p, exec->copy.bytes ? extra : NULL);
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  if (cuda_sim_handle_remove(exec, HANDLE_GRAPH_EXEC, "graph exec"))
    return CUDA_ERROR_INVALID_HANDLE;
  free(exec);
  return entered;
}

CUresult cuGraphDestroy(CUgraph graph) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  if (cuda_sim_handle_remove(graph, HANDLE_GRAPH, "graph")) return CUDA_ERROR_INVALID_HANDLE;
  free(graph);
  return entered;
}

typedef struct write_word {
  int device;
  CUdeviceptr address;
  uint32_t value;
} write_word;

static void run_write(void *argument) {
  const write_word *w = argument;
  if (cuda_sim_device_error(w->device)) return;
  uint32_t *word = (uint32_t *)sim_memory_reach(w->address, sizeof *word, NULL);
  if (!word)
    cuda_sim_device_break(w->device, CUDA_ERROR_ILLEGAL_ADDRESS);
  else
    __atomic_store_n(word, w->value, __ATOMIC_RELEASE);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                 unsigned flags) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  if (getenv("SIM_CUDA_NO_WRITE_VALUE")) return CUDA_ERROR_NOT_SUPPORTED;
  if (flags || address % 4 || !sim_memory_reach(address, sizeof(uint32_t), NULL))
    return CUDA_ERROR_INVALID_VALUE;
  write_word work = {context->device, address, value};
  return sim_worker_add(stream->worker, run_write, &work, sizeof work) ? CUDA_ERROR_OUT_OF_MEMORY
                                                                       : CUDA_SUCCESS;
}
