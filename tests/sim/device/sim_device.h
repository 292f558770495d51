/* The devices below both simulated drivers: separate memory, a loader, and grids that run in
 * another process.
 *
 * A device is a child process (sim-device) that maps one memory file at the same addresses as this
 * process. Here the mapping is PROT_NONE: a host access to device memory crashes, and a kernel's
 * access to host memory is a device error. Host-visible memory (pinned, managed, kernel arguments)
 * is a second file, shared by all devices.
 *
 *   this process                                   child of device d
 *   device region d: PROT_NONE    <-- same -->     device region d: read, write, execute
 *   shadow of region d: read, write  (copies)
 *   host region: read, write      <-- address -->  host region: read, write
 *
 * With SIM_INLINE=1 kernels run on the driver's threads, so that sanitizers see them. Device memory
 * is accessible; each device operation verifies a checksum of it to detect writes of the host.
 *
 * Each simulated driver contains a hidden copy of this layer. Synchronization uses only pthread
 * functions, which ThreadSanitizer intercepts in uninstrumented code.
 *
 * Threads: any. Errors: 0 or NULL as stated; sim_violation counts misuse.
 *
 * Environment: SIM_DEVICES (number, default 1), SIM_INLINE, SIM_MEMORY_MB (per device, default
 * 256), SIM_KERNEL_SECONDS (time limit of a kernel, default 20), and those of calls.h.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

enum { SIM_MAX_DEVICES = 8, SIM_MAX_SLOTS = 64, SIM_LANES = 8 };

typedef enum sim_fault {
  SIM_RAN,
  SIM_FAULT_ADDRESS,     /* an address outside the device's memory */
  SIM_FAULT_INSTRUCTION, /* trap or illegal instruction */
  SIM_FAULT_TIMEOUT,
  SIM_FAULT_OTHER, /* the child died in another way, or did not start */
} sim_fault;

/* entry is a device address. If warp_size is not 0, backends/simt/exec executes the grid as
 * translated device code; otherwise the device calls a C function once per thread. */
typedef struct sim_grid {
  uint64_t entry;
  uint32_t warp_size, shared_limit;
  uint64_t image_at, image_bytes;
  /* the image file is /proc/image_owner/fd/image_fd; owner 0: none */
  int32_t image_owner, image_fd;
  uint64_t packet, implicit; /* device addresses */
  uint32_t blocks[3], threads[3];
  uint32_t shared_bytes;
  uint32_t slots; /* number of used slots; the other slots are 0 */
  uint64_t slot[SIM_MAX_SLOTS];
} sim_grid;

int sim_device_count(void);

/* Starts the device if necessary. Returns 0 on success. */
int sim_device_start(int device);

void sim_device_stop_all(void);

/* Runs a grid and waits for it. At most SIM_LANES grids of a device (one in inline mode) run
 * concurrently. After a fault, the device executes no more grids. */
sim_fault sim_device_run(int device, const sim_grid *grid);

/* Copies the kernels' output to stdout. */
void sim_device_flush(int device);

/* The fault that ended the device, or SIM_RAN. */
sim_fault sim_device_state(int device);

enum { SIM_ON_HOST = -1 };

/* Allocates a block, fills it with a pattern and places a guard after it. Returns 0 if there is no
 * memory. */
uint64_t sim_memory_alloc(int device, uint64_t bytes, uint64_t align);

/* Checks the guard, overwrites the block and frees it. Returns -1 if no block starts at address. */
int sim_memory_free(uint64_t address);

/* Returns the address of the range in this process, and its device. NULL: the range is not inside
 * one allocated block. */
void *sim_memory_reach(uint64_t address, uint64_t bytes, int *device);

/* Returns whether address lies in a device region, allocated or not. */
int sim_memory_is_device(uint64_t address);

/* Moves the pages of a host range into the host region. Returns the device address (0: error).
 * unpin moves the pages back; it returns -1 if the range is not pinned. */
uint64_t sim_memory_pin(void *host, uint64_t bytes);
int sim_memory_unpin(void *host);
/* The device address of a pinned host address, or 0. */
uint64_t sim_memory_pinned(const void *host);

uint64_t sim_memory_total(void);
uint64_t sim_memory_used(int device);

/* A driver calls these functions around its accesses to device memory. Inline mode compares the
 * checksum in begin and computes a new one in end. */
void sim_access_begin(int device);
void sim_access_end(int device);

typedef struct sim_module sim_module;

/* Loads a shared object with a vendor's ELF header. Copies the bytes that it needs. Returns NULL on
 * an error and the reason in *why. */
sim_module *sim_module_load(int device, const void *bytes, size_t size, const char **why);
void sim_module_unload(sim_module *module);

/* Returns whether backends/simt/translate.sh made the module. */
int sim_module_is_translated(const sim_module *module);
/* Sets the members of the grid that describe translated code. */
void sim_module_describe(const sim_module *module, uint32_t warp_size, sim_grid *grid);

/* Returns the number of bytes of static shared memory. */
uint32_t sim_module_shared(const sim_module *module);

/* Finds a function (function = 1) or an object (0). Returns the address, or 0. */
uint64_t sim_module_symbol(const sim_module *module, const char *name, int function,
                           uint64_t *out_bytes);

void sim_grid_run(const sim_grid *grid);

/* The descriptor for the kernels' output. Surplus output is lost. */
extern int sim_print_fd;

/* Counts and prints a misuse by the tested code. */
void sim_violation(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sim_violations(void);

#endif
