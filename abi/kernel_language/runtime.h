/* Functions of HIP and CUDA, which differ only in the prefix of their names. hip.c and cuda.c
 * define KL(name) and KL_VERSION and include this file. */
#define KL_EXPORT SOLO_EXPORT int

KL_EXPORT KL(Malloc)(void **address, size_t bytes) {
  return solo_kl_alloc(address, bytes);
}
KL_EXPORT KL(Free)(void *address) {
  return solo_kl_free(address);
}
KL_EXPORT KL(MallocHost)(void **address, size_t bytes) {
  return solo_kl_alloc_host(address, bytes);
}
KL_EXPORT KL(MallocManaged)(void **address, size_t bytes, unsigned flags) {
  (void)flags;
  return solo_kl_alloc_managed(address, bytes);
}
KL_EXPORT KL(MemGetInfo)(size_t *free_bytes, size_t *bytes) {
  return solo_kl_memory(free_bytes, bytes);
}
KL_EXPORT KL(MemPrefetchAsync)(const void *address, size_t bytes, int device, kl_stream *stream) {
  (void)device, (void)stream;
  return solo_kl_managed(address, bytes);
}
KL_EXPORT KL(Memcpy)(void *to, const void *from, size_t bytes, int direction) {
  return solo_kl_copy(to, from, bytes, direction);
}
KL_EXPORT KL(MemcpyAsync)(void *to, const void *from, size_t bytes, int direction, void *stream) {
  return solo_kl_copy_async(to, from, bytes, direction, stream);
}
KL_EXPORT KL(Memset)(void *address, int value, size_t bytes) {
  return solo_kl_set(address, value, bytes, NULL);
}
KL_EXPORT KL(MemsetAsync)(void *address, int value, size_t bytes, void *stream) {
  return solo_kl_set(address, value, bytes, stream);
}
KL_EXPORT KL(MemcpyToSymbol)(const void *symbol, const void *from, size_t bytes, size_t offset,
                             int direction) {
  return solo_kl_copy_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, direction);
}
KL_EXPORT KL(MemcpyFromSymbol)(void *to, const void *symbol, size_t bytes, size_t offset,
                               int direction) {
  return solo_kl_copy_symbol(symbol, to, bytes, offset, direction);
}
KL_EXPORT KL(GetSymbolAddress)(void **address, const void *symbol) {
  return solo_kl_symbol(symbol, address, NULL);
}
KL_EXPORT KL(GetSymbolSize)(size_t *bytes, const void *symbol) {
  void *address;
  return solo_kl_symbol(symbol, &address, bytes);
}

KL_EXPORT KL(StreamCreate)(kl_stream **stream) {
  return solo_kl_stream_create(stream, 0);
}
KL_EXPORT KL(StreamCreateWithFlags)(kl_stream **stream, unsigned flags) {
  return solo_kl_stream_create(stream, flags & KL_NONBLOCKING);
}
KL_EXPORT KL(StreamDestroy)(kl_stream *stream) {
  return solo_kl_stream_destroy(stream);
}
KL_EXPORT KL(StreamSynchronize)(kl_stream *stream) {
  return solo_kl_stream_sync(stream);
}
KL_EXPORT KL(StreamQuery)(kl_stream *stream) {
  return solo_kl_stream_query(stream);
}
KL_EXPORT KL(StreamWaitEvent)(kl_stream *stream, kl_event *event, unsigned flags) {
  (void)flags;
  return solo_kl_stream_wait(stream, event);
}
KL_EXPORT KL(DeviceSynchronize)(void) {
  return solo_kl_device_sync();
}

KL_EXPORT KL(EventCreate)(kl_event **event) {
  return solo_kl_event_create(event);
}
KL_EXPORT KL(EventCreateWithFlags)(kl_event **event, unsigned flags) {
  (void)flags;
  return solo_kl_event_create(event);
}
KL_EXPORT KL(EventDestroy)(kl_event *event) {
  return solo_kl_event_destroy(event);
}
KL_EXPORT KL(EventRecord)(kl_event *event, kl_stream *stream) {
  return solo_kl_event_record(event, stream);
}
KL_EXPORT KL(EventSynchronize)(kl_event *event) {
  return solo_kl_event_sync(event);
}
KL_EXPORT KL(EventQuery)(kl_event *event) {
  return solo_kl_event_query(event);
}
KL_EXPORT KL(EventElapsedTime)(float *milliseconds, kl_event *start, kl_event *stop) {
  return solo_kl_elapsed(milliseconds, start, stop);
}

KL_EXPORT KL(GetDeviceCount)(int *count) {
  return solo_kl_device_count(count);
}
KL_EXPORT KL(SetDevice)(int device) {
  return solo_kl_set_device(device);
}
KL_EXPORT KL(GetDevice)(int *device) {
  return solo_kl_get_device(device);
}
KL_EXPORT KL(RuntimeGetVersion)(int *version) {
  if (!version) return solo_kl_fail(KL_INVALID_VALUE, "the address for the version is NULL");
  *version = KL_VERSION;
  return KL_OK;
}
KL_EXPORT KL(DeviceReset)(void) {
  return solo_kl_device_sync();
}

KL_EXPORT KL(GetLastError)(void) {
  return solo_kl_last_error();
}
KL_EXPORT KL(PeekAtLastError)(void) {
  return solo_kl_peek_error();
}
SOLO_EXPORT const char *KL(GetErrorName)(int error) {
  return solo_kl_error_name(KL_NAME, error);
}
SOLO_EXPORT const char *KL(GetErrorString)(int error) {
  return solo_kl_error_text(error);
}

KL_EXPORT KL(LaunchKernel)(const void *kernel, kl_dim3 grid, kl_dim3 block, void **arguments,
                           size_t shared_bytes, kl_stream *stream) {
  return solo_kl_launch(kernel, grid, block, arguments, shared_bytes, stream);
}
