#include "backends/remote/remote.h"

#include "runtime/image/simt.h"
#include "runtime/image/target_id.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_CUDA = 190, MACHINE_AMDGPU = 224 };
enum { PART_BYTES = 8 << 10, LONGEST_NAME = 12 << 10 };

int solo_remote_accepts_image(solo_remote_family family, const solo_image *image) {
  switch (family) {
  case SOLO_REMOTE_CUDA:
    return image->kind == SOLO_IMAGE_PTX ||
           (image->kind == SOLO_IMAGE_ELF && image->machine == MACHINE_CUDA);
  case SOLO_REMOTE_HSA:
    return image->kind == SOLO_IMAGE_ELF && image->machine == MACHINE_AMDGPU;
  case SOLO_REMOTE_SIMT:
    return image->kind == SOLO_IMAGE_ELF && image->machine == SOLO_SIMT_MACHINE;
  default:
    return image->kind == SOLO_IMAGE_ELF && solo_machine_name(image->machine);
  }
}

/* The virtual GPU accepts only images for the processor that it emulates. */
static uint32_t score_simt(const solo_image *image, const char *arch, char *reason,
                           size_t reason_size) {
  char target[16];
  snprintf(target, sizeof target, image->flags & SOLO_SIMT_HEX ? "gfx%x" : "sm_%u",
           image->flags & SOLO_SIMT_TARGET & ~(uint32_t)SOLO_SIMT_HEX);
  if (strcmp(target, arch) == 0) return 1;
  snprintf(reason, reason_size, "different processor: it is for simt-%s, the server's is simt-%s",
           target, arch);
  return 0;
}

uint32_t solo_remote_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                                 size_t reason_size) {
  const char *arch = device->info.arch;
  if (!solo_remote_accepts_image(device->family, image)) {
    snprintf(reason, reason_size, "code for another kind of device");
    return 0;
  }
  if (image->kind == SOLO_IMAGE_PTX)
    return image->target[0] ? solo_target_score_ptx(image->target, arch, reason, reason_size) : 1;
  if (device->family == SOLO_REMOTE_SIMT) return score_simt(image, arch, reason, reason_size);
  if (device->family != SOLO_REMOTE_HOST)
    return solo_target_score(image->target, arch, reason, reason_size);
  if (strcmp(solo_machine_name(image->machine), arch) == 0) return 1;
  snprintf(reason, reason_size, "code for another CPU: the server's is %s", arch);
  return 0;
}

static solo_status send_image(solo_remote_server *s, const solo_image *image) {
  for (uint64_t at = 0; at < image->bytes.size; at += PART_BYTES) {
    uint64_t bytes = image->bytes.size - at < PART_BYTES ? image->bytes.size - at : PART_BYTES;
    solo_remote_image_part *m =
        solo_remote_message(&s->control, sizeof *m + (uint32_t)bytes, SOLO_REMOTE_IMAGE_PART);
    if (!m) return solo_remote_fail_lost(&s->control);
    m->offset = at;
    m->image_bytes = image->bytes.size;
    m->part_bytes = bytes;
    memcpy(m->part, image->bytes.data + at, bytes);
    (void)solo_remote_post(&s->control, m);
  }
  return SOLO_OK;
}

/* Returns an unused handle and marks it as used; 0: none is left. */
static uint32_t allocate_handle(uint8_t *used, uint32_t count, uint32_t first) {
  for (uint32_t n = 0; n < count; n++) {
    uint32_t handle = (first + n) % count;
    if (handle == 0 || used[handle]) continue;
    used[handle] = 1;
    return handle;
  }
  return 0;
}

/* Computes two hashes. If the size and both hashes equal those of a sent image, the client does not
 * send the image again. */
static void hash_image(const solo_image *image, uint64_t hash[2]) {
  const uint8_t *at = image->bytes.data;
  uint64_t a = UINT64_C(0xcbf29ce484222325), b = image->bytes.size;
  for (uint64_t left = image->bytes.size; left;) {
    uint64_t word = 0, step = left < sizeof word ? left : sizeof word;
    memcpy(&word, at, step);
    a = (a ^ word) * UINT64_C(0x100000001b3);
    b = ((b << 23 | b >> 41) + word) * UINT64_C(0x9e3779b97f4a7c15);
    at += step;
    left -= step;
  }
  hash[0] = a ^ a >> 32;
  hash[1] = b ^ b >> 29;
}

/* Returns the number (from 1) of the image's cache slot or of a free slot; 0: neither exists. */
static uint32_t find_image(solo_remote_server *s, const solo_image *image, uint64_t hash[2]) {
  hash_image(image, hash);
  for (uint32_t n = 0; n < SOLO_REMOTE_IMAGES; n++) {
    uint64_t bytes = s->images[n].bytes;
    if (!bytes || (bytes == image->bytes.size &&
                   memcmp(s->images[n].hash, hash, sizeof s->images[n].hash) == 0))
      return n + 1;
  }
  return 0;
}

/* The first load sends the image; later loads use the server's cache. */
static solo_status load(solo_remote_server *s, solo_bmodule *module, const solo_image *image) {
  uint64_t hash[2];
  uint32_t kept = 0, number = find_image(s, image, hash);
  int is_there = number && s->images[number - 1].bytes;
  module->handle = allocate_handle(s->module_used, SOLO_REMOTE_MODULES, 1);
  if (!module->handle) return solo_fail(SOLO_NOMEM, "remote: too many modules are loaded");
  solo_status status = is_there ? SOLO_OK : send_image(s, image);
  if (status == SOLO_OK) {
    solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_MODULE_LOAD);
    if (m) {
      m->device = (uint32_t)module->device->ordinal;
      m->object = module->handle;
      m->value = number;
      m->number = (uint32_t)is_there;
    }
    status = solo_remote_call(s, m, &kept, sizeof kept);
  }
  if (status == SOLO_OK && kept && number) {
    s->images[number - 1].bytes = image->bytes.size;
    memcpy(s->images[number - 1].hash, hash, sizeof hash);
  }
  if (status != SOLO_OK) s->module_used[module->handle] = 0;
  return status;
}

solo_status solo_remote_module_load(solo_bdevice *device, const solo_image *image,
                                    solo_bmodule **out_module) {
  char reason[128];
  if (!solo_remote_image_score(device, image, reason, sizeof reason))
    return solo_fail(SOLO_INCOMPATIBLE, "image refused: %s", reason);
  solo_bmodule *module = calloc(1, sizeof *module);
  if (!module) return solo_fail(SOLO_NOMEM, "remote: no host memory for a module");
  module->device = device;
  solo_lock_acquire(&device->server->lock);
  solo_status status = load(device->server, module, image);
  solo_lock_release(&device->server->lock);
  if (status == SOLO_OK)
    *out_module = module;
  else
    free(module);
  return status;
}

void solo_remote_module_unload(solo_bdevice *device, solo_bmodule *module) {
  solo_remote_server *s = device->server;
  solo_lock_acquire(&s->lock);
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_MODULE_UNLOAD);
  if (m) {
    m->device = (uint32_t)device->ordinal;
    m->object = module->handle;
    (void)solo_remote_post(&s->control, m);
  }
  s->module_used[module->handle] = 0;
  for (solo_bkernel *kernel = module->kernels, *next; kernel; kernel = next) {
    next = kernel->next;
    s->kernel_used[kernel->handle] = 0;
    free(kernel);
  }
  solo_lock_release(&s->lock);
  free(module);
}

static solo_bkernel *find(solo_bmodule *module, const char *name) {
  solo_bkernel *kernel = module->kernels;
  while (kernel && strcmp(kernel->name, name) != 0) kernel = kernel->next;
  return kernel;
}

/* Reserves a message with a name of at most LONGEST_NAME bytes. NULL: the server is lost. */
static void *name_message(solo_bmodule *module, const char *name, solo_remote_kind kind,
                          uint32_t kernel) {
  size_t length = strlen(name);
  solo_remote_name *m = solo_remote_message(&module->device->server->control,
                                            (uint32_t)(sizeof *m + length + 1), kind);
  if (!m) return NULL;
  m->module = module->handle;
  m->kernel = kernel;
  m->name_bytes = (uint32_t)length;
  memcpy(m->name, name, length + 1);
  return m;
}

/* Inserts the kernel into module->kernels. The caller holds the server's lock. */
static solo_status look_up(solo_bmodule *module, const char *name, solo_bkernel **out_kernel) {
  solo_remote_server *s = module->device->server;
  size_t size = strlen(name) + 1;
  solo_bkernel *kernel = calloc(1, sizeof *kernel + size);
  if (!kernel) return solo_fail(SOLO_NOMEM, "remote: no host memory for kernel %.150s", name);
  memcpy(kernel->name, name, size);
  kernel->handle = allocate_handle(s->kernel_used, SOLO_REMOTE_KERNELS, s->kernel_next);
  solo_status status = SOLO_OK;
  if (!kernel->handle) status = solo_fail(SOLO_NOMEM, "remote: too many kernels are in use");
  if (status == SOLO_OK) {
    status =
        solo_remote_call(s, name_message(module, name, SOLO_REMOTE_MODULE_KERNEL, kernel->handle),
                         &kernel->attributes, sizeof kernel->attributes);
    kernel->attributes.inline_data_bytes = 0; /* messages cannot carry inline data */
    if (status != SOLO_OK) s->kernel_used[kernel->handle] = 0;
  }
  if (status != SOLO_OK) {
    free(kernel);
    return status;
  }
  s->kernel_next = kernel->handle + 1;
  kernel->next = module->kernels;
  solo_lock_acquire(&module->lock);
  module->kernels = kernel;
  solo_lock_release(&module->lock);
  *out_kernel = kernel;
  return SOLO_OK;
}

solo_status solo_remote_module_kernel(solo_bmodule *module, const char *name,
                                      solo_bkernel **out_kernel,
                                      solo_kernel_attributes *out_attributes) {
  if (strlen(name) > LONGEST_NAME)
    return solo_fail(SOLO_NOT_FOUND, "remote: the kernel name %.100s... is too long", name);
  solo_lock_acquire(&module->lock);
  solo_bkernel *kernel = find(module, name);
  solo_lock_release(&module->lock);
  if (!kernel) {
    solo_remote_server *s = module->device->server;
    solo_status status = SOLO_OK;
    solo_lock_acquire(&s->lock);
    kernel = find(module, name);
    if (!kernel) status = look_up(module, name, &kernel);
    solo_lock_release(&s->lock);
    if (status != SOLO_OK) return status;
  }
  *out_attributes = kernel->attributes;
  *out_kernel = kernel;
  return SOLO_OK;
}

solo_status solo_remote_module_global(solo_bmodule *module, const char *name,
                                      solo_devptr *out_address, uint64_t *out_bytes) {
  solo_remote_server *s = module->device->server;
  uint64_t answer[2];
  if (strlen(name) > LONGEST_NAME) return SOLO_NOT_FOUND;
  solo_lock_acquire(&s->lock);
  solo_status status = solo_remote_call(s, name_message(module, name, SOLO_REMOTE_MODULE_GLOBAL, 0),
                                        answer, sizeof answer);
  solo_lock_release(&s->lock);
  if (status != SOLO_OK) return status;
  *out_address = answer[0];
  *out_bytes = answer[1];
  return SOLO_OK;
}
