/* solo_offload.h: OffloadAPI.h together with OpenMP. Both use the same devices, queues and memory.
 * Threads: any. */
#ifndef SOLO_OFFLOAD_H
#define SOLO_OFFLOAD_H

#include "OffloadAPI.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Convert an OpenMP device number to a device, and a device to its number. The initial device has the number
 * omp_get_initial_device(). INVALID_DEVICE: no such device. */
OL_APIEXPORT ol_result_t solo_offload_device(int number, ol_device_handle_t *device);
OL_APIEXPORT ol_result_t solo_offload_device_number(ol_device_handle_t device, int *number);

/* Creates a handle for the queue of an omp_interop object. Destroy the handle before the object. INVALID_ARGUMENT: the
 * object has no targetsync. */
OL_APIEXPORT ol_result_t solo_offload_queue_of_interop(void *interop, ol_queue_handle_t *queue);

/* Creates an omp_interop object for the queue. `omp interop destroy` must free it before olDestroyQueue. */
OL_APIEXPORT ol_result_t solo_offload_interop_of_queue(ol_queue_handle_t queue, void **interop);

#ifdef __cplusplus
}
#endif

#endif
