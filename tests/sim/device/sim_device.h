/* The machine under both simulated drivers: devices with memory of their own, a loader for their
 * code, grids that really run elsewhere.
 *
 * A device is a child process (sim-device) that maps one memory file at the same addresses as this
 * process, where the mapping is inaccessible (PROT_NONE): a host that touches device memory
 * crashes, and so does a kernel that touches host memory (then the driver reports a device error).
 * Drivers copy through a second mapping. Host-visible memory (pinned, managed, kernel arguments) is
 * a second file, accessible on both sides, shared by all devices.
 *
 *   this process                                   child of device d
 *   device region d: PROT_NONE    <-- same -->     device region d: read, write, execute
 *   shadow of region d: read, write  (copies)
 *   host region: read, write      <-- address -->  host region: read, write
 *
 * With SIM_INLINE=1 there is no child: kernels run on the driver's threads in this process, device
 * memory is accessible, and a checksum over all device blocks, verified before each device
 * operation, finds a host that wrote to it. For sanitizers, which then see the kernels.
 *
 * Each simulated driver has its own copy of this layer (hidden symbols): tests talk to it through
 * what the driver exports. Synchronisation is by pthread only, so that ThreadSanitizer, which does
 * not see into the drivers, sees it.
 *
 * Threads: every function from any thread. Errors: 0 or NULL as stated; misuse by the code under
 * test is counted by sim_violation. Units: bytes.
 *
 * Environment: SIM_DEVICES (number, default 1), SIM_INLINE, SIM_MEMORY_MB (per device, default
 * 256), SIM_KERNEL_SECONDS (limit of a kernel, default 20), and those of calls.h.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

enum { SIM_MAX_DEVICES = 8, SIM_MAX_SLOTS = 64, SIM_LANES = 8 };

typedef enum sim_fault {
  SIM_RAN,               /* no fault */
  SIM_FAULT_ADDRESS,     /* touched what is not the device's */
  SIM_FAULT_INSTRUCTION, /* trap or illegal instruction */
  SIM_FAULT_TIMEOUT,
  SIM_FAULT_OTHER, /* died otherwise, or cannot be started */
} sim_fault;

/* One grid. entry is a device address. With a warp_size the kernel is translated device code, which
 * backends/simt/exec runs; without, a stand-in: C that is called once per thread. */
typedef struct sim_grid {
  uint64_t entry;
  uint32_t warp_size, shared_limit;
  uint64_t image_at, image_bytes; /* of translated code */
  int32_t image_owner, image_fd;  /* its file: /proc/OWNER/fd/FD; owner 0: none */
  uint64_t packet, implicit; /* device addresses: of the dispatch packet, of the hidden arguments */
  uint32_t blocks[3], threads[3];
  uint32_t shared_bytes;
  uint32_t slots; /* how many of the slots are given; the rest are 0 */
  uint64_t slot[SIM_MAX_SLOTS];
} sim_grid;

/* How many devices SIM_DEVICES asks for. */
int sim_device_count(void);

/* Starts device (0 <= device < count) if it is not: 0 on success. */
int sim_device_start(int device);

/* Ends all children and forgets all memory: what a fresh process would have. For tests. */
void sim_device_stop_all(void);

/* Runs a grid and waits for it; up to SIM_LANES grids of one device run at a time (one in the
 * inline mode), more wait. A fault is final: everything later on this device returns it again. */
sim_fault sim_device_run(int device, const sim_grid *grid);

/* What kernels printed since the last call goes to stdout. Drivers call it when the vendor's would. */
void sim_device_flush(int device);

/* The fault the device died of; SIM_RAN while it lives. */
sim_fault sim_device_state(int device);

/* --- memory ---------------------------------------------------------------------------------- */

enum { SIM_ON_HOST = -1 }; /* "device" of host-visible memory */

/* A block on device (or SIM_ON_HOST); filled with a pattern, followed by a guard. 0: none left. */
uint64_t sim_memory_alloc(int device, uint64_t bytes, uint64_t align);

/* Frees and overwrites it. 0, or -1 when address is not a block's start. A damaged guard is a
 * violation. */
int sim_memory_free(uint64_t address);

/* Is [address, address + bytes) inside one live block? Then where this process can touch it, and
 * (device may be NULL) whose it is. Else NULL. */
void *sim_memory_reach(uint64_t address, uint64_t bytes, int *device);

/* Is address in any region, allocated or not? (A host pointer never should be.) */
int sim_memory_is_device(uint64_t address);

/* Makes a host range reachable at the returned device address, by moving its pages into the host
 * region (0: cannot); unpin moves them back: 0, or -1 when host was not pinned. */
uint64_t sim_memory_pin(void *host, uint64_t bytes);
int sim_memory_unpin(void *host);
/* The device address of a pinned host address; 0 when not pinned. */
uint64_t sim_memory_pinned(const void *host);

uint64_t sim_memory_total(void);
uint64_t sim_memory_used(int device);

/* Brackets around whatever the driver itself does to device memory (copies, fills): the checksum
 * mode verifies in begin and renews in end. No-ops otherwise. sim_device_run has its own. */
void sim_touch_begin(int device);
void sim_touch_end(int device);

/* --- code ------------------------------------------------------------------------------------ */

typedef struct sim_module sim_module;

/* Loads a dressed shared object into device memory. NULL: not one of ours, or no memory; *why says
 * what. The bytes are borrowed. */
sim_module *sim_module_load(int device, const void *bytes, size_t size, const char **why);
void sim_module_unload(sim_module *module);

/* Is it translated device code (backends/simt/translate.sh)? */
int sim_module_is_translated(const sim_module *module);
/* Fills in what a grid of it needs; warp_size is used if it is translated. */
void sim_module_describe(const sim_module *module, uint32_t warp_size, sim_grid *grid);

/* Bytes of shared memory that its variables take; stand-ins have none. */
uint32_t sim_module_shared(const sim_module *module);

/* A symbol's address and size; function = 1: a function, 0: an object. 0 when there is none. */
uint64_t sim_module_symbol(const sim_module *module, const char *name, int function,
                           uint64_t *out_bytes);

/* --- inside ---------------------------------------------------------------------------------- */

/* Calls the kernel once per thread; shared with the child. */
void sim_grid_run(const sim_grid *grid);

/* Where kernels print: the child's pipe; 1 in the inline mode. What does not fit any more is lost. */
extern int sim_print_fd;

/* Counts a misuse by the code under test and prints it: "sim: violation: ...". */
void sim_violation(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_violations(void);

#endif
