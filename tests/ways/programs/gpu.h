/* Common source for HIP and CUDA: GPU(Malloc) is hipMalloc or cudaMalloc. */
#ifdef __HIP__
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#else
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#endif

#define CHECK(call)                                                                                \
  do {                                                                                             \
    GPU(Error_t) error_ = call;                                                                    \
    if (error_ != GPU(Success)) {                                                                  \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, GPU(GetErrorName)(error_),                     \
             GPU(GetErrorString)(error_));                                                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static inline int verdict(int wrong) {
  printf("%s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
