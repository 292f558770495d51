#include "backends/host/elf/arch.h"
#include "backends/host/elf/module.h"
#include "backends/host/elf/resolve.h"

typedef unsigned long long ull;

typedef enum target_kind {
  TARGET_ADDRESS,
  TARGET_INDIRECT, /* value: resolver */
  TARGET_TLS_OWN,  /* value: offset in the image's TLS block */
  TARGET_TLS_OTHER,
} target_kind;

typedef struct target {
  target_kind kind;
  int is_own;
  uintptr_t value;
  uint64_t size;
  solo_host_definition definition;
} target;

typedef struct work {
  solo_host_elf *m;
  const solo_host_process *process; /* NULL during the second pass (indirect functions) */
} work;

static bool symbol_at(const solo_host_elf *m, uint32_t index, Elf64_Sym *out) {
  return index < m->symbol_count &&
         solo_span_read(m->names.symbols, (uint64_t)index * sizeof *out, out, sizeof *out);
}

static void library_name(const char *soname, char *out, size_t size) {
  const char *start = strncmp(soname, "lib", 3) == 0 ? soname + 3 : soname;
  const char *end = strstr(start, ".so");
  size_t length = end ? (size_t)(end - start) : strlen(start);
  if (length >= size) length = size - 1;
  memcpy(out, start, length);
  out[length] = 0;
}

static SOLO_COLD solo_status missing(const work *w, const char *name,
                                     const solo_host_elf_version *version) {
  const char *library = version->file;
  if (!library || solo_host_process_has(w->process, library)) {
    library = NULL;
    for (uint32_t i = 0; !library && i < w->m->dynamic.needed_count; i++) {
      const char *needed = solo_host_elf_needed(w->m, i);
      if (needed && !solo_host_process_has(w->process, needed)) library = needed;
    }
  }
  const char *at = version->name ? "@" : "", *v = version->name ? version->name : "";
  if (!library)
    return solo_fail(
        SOLO_NOT_FOUND,
        "CPU image needs the symbol %s%s%s, which nothing in this process exports; link "
        "the program with the library that defines it, or, if the program itself defines it, "
        "with -rdynamic (a static program: with solo-cc --symbols-of=IMAGE)",
        name, at, v);
  char word[64];
  library_name(library, word, sizeof word);
  return solo_fail(SOLO_NOT_FOUND,
                   "CPU image needs the symbol %s%s%s and the library %s, which is not loaded in "
                   "this process; link the program with -Wl,--no-as-needed -l%s",
                   name, at, v, library, word);
}

static solo_status own_symbol(const work *w, const Elf64_Sym *s, const char *name, target *out) {
  *out = (target){.is_own = 1, .size = s->st_size};
  unsigned type = ELF64_ST_TYPE(s->st_info);
  if (type == STT_TLS) {
    out->kind = TARGET_TLS_OWN;
    out->value = s->st_value;
    return SOLO_OK;
  }
  void *own = solo_host_export(name); /* the runtime of the process replaces the image's copy */
  out->value = own                      ? (uintptr_t)own
               : s->st_shndx == SHN_ABS ? s->st_value
                                        : w->m->bias + s->st_value;
  if (type != STT_GNU_IFUNC || own) return SOLO_OK;
  out->kind = TARGET_INDIRECT;
  if (solo_host_elf_segment_of(w->m, s->st_value, 1, PF_X)) return SOLO_OK;
  return solo_fail(SOLO_BAD_IMAGE, "CPU image: indirect function %s is not in its code", name);
}

static solo_status process_symbol(const work *w, uint32_t index, const Elf64_Sym *s,
                                  const char *name, target *out) {
  *out = (target){.size = s->st_size};
  solo_host_elf_version version = solo_host_elf_version_of(w->m, index);
  if (!solo_host_resolve(w->process, name, version.name, &out->definition)) {
    if (ELF64_ST_BIND(s->st_info) == STB_WEAK) return SOLO_OK;
    return missing(w, name, &version);
  }
  const Elf64_Sym *found = &out->definition.symbol;
  out->value = out->definition.address;
  if (!out->definition.object) return SOLO_OK;
  out->size = found->st_size;
  unsigned type = ELF64_ST_TYPE(found->st_info);
  if (type == STT_GNU_IFUNC) out->value = (uintptr_t)solo_host_elf_indirect(out->value);
  if (type == STT_TLS) out->kind = TARGET_TLS_OTHER;
  return SOLO_OK;
}

static solo_status find_target(const work *w, uint32_t index, target *out) {
  *out = (target){.is_own = 1};
  if (index == 0) return SOLO_OK; /* no symbol: refers to the image */
  Elf64_Sym s;
  const char *name;
  if (!symbol_at(w->m, index, &s) || !(name = solo_span_string(w->m->names.strings, s.st_name)))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: relocation against symbol %u of %u", index,
                     w->m->symbol_count);
  if (s.st_shndx != SHN_UNDEF) return own_symbol(w, &s, name, out);
  return process_symbol(w, index, &s, name, out);
}

static solo_status put(const work *w, const Elf64_Rela *r, uint64_t value) {
  solo_span place;
  uint32_t flags = w->process ? 0 : PF_W; /* in the second pass only data segments are writable */
  if (!solo_host_elf_segment_of(w->m, r->r_offset, sizeof value, flags) ||
      !solo_host_elf_bytes(w->m, r->r_offset, sizeof value, &place))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: relocation of address 0x%llx outside its %s",
                     (ull)r->r_offset, flags ? "writable data" : "segments");
  memcpy((uint8_t *)(w->m->bias + r->r_offset), &value, sizeof value);
  return SOLO_OK;
}

static SOLO_COLD solo_status refuse(const Elf64_Rela *r, solo_host_reloc_op op) {
  ull at = (ull)r->r_offset;
  unsigned type = (unsigned)ELF64_R_TYPE(r->r_info);
  switch (op) {
  case SOLO_HOST_RELOC_TLS_DESCRIPTOR:
    return solo_fail(SOLO_UNSUPPORTED,
                     "CPU image: thread-local descriptor at 0x%llx; compile the "
                     "device code with -mtls-dialect=gnu",
                     at);
  case SOLO_HOST_RELOC_COPY:
    return solo_fail(SOLO_UNSUPPORTED, "CPU image: copy relocation at 0x%llx; link it with -shared",
                     at);
  case SOLO_HOST_RELOC_NARROW:
    return solo_fail(SOLO_UNSUPPORTED,
                     "CPU image: relocation type %u at 0x%llx; compile the device "
                     "code with -fPIC",
                     type, at);
  default:
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: unknown relocation type %u at 0x%llx", type, at);
  }
}

static solo_status need_tls(const work *w) {
  if (w->m->storage.module) return SOLO_OK;
  return solo_fail(SOLO_BAD_IMAGE, "CPU image: thread-local relocation without a thread-local "
                                   "segment");
}

static solo_status put_descriptor(const work *w, const Elf64_Rela *r, uint64_t module,
                                  uint64_t offset) {
  uint64_t words[2];
  Elf64_Rela second = {.r_offset = r->r_offset + 8};
  SOLO_TRY(solo_host_elf_descriptor(w->m, module, offset, words));
  SOLO_TRY(put(w, r, words[0]));
  return put(w, &second, words[1]);
}

static solo_status apply_tls(const work *w, const Elf64_Rela *r, solo_host_reloc_op op,
                             const target *t) {
  uint64_t addend = (uint64_t)r->r_addend;
  if (t->kind == TARGET_TLS_OTHER) {
    int64_t distance;
    switch (op) {
    case SOLO_HOST_RELOC_TLS_MODULE:
      SOLO_TRY(solo_host_elf_tls_forward(w->process));
      return put(w, r, t->definition.object->tls_module);
    case SOLO_HOST_RELOC_TLS_OFFSET:
      return put(w, r, t->definition.symbol.st_value + addend - SOLO_ARCH_DTV_OFFSET);
    case SOLO_HOST_RELOC_TLS_DESCRIPTOR:
      SOLO_TRY(solo_host_elf_tls_forward(w->process));
      return put_descriptor(w, r, t->definition.object->tls_module,
                            t->definition.symbol.st_value + addend);
    default:
      SOLO_TRY(solo_host_elf_tls_distance(&t->definition, &distance));
      return put(w, r, (uint64_t)distance + addend);
    }
  }
  if (!t->is_own) /* an undefined weak symbol */
    return put(w, r, 0);
  SOLO_TRY(need_tls(w));
  switch (op) {
  case SOLO_HOST_RELOC_TLS_MODULE:
    return put(w, r, w->m->storage.module);
  case SOLO_HOST_RELOC_TLS_OFFSET:
    return put(w, r, t->value + addend - SOLO_ARCH_DTV_OFFSET);
  case SOLO_HOST_RELOC_TLS_DESCRIPTOR:
    return put_descriptor(w, r, w->m->storage.module, t->value + addend);
  default:
    SOLO_TRY(solo_host_elf_tls_fix(&w->m->storage, w->process));
    return put(w, r, (uint64_t)w->m->storage.thread_offset + t->value + addend);
  }
}

/* First pass: runs no code of the image. */
static solo_status apply(const work *w, const Elf64_Rela *r) {
  target t;
  uint64_t addend = (uint64_t)r->r_addend;
  solo_host_reloc_op op = solo_host_reloc_of((uint32_t)ELF64_R_TYPE(r->r_info));
  switch (op) {
  case SOLO_HOST_RELOC_NONE:
  case SOLO_HOST_RELOC_INDIRECT:
    return SOLO_OK;
  case SOLO_HOST_RELOC_RELATIVE:
    return put(w, r, w->m->bias + addend);
  case SOLO_HOST_RELOC_TLS_DESCRIPTOR:
    if (!solo_host_tls_descriptor_function()) return refuse(r, op);
    break;
  case SOLO_HOST_RELOC_COPY:
  case SOLO_HOST_RELOC_NARROW:
  case SOLO_HOST_RELOC_UNKNOWN:
    return refuse(r, op);
  default:
    break;
  }
  SOLO_TRY(find_target(w, (uint32_t)ELF64_R_SYM(r->r_info), &t));
  switch (op) {
  case SOLO_HOST_RELOC_TLS_MODULE:
  case SOLO_HOST_RELOC_TLS_OFFSET:
  case SOLO_HOST_RELOC_TLS_THREAD:
  case SOLO_HOST_RELOC_TLS_DESCRIPTOR:
    return apply_tls(w, r, op, &t);
  case SOLO_HOST_RELOC_SIZE:
    return put(w, r, t.size + addend);
  default:
    break;
  }
  if (t.kind == TARGET_INDIRECT) return SOLO_OK;
  if (t.kind != TARGET_ADDRESS)
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: address of a thread-local variable at 0x%llx",
                     (ull)r->r_offset);
  uint64_t value = t.value + addend;
  if (op == SOLO_HOST_RELOC_DISTANCE) value -= w->m->bias + r->r_offset;
  return put(w, r, value);
}

static solo_status apply_indirect(const work *w, const Elf64_Rela *r) {
  target t;
  uint64_t addend = (uint64_t)r->r_addend;
  switch (solo_host_reloc_of((uint32_t)ELF64_R_TYPE(r->r_info))) {
  case SOLO_HOST_RELOC_INDIRECT:
    if (!solo_host_elf_segment_of(w->m, addend, 1, PF_X))
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: resolver at 0x%llx is not in its code",
                       (ull)addend);
    return put(w, r, (uintptr_t)solo_host_elf_indirect(w->m->bias + addend));
  case SOLO_HOST_RELOC_ADDRESS:
  case SOLO_HOST_RELOC_CALL:
    break;
  default:
    return SOLO_OK;
  }
  Elf64_Sym s;
  if (!symbol_at(w->m, (uint32_t)ELF64_R_SYM(r->r_info), &s) || s.st_shndx == SHN_UNDEF ||
      ELF64_ST_TYPE(s.st_info) != STT_GNU_IFUNC)
    return SOLO_OK;
  SOLO_TRY(own_symbol(w, &s, solo_span_string(w->m->names.strings, s.st_name), &t));
  if (t.kind != TARGET_INDIRECT) return SOLO_OK;
  return put(w, r, (uintptr_t)solo_host_elf_indirect(t.value) + addend);
}

typedef solo_status step(const work *w, const Elf64_Rela *r);

static solo_status for_each(const work *w, const solo_host_elf_table *table, step *apply_one) {
  if (table->size % sizeof(Elf64_Rela))
    return solo_fail(SOLO_BAD_IMAGE, "CPU image: relocation table of 0x%llx bytes",
                     (ull)table->size);
  for (uint64_t i = 0; i < table->size; i += sizeof(Elf64_Rela)) {
    solo_span bytes;
    Elf64_Rela r;
    if (!solo_host_elf_bytes(w->m, table->address + i, sizeof r, &bytes))
      return solo_fail(SOLO_BAD_IMAGE, "CPU image: relocation table leaves the image");
    memcpy(&r, bytes.data, sizeof r);
    SOLO_TRY(apply_one(w, &r));
  }
  return SOLO_OK;
}

static solo_status add_bias(const work *w, uint64_t address) {
  Elf64_Rela r = {.r_offset = address};
  solo_span bytes;
  uint64_t value = 0;
  if (solo_host_elf_bytes(w->m, address, sizeof value, &bytes))
    memcpy(&value, bytes.data, sizeof value);
  return put(w, &r, value + w->m->bias);
}

/* DT_RELR: an even word is an address; an odd word is a bit map of the next 63 words. */
static solo_status apply_relr(const work *w) {
  const solo_host_elf_table *t = &w->m->dynamic.relr;
  uint64_t next = 0;
  for (uint64_t i = 0; i + 8 <= t->size; i += 8) {
    solo_span bytes;
    uint64_t word;
    if (!solo_host_elf_bytes(w->m, t->address + i, 8, &bytes)) break;
    memcpy(&word, bytes.data, 8);
    if (!(word & 1)) {
      SOLO_TRY(add_bias(w, word));
      next = word + 8;
      continue;
    }
    for (uint64_t bit = 1; bit < 64; bit++)
      if (word >> bit & 1) SOLO_TRY(add_bias(w, next + (bit - 1) * 8));
    next += 63 * 8;
  }
  return SOLO_OK;
}

solo_status solo_host_elf_relocate(solo_host_elf *m, const solo_host_process *process) {
  work w = {m, process};
  SOLO_TRY(apply_relr(&w));
  SOLO_TRY(for_each(&w, &m->dynamic.rela, apply));
  return for_each(&w, &m->dynamic.jmprel, apply);
}

solo_status solo_host_elf_relocate_indirect(solo_host_elf *m) {
  work w = {m, NULL};
  SOLO_TRY(for_each(&w, &m->dynamic.rela, apply_indirect));
  return for_each(&w, &m->dynamic.jmprel, apply_indirect);
}
