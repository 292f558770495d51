#include "abi/kernel_handle.h"
#include "abi/rtl/progress.h"
#include "abi/rtl/queue.h"
#include "runtime/device/load.h"
#include "runtime/device/module.h"
#include "runtime/device/resolve.h"
#include <stdlib.h>
#include <string.h>

/* guards the handles; also locked while an image is loaded */
static solo_lock handles = SOLO_LOCK_INIT(SOLO_RANK_RTL_TABLES);

/* Handles of unregistered images. New kernels reuse these handles. No handle is freed, so that check_kernel() can reject a
 * later launch with it. */
static solo_kernel_handle *ended;
enum { MIN_NAME_BYTES = 32 };

/* Returns a zeroed handle for a name of `size` bytes. The caller holds `handles`. */
static solo_kernel_handle *handle_for(size_t size) {
  solo_kernel_handle **link = &ended;
  while (*link && (*link)->capacity < size) link = &(*link)->next;
  solo_kernel_handle *h = *link;
  size_t capacity = h ? h->capacity : size < MIN_NAME_BYTES ? MIN_NAME_BYTES : size;
  if (h)
    *link = h->next;
  else
    h = malloc(sizeof *h + capacity);
  if (!h) return NULL;
  memset(h, 0, sizeof *h + capacity);
  h->capacity = capacity;
  return h;
}

static void end_handle(solo_kernel_handle *h) {
  free(h->parameters.list);
  h->parameters = (solo_parameters){0};
  h->kernel = NULL;
  h->next = ended;
  ended = h;
}

void solo_kernel_handles_end(solo_registration *registration) {
  solo_lock_acquire(&handles);
  while (registration->kernels) {
    solo_kernel_handle *h = registration->kernels;
    registration->kernels = h->next;
    end_handle(h);
  }
  solo_lock_release(&handles);
}

static solo_status library_of(const solo_registration *registration, solo_library **out) {
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l))
    if (l->source.key == &registration->descriptor) {
      *out = l;
      return SOLO_OK;
    }
  return solo_fail(SOLO_INVALID, "the image is no longer registered");
}

typedef struct search {
  const solo_backend *backend;
  const char *name;
  solo_status status;
  solo_parameters found;
} search;

/* Finds the parameters in one image. The images of a container have the same source, so the first
 * result suffices. */
static solo_status read_kernel_name(void *context, const solo_image *image) {
  search *s = context;
  if (s->status != SOLO_OK && SOLO_OP(s->backend, image_recognise)(image))
    s->status = solo_target_parameters(image, s->name, &s->found);
  return SOLO_OK;
}

static void find_parameters(const solo_library *library, solo_kernel_handle *handle) {
  search s = {.backend = handle->device->backend, .name = handle->name, .status = SOLO_NOT_FOUND};
  for (size_t i = 0; i < library->source.image_count && s.status != SOLO_OK; i++) {
    solo_status status = solo_image_visit(library->source.read_image(library->source.images, i),
                                          read_kernel_name, &s);
    if (status != SOLO_OK) s.status = status;
  }
  handle->layout = s.status;
  if (s.status == SOLO_OK) handle->parameters = s.found;
}

static solo_status make(solo_registration *registration, solo_device *device, const char *name,
                        solo_kernel_handle **out) {
  size_t size = strlen(name) + 1;
  solo_library *library;
  solo_kernel_handle *h = handle_for(size);
  if (!h) return solo_fail(SOLO_NOMEM, "no host memory for a handle of kernel %s", name);
  memcpy(h->name, name, size);
  h->device = device;
  h->opening = device->openings;
  solo_status status = library_of(registration, &library);
  if (status == SOLO_OK) {
    status = solo_kernel_of(device, library, h->name, h, &h->kernel);
    if (status == SOLO_OK) find_parameters(library, h);
    solo_registry_release(library);
  }
  if (status != SOLO_OK) {
    end_handle(h);
    return status;
  }
  h->next = registration->kernels;
  registration->kernels = h;
  *out = h;
  return SOLO_OK;
}

SOLO_EXPORT int solo_find_kernel(solo_registration *registration, int device, const char *name,
                                 solo_kernel_handle **out_kernel) {
  solo_device *on;
  if (!registration || !name || !out_kernel)
    return (int)solo_fail(SOLO_INVALID, "solo_find_kernel: an argument is NULL");
  SOLO_TRY(solo_registration_check(registration));
  SOLO_TRY(tgt_rtl_device(device, &on));
  solo_status status = SOLO_OK;
  solo_lock_acquire(&handles);
  solo_kernel_handle *h = registration->kernels;
  while (h && (h->device != on || h->opening != on->openings || strcmp(h->name, name) != 0))
    h = h->next;
  if (!h) status = make(registration, on, name, &h);
  solo_lock_release(&handles);
  if (status == SOLO_OK) *out_kernel = h;
  return (int)status;
}

SOLO_EXPORT int solo_find_global(solo_registration *registration, int device, const char *name,
                                 void **out_address, size_t *out_bytes) {
  solo_device *on;
  solo_library *library;
  solo_module *module;
  solo_devptr address = 0;
  uint64_t bytes = 0;
  if (!registration || !name || !out_address)
    return (int)solo_fail(SOLO_INVALID, "solo_find_global: an argument is NULL");
  SOLO_TRY(solo_registration_check(registration));
  SOLO_TRY(tgt_rtl_device(device, &on));
  SOLO_TRY(library_of(registration, &library));
  solo_device_lock(on);
  solo_status status = solo_module_get(on, library, &module);
  if (status == SOLO_OK) {
    status = SOLO_OP(on->backend, module_global)(module->handle, name, &address, &bytes);
    if (status == SOLO_NOT_FOUND)
      status = solo_fail(status, "the image on device %d (%s) has no variable %s", on->number,
                         on->info.arch, name);
  }
  solo_lock_release(&on->lock);
  solo_registry_release(library);
  if (status != SOLO_OK) return (int)status;
  *out_address = (void *)(uintptr_t)address;
  if (out_bytes) *out_bytes = (size_t)bytes;
  return 0;
}

static solo_status check_kernel(const solo_kernel_handle *kernel) {
  if (kernel->kernel) return SOLO_OK;
  return solo_fail(SOLO_INVALID, "kernel %s: its image is no longer registered", kernel->name);
}

static solo_status check_layout(const solo_kernel_handle *kernel) {
  SOLO_TRY(check_kernel(kernel));
  if (kernel->layout == SOLO_OK) return SOLO_OK;
  return solo_fail(kernel->layout == SOLO_NOT_FOUND ? SOLO_NOT_FOUND : SOLO_UNSUPPORTED,
                   "parameters of kernel %s on device %d: the image does not describe them\n"
                   "  hint: pass a parameter block in solo_launch_options",
                   kernel->name, kernel->device->number);
}

SOLO_EXPORT int solo_kernel_parameter(const solo_kernel_handle *kernel, unsigned index,
                                      size_t *out_offset, size_t *out_bytes) {
  if (!kernel) return (int)solo_fail(SOLO_INVALID, "solo_kernel_parameter: kernel is NULL");
  SOLO_TRY(check_layout(kernel));
  if (index >= kernel->parameters.count)
    return (int)solo_fail(SOLO_NOT_FOUND, "kernel %s has %u parameters", kernel->name,
                          kernel->parameters.count);
  if (out_offset) *out_offset = kernel->parameters.list[index].offset;
  if (out_bytes) *out_bytes = kernel->parameters.list[index].bytes;
  return 0;
}

/* Creates the parameter block in work->arguments, which the launch's event frees. */
static solo_status fill_block(const solo_kernel_handle *kernel, const solo_launch_options *o,
                              tgt_rtl_work *work) {
  size_t bytes = o->block_bytes;
  if (o->parameters) {
    SOLO_TRY(check_layout(kernel));
    bytes = kernel->parameters.bytes;
  }
  if (bytes > SOLO_MAX_PARAMETER_BYTES || (bytes && !o->parameters && !o->block))
    return solo_fail(SOLO_INVALID, "kernel %s: invalid parameter block of %zu bytes at %p",
                     kernel->name, bytes, o->block);
  unsigned char *block = calloc(1, bytes + 8);
  if (!block) return solo_fail(SOLO_NOMEM, "no host memory for %zu bytes of parameters", bytes);
  if (o->parameters)
    for (uint32_t i = 0; i < kernel->parameters.count; i++) {
      const solo_parameter *p = &kernel->parameters.list[i];
      if (p->bytes && !o->parameters[i]) {
        free(block);
        return solo_fail(SOLO_INVALID, "kernel %s: the address of parameter %u is NULL",
                         kernel->name, i);
      }
      if (p->bytes) memcpy(block + p->offset, o->parameters[i], p->bytes);
    }
  else if (bytes)
    memcpy(block, o->block, bytes);
  work->arguments = (uint64_t *)(void *)block;
  work->bytes = bytes;
  return SOLO_OK;
}

SOLO_EXPORT int solo_launch_kernel(const solo_kernel_handle *kernel,
                                   const solo_launch_options *options,
                                   solo_completion *out_completion) {
  static const solo_launch_options none = {.size = sizeof none};
  const solo_launch_options *o = options ? options : &none;
  if (!kernel || o->size < sizeof *o)
    return (int)solo_fail(SOLO_INVALID, "solo_launch_kernel: %s",
                          kernel ? "set size to sizeof(solo_launch_options)" : "kernel is NULL");
  SOLO_TRY(check_kernel(kernel));
  solo_device *device;
  SOLO_TRY(tgt_rtl_device(kernel->device->number, &device));
  if (device->openings != kernel->opening)
    return (int)solo_fail(SOLO_INVALID, "kernel %s: its handle is invalid after solo_fini",
                          kernel->name);
  tgt_rtl_work work = {.device = device, .kind = TGT_RTL_BLOCK, .kernel = kernel->kernel};
  for (int d = 0; d < 3; d++) {
    work.shape.teams[d] = o->teams[d] ? o->teams[d] : 1;
    work.shape.threads[d] = o->threads[d] ? o->threads[d] : 1;
  }
  work.shape.shared_bytes = o->shared_bytes;
  SOLO_TRY(fill_block(kernel, o, &work));
  return (int)tgt_rtl_add(&work, o->after_count, o->after, out_completion);
}

SOLO_EXPORT int solo_completion_wait(solo_completion completion) {
  return __tgt_rtl_event_wait(completion);
}

SOLO_EXPORT int solo_completion_query(solo_completion completion, int *out_done) {
  int32_t status = 0;
  if (!out_done) return (int)solo_fail(SOLO_INVALID, "solo_completion_query: out_done is NULL");
  if (completion && (status = __tgt_rtl_event_status(completion)) < 0) {
    tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
    (void)tgt_rtl_poll(&todo);
    tgt_rtl_run_todo(&todo);
    status = __tgt_rtl_event_status(completion);
  }
  *out_done = status >= 0;
  return status < 0 ? 0 : status;
}

SOLO_EXPORT void solo_completion_release(solo_completion completion) {
  __tgt_rtl_event_release(completion);
}
