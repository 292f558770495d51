/* Internal interface of the simulated libhsa-runtime64.so.1.
 *
 * It implements the HSA runtime reference and hsa_ext_amd.h in the strictest way. It processes a
 * packet as soon as its header is valid, even without a doorbell; an incomplete body is a
 * violation. It rejects unknown memory. Access without permission is a violation. */
#ifndef SIM_HSA_INTERNAL_H
#define SIM_HSA_INTERNAL_H

#include "tests/sim/device/calls.h"
#include "tests/sim/device/sim_device.h"
#include "tests/sim/device/worker.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>

#define API __attribute__((visibility("default")))

/* Agent handles: 1 is the CPU, 2 + d device d. Pool handles: 1 is fine-grained host memory, 2 host
 * kernarg memory, 0x100 + d the memory of device d, 0x200 + d the LDS of device d. */
enum {
  AGENT_HOST = 1,
  AGENT_DEVICE = 2,
  POOL_HOST = 1,
  POOL_KERNARG = 2,
  POOL_DEVICE = 0x100,
  POOL_GROUP = 0x200
};

typedef struct sim_signal {
  int64_t value;
  int is_doorbell;
  int64_t rings; /* number of times that a doorbell was rung */
  /* waiters: packets, copies and handlers that refer to the signal; gone: the signal is destroyed */
  int waiters, gone;
} sim_signal;

/* Protects signals and queue indices. sim_hsa_changed: a signal or packet changed. */
extern pthread_mutex_t sim_hsa_lock;
extern pthread_cond_t sim_hsa_changed;

static inline sim_signal *signal_of(hsa_signal_t signal) {
  return (sim_signal *)(uintptr_t)signal.handle;
}

/* Keys of newer runtimes; SIM_HSA_OLD=1 rejects them. */
enum {
  SYSTEM_XNACK_ENABLED = 0x206,
  AGENT_TIMESTAMP_FREQUENCY = 0xA016,
  AGENT_MEMORY_PROPERTIES = 0xA114
};

int sim_agent_has_xnack(void);
int sim_agent_is_old(void);
uint32_t sim_agent_machine(void);
/* Returns the number of visible devices. */
int sim_agents_visible(int *out);

/* Reports a violation if the device may not access the address. */
void sim_access_check(const void *address, int device, const char *what);

/* A failure was injected in a copy: work that depends on the copy stays queued forever. */
extern int sim_hsa_copy_failed;

/* Subtracts 1 from the signal and wakes its waiting threads. */
void sim_hsa_complete(hsa_signal_t signal);
/* Waits until the signal is 0. Returns 0 if *stop (protected by sim_hsa_lock) is set or the signal
 * was destroyed. */
int sim_hsa_wait_zero(hsa_signal_t signal, const int *stop);

/* Frees a block, but not while a copy moves bytes. Returns -1 if there is no such block. */
int sim_hsa_free(void *address);

/* The hidden arguments that the runtime checks. */
enum { HIDDEN_BLOCKS, HIDDEN_THREADS, HIDDEN_DIMS, HIDDEN_LDS, HIDDEN_QUEUE };

typedef struct sim_kernel_object {
  uint64_t check;
  int device;
  uint64_t entry;
  uint32_t slots, segment, group_bytes;
  uint32_t warp_size;
  const sim_module *module;
  uint32_t hidden[5]; /* offsets in the kernarg segment; UINT32_MAX: absent */
} sim_kernel_object;
#define KERNEL_CHECK 0x53494d4b45524e4cull

/* Returns HSA_STATUS_SUCCESS if a registered handler received the fault. */
hsa_status_t sim_hsa_report_fault(int device, uint64_t address);

#define ENTER()                                                                                    \
  do {                                                                                             \
    int code_ = sim_call(__func__);                                                                \
    if (code_) return (hsa_status_t)code_;                                                         \
  } while (0)

#endif
