/* Queues of the imaginary driver. Each is a ring of commands and a thread. */
#define _DEFAULT_SOURCE
#include "ports/skeleton/driver/skeldrv_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* maximum of random delays before commands, which reveal missing waits */
enum { MAX_DELAY_US = 40 };

static skeldrv_result copy(skeldrv_device *device, const command *c) {
  void *dst = (void *)(uintptr_t)c->dst, *src = (void *)(uintptr_t)c->src;
  if (c->direction != SKELDRV_OUT) dst = skeldrv_resolve(device, c->dst, c->bytes);
  if (c->direction != SKELDRV_IN) src = skeldrv_resolve(device, c->src, c->bytes);
  if (!dst || !src) return SKELDRV_FAULT;
  memcpy(dst, src, c->bytes);
  return SKELDRV_OK;
}

static void await(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0 && errno == EINTR) {
  }
}

void *skeldrv_queue_main(void *argument) {
  skeldrv_queue *queue = argument;
  unsigned seed = (unsigned)(uintptr_t)queue >> 6;
  for (uint64_t ticket = 1;; ticket++) {
    await(&queue->work);
    const command *c = &queue->ring[ticket % RING];
    if (c->kind == COMMAND_STOP) return NULL;
    seed = seed * 1103515245 + 12345;
    if (seed >> 30 == 0) usleep(seed / 64 % MAX_DELAY_US);
    skeldrv_result result = SKELDRV_OK;
    if (skeldrv_is_lost())
      result = SKELDRV_LOST;
    else if (c->kind == COMMAND_COPY)
      result = copy(queue->device, c);
    else if (c->kind == COMMAND_LAUNCH)
      result = skeldrv_execute(queue->device, c);
    else
      (void)skeldrv_block(c->other, c->ticket);
    pthread_mutex_lock(&queue->mutex);
    queue->reached = ticket;
    if (result != SKELDRV_OK && queue->failure == SKELDRV_OK) {
      queue->failure = result;
      queue->failure_at = ticket;
    }
    pthread_cond_broadcast(&queue->moved);
    pthread_mutex_unlock(&queue->mutex);
    sem_post(&queue->space);
  }
}

skeldrv_result skeldrv_queue_create(skeldrv_device *device, skeldrv_queue **out) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  skeldrv_queue *queue = calloc(1, sizeof *queue);
  if (!queue) return SKELDRV_NO_HOST;
  queue->device = device;
  atomic_store(&queue->alive, 1);
  sem_init(&queue->space, 0, RING);
  sem_init(&queue->work, 0, 0);
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->moved, NULL);
  if (pthread_create(&queue->thread, NULL, skeldrv_queue_main, queue) != 0) {
    free(queue);
    return SKELDRV_NO_HOST;
  }
  pthread_mutex_lock(&device->mutex);
  queue->next = device->queues;
  device->queues = queue;
  pthread_mutex_unlock(&device->mutex);
  atomic_fetch_add(&skeldrv_objects, 1);
  *out = queue;
  return SKELDRV_OK;
}

static command *next_slot(skeldrv_queue *queue) {
  await(&queue->space);
  return &queue->ring[(queue->submitted + 1) % RING];
}

static void submit(skeldrv_queue *queue, uint64_t *out_ticket) {
  *out_ticket = ++queue->submitted;
  sem_post(&queue->work);
}

void skeldrv_queue_destroy(skeldrv_queue *queue) {
  uint64_t ticket;
  next_slot(queue)->kind = COMMAND_STOP;
  submit(queue, &ticket);
  pthread_join(queue->thread, NULL);
  atomic_store(&queue->alive, 0);
  atomic_fetch_sub(&skeldrv_objects, 1);
}

skeldrv_result skeldrv_copy(skeldrv_queue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                            skeldrv_direction direction, uint64_t *out_ticket) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  if (!atomic_load(&queue->alive)) return SKELDRV_BAD_HANDLE;
  command *c = next_slot(queue);
  c->kind = COMMAND_COPY;
  c->dst = dst;
  c->src = src;
  c->bytes = bytes;
  c->direction = direction;
  submit(queue, out_ticket);
  return SKELDRV_OK;
}

skeldrv_result skeldrv_launch(skeldrv_queue *queue, skeldrv_kernel *kernel, const uint32_t teams[3],
                              const uint32_t threads[3], const void *parameters, uint32_t slots,
                              uint64_t *out_ticket) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  if (!atomic_load(&queue->alive)) return SKELDRV_BAD_HANDLE;
  if (slots != kernel->slots || slots > SKELDRV_PARAMETER_BYTES / 8) return SKELDRV_BAD_VALUE;
  command *c = next_slot(queue);
  c->kind = COMMAND_LAUNCH;
  c->kernel = kernel;
  memcpy(c->teams, teams, sizeof c->teams);
  memcpy(c->threads, threads, sizeof c->threads);
  memcpy(c->parameters, parameters, 8 * (size_t)slots);
  submit(queue, out_ticket);
  return SKELDRV_OK;
}

skeldrv_result skeldrv_wait(skeldrv_queue *queue, skeldrv_queue *other, uint64_t ticket,
                            uint64_t *out_ticket) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  if (!atomic_load(&queue->alive) || !atomic_load(&other->alive)) return SKELDRV_BAD_HANDLE;
  command *c = next_slot(queue);
  c->kind = COMMAND_WAIT;
  c->other = other;
  c->ticket = ticket;
  submit(queue, out_ticket);
  return SKELDRV_OK;
}

static skeldrv_result result_at(const skeldrv_queue *queue, uint64_t ticket) {
  if (queue->reached < ticket) return SKELDRV_NOT_READY;
  return queue->failure != SKELDRV_OK && queue->failure_at <= ticket ? queue->failure : SKELDRV_OK;
}

skeldrv_result skeldrv_poll(skeldrv_queue *queue, uint64_t ticket) {
  if (!atomic_load(&queue->alive)) return SKELDRV_BAD_HANDLE;
  pthread_mutex_lock(&queue->mutex);
  skeldrv_result result = result_at(queue, ticket);
  pthread_mutex_unlock(&queue->mutex);
  return result;
}

skeldrv_result skeldrv_block(skeldrv_queue *queue, uint64_t ticket) {
  if (!atomic_load(&queue->alive)) return SKELDRV_BAD_HANDLE;
  pthread_mutex_lock(&queue->mutex);
  skeldrv_result result;
  while ((result = result_at(queue, ticket)) == SKELDRV_NOT_READY)
    pthread_cond_wait(&queue->moved, &queue->mutex);
  pthread_mutex_unlock(&queue->mutex);
  return result;
}

void skeldrv_clear(skeldrv_queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  queue->failure = SKELDRV_OK;
  pthread_mutex_unlock(&queue->mutex);
}
