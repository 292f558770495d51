/* Device memory of the server's devices. A block costs one answer; freeing it costs none. */
#include "backends/remote/remote.h"

solo_status solo_remote_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                  solo_devptr *out_address) {
  if (kind != SOLO_MEMORY_DEVICE)
    return solo_fail(
        SOLO_UNSUPPORTED,
        "remote: memory that host and device share would have to be in both processes");
  solo_remote_server *s = device->server;
  solo_devptr address = 0;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_MEM_ALLOC);
  if (m) {
    m->device = (uint32_t)device->ordinal;
    m->value = bytes;
    m->memory_kind = (uint32_t)kind;
  }
  solo_status status = solo_remote_call(s, m, &address, sizeof address);
  solo_lock_release(&s->lock);
  if (status == SOLO_OK) *out_address = address;
  return status;
}

solo_status solo_remote_mem_free(solo_bdevice *device, solo_devptr address, solo_memory_kind kind) {
  solo_remote_server *s = device->server;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_MEM_FREE);
  if (m) {
    m->device = (uint32_t)device->ordinal;
    m->value = address;
    m->memory_kind = (uint32_t)kind;
    (void)solo_remote_post(&s->control, m);
  }
  solo_lock_release(&s->lock);
  return SOLO_OK; /* with a server that is lost the block is gone, too */
}
