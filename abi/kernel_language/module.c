#define _GNU_SOURCE
#include "abi/kernel_language/kl.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct wrapper {
  uint32_t magic, version;
  const char *binary;
  void *unused;
} wrapper;

struct kl_module {
  solo_registration *registration; /* NULL: the image was rejected; `reason` has the text */
  char reason[320];
};

typedef struct symbol {
  struct symbol *next;
  kl_module *module;
  const void *host;
  const char *name;
  size_t bytes;
  /* of a managed variable: the host's pointer to it, and the initial value */
  void **pointer;
  const void *initial;
  uint64_t known_to; /* bit n is set if device n has the variable's address */
  solo_kernel_handle *kernel[KL_MOST_DEVICES];
} symbol;

enum { BUCKETS = 256 };
static symbol *symbols[BUCKETS];
static symbol *managed;

static symbol **bucket_of(const void *host) {
  return &symbols[((uintptr_t)host * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
}

/* The bytes from the fat binary to the end of its loaded segment: `size` is an upper bound of the binary's size. */
typedef struct reach {
  const char *begin;
  size_t size;
} reach;

static int find_segment(struct dl_phdr_info *info, size_t size, void *context) {
  reach *r = context;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + p->p_vaddr, at = (uintptr_t)r->begin;
    if (p->p_type != PT_LOAD || at < begin || at - begin >= p->p_memsz) continue;
    r->size = p->p_memsz - (at - begin);
    return 1;
  }
  return 0;
}

/* Returns 0 beyond the end. */
static uint64_t word(const reach *r, uint64_t offset, size_t bytes) {
  uint64_t value = 0;
  if (offset <= r->size && bytes <= r->size - offset) memcpy(&value, r->begin + offset, bytes);
  return value;
}

static uint64_t sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t bundle_size(const reach *r) {
  uint64_t count = word(r, 24, 8), at = 32, end = 32;
  for (uint64_t i = 0; i < count && at < r->size; i++) {
    end = larger(end, sum(word(r, at, 8), word(r, at + 8, 8)));
    at = sum(sum(at, 24), word(r, at + 16, 8));
    end = larger(end, at);
  }
  return end;
}

static uint64_t elf_size(const reach *r) {
  Elf64_Ehdr header;
  if (r->size < sizeof header) return r->size;
  memcpy(&header, r->begin, sizeof header);
  uint64_t end = sum(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize);
  for (unsigned i = 0; i < header.e_phnum; i++) {
    uint64_t at = sum(header.e_phoff, (uint64_t)i * header.e_phentsize);
    end = larger(end, sum(word(r, sum(at, offsetof(Elf64_Phdr, p_offset)), 8),
                          word(r, sum(at, offsetof(Elf64_Phdr, p_filesz)), 8)));
  }
  return end;
}

/* Reads the size from the headers, because the program passes only the address. Returns 0 if the size is unknown. */
static uint64_t size_by_headers(const reach *r) {
  if (r->size >= 32 && memcmp(r->begin, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0) return bundle_size(r);
  if (word(r, 0, 4) == 0x424f4343) { /* "CCOB": version, method, file size */
    uint64_t version = word(r, 4, 2);
    return version == 2 ? word(r, 8, 4) : version == 3 ? word(r, 8, 8) : 0;
  }
  if (r->size >= SELFMAG && memcmp(r->begin, ELFMAG, SELFMAG) == 0) return elf_size(r);
  if (word(r, 0, 4) == 0xba55ed50) /* magic, version, header size, remaining size */
    return sum(word(r, 6, 2), word(r, 8, 8));
  return strnlen(r->begin, r->size < 1 << 28 ? r->size : 1 << 28);
}

static size_t size_of(const char *binary) {
  /* the bound if find_segment() finds no segment */
  reach r = {binary, SIZE_MAX - (uintptr_t)binary};
  (void)dl_iterate_phdr(find_segment, &r);
  uint64_t size = size_by_headers(&r);
  return size < r.size ? (size_t)size : r.size;
}

kl_module *solo_kl_register(const void *given, uint32_t magic) {
  static kl_module none = {NULL, "no memory to register a fat binary"};
  const wrapper *w = given;
  kl_module *m = calloc(1, sizeof *m);
  if (!m) return &none;
  if (!w || w->magic != magic || !w->binary) {
    snprintf(m->reason, sizeof m->reason,
             "not a wrapper of a fat binary (magic 0x%x, expected 0x%x)", w ? w->magic : 0, magic);
    return m;
  }
  if (solo_register_image(w->binary, size_of(w->binary), NULL, NULL, &m->registration)) {
    solo_failure failure;
    solo_last_error(&failure);
    snprintf(m->reason, sizeof m->reason, "%s", failure.text);
  }
  return m;
}

void solo_kl_unregister(kl_module *module) {
  if (!module || (!module->registration && !module->reason[0])) return;
  pthread_mutex_lock(&solo_kl_lock);
  for (symbol **link = &managed; *link;) {
    symbol *s = *link;
    if (s->module == module)
      *link = s->next;
    else
      link = &s->next;
  }
  for (size_t i = 0; i < BUCKETS; i++)
    for (symbol **link = &symbols[i]; *link;) {
      symbol *s = *link;
      if (s->module != module) {
        link = &s->next;
        continue;
      }
      *link = s->next;
      free(s);
    }
  pthread_mutex_unlock(&solo_kl_lock);
  solo_unregister(module->registration);
  free(module);
}

static symbol *add(kl_module *module, const void *host, const char *name, size_t bytes) {
  symbol *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->module = module;
  s->host = host;
  s->name = name;
  s->bytes = bytes;
  return s;
}

void solo_kl_register_symbol(kl_module *module, const void *host, const char *name, size_t bytes) {
  symbol *s = add(module, host, name, bytes);
  if (!s) return;
  pthread_mutex_lock(&solo_kl_lock);
  symbol **bucket = bucket_of(host);
  s->next = *bucket;
  *bucket = s;
  pthread_mutex_unlock(&solo_kl_lock);
}

void solo_kl_register_managed(kl_module *module, void **pointer, const void *initial,
                              const char *name, size_t bytes) {
  symbol *s = add(module, pointer, name, bytes);
  if (!s) return;
  s->pointer = pointer;
  s->initial = initial;
  if (solo_kl_alloc_managed(pointer, bytes) == KL_OK) memcpy(*pointer, initial, bytes);
  pthread_mutex_lock(&solo_kl_lock);
  s->next = managed;
  managed = s;
  pthread_mutex_unlock(&solo_kl_lock);
}

static symbol *find(const void *host) {
  pthread_mutex_lock(&solo_kl_lock);
  symbol *s = *bucket_of(host);
  while (s && s->host != host) s = s->next;
  pthread_mutex_unlock(&solo_kl_lock);
  return s;
}

static int refused(const symbol *s) {
  return solo_kl_fail(KL_INVALID_IMAGE, "%s: %s", s->name, s->module->reason);
}

/* Writes the addresses of managed variables to the device, because device code accesses each through a pointer. */
static int set_managed(kl_module *module, int device) {
  int error = KL_OK;
  for (symbol *s = managed; s && error == KL_OK; s = s->next) {
    void *at;
    if (s->module != module || s->known_to >> device & 1) continue;
    if (!*s->pointer)
      return solo_kl_fail(KL_NOT_SUPPORTED,
                          "managed variable %s: device %d has no memory that host "
                          "and device share",
                          s->name, device);
    error = solo_kl_status(solo_find_global(module->registration, device, s->name, &at, NULL));
    if (!error)
      error = solo_kl_status(__tgt_rtl_data_submit(device, at, s->pointer, sizeof *s->pointer));
    if (!error) s->known_to |= UINT64_C(1) << device;
  }
  return error;
}

int solo_kl_kernel(const void *host, solo_kernel_handle **out_kernel) {
  int device = solo_kl_current();
  symbol *s = find(host);
  if (!s || s->bytes)
    return solo_kl_fail(KL_INVALID_FUNCTION, "%p is not a registered kernel", host);
  if (!s->module->registration) return refused(s);
  if (!s->kernel[device]) {
    int error = solo_kl_status(
        solo_find_kernel(s->module->registration, device, s->name, &s->kernel[device]));
    if (!error && managed) error = set_managed(s->module, device);
    if (error) return error;
  }
  *out_kernel = s->kernel[device];
  return KL_OK;
}

int solo_kl_symbol(const void *host, void **out_address, size_t *out_bytes) {
  symbol *s = find(host);
  if (!s || !s->bytes)
    return solo_kl_fail(KL_INVALID_SYMBOL, "%p is not a registered variable", host);
  if (!s->module->registration) return refused(s);
  int status =
      solo_find_global(s->module->registration, solo_kl_current(), s->name, out_address, NULL);
  if (out_bytes) *out_bytes = s->bytes;
  return solo_kl_status(status);
}

int solo_kl_copy_symbol(const void *symbol, void *host, size_t bytes, size_t offset,
                        int direction) {
  void *address = NULL;
  size_t size = 0;
  int error = solo_kl_symbol(symbol, &address, &size);
  if (error) return error;
  if (offset > size || bytes > size - offset)
    return solo_kl_fail(KL_INVALID_VALUE,
                        "copy of %zu bytes at offset %zu of a variable of %zu bytes", bytes, offset,
                        size);
  char *at = (char *)address + offset;
  if (direction == KL_WITHIN)
    return solo_kl_fail(KL_NOT_SUPPORTED,
                        "copies between a variable and device memory are not supported");
  return direction == KL_OUT ? solo_kl_copy(host, at, bytes, KL_OUT)
                             : solo_kl_copy(at, host, bytes, KL_IN);
}
