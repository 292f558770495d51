/* The test interface of the simulated libhsa-runtime64.so.1 (see calls.h, sim_device.h). References
 * are weak: NULL with a real runtime. */
#ifndef HSA_SIM_H
#define HSA_SIM_H

#define HSA_SIM_API __attribute__((visibility("default"), weak))

HSA_SIM_API unsigned hsa_sim_calls(const char *name); /* NULL: all */
HSA_SIM_API void hsa_sim_reset_calls(void);
HSA_SIM_API void hsa_sim_fail(const char *name, unsigned nth, int code);
HSA_SIM_API const char *hsa_sim_failed(void);
/* live objects of a kind such as "signal"; NULL: of all kinds */
HSA_SIM_API int hsa_sim_live(const char *kind);
HSA_SIM_API int hsa_sim_violations(void);
HSA_SIM_API void hsa_sim_delay(unsigned us);
/* The nth copy after this call fails after its acceptance (0: none). The variable SIM_FAIL_COPY
 * sets n at the start. */
HSA_SIM_API void hsa_sim_fail_copy(unsigned nth);
HSA_SIM_API unsigned hsa_sim_doorbells(void);
/* number of processed dispatches (2) or barriers (3) */
HSA_SIM_API unsigned hsa_sim_packets(int type);

#endif
