/* How tests talk to the simulated libhsa-runtime64.so.1: counting, failing, looking inside.
 * References are weak: NULL on a real runtime. Meanings: tests/sim/device/calls.h and sim_device.h.
 */
#ifndef HSA_SIM_H
#define HSA_SIM_H

#define HSA_SIM_API __attribute__((visibility("default"), weak))

HSA_SIM_API unsigned hsa_sim_calls(const char *name); /* NULL: all */
HSA_SIM_API void hsa_sim_reset_calls(void);
HSA_SIM_API void hsa_sim_fail(const char *name, unsigned nth, int code);
HSA_SIM_API const char *hsa_sim_failed(void);
HSA_SIM_API int hsa_sim_live(const char *kind); /* NULL: all; "signal", "queue", "executable" ... */
HSA_SIM_API int hsa_sim_violations(void);
HSA_SIM_API void hsa_sim_delay(unsigned us);
/* The nth copy from now fails after it was accepted (0: none); also SIM_FAIL_COPY=N. */
HSA_SIM_API void hsa_sim_fail_copy(unsigned nth);
HSA_SIM_API unsigned hsa_sim_doorbells(void);
HSA_SIM_API unsigned hsa_sim_packets(int type); /* dispatches (2) or barriers (3) taken so far */

#endif
