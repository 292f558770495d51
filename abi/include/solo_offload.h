/* solo_offload.h: OffloadAPI.h together with OpenMP. Both use the same devices, queues and memory.
 * Threads: any. */
#ifndef SOLO_OFFLOAD_H
#define SOLO_OFFLOAD_H

#include "OffloadAPI.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The device with an OpenMP device number, and the number of a device; the initial device has
 * number omp_get_initial_device(). INVALID_DEVICE: no such device. */
OL_APIEXPORT ol_result_t solo_offload_device(int number, ol_device_handle_t *device);
OL_APIEXPORT ol_result_t solo_offload_device_number(ol_device_handle_t device, int *number);

/* A queue that adds to the queue of an omp_interop object with targetsync. Destroy it before the
 * object. INVALID_ARGUMENT: the object has no queue. */
OL_APIEXPORT ol_result_t solo_offload_queue_of_interop(void *interop, ol_queue_handle_t *queue);

/* An omp_interop object with the queue; `omp interop destroy` frees it. Destroy it before the
 * queue. */
OL_APIEXPORT ol_result_t solo_offload_interop_of_queue(ol_queue_handle_t queue, void **interop);

#ifdef __cplusplus
}
#endif

#endif
