#define _GNU_SOURCE
#include "abi/join.h"

#include "abi/exports.h"
#include "runtime/base/log.h"
#include "runtime/host_threads.h"
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#ifndef DF_1_NODELETE
#define DF_1_NODELETE 8
#endif

#define XX(name) +1
enum { EXPORT_COUNT = SOLO_EXPORTS_MAP(XX) };
#undef XX

static tgt_join_record record __asm__("solo_join_record")
    __attribute__((used)) = {TGT_JOIN_VERSION, EXPORT_COUNT, tgt_exports, 0};

/* The ELF note "solo" contains the distance from its contents to solo_join_record. */
__asm__(".pushsection .note.solo, \"a\", %note\n"
        "  .p2align 2\n"
        "  .long 5, 8, 1\n"
        "  .asciz \"solo\"\n"
        "  .p2align 2\n"
        "1: .quad solo_join_record - 1b\n"
        ".popsection\n");

typedef struct copy {
  tgt_join_record *record;
  const char *path;
  uintptr_t low, high;
} copy;

typedef struct needing {
  const ElfW(Dyn) * dynamic;
  uintptr_t base;
} needing;

enum { MAX_DEPENDENCIES = 32 };

typedef struct search {
  copy own, staying;
  copy unknown_copy; /* a copy that is neither joined nor `staying`; causes a warning */
  int objects, dependency_count;
  /* objects loaded with the program, never unloaded */
  needing with[MAX_DEPENDENCIES];
} search;

static tgt_join_record *record_in(const uint8_t *notes, size_t size) {
  size_t at = 0;
  ElfW(Nhdr) header;
  while (at + sizeof header <= size) {
    memcpy(&header, notes + at, sizeof header);
    size_t name = at + sizeof header, contents = name + ((header.n_namesz + 3u) & ~3u);
    if (contents + header.n_descsz > size) break;
    if (header.n_type == TGT_JOIN_NOTE && header.n_namesz == 5 && header.n_descsz == 8 &&
        memcmp(notes + name, "solo", 5) == 0) {
      int64_t distance;
      memcpy(&distance, notes + contents, sizeof distance);
      return (tgt_join_record *)((uintptr_t)(notes + contents) + (uintptr_t)distance);
    }
    at = contents + ((header.n_descsz + 3u) & ~3u);
  }
  return NULL;
}

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return NULL;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int needs(const needing *o, const char *file) {
  uintptr_t strings = 0;
  for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) strings = d->d_un.d_ptr;
  if (!strings) return 0;
  if (strings < o->base) strings += o->base; /* musl does not relocate this entry, unlike glibc */
  for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED &&
        strcmp(file_name((const char *)strings + d->d_un.d_val), file) == 0)
      return 1;
  return 0;
}

/* Returns whether the object is the program, or a dependency of an object loaded with the
 * program. One pass suffices, because dl_iterate_phdr() lists an object before its dependencies. */
static int is_loaded_with_program(search *s, const struct dl_phdr_info *info) {
  const ElfW(Dyn) *dynamic = dynamic_of(info);
  int is_needed = s->objects == 0;
  for (int i = 0; i < s->dependency_count && !is_needed; i++)
    is_needed = needs(&s->with[i], file_name(info->dlpi_name));
  if (is_needed && dynamic && s->dependency_count < MAX_DEPENDENCIES)
    s->with[s->dependency_count++] = (needing){dynamic, info->dlpi_addr};
  return is_needed;
}

static int is_never_unloaded(search *s, const struct dl_phdr_info *info) {
  if (is_loaded_with_program(s, info)) return 1;
  const ElfW(Dyn) *d = dynamic_of(info);
  for (; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_FLAGS_1 && (d->d_un.d_val & DF_1_NODELETE)) return 1;
  return 0;
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  search *s = context;
  copy c = {NULL, info->dlpi_name, UINTPTR_MAX, 0};
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    /* notes of larger alignment have another layout */
    if (p->p_type == PT_NOTE && p->p_align <= 4 && !c.record)
      c.record = record_in((const uint8_t *)start, p->p_memsz);
    if (p->p_type != PT_LOAD) continue;
    if (start < c.low) c.low = start;
    if (start + p->p_memsz > c.high) c.high = start + p->p_memsz;
  }
  int stays = is_never_unloaded(s, info);
  s->objects++;
  if (!c.record || c.record->version != TGT_JOIN_VERSION) return 0;
  if (c.record == &record) s->own = c;
  if (!s->staying.record && stays)
    s->staying = c;
  else if (c.record != &record && !c.record->joined)
    s->unknown_copy = c;
  return 0;
}

static const solo_export *find(const tgt_join_record *r, const char *name) {
  return solo_export_find(r->exports, r->count, name);
}

/* Returns whether a jump to `to` can overwrite each entry point of `own`. If not, lead() changes no entry point. In a file
 * compiled for size, a stub may overwrite the next function; this is harmless, because nothing calls that function after the
 * join. This file runs during the join, so it must not be compiled for size (docs/design/abi.md). */
static int can_redirect(const copy *own, const copy *to) {
  for (uint32_t i = 0; i < own->record->count; i++) {
    const solo_export *export = &own->record->exports[i], *other = find(to->record, export->name);
    uintptr_t at = (uintptr_t) export->address;
    if (at < own->low || at >= own->high) continue;
    /* with this alignment, a stub does not overwrite the next entry point */
    if (!other || !other->address || at % SOLO_STUB_BYTES) return 0;
  }
  return 1;
}

static int lead(const copy *own, const copy *to) {
  int memory = can_redirect(own, to) ? open("/proc/self/mem", O_RDWR | O_CLOEXEC) : -1;
  int written = memory >= 0;
  for (uint32_t i = 0; written && i < own->record->count; i++) {
    const solo_export *export = &own->record->exports[i];
    uintptr_t at = (uintptr_t) export->address;
    if (at < own->low || at >= own->high) continue;
    uint8_t stub[SOLO_STUB_BYTES];
    solo_write_stub(stub, (uintptr_t)find(to->record, export->name)->address);
    written = pwrite(memory, stub, sizeof stub, (off_t)at) == (ssize_t)sizeof stub;
  }
  if (memory >= 0) close(memory);
  return written;
}

static const char *path_of(const copy *c) {
  return c->path && *c->path ? c->path : "the program";
}

static void join(void) {
  search s = {0};
  dl_iterate_phdr(visit_object, &s);
  if (&solo_host_threads && &solo_second_runtime) solo_second_runtime.reject_at_start();
  if (!s.own.record) return; /* this copy is in a CPU image, which is not listed */
  if (s.staying.record && s.staying.record != &record) {
    record.joined = (uint32_t)lead(&s.own, &s.staying);
    if (record.joined) return;
    s.unknown_copy = s.staying;
  }
  if (s.unknown_copy.record)
    solo_warn("%s and %s contain separate copies of the offload runtime: data that one maps is not "
              "present for the other\n  hint: link both with libsolo.so, or the program with "
              "libomptarget.a",
              path_of(&s.own), path_of(&s.unknown_copy));
}

/* Runs before constructors of priority 101, which register descriptors. The section name sets the
 * priority, because compilers reserve priorities up to 100. */
static void (*const join_early)(void) __attribute__((section(".init_array.00100"), used)) = join;
