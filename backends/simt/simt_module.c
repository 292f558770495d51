/* Image selection, loading, kernels and globals. */
#define _GNU_SOURCE
#include "backends/simt/simt.h"

#include "backends/host/elf/load.h"
#include "backends/simt/exec/simt.h"
#include "runtime/image/elf.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* e_flags of the first recognised image, which determines the only device. */
static _Atomic uint32_t wanted;

uint32_t solo_simt_image_flags(void) {
  return solo_load_relaxed(&wanted); /* relaxed: publishes no other data */
}

int solo_simt_image_recognise(const solo_image *image) {
  uint32_t none = 0;
  if (image->kind != SOLO_IMAGE_ELF || image->machine != SOLO_SIMT_MACHINE) return 0;
  (void)solo_cas_relaxed(&wanted, &none, image->flags); /* relaxed: see solo_simt_image_flags() */
  return 1;
}

static void name_target(uint32_t flags, char *out, size_t size) {
  uint32_t target = flags & SOLO_SIMT_TARGET;
  snprintf(out, size, target & SOLO_SIMT_HEX ? "simt-gfx%x" : "simt-sm_%u",
           target & ~(uint32_t)SOLO_SIMT_HEX);
}

uint32_t solo_simt_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                               size_t reason_size) {
  char of_image[32], of_device[32];
  if (image->kind == SOLO_IMAGE_ELF && image->machine == SOLO_SIMT_MACHINE) {
    if ((image->flags & SOLO_SIMT_TARGET) == device->target) return 1;
    name_target(image->flags, of_image, sizeof of_image);
    name_target(device->target, of_device, sizeof of_device);
    snprintf(reason, reason_size, "different processor: it is for %s, the virtual GPU is %s",
             of_image, of_device);
  } else {
    snprintf(reason, reason_size, "not code for the virtual GPU (solo-cc --targets=simt-...)");
  }
  return 0;
}

/* Constructors are device code, so a GPU thread loads and unloads the image. */
typedef struct loading {
  solo_span bytes;
  solo_bmodule *module;
  solo_status status;
} loading;

static void load(void *of) {
  loading *l = of;
  l->status = solo_host_elf_load(l->bytes, l->module->device->number, &l->module->elf);
}

static simt_result run_alone(const solo_bdevice *device, void (*enter)(void *), void *of) {
  simt_launch launch = {.enter = enter,
                        .kernel = of,
                        .name = "loading an image",
                        .blocks = {1, 1, 1},
                        .threads = {1, 1, 1},
                        .warp_size = device->warp_size,
                        .shared_limit = device->shared_bytes,
                        .stack_bytes = 1 << 20};
  return simt_run(&launch);
}

/* Returns a copy of the image with the machine number of the host, which the loader and addr2line
 * require. */
static uint8_t *copy_of(const solo_image *image) {
  uint8_t *copy = malloc(image->bytes.size);
  Elf64_Ehdr header;
  if (!copy || image->bytes.size < sizeof header) return copy;
  memcpy(copy, image->bytes.data, image->bytes.size);
  memcpy(&header, copy, sizeof header);
  header.e_machine = SOLO_ARCH_ELF_MACHINE;
  header.e_flags = 0;
  memcpy(copy, &header, sizeof header);
  return copy;
}

static int file_of(const void *bytes, size_t size) {
  int file = memfd_create("solo-simt-image", MFD_CLOEXEC);
  if (file >= 0 && write(file, bytes, size) != (ssize_t)size) {
    close(file);
    file = -1;
  }
  return file;
}

/* Derives the load address from the marker symbol's address. */
static solo_status find_place(solo_bmodule *m, solo_span bytes) {
  solo_elf file;
  solo_elf_symbols symbols;
  solo_elf_symbol symbol;
  SOLO_TRY(solo_elf_open(bytes, &file));
  uint64_t low = UINT64_MAX, end = 0, size;
  for (uint32_t i = 0; i < file.segment_count; i++) {
    Elf64_Phdr p = solo_elf_segment(&file, i);
    if (p.p_type != PT_LOAD) continue;
    if (p.p_vaddr < low) low = p.p_vaddr;
    if (p.p_vaddr + p.p_memsz > end) end = p.p_vaddr + p.p_memsz;
  }
  void *marker;
  if (solo_host_elf_symbol(m->elf, "simt_kernel_image", &marker, &size) != SOLO_OK ||
      solo_elf_dynamic_symbols(&file, &symbols) != SOLO_OK)
    return solo_fail(SOLO_BAD_IMAGE, "simt: the image was not made by translate.sh");
  for (uint32_t i = 1; i < symbols.count; i++)
    if (solo_elf_symbol_at(&symbols, i, &symbol) == SOLO_OK &&
        strcmp(symbol.name, "simt_kernel_image") == 0) {
      m->at = (uintptr_t)marker - symbol.value;
      m->bytes = end;
      m->low = m->at + low;
      return simt_memory_add((void *)m->low, end - low)
                 ? SOLO_OK
                 : solo_fail(SOLO_NOMEM, "simt: no host memory to register an image");
    }
  return solo_fail(SOLO_BAD_IMAGE, "simt: the image has damaged symbols");
}

static solo_status load_into(solo_bmodule *m, const solo_image *image) {
  uint8_t *copy = copy_of(image);
  if (!copy) return solo_fail(SOLO_NOMEM, "simt: no memory for %zu bytes", image->bytes.size);
  loading l = {.bytes = solo_span_of(copy, image->bytes.size), .module = m};
  simt_result result = run_alone(m->device, load, &l);
  solo_status status = l.status;
  if (result != SIMT_RAN)
    status = solo_fail(SOLO_KERNEL_FAULT, "simt: constructors of the image failed");
  if (status == SOLO_OK) status = find_place(m, l.bytes);
  void *exact;
  uint64_t size;
  if (status == SOLO_OK)
    m->is_exact = solo_host_elf_symbol(m->elf, "simt_exact_image", &exact, &size) == SOLO_OK;
  if (status == SOLO_OK) m->file = file_of(copy, image->bytes.size);
  free(copy);
  return status;
}

solo_status solo_simt_module_load(solo_bdevice *device, const solo_image *image,
                                  solo_bmodule **out_module) {
  char reason[128];
  if (!solo_simt_image_score(device, image, reason, sizeof reason))
    return solo_fail(SOLO_INCOMPATIBLE, "simt: image refused: %s", reason);
  solo_bmodule *m = calloc(1, sizeof *m);
  if (!m) return solo_fail(SOLO_NOMEM, "simt: no memory for a module");
  solo_lock_init(&m->lock, SOLO_RANK_DRIVER);
  m->device = device;
  m->flags = image->flags;
  m->file = -1;
  solo_status status = load_into(m, image);
  if (status == SOLO_OK)
    *out_module = m;
  else
    solo_simt_module_unload(device, m);
  return status;
}

static void unload(void *of) {
  solo_host_elf_unload(of);
}

void solo_simt_module_unload(solo_bdevice *device, solo_bmodule *m) {
  if (m->low) (void)simt_memory_remove((void *)m->low);
  if (m->elf) (void)run_alone(device, unload, m->elf);
  if (m->file >= 0) close(m->file);
  for (solo_simt_kernel *k = m->kernels, *next; k; k = next) {
    next = k->next;
    free(k);
  }
  free(m);
}

static solo_simt_kernel *find(const solo_bmodule *m, const char *name) {
  solo_simt_kernel *k = m->kernels;
  while (k && strcmp(k->name, name) != 0) k = k->next;
  return k;
}

static solo_status make(solo_bmodule *m, const char *name, solo_simt_kernel **out) {
  void *code = NULL;
  uint64_t size;
  if (solo_host_elf_symbol(m->elf, name, &code, &size) != SOLO_OK ||
      !solo_host_elf_is_code(m->elf, code))
    return solo_fail(SOLO_NOT_FOUND, "simt: the image has no kernel %s", name);
  size_t length = strlen(name) + 1;
  solo_simt_kernel *k = calloc(1, sizeof *k + length);
  if (!k) return solo_fail(SOLO_NOMEM, "simt: no memory for kernel %.150s", name);
  *k = (solo_simt_kernel){m->kernels, m, code};
  memcpy(k->name, name, length);
  m->kernels = k;
  *out = k;
  return SOLO_OK;
}

/* Returns the size of all shared variables of the image (rewrite.awk). */
static uint32_t shared_of(const solo_bmodule *m) {
  void *at;
  uint64_t size, bytes = 0;
  if (solo_host_elf_symbol(m->elf, "simt_shared_bytes", &at, &size) == SOLO_OK &&
      size == sizeof bytes)
    memcpy(&bytes, at, sizeof bytes);
  return (uint32_t)bytes;
}

solo_status solo_simt_module_kernel(solo_bmodule *m, const char *name, solo_bkernel **out_kernel,
                                    solo_kernel_attributes *out_attributes) {
  solo_status status = SOLO_OK;
  solo_lock_acquire(&m->lock);
  solo_simt_kernel *k = find(m, name);
  if (!k) status = make(m, name, &k);
  solo_lock_release(&m->lock);
  if (status != SOLO_OK) return status;
  *out_kernel = (solo_bkernel *)k;
  *out_attributes = (solo_kernel_attributes){.shared_bytes = shared_of(m)};
  return SOLO_OK;
}

solo_status solo_simt_module_global(solo_bmodule *m, const char *name, solo_devptr *out_address,
                                    uint64_t *out_bytes) {
  void *address;
  SOLO_TRY(solo_host_elf_symbol(m->elf, name, &address, out_bytes));
  *out_address = (uintptr_t)address;
  return SOLO_OK;
}
