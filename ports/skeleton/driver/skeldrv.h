/* The driver of the Skeleton One, an imaginary accelerator; a port replaces it. As with real drivers,
 * the host cannot access device memory, queues are asynchronous, failures are reported late, and any
 * call can fail.
 *
 * Memory. An access outside an allocation is a fault.
 *
 * Programs. The text must stay valid until the program is unloaded. The first line is "skeleton-one
 * 1". Globals and kernels follow:
 *
 *   global NAME BYTES [WORD...]     initial values, 8 bytes each, otherwise 0
 *   kernel NAME SLOTS               SLOTS: 8-byte parameters
 *     OPERATION OPERANDS            set rD x | add rD x y | mul rD x y | ld rD address |
 *   end                             st address x | spin ns
 *
 * Operands: r0..r15 (registers, initially 0), aN (parameter slot N), @NAME (address of a global),
 * team thread teams threads (linear indices and counts), decimal numbers. A kernel runs once per
 * thread of every team; threads do not wait for each other.
 *
 * Queues. Commands run in order on a thread and have tickets 1, 2, ... A call waits while the queue
 * is full. One thread at a time uses a queue, except for skeldrv_poll and skeldrv_block. A queue
 * continues after a failed command; its first failure stays until skeldrv_clear.
 *
 * SKELDRV_LOST is permanent.
 */
#ifndef SKELDRV_H
#define SKELDRV_H

#include <stddef.h>
#include <stdint.h>

typedef enum skeldrv_result {
  SKELDRV_OK,
  SKELDRV_NOT_READY, /* the ticket's command is incomplete */
  SKELDRV_BAD_VALUE,
  SKELDRV_BAD_HANDLE,
  SKELDRV_NO_MEMORY,
  SKELDRV_NO_HOST,
  SKELDRV_BAD_PROGRAM,
  SKELDRV_NO_SYMBOL,
  SKELDRV_FAULT,
  SKELDRV_LOST,
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

/* The count is 2, or SKELDRV_DEVICES. */
int skeldrv_device_count(void);
skeldrv_result skeldrv_device_open(int ordinal, skeldrv_device **out);
skeldrv_result skeldrv_device_properties(skeldrv_device *device, skeldrv_properties *out);
void skeldrv_device_close(skeldrv_device *device);

skeldrv_result skeldrv_alloc(skeldrv_device *device, uint64_t bytes, uint64_t *out);
skeldrv_result skeldrv_free(skeldrv_device *device, uint64_t address);

skeldrv_result skeldrv_program_load(skeldrv_device *device, const char *text,
                                    skeldrv_program **out);
void skeldrv_program_unload(skeldrv_program *program);
skeldrv_result skeldrv_program_kernel(skeldrv_program *program, const char *name,
                                      skeldrv_kernel **out, uint32_t *out_slots);
skeldrv_result skeldrv_program_global(skeldrv_program *program, const char *name, uint64_t *out,
                                      uint64_t *out_bytes);

skeldrv_result skeldrv_queue_create(skeldrv_device *device, skeldrv_queue **out);
void skeldrv_queue_destroy(skeldrv_queue *queue);
skeldrv_result skeldrv_copy(skeldrv_queue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                            skeldrv_direction direction, uint64_t *out_ticket);
/* slots: the number that the kernel declares. Limits are not checked: a grid that is too large
 * hangs the device. */
skeldrv_result skeldrv_launch(skeldrv_queue *queue, skeldrv_kernel *kernel, const uint32_t teams[3],
                              const uint32_t threads[3], const void *parameters, uint32_t slots,
                              uint64_t *out_ticket);
/* Later commands of queue wait until `other` reaches the ticket. */
skeldrv_result skeldrv_wait(skeldrv_queue *queue, skeldrv_queue *other, uint64_t ticket,
                            uint64_t *out_ticket);
/* Returns NOT_READY, OK, or the first failure up to the ticket. Never blocks. */
skeldrv_result skeldrv_poll(skeldrv_queue *queue, uint64_t ticket);
/* Sleeps until the ticket is reached. Returns the result of skeldrv_poll. */
skeldrv_result skeldrv_block(skeldrv_queue *queue, uint64_t ticket);
/* Clears the failure of a queue that has no pending commands. */
void skeldrv_clear(skeldrv_queue *queue);

/* For tests: the nth call from now on returns `result`; after SKELDRV_LOST, so do all later calls.
 * nth 0 cancels. */
void skeldrv_fail_call(int nth, skeldrv_result result);
long skeldrv_live_objects(void);

#endif
