#ifndef SKELDRV_PRIVATE_H
#define SKELDRV_PRIVATE_H

#include "ports/skeleton/driver/skeldrv.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { ARENA_BYTES = 64 << 20, RING = 64, REGISTERS = 16 };

typedef struct block {
  struct block *next;
  uint64_t offset, bytes;
} block;

struct skeldrv_device {
  int ordinal;
  uint64_t base;
  unsigned char *arena;
  pthread_mutex_t mutex; /* guards blocks */
  block *blocks;
  skeldrv_queue *queues; /* all queues, including destroyed ones */
};

typedef enum operation { OP_SET, OP_ADD, OP_MUL, OP_LD, OP_ST, OP_SPIN } operation;
typedef enum operand_kind {
  REGISTER,
  PARAMETER,
  CONSTANT,
  TEAM,
  THREAD,
  TEAMS,
  THREADS
} operand_kind;

typedef struct operand {
  operand_kind kind;
  uint64_t value;
} operand;

typedef struct instruction {
  operation op;
  operand x[3];
} instruction;

struct skeldrv_kernel {
  struct skeldrv_kernel *next;
  const char *name; /* points into the program's text; not NUL-terminated */
  uint32_t slots, length;
  instruction code[64];
};

typedef struct command {
  enum { COMMAND_COPY, COMMAND_LAUNCH, COMMAND_WAIT, COMMAND_STOP } kind;
  uint64_t dst, src, bytes;
  skeldrv_direction direction;
  skeldrv_kernel *kernel;
  uint32_t teams[3], threads[3];
  skeldrv_queue *other;
  uint64_t ticket;
  uint64_t parameters[SKELDRV_PARAMETER_BYTES / 8];
} command;

struct skeldrv_queue {
  skeldrv_queue *next;
  skeldrv_device *device;
  atomic_int alive;
  pthread_t thread;
  uint64_t submitted;
  sem_t space, work;
  command ring[RING];
  pthread_mutex_t mutex; /* guards the members below */
  pthread_cond_t moved;
  uint64_t reached;
  skeldrv_result failure;
  uint64_t failure_at;
};

/* Counts a call. Returns the failure that skeldrv_fail_call requested, or SKELDRV_OK. */
skeldrv_result skeldrv_enter(void);
int skeldrv_is_lost(void);
extern atomic_long skeldrv_objects;

/* Returns the host address of a device range, or NULL if the range is not entirely allocated. */
void *skeldrv_resolve(skeldrv_device *device, uint64_t address, uint64_t bytes);

skeldrv_result skeldrv_execute(skeldrv_device *device, const command *launch);

void *skeldrv_queue_main(void *queue);

#endif
