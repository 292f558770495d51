/* How tests talk to the simulated libcuda.so.1: counting, failing, looking inside. References are
 * weak: NULL on a real driver, where the same tests run without these questions.
 * Meanings: tests/sim/device/calls.h and sim_device.h. */
#ifndef CUDA_SIM_H
#define CUDA_SIM_H

#define CUDA_SIM_API __attribute__((visibility("default"), weak))

CUDA_SIM_API unsigned cuda_sim_calls(const char *name); /* NULL: all */
CUDA_SIM_API void cuda_sim_reset_calls(void);
CUDA_SIM_API void cuda_sim_print_calls(void);
CUDA_SIM_API void cuda_sim_fail(const char *name, unsigned nth, int code);
CUDA_SIM_API const char *cuda_sim_failed(void);
CUDA_SIM_API int cuda_sim_live(const char *kind); /* NULL: all; "stream", "event", "module", ... */
CUDA_SIM_API int cuda_sim_violations(void);
CUDA_SIM_API void cuda_sim_delay(unsigned us);

/* How many of the calls were ways to wait for a stream, asking or asleep: which of them a wait makes, and how many, is a
 * matter of time. Records of a program's own events are among them. */
static inline unsigned cuda_sim_wait_calls(void) {
  return cuda_sim_calls("cuStreamQuery") + cuda_sim_calls("cuStreamSynchronize") +
         cuda_sim_calls("cuEventCreate") + cuda_sim_calls("cuEventRecord") +
         cuda_sim_calls("cuEventSynchronize");
}

#endif
