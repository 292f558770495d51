/* Reads the dynamic symbol tables of the objects in this process. */
#define _GNU_SOURCE
#include "backends/host/elf/process.h"

#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

enum { VERSION_HIDDEN = 0x8000, VERSION_LOCAL = 0, VERSION_BASE = 1 };

/* glibc stores absolute addresses in a loaded dynamic section; musl and the vDSO store offsets. */
static const void *dynamic_pointer(uintptr_t bias, uintptr_t lowest, uint64_t value) {
  return (const void *)(value < lowest ? bias + value : value);
}

/* Returns the bytes from start to the end of the object, because the dynamic section does not
 * contain the table's size. */
static solo_span open_ended(const void *start, uintptr_t end) {
  uintptr_t at = (uintptr_t)start;
  return solo_span_of(start, at && at < end ? end - at : 0);
}

static void read_object(solo_host_object *o, const ElfW(Dyn) * d, uintptr_t low, uintptr_t high) {
  uint64_t strings_size = 0;
  const char *strings = NULL;
  uint64_t soname = 0;
  bool has_soname = false;
  for (; d->d_tag != DT_NULL; d++) {
    const void *p = dynamic_pointer(o->bias, low, d->d_un.d_ptr);
    switch (d->d_tag) {
    case DT_SYMTAB:
      o->names.symbols = open_ended(p, high);
      break;
    case DT_STRTAB:
      strings = p;
      break;
    case DT_STRSZ:
      strings_size = d->d_un.d_val;
      break;
    case DT_GNU_HASH:
      o->names.gnu_hash = open_ended(p, high);
      break;
    case DT_HASH:
      o->names.sysv_hash = open_ended(p, high);
      break;
    case DT_VERSYM:
      o->versym = open_ended(p, high);
      break;
    case DT_VERDEF:
      o->verdef = p;
      break;
    case DT_VERDEFNUM:
      o->verdef_count = (uint32_t)d->d_un.d_val;
      break;
    case DT_SONAME:
      soname = d->d_un.d_val, has_soname = true;
      break;
    default:
      break;
    }
  }
  if (!strings) return;
  o->names.strings = solo_span_of(strings, strings_size);
  if (has_soname) o->soname = solo_span_string(o->names.strings, soname);
}

static bool is_vdso(uintptr_t low) {
  return low && low == (uintptr_t)getauxval(AT_SYSINFO_EHDR);
}

static int add_object(struct dl_phdr_info *info, size_t size, void *context) {
  solo_host_process *process = context;
  const ElfW(Dyn) *dynamic = NULL;
  uintptr_t low = UINTPTR_MAX, high = 0;
  size_t tls_size = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_DYNAMIC) dynamic = (const void *)(info->dlpi_addr + p->p_vaddr);
    if (p->p_type == PT_TLS) tls_size = p->p_memsz;
    if (p->p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (start < low) low = start;
    if (start + p->p_memsz > high) high = start + p->p_memsz;
  }
  if (is_vdso(low)) return 0;
  if (process->count == process->capacity) {
    size_t capacity = process->capacity ? 2 * process->capacity : 32;
    solo_host_object *grown = realloc(process->objects, capacity * sizeof *grown);
    if (!grown) return 1;
    process->objects = grown;
    process->capacity = capacity;
  }
  solo_host_object *o = &process->objects[process->count];
  *o = (solo_host_object){.path = info->dlpi_name ? info->dlpi_name : "",
                          .bias = info->dlpi_addr,
                          .tls_size = tls_size,
                          .is_program = process->count == 0};
  if (size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data) {
    o->tls_module = info->dlpi_tls_modid;
    o->tls_data = info->dlpi_tls_data;
  }
  process->count++;
  if (dynamic) read_object(o, dynamic, low, high);
  return 0;
}

solo_status solo_host_process_open(solo_host_process *out) {
  *out = (solo_host_process){0};
  if (dl_iterate_phdr(add_object, out) == 0) return SOLO_OK;
  solo_host_process_close(out);
  return solo_fail(SOLO_NOMEM, "no memory for the list of loaded objects");
}

void solo_host_process_close(solo_host_process *process) {
  free(process->objects);
  *process = (solo_host_process){0};
}

static const char *version_name(const solo_host_object *o, uint32_t wanted) {
  const uint8_t *at = o->verdef;
  for (uint32_t i = 0; at && i < o->verdef_count; i++) {
    Elf64_Verdef d;
    memcpy(&d, at, sizeof d);
    if (d.vd_ndx == wanted) {
      Elf64_Verdaux a;
      memcpy(&a, at + d.vd_aux, sizeof a);
      return solo_span_string(o->names.strings, a.vda_name);
    }
    if (!d.vd_next) break;
    at += d.vd_next;
  }
  return NULL;
}

typedef enum match { NO_MATCH, OTHER_VERSION, EXACT } match;

static match version_match(const solo_host_object *o, uint32_t index, const char *version) {
  uint16_t number;
  if (!o->versym.size || !solo_span_read(o->versym, (uint64_t)index * 2, &number, 2)) return EXACT;
  bool hidden = number & VERSION_HIDDEN;
  number &= (uint16_t)~VERSION_HIDDEN;
  if (number == VERSION_LOCAL) return NO_MATCH;
  if (!version) return hidden ? NO_MATCH : EXACT;
  if (!o->verdef_count) return EXACT;
  const char *name = number == VERSION_BASE ? NULL : version_name(o, number);
  if (name && strcmp(name, version) == 0) return EXACT;
  return hidden ? NO_MATCH : OTHER_VERSION;
}

static bool is_answer(const Elf64_Sym *s) {
  unsigned bind = ELF64_ST_BIND(s->st_info), type = ELF64_ST_TYPE(s->st_info);
  if (bind != STB_GLOBAL && bind != STB_WEAK && bind != STB_GNU_UNIQUE) return false;
  if (s->st_shndx == SHN_UNDEF) return s->st_value != 0 && type == STT_FUNC;
  if (type == STT_TLS) return true;
  return s->st_value != 0 &&
         (type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC || type == STT_GNU_IFUNC);
}

static match find_in(const solo_host_object *o, const solo_host_elf_key *key, const char *version,
                     solo_host_definition *out) {
  Elf64_Sym symbol;
  match best = NO_MATCH;
  for (uint32_t i = solo_host_elf_names_next(&o->names, key, 0, &symbol); i && best != EXACT;
       i = solo_host_elf_names_next(&o->names, key, i, &symbol)) {
    if (!is_answer(&symbol)) continue;
    match m = version_match(o, i, version);
    if (m <= best) continue;
    best = m;
    uintptr_t bias = symbol.st_shndx == SHN_ABS ? 0 : o->bias;
    *out = (solo_host_definition){o, symbol, bias + symbol.st_value};
  }
  return best;
}

bool solo_host_process_find(const solo_host_process *process, const char *name, const char *version,
                            solo_host_definition *out) {
  solo_host_elf_key key = solo_host_elf_key_of(name);
  match best = NO_MATCH;
  for (size_t i = 0; i < process->count && best != EXACT; i++) {
    solo_host_definition found;
    match m = find_in(&process->objects[i], &key, version, &found);
    if (m <= best) continue;
    best = m;
    *out = found;
  }
  return best != NO_MATCH;
}

bool solo_host_process_has(const solo_host_process *process, const char *soname) {
  for (size_t i = 0; i < process->count; i++) {
    const solo_host_object *o = &process->objects[i];
    const char *slash = strrchr(o->path, '/');
    if (o->soname && strcmp(o->soname, soname) == 0) return true;
    if (strcmp(slash ? slash + 1 : o->path, soname) == 0) return true;
  }
  return false;
}
