/* The driver of the Skeleton One, an accelerator that does not exist: what a vendor would give you.
 *
 * Nothing here is solo's: it stands for a vendor's header and library, and goes when a real driver
 * comes. It is small, and it has the properties that make real drivers hard: memory that the host
 * cannot touch, queues that run behind your back, failures that show up later, text that it keeps
 * pointing at, handles that go stale, calls that fail.
 *
 * THE MANUAL
 *
 * Memory. Addresses are 64-bit numbers that mean nothing to the host. The device checks every
 * access against its allocations: one byte outside is a fault.
 *
 * Programs. Text; the driver keeps pointing at it until the program is unloaded. First line
 * "skeleton-one 1". Then globals and kernels:
 *     global NAME BYTES [WORD...]     initial values, 8 bytes each, the rest 0
 *     kernel NAME SLOTS               SLOTS: 8-byte parameters
 *       OPERATION OPERANDS            set rD x | add rD x y | mul rD x y | ld rD address |
 *     end                             st address x | spin ns
 * Operands: r0..r15 (registers, 0 at first), aN (parameter slot N), @NAME (address of a global),
 * team thread teams threads (linear indices and counts), decimal numbers. A kernel runs once per
 * thread of every team; threads of one kernel do not wait for each other.
 *
 * Queues. Commands of one queue run in order on a thread of the device. Each has a ticket: 1 for
 * the first, then 2 ... A full queue makes the caller wait. A queue has one user at a time;
 * skeldrv_poll and skeldrv_block may be called by anybody. A failed command does not stop the
 * queue; its first failure is kept until skeldrv_clear.
 *
 * Results. Every call can fail. SKELDRV_LOST is for ever.
 */
#ifndef SKELDRV_H
#define SKELDRV_H

#include <stddef.h>
#include <stdint.h>

typedef enum skeldrv_result {
  SKELDRV_OK,
  SKELDRV_NOT_READY,   /* skeldrv_poll: the ticket is not reached */
  SKELDRV_BAD_VALUE,   /* an argument is out of range */
  SKELDRV_BAD_HANDLE,  /* no such object (any more) */
  SKELDRV_NO_MEMORY,   /* the device has none */
  SKELDRV_NO_HOST,     /* the host has none */
  SKELDRV_BAD_PROGRAM, /* the text is not a program */
  SKELDRV_NO_SYMBOL,   /* the program has no such kernel or global */
  SKELDRV_FAULT,       /* a command touched memory that is not allocated */
  SKELDRV_LOST,        /* the device is gone */
} skeldrv_result;

typedef struct skeldrv_device skeldrv_device;
typedef struct skeldrv_program skeldrv_program;
typedef struct skeldrv_kernel skeldrv_kernel;
typedef struct skeldrv_queue skeldrv_queue;

typedef struct skeldrv_properties {
  const char *name;
  uint32_t cores, max_threads, max_teams, shared_bytes;
  uint64_t memory_bytes, clock_hz;
} skeldrv_properties;

typedef enum skeldrv_direction { SKELDRV_IN, SKELDRV_OUT, SKELDRV_WITHIN } skeldrv_direction;

enum { SKELDRV_PARAMETER_BYTES = 512 };

/* Devices. The count is 2, or what the environment variable SKELDRV_DEVICES says. */
int skeldrv_device_count(void);
skeldrv_result skeldrv_device_open(int ordinal, skeldrv_device **out);
skeldrv_result skeldrv_device_properties(skeldrv_device *device, skeldrv_properties *out);
void skeldrv_device_close(skeldrv_device *device);

/* Memory, aligned to 256 bytes. */
skeldrv_result skeldrv_alloc(skeldrv_device *device, uint64_t bytes, uint64_t *out);
skeldrv_result skeldrv_free(skeldrv_device *device, uint64_t address);

/* Programs. text ends with NUL. */
skeldrv_result skeldrv_program_load(skeldrv_device *device, const char *text,
                                    skeldrv_program **out);
void skeldrv_program_unload(skeldrv_program *program);
skeldrv_result skeldrv_program_kernel(skeldrv_program *program, const char *name,
                                      skeldrv_kernel **out, uint32_t *out_slots);
skeldrv_result skeldrv_program_global(skeldrv_program *program, const char *name, uint64_t *out,
                                      uint64_t *out_bytes);

/* Queues. */
skeldrv_result skeldrv_queue_create(skeldrv_device *device, skeldrv_queue **out);
void skeldrv_queue_destroy(skeldrv_queue *queue);
skeldrv_result skeldrv_copy(skeldrv_queue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                            skeldrv_direction direction, uint64_t *out_ticket);
/* Exactly the kernel's slots; limits are not checked: too large a grid hangs the device. */
skeldrv_result skeldrv_launch(skeldrv_queue *queue, skeldrv_kernel *kernel, const uint32_t teams[3],
                              const uint32_t threads[3], const void *parameters, uint32_t slots,
                              uint64_t *out_ticket);
/* What follows on queue waits until other has reached ticket. */
skeldrv_result skeldrv_wait(skeldrv_queue *queue, skeldrv_queue *other, uint64_t ticket,
                            uint64_t *out_ticket);
/* NOT_READY, or OK, or the kept failure if it happened at ticket or before. Never blocks. */
skeldrv_result skeldrv_poll(skeldrv_queue *queue, uint64_t ticket);
/* Sleeps until ticket is reached; the result as of skeldrv_poll. */
skeldrv_result skeldrv_block(skeldrv_queue *queue, uint64_t ticket);
/* Forgets the kept failure. The queue is idle. */
void skeldrv_clear(skeldrv_queue *queue);

/* --- for tests of programs that use the driver ------------------------------------------------ */

/* The nth call from now on that can fail returns result (LOST: and all after it); 0 disarms. */
void skeldrv_fail_call(int nth, skeldrv_result result);
/* Open devices, programs, queues and allocated blocks. */
long skeldrv_live_objects(void);

#endif
