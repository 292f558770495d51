/* The test interface of the simulated libcuda.so.1 (see calls.h, sim_device.h). References are
 * weak: NULL with a real driver. */
#ifndef CUDA_SIM_H
#define CUDA_SIM_H

#define CUDA_SIM_API __attribute__((visibility("default"), weak))

CUDA_SIM_API unsigned cuda_sim_calls(const char *name); /* NULL: all */
CUDA_SIM_API void cuda_sim_reset_calls(void);
CUDA_SIM_API void cuda_sim_print_calls(void);
CUDA_SIM_API void cuda_sim_fail(const char *name, unsigned nth, int code);
CUDA_SIM_API const char *cuda_sim_failed(void);
/* live objects of a kind such as "stream"; NULL: of all kinds */
CUDA_SIM_API int cuda_sim_live(const char *kind);
CUDA_SIM_API int cuda_sim_violations(void);
CUDA_SIM_API void cuda_sim_delay(unsigned us);

/* Counts calls that wait for a stream or poll it, and event records of the program. The number
 * depends on timing. */
static inline unsigned cuda_sim_wait_calls(void) {
  return cuda_sim_calls("cuStreamQuery") + cuda_sim_calls("cuStreamSynchronize") +
         cuda_sim_calls("cuEventCreate") + cuda_sim_calls("cuEventRecord") +
         cuda_sim_calls("cuEventSynchronize");
}

#endif
