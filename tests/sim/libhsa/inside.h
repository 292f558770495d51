/* Inside the simulated libhsa-runtime64.so.1: what its files share.
 *
 * It behaves as the HSA runtime's reference and hsa_ext_amd.h say, on the strict side: packets are
 * taken as soon as their header is valid, doorbell or not; a packet whose body was not there by
 * then is a violation; memory that no pool or lock knows is refused, and memory that was not opened
 * to an agent is a violation. What devices are: agent.c.
 */
#ifndef SIM_HSA_INSIDE_H
#define SIM_HSA_INSIDE_H

#include "tests/sim/device/calls.h"
#include "tests/sim/device/sim_device.h"
#include "tests/sim/device/worker.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>

#define API __attribute__((visibility("default")))

/* Agent handles: 1 the CPU, 2 + d device d. Pool handles: 1 host fine, 2 host kernarg, 0x100 + d
 * device d's memory, 0x200 + d its LDS. */
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
  int64_t rings;     /* of a doorbell */
  int waiters, gone; /* packets, copies, handlers that know it; destroyed: they never run */
} sim_signal;

/* Guards signals and queue indices; sim_hsa_changed: some signal or packet changed. */
extern pthread_mutex_t sim_hsa_lock;
extern pthread_cond_t sim_hsa_changed;

static inline sim_signal *signal_of(hsa_signal_t signal) {
  return (sim_signal *)(uintptr_t)signal.handle;
}

/* --- agents (agent.c) ------------------------------------------------------------------------- */

/* Keys of newer runtimes, which answer them; an old one refuses (SIM_HSA_OLD=1). */
enum {
  SYSTEM_XNACK_ENABLED = 0x206,
  AGENT_TIMESTAMP_FREQUENCY = 0xA016,
  AGENT_MEMORY_PROPERTIES = 0xA114
};

int sim_agent_has_xnack(void);
int sim_agent_is_old(void);
uint32_t sim_agent_machine(void); /* EF_AMDGPU_MACH of its processor */
/* Devices that ROCR_VISIBLE_DEVICES leaves; their number. */
int sim_agents_visible(int *out);

/* --- access (pool.c) -------------------------------------------------------------------------- */

/* May the device reach it? Not: a violation that says what for. */
void sim_access_check(const void *address, int device, const char *what);

/* A copy failed as ordered: what waits for it stays in its queue. */
extern int sim_hsa_copy_failed;

/* Subtracts 1, as a completed packet or copy does. */
void sim_hsa_complete(hsa_signal_t signal);
/* Waits until it is 0 (negative is not), or *stop (under the lock) is not. 0: it will not be. */
int sim_hsa_wait_zero(hsa_signal_t signal, const int *stop);

/* hsa_amd_memory_pool_free: never while a copy moves bytes. -1: no such block. */
int sim_hsa_free(void *address);

/* What of the hidden arguments is checked (code.c, queue.c). */
enum { HIDDEN_BLOCKS, HIDDEN_THREADS, HIDDEN_DIMS, HIDDEN_LDS, HIDDEN_QUEUE };

/* A kernel object that packets name. */
typedef struct sim_kernel_object {
  uint64_t check; /* KERNEL_CHECK */
  int device;
  uint64_t entry;
  uint32_t slots, segment, group_bytes;
  uint32_t warp_size;
  const sim_module *module;
  uint32_t hidden[5]; /* where the segment has what the simulated runtime checks; UINT32_MAX: not */
} sim_kernel_object;
#define KERNEL_CHECK 0x53494d4b45524e4cull

hsa_status_t sim_hsa_report_fault(int device, uint64_t address); /* 0: somebody was told */

#define ENTER()                                                                                    \
  do {                                                                                             \
    int code_ = sim_call(__func__);                                                                \
    if (code_) return (hsa_status_t)code_;                                                         \
  } while (0)

#endif
