/* One queue per host thread and asynchronous device, kept between regions.
 *
 * A thread's queues go to the device's free list when the thread ends (a pthread key's destructor),
 * so a program that makes many short-lived threads makes few queues.
 */
#ifndef SOLO_THREAD_QUEUE_H
#define SOLO_THREAD_QUEUE_H

#include "runtime/device/device.h"

void solo_thread_queue_close_all(solo_device *device);

#endif
