/* The backends of remote devices, one per family. */
#include "backends/remote/remote.h"
#include "backends/remote/remote_server_list.h"

#define FAMILY(word, family)                                                                       \
  static solo_status word##_device_count(int *out_count) {                                         \
    return solo_remote_count_devices(family, out_count);                                           \
  }                                                                                                \
  static void word##_device_missing(char *text, size_t size) {                                     \
    solo_remote_describe_missing(family, text, size);                                              \
  }                                                                                                \
  static solo_status word##_device_open(int ordinal, int number, solo_bdevice **out_device,        \
                                        solo_device_info *out_info) {                              \
    return solo_remote_open_device(family, ordinal, number, out_device, out_info);                 \
  }                                                                                                \
  static int word##_image_recognise(const solo_image *image) {                                     \
    return solo_remote_family_is_enabled(family) && solo_remote_accepts_image(family, image);      \
  }                                                                                                \
  const solo_backend solo_remote_##word##_backend = {                                              \
      .api_version = SOLO_BACKEND_API,                                                             \
      .name = "remote-" #word,                                                                     \
      .device_count = word##_device_count,                                                         \
      .device_missing = word##_device_missing,                                                     \
      .device_open = word##_device_open,                                                           \
      .image_recognise = word##_image_recognise,                                                   \
      .device_close = solo_remote_device_close,                                                    \
      .image_score = solo_remote_image_score,                                                      \
      .module_load = solo_remote_module_load,                                                      \
      .module_unload = solo_remote_module_unload,                                                  \
      .module_kernel = solo_remote_module_kernel,                                                  \
      .module_global = solo_remote_module_global,                                                  \
      .mem_alloc = solo_remote_mem_alloc,                                                          \
      .mem_free = solo_remote_mem_free,                                                            \
      .queue_open = solo_remote_queue_open,                                                        \
      .queue_close = solo_remote_queue_close,                                                      \
      .queue_copy = solo_remote_queue_copy,                                                        \
      .queue_fill = solo_remote_queue_fill,                                                        \
      .queue_copy_peer = solo_remote_queue_copy_peer,                                              \
      .queue_launch = solo_remote_queue_launch,                                                    \
      .queue_sync = solo_remote_queue_sync,                                                        \
      .event_open = solo_remote_event_open,                                                        \
      .event_close = solo_remote_event_close,                                                      \
      .event_record = solo_remote_event_record,                                                    \
      .queue_wait_event = solo_remote_queue_wait_event,                                            \
      .event_query = solo_remote_event_query,                                                      \
      .event_wait = solo_remote_event_wait,                                                        \
      .device_work = solo_remote_device_work,                                                      \
  };

FAMILY(cuda, SOLO_REMOTE_CUDA)
FAMILY(hsa, SOLO_REMOTE_HSA)
FAMILY(host, SOLO_REMOTE_HOST)
FAMILY(simt, SOLO_REMOTE_SIMT)
