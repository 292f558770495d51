/* Maps an image and runs its constructors and destructors. */
#define _GNU_SOURCE
#include "backends/host/elf/load.h"

#include "backends/host/elf/arch.h"
#include "backends/host/elf/module.h"
#include "runtime/base/debug.h"
#include "runtime/base/lock.h"
#include "runtime/base/settings.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef unsigned long long ull;

/* limits that reject damaged headers */
#define LARGEST_IMAGE (UINT64_C(1) << 40)
#define LARGEST_ALIGN (UINT64_C(1) << 30)
#define LARGEST_TLS   (UINT64_C(1) << 30)

extern char **environ;

static uint64_t page_start(const solo_host_elf *m, uint64_t address) {
  return address & ~(uint64_t)(m->page - 1);
}

static uint64_t page_end(const solo_host_elf *m, uint64_t address) {
  return (address + m->page - 1) & ~(uint64_t)(m->page - 1);
}

static solo_status add_load_segment(solo_host_elf *m, const Elf64_Phdr *s) {
  if (m->segment_count == SOLO_HOST_ELF_SEGMENTS)
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: more than %d loaded segments",
                     SOLO_HOST_ELF_SEGMENTS);
  if (s->p_vaddr > LARGEST_IMAGE || s->p_memsz > LARGEST_IMAGE)
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: segment at 0x%llx with 0x%llx bytes is too large",
                     (ull)s->p_vaddr, (ull)s->p_memsz);
  if ((s->p_flags & PF_W) && (s->p_flags & PF_X))
    return solo_fail(SOLO_UNSUPPORTED,
                     "CPU image: the segment at 0x%llx is writable and executable; "
                     "link the image without -N and -z wx",
                     (ull)s->p_vaddr);
  if (s->p_align > LARGEST_ALIGN || (s->p_align & (s->p_align - 1)) ||
      (s->p_align > 1 && (s->p_vaddr - s->p_offset) % s->p_align != 0))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: segment at 0x%llx is not aligned to 0x%llx bytes",
                     (ull)s->p_vaddr, (ull)s->p_align);
  if (m->segment_count) {
    const Elf64_Phdr *before = &m->segments[m->segment_count - 1];
    if (s->p_vaddr < before->p_vaddr + before->p_memsz)
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: segments overlap or are out of order at 0x%llx",
                       (ull)s->p_vaddr);
    /* adjacent segments may share a page */
    if (page_end(m, before->p_vaddr + before->p_memsz) > page_start(m, s->p_vaddr) &&
        ((before->p_flags | s->p_flags) & (PF_W | PF_X)) == (PF_W | PF_X))
      return solo_fail(SOLO_UNSUPPORTED,
                       "CPU image: code and writable data share the page at 0x%llx (pages are %zu "
                       "bytes here); link the image with -z max-page-size=%zu",
                       (ull)page_start(m, s->p_vaddr), m->page, m->page);
  }
  m->segments[m->segment_count++] = *s;
  return SOLO_OK;
}

static solo_status read_segments(solo_host_elf *m, const solo_elf *file) {
  uint32_t dynamic_count = 0;
  for (uint32_t i = 0; i < file->segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(file, i);
    switch (s.p_type) {
    case PT_LOAD:
      if (s.p_memsz) SOLO_TRY(add_load_segment(m, &s));
      break;
    case PT_DYNAMIC:
      m->dynamic_segment = s, dynamic_count++;
      break;
    case PT_TLS:
      m->tls = s;
      break;
    case PT_GNU_RELRO:
      m->relro = s;
      break;
    case PT_GNU_EH_FRAME:
      m->eh_frame_header = s;
      break;
    case PT_INTERP:
      return solo_fail(SOLO_UNSUPPORTED, "CPU image: a program, not a shared object; link it with "
                                         "-shared");
    default:
      break;
    }
  }
  if (!m->segment_count || dynamic_count != 1)
    return solo_fail(SOLO_BAD_IMAGE,
                     "CPU image: %u loaded and %u dynamic segments: not a shared "
                     "object",
                     m->segment_count, dynamic_count);
  if (!solo_host_elf_segment_of(m, m->dynamic_segment.p_vaddr, m->dynamic_segment.p_memsz, 0))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: dynamic section at 0x%llx is not loaded",
                     (ull)m->dynamic_segment.p_vaddr);
  return SOLO_OK;
}

/* Copies the segments into one private mapping, which stays writable until protect_segments(). */
static solo_status map_segments(solo_host_elf *m, const solo_elf *file) {
  const Elf64_Phdr *last = &m->segments[m->segment_count - 1];
  uint64_t align = m->page;
  for (uint32_t i = 0; i < m->segment_count; i++)
    if (m->segments[i].p_align > align) align = m->segments[i].p_align;
  m->low = m->segments[0].p_vaddr & ~(align - 1);
  size_t size = (size_t)(page_end(m, last->p_vaddr + last->p_memsz) - m->low);
  size_t slack = (size_t)(align - m->page);
  /* one more page for stubs (elf/redirect.c) */
  m->mapping_size = size + slack + m->page;
  void *mapping = mmap(NULL, m->mapping_size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return solo_fail_vendor(SOLO_NOMEM, errno, "no room for a CPU image of 0x%llx bytes (mmap: %s)",
                            (ull)size, strerror(errno));
  m->mapping = mapping;
  uintptr_t base = ((uintptr_t)mapping + slack) & ~(uintptr_t)(align - 1);
  m->memory = solo_span_of((void *)base, size);
  m->bias = base - m->low;
  m->stubs = (uint8_t *)base + size;
  for (uint32_t i = 0; i < m->segment_count; i++) {
    solo_span bytes = solo_elf_segment_bytes(file, &m->segments[i]);
    if (bytes.size) memcpy((void *)(m->bias + m->segments[i].p_vaddr), bytes.data, bytes.size);
  }
  return SOLO_OK;
}

static int rights(uint32_t flags) {
  return PROT_READ | (flags & PF_W ? PROT_WRITE : 0) | (flags & PF_X ? PROT_EXEC : 0);
}

static solo_status protect(void *start, size_t size, int protection) {
  if (size == 0 || mprotect(start, size, protection) == 0) return SOLO_OK;
  return solo_fail_vendor(SOLO_UNSUPPORTED, errno,
                          "the system refuses %s memory for a CPU image (mprotect: %s)",
                          protection & PROT_EXEC ? "executable" : "protected", strerror(errno));
}

/* A page gets the rights of its segments; a page between segments gets none. */
static solo_status protect_segments(solo_host_elf *m) {
  uint64_t at = m->low;
  for (uint32_t i = 0; i < m->segment_count; i++) {
    const Elf64_Phdr *s = &m->segments[i];
    uint64_t start = page_start(m, s->p_vaddr), end = page_end(m, s->p_vaddr + s->p_memsz);
    uint32_t flags = s->p_flags;
    if (start < at) {
      SOLO_TRY(protect((void *)(m->bias + start), at - start,
                       rights(flags | m->segments[i - 1].p_flags)));
      start = at;
    }
    SOLO_TRY(protect((void *)(m->bias + at), start - at, PROT_NONE));
    if (end > start) SOLO_TRY(protect((void *)(m->bias + start), end - start, rights(flags)));
    if (end > at) at = end;
    if (flags & PF_X)
      __builtin___clear_cache((char *)(m->bias + s->p_vaddr),
                              (char *)(m->bias + s->p_vaddr + s->p_memsz));
  }
  SOLO_TRY(protect((void *)(m->bias + at), m->memory.size - (at - m->low), PROT_NONE));
  SOLO_TRY(protect(m->stubs, m->page, m->stub_count ? PROT_READ | PROT_EXEC : PROT_NONE));
  __builtin___clear_cache((char *)m->stubs, (char *)m->stubs + m->stub_count * SOLO_STUB_BYTES);
  return SOLO_OK;
}

/* Protects whole pages only, as the dynamic linker does. */
static solo_status protect_relro(solo_host_elf *m) {
  const Elf64_Phdr *r = &m->relro;
  if (!r->p_memsz) return SOLO_OK;
  const Elf64_Phdr *s = solo_host_elf_segment_of(m, r->p_vaddr, 0, PF_W);
  if (!s)
    return solo_fail(SOLO_BAD_IMAGE,
                     "CPU image: GNU_RELRO at 0x%llx is not in a writable "
                     "segment",
                     (ull)r->p_vaddr);
  uint64_t start = page_start(m, r->p_vaddr), end = page_start(m, r->p_vaddr + r->p_memsz);
  uint64_t limit = page_end(m, s->p_vaddr + s->p_memsz);
  if (end > limit || end < start) end = limit;
  return protect((void *)(m->bias + start), end - start, PROT_READ);
}

static solo_status set_up_tls(solo_host_elf *m) {
  const Elf64_Phdr *t = &m->tls;
  if (!t->p_memsz) return SOLO_OK;
  if (t->p_filesz > t->p_memsz || t->p_memsz > LARGEST_TLS || t->p_align > LARGEST_TLS ||
      (t->p_align & (t->p_align - 1)) || !solo_host_elf_segment_of(m, t->p_vaddr, t->p_filesz, 0))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: malformed thread-local segment at 0x%llx",
                     (ull)t->p_vaddr);
  m->storage = (solo_host_elf_tls){.initial = (const void *)(m->bias + t->p_vaddr),
                                   .initial_size = t->p_filesz,
                                   .size = t->p_memsz,
                                   .align = t->p_align};
  return solo_host_elf_tls_add(&m->storage);
}

typedef void initialiser(int argc, char **argv, char **envp);

static initialiser *function_at(const solo_host_elf *m, uint64_t slot) {
  solo_span bytes;
  uintptr_t value = 0;
  if (solo_host_elf_bytes(m, slot, sizeof value, &bytes)) memcpy(&value, bytes.data, sizeof value);
  return (initialiser *)value;
}

static bool is_code(const solo_host_elf *m, uintptr_t address) {
  return solo_host_elf_segment_of(m, address - m->bias, 1, PF_X) != NULL;
}

static solo_status check_array(const solo_host_elf *m, const solo_host_elf_table *t,
                               const char *what) {
  if (t->size % sizeof(uintptr_t) || t->address % sizeof(uintptr_t))
    return solo_fail(SOLO_BAD_IMAGE,
                     "CPU image: %s has 0x%llx bytes at 0x%llx, not aligned to a pointer", what,
                     (ull)t->size, (ull)t->address);
  for (uint64_t i = 0; i < t->size; i += sizeof(uintptr_t)) {
    uintptr_t value = (uintptr_t)function_at(m, t->address + i);
    if (value && value != UINTPTR_MAX && !is_code(m, value))
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: entry %llu of %s is not a function of the image",
                       (ull)(i / sizeof value), what);
  }
  return SOLO_OK;
}

static solo_status check_initialisers(const solo_host_elf *m) {
  const solo_host_elf_dynamic *d = &m->dynamic;
  if ((d->init && !is_code(m, m->bias + d->init)) || (d->fini && !is_code(m, m->bias + d->fini)))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: DT_INIT or DT_FINI is not in its code");
  SOLO_TRY(check_array(m, &d->init_array, "DT_INIT_ARRAY"));
  return check_array(m, &d->fini_array, "DT_FINI_ARRAY");
}

SOLO_HOST_CALLS_IMAGE static void call(const solo_host_elf *m, uint64_t slot) {
  static char *no_arguments[] = {NULL};
  initialiser *f = function_at(m, slot);
  if (f && (uintptr_t)f != UINTPTR_MAX) f(0, no_arguments, environ);
}

static solo_lock initialised_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static solo_host_elf *last_initialised;

static void insert_initialised(solo_host_elf *m) {
  solo_lock_acquire(&initialised_lock);
  m->next_initialised = last_initialised;
  last_initialised = m;
  solo_lock_release(&initialised_lock);
}

/* Removes m (NULL: the last initialised image) from the list. Returns NULL if the list does not
 * contain m. */
static solo_host_elf *remove_initialised(const solo_host_elf *m) {
  solo_lock_acquire(&initialised_lock);
  solo_host_elf **link = &last_initialised;
  while (*link && m && *link != m) link = &(*link)->next_initialised;
  solo_host_elf *removed = *link;
  if (removed) *link = removed->next_initialised;
  solo_lock_release(&initialised_lock);
  return removed;
}

SOLO_HOST_CALLS_IMAGE static void run_constructors(solo_host_elf *m) {
  static char *no_arguments[] = {NULL};
  const solo_host_elf_dynamic *d = &m->dynamic;
  if (d->init) ((initialiser *)(m->bias + d->init))(0, no_arguments, environ);
  for (uint64_t i = 0; i < d->init_array.size; i += sizeof(uintptr_t))
    call(m, d->init_array.address + i);
  m->initialised = 1;
  insert_initialised(m);
}

SOLO_HOST_CALLS_IMAGE static void run_destructors(const solo_host_elf *m) {
  const solo_host_elf_dynamic *d = &m->dynamic;
  for (uint64_t i = d->fini_array.size; i >= sizeof(uintptr_t); i -= sizeof(uintptr_t))
    call(m, d->fini_array.address + i - sizeof(uintptr_t));
  if (d->fini) ((void (*)(void))(m->bias + d->fini))();
}

/* Images stay mapped at exit, because other threads may still execute their code. */
__attribute__((destructor)) static void at_end(void) {
  for (solo_host_elf *m; (m = remove_initialised(NULL));) run_destructors(m);
}

/* SOLO_PERF_MAP: appends the functions of the image to /tmp/perf-<pid>.map as "start size name". */
static void add_to_perf_map(const solo_host_elf *m, const solo_elf *file) {
  char path[64];
  solo_elf_symbols symbols;
  if (solo_elf_static_symbols(file, &symbols) != SOLO_OK &&
      solo_elf_dynamic_symbols(file, &symbols) != SOLO_OK)
    return;
  snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
  /* reject links and files of other users */
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  FILE *out = fd < 0 ? NULL : fdopen(fd, "a");
  if (!out) {
    if (fd >= 0) close(fd);
    return;
  }
  for (uint32_t i = 1; i < symbols.count; i++) {
    solo_elf_symbol s;
    if (solo_elf_symbol_at(&symbols, i, &s) != SOLO_OK || s.section == SHN_UNDEF ||
        s.type != STT_FUNC || !s.size)
      continue;
    fprintf(out, "%" PRIx64 " %" PRIx64 " %s [device %d]\n", (uint64_t)(m->bias + s.value), s.size,
            s.name, m->device);
  }
  fclose(out);
}

static solo_status prepare(solo_host_elf *m, const solo_elf *file, solo_host_process *process) {
  SOLO_TRY(read_segments(m, file));
  SOLO_TRY(map_segments(m, file));
  SOLO_TRY(solo_host_elf_read_dynamic(m));
  SOLO_TRY(solo_host_elf_check(m, file));
  SOLO_TRY(set_up_tls(m));
  SOLO_TRY(solo_host_process_open(process));
  SOLO_TRY(solo_host_elf_redirect(m));
  SOLO_TRY(solo_host_elf_relocate(m, process));
  SOLO_TRY(check_initialisers(m));
  SOLO_TRY(protect_segments(m));
  solo_host_elf_unwind_add(m, process);
  solo_host_elf_gdb_add(m, file);
  if (solo_settings()->perf_map) add_to_perf_map(m, file);
  return SOLO_OK;
}

static solo_status check_kind(const solo_elf *file) {
  if (file->machine != SOLO_ARCH_ELF_MACHINE)
    return solo_fail(SOLO_INCOMPATIBLE, "CPU image for ELF machine %u, this machine is %u",
                     file->machine, SOLO_ARCH_ELF_MACHINE);
  if (file->type != ET_DYN)
    return solo_fail(SOLO_BAD_IMAGE,
                     "CPU image: ELF type %u, not a shared object; link it with "
                     "-shared",
                     file->type);
  if (file->osabi != ELFOSABI_NONE && file->osabi != ELFOSABI_GNU)
    return solo_fail(SOLO_INCOMPATIBLE, "CPU image for the unsupported OS ABI %u", file->osabi);
  return SOLO_OK;
}

solo_status solo_host_elf_prepare(solo_span image, int device, solo_host_elf **out_module) {
  solo_elf file;
  SOLO_TRY(solo_elf_open(image, &file));
  SOLO_TRY(check_kind(&file));
  solo_host_elf *m = calloc(1, sizeof *m);
  if (!m) return solo_fail(SOLO_NOMEM, "no memory for a CPU image");
  m->page = (size_t)sysconf(_SC_PAGESIZE);
  m->device = device;
  solo_host_process process = {0};
  solo_status status = prepare(m, &file, &process);
  solo_host_process_close(&process);
  if (status == SOLO_OK)
    *out_module = m;
  else
    solo_host_elf_unload(m);
  return status;
}

solo_status solo_host_elf_load(solo_span image, int device, solo_host_elf **out_module) {
  solo_host_elf *m = NULL;
  SOLO_TRY(solo_host_elf_prepare(image, device, &m));
  solo_status status = solo_host_elf_relocate_indirect(m);
  if (status == SOLO_OK) status = protect_relro(m);
  if (status != SOLO_OK) {
    solo_host_elf_unload(m);
    return status;
  }
  solo_debug(1, "CPU image for device %d at %p, bias 0x%llx", device, (const void *)m->memory.data,
             (ull)m->bias);
  run_constructors(m);
  *out_module = m;
  return SOLO_OK;
}

void solo_host_elf_unload(solo_host_elf *m) {
  int keep = 0;
  if (m->initialised) {
    if (remove_initialised(m)) run_destructors(m);
#if !defined(__GLIBC__)
    /* musl's __cxa_finalize has no effect, so atexit functions of the image run at exit and need
     * the image's code */
    keep = 1;
#endif
  }
  solo_host_elf_gdb_remove(m);
  if (keep) return;
  solo_host_elf_unwind_remove(m);
  solo_host_elf_tls_remove(&m->storage);
  solo_host_elf_descriptors_free(m);
  if (m->mapping) munmap(m->mapping, m->mapping_size);
  free(m);
}

solo_status solo_host_elf_symbol(const solo_host_elf *m, const char *name, void **out_address,
                                 uint64_t *out_size) {
  Elf64_Sym s;
  solo_host_elf_key key = solo_host_elf_key_of(name);
  for (uint32_t i = solo_host_elf_names_next(&m->names, &key, 0, &s); i;
       i = solo_host_elf_names_next(&m->names, &key, i, &s)) {
    unsigned type = ELF64_ST_TYPE(s.st_info);
    if (s.st_shndx == SHN_UNDEF || type == STT_TLS) continue;
    uintptr_t address = s.st_shndx == SHN_ABS ? (uintptr_t)s.st_value : m->bias + s.st_value;
    if (type == STT_GNU_IFUNC) {
      if (!is_code(m, address)) continue;
      address = (uintptr_t)solo_host_elf_indirect(address);
    } else if (s.st_shndx != SHN_ABS && !solo_host_elf_segment_of(m, s.st_value, s.st_size, 0)) {
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: symbol %s lies outside its segments", name);
    }
    *out_address = (void *)address;
    *out_size = s.st_size;
    return SOLO_OK;
  }
  return SOLO_NOT_FOUND;
}

int solo_host_elf_is_code(const solo_host_elf *m, const void *address) {
  return is_code(m, (uintptr_t)address);
}
