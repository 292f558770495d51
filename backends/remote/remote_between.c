/* Copies between two devices. If the devices belong to different servers, the source's queue sends
 * the bytes, and a queue of the target device receives them and answers. This answer completes the
 * copy in the source's queue. */
#include "backends/remote/remote.h"
#include "backends/remote/remote_area.h"
#include "backends/remote/remote_half.h"

enum { LONG_PIECE_BYTES = 8 << 20 };

static solo_status post_receive(solo_bdevice *device, uint32_t server,
                                const solo_remote_between *what) {
  solo_status status = SOLO_OK;
  solo_lock_acquire(&device->between_lock);
  if (!device->between) status = solo_remote_queue_open(device, &device->between);
  if (status == SOLO_OK)
    status = solo_remote_post_half(device->between, SOLO_REMOTE_RECEIVE_FROM, server, what);
  solo_lock_release(&device->between_lock);
  return status;
}

static solo_status copy_between(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                solo_devptr src, uint64_t bytes) {
  uint32_t from = queue->device->server->link->number, to = dst_device->server->link->number;
  uint64_t piece = queue->device->is_in_server && dst_device->is_in_server ? LONG_PIECE_BYTES
                                                                           : SOLO_REMOTE_PART_BYTES;
  for (uint64_t done = 0; done < bytes;) {
    uint64_t step = bytes - done < piece ? bytes - done : piece;
    solo_remote_between what = {.tag = solo_remote_next_tag(), .device = dst + done, .bytes = step};
    SOLO_TRY(post_receive(dst_device, from, &what));
    what.device = src + done;
    SOLO_TRY(solo_remote_post_half(queue, SOLO_REMOTE_SEND_TO, to, &what));
    done += step;
  }
  return SOLO_OK;
}

/* Copies by memcpy between the areas of two servers, which the program maps. */
static solo_status copy_here(solo_bqueue *queue, const solo_bdevice *dst_device, solo_devptr dst,
                             solo_devptr src, uint64_t bytes) {
  void *to = solo_remote_area_find(dst_device, dst, bytes);
  const void *from = solo_remote_area_find(queue->device, src, bytes);
  if (to && from) return solo_remote_area_copy(queue, to, from, bytes);
  return solo_fail(
      SOLO_UNSUPPORTED,
      "remote: no direct copy from device %d to device %d: their servers have no connection",
      queue->device->number, dst_device->number);
}

/* Within a server, and between servers that can transfer data to each other, the data does not pass
 * through the program. */
solo_status solo_remote_queue_copy_peer(solo_bqueue *queue, solo_bdevice *dst_device,
                                        solo_devptr dst, solo_devptr src, uint64_t bytes) {
  const solo_remote_server *from = queue->device->server, *to = dst_device->server;
  if (from != to && from->link->number && to->link->number)
    return copy_between(queue, dst_device, dst, src, bytes);
  if (from != to || queue->device->family != dst_device->family)
    return copy_here(queue, dst_device, dst, src, bytes);
  solo_remote_copy *m = solo_remote_message(&queue->channel, sizeof *m, SOLO_REMOTE_COPY_PEER);
  if (!m) return solo_remote_abandon_queue(queue);
  m->direction = SOLO_COPY_WITHIN;
  m->value = (uint32_t)dst_device->ordinal;
  m->device = dst;
  m->host = src;
  m->bytes = bytes;
  (void)solo_remote_post(&queue->channel, m);
  return SOLO_OK;
}
