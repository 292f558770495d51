/* Loads segments, relocations and symbols of shared objects into device memory. */
#define _GNU_SOURCE
#include "runtime/image/span.h"
#include "tests/sim/device/sim_device.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct sim_module {
  int device;
  int translated;
  int file;           /* a copy of the image for addr2line, or -1 */
  uint64_t at, bytes; /* the block in device memory; the address of a symbol is at - low + value */
  uint64_t low;
  uint8_t *copy; /* the relocated segments */
  uint64_t symtab, strtab, symbols;
};

typedef struct loading {
  solo_span file;
  Elf64_Ehdr header;
  sim_module *m;
  uint64_t rela, rela_size, jmprel, jmprel_size, hash;
  const char *why;
} loading;

static int fail(loading *l, const char *why) {
  l->why = why;
  return -1;
}

static int program_header(const loading *l, unsigned i, Elf64_Phdr *out) {
  return solo_span_read(l->file, l->header.e_phoff + (uint64_t)i * sizeof *out, out, sizeof *out);
}

static solo_span picture(const sim_module *m) {
  return solo_span_of(m->copy, m->bytes);
}

static int read_segments(loading *l) {
  uint64_t low = UINT64_MAX, end = 0;
  Elf64_Phdr p;
  for (unsigned i = 0; i < l->header.e_phnum; i++) {
    if (!program_header(l, i, &p)) return fail(l, "truncated program headers");
    if (p.p_type != PT_LOAD) continue;
    if (p.p_vaddr < low) low = p.p_vaddr & ~(uint64_t)4095;
    if (p.p_vaddr + p.p_memsz > end) end = p.p_vaddr + p.p_memsz;
  }
  if (end <= low || end - low > 64u << 20) return fail(l, "no segments, or more than 64 MiB");
  l->m->low = low;
  l->m->bytes = end - low;
  if (!(l->m->copy = calloc(1, l->m->bytes))) return fail(l, "no memory");
  for (unsigned i = 0; i < l->header.e_phnum; i++) {
    solo_span part;
    if (!program_header(l, i, &p) || p.p_type != PT_LOAD) continue;
    if (p.p_filesz > p.p_memsz || !solo_span_sub(l->file, p.p_offset, p.p_filesz, &part) ||
        !solo_span_has(picture(l->m), p.p_vaddr - low, p.p_memsz))
      return fail(l, "truncated segment");
    if (part.size) memcpy(l->m->copy + (p.p_vaddr - low), part.data, part.size);
  }
  return 0;
}

static int read_dynamic(loading *l) {
  Elf64_Phdr p;
  uint64_t at = 0;
  for (unsigned i = 0; i < l->header.e_phnum; i++)
    if (program_header(l, i, &p) && p.p_type == PT_DYNAMIC) at = p.p_vaddr - l->m->low;
  if (!at) return fail(l, "no dynamic section");
  Elf64_Dyn d;
  for (; solo_span_read(picture(l->m), at, &d, sizeof d) && d.d_tag != DT_NULL; at += sizeof d) {
    uint64_t value = d.d_un.d_ptr, offset = value - l->m->low;
    switch (d.d_tag) {
    case DT_SYMTAB:
      l->m->symtab = offset;
      break;
    case DT_STRTAB:
      l->m->strtab = offset;
      break;
    case DT_HASH:
      l->hash = offset;
      break;
    case DT_RELA:
      l->rela = offset;
      break;
    case DT_RELASZ:
      l->rela_size = value;
      break;
    case DT_JMPREL:
      l->jmprel = offset;
      break;
    case DT_PLTRELSZ:
      l->jmprel_size = value;
      break;
    case DT_NEEDED:
      return fail(l, "it requires another library");
    }
  }
  uint32_t hash[2];
  if (!solo_span_read(picture(l->m), l->hash, hash, sizeof hash))
    return fail(l, "no DT_HASH (link with --hash-style=sysv)");
  l->m->symbols = hash[1];
  return 0;
}

static int relocate(loading *l, uint64_t at, uint64_t size) {
  for (; size >= sizeof(Elf64_Rela); at += sizeof(Elf64_Rela), size -= sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    Elf64_Sym s = {0};
    uint64_t index, value;
    if (!solo_span_read(picture(l->m), at, &r, sizeof r)) return fail(l, "truncated relocations");
    index = ELF64_R_SYM(r.r_info);
    if (!solo_span_has(picture(l->m), r.r_offset - l->m->low, 8) ||
        (index && !solo_span_read(picture(l->m), l->m->symtab + index * sizeof s, &s, sizeof s)))
      return fail(l, "relocation outside the image");
    uint64_t bias = l->m->at - l->m->low;
    switch (ELF64_R_TYPE(r.r_info)) {
    case R_X86_64_RELATIVE:
      value = bias + (uint64_t)r.r_addend;
      break;
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_64:
      if (s.st_shndx == SHN_UNDEF && ELF64_ST_BIND(s.st_info) != STB_WEAK)
        return fail(l, "it has undefined symbols");
      value = s.st_shndx == SHN_UNDEF ? 0 : bias + s.st_value;
      if (ELF64_R_TYPE(r.r_info) == R_X86_64_64) value += (uint64_t)r.r_addend;
      break;
    default:
      return fail(l, "unsupported relocation type");
    }
    memcpy(l->m->copy + (r.r_offset - l->m->low), &value, sizeof value);
  }
  return 0;
}

static int load(loading *l) {
  if (!solo_span_read(l->file, 0, &l->header, sizeof l->header) ||
      memcmp(l->header.e_ident, ELFMAG, SELFMAG))
    return fail(l, "not an ELF file");
  if (l->header.e_phentsize != sizeof(Elf64_Phdr)) return fail(l, "no program headers");
  if (read_segments(l) || read_dynamic(l)) return -1;
  uint64_t bytes;
  if (!(l->m->at = sim_memory_alloc(l->m->device, l->m->bytes, 4096)))
    return fail(l, "no device memory");
  if (relocate(l, l->rela, l->rela_size) || relocate(l, l->jmprel, l->jmprel_size)) return -1;
  l->m->translated = sim_module_symbol(l->m, "simt_kernel_image", 0, &bytes) != 0;
  if (!l->m->translated && !sim_module_symbol(l->m, "sim_kernel_image", 0, &bytes))
    return fail(l, "not made for the simulated device (it has neither sim_kernel_image nor "
                   "simt_kernel_image)");
  sim_access_begin(l->m->device);
  memcpy(sim_memory_reach(l->m->at, l->m->bytes, NULL), l->m->copy, l->m->bytes);
  sim_access_end(l->m->device);
  return 0;
}

/* Writes the image to a file for addr2line, with the header of an x86-64 shared object. */
static void store_file(sim_module *m, const void *bytes, size_t size) {
  Elf64_Ehdr header;
  m->file = memfd_create("sim-image", MFD_CLOEXEC);
  if (m->file < 0 || write(m->file, bytes, size) != (ssize_t)size) return;
  memcpy(&header, bytes, sizeof header);
  header.e_machine = EM_X86_64;
  header.e_ident[EI_OSABI] = header.e_ident[EI_ABIVERSION] = 0;
  header.e_flags = 0;
  if (pwrite(m->file, &header, sizeof header, 0) != sizeof header) return;
}

sim_module *sim_module_load(int device, const void *bytes, size_t size, const char **why) {
  loading l = {.file = solo_span_of(bytes, size), .m = calloc(1, sizeof *l.m)};
  *why = "no memory";
  if (!l.m) return NULL;
  l.m->device = device;
  l.m->file = -1;
  if (load(&l) == 0) {
    if (l.m->translated) store_file(l.m, bytes, size);
    return l.m;
  }
  *why = l.why;
  sim_module_unload(l.m);
  return NULL;
}

uint32_t sim_module_shared(const sim_module *m) {
  uint64_t bytes = 0, size = 0;
  uint64_t at = sim_module_symbol(m, "simt_shared_bytes", 0, &bytes);
  if (!at || !solo_span_read(picture(m), at - m->at, &size, sizeof size)) return 0;
  return (uint32_t)size;
}

int sim_module_is_translated(const sim_module *m) {
  return m->translated;
}

void sim_module_describe(const sim_module *m, uint32_t warp_size, sim_grid *grid) {
  if (!m->translated) return;
  grid->warp_size = warp_size;
  grid->image_at = m->at - m->low;
  grid->image_bytes = m->bytes;
  grid->image_owner = m->file >= 0 ? getpid() : 0;
  grid->image_fd = m->file;
}

void sim_module_unload(sim_module *m) {
  if (m->file >= 0) close(m->file);
  if (m->at) sim_memory_free(m->at);
  free(m->copy);
  free(m);
}

uint64_t sim_module_symbol(const sim_module *m, const char *name, int function,
                           uint64_t *out_bytes) {
  Elf64_Sym s;
  for (uint64_t i = 1; i < m->symbols; i++) {
    if (!solo_span_read(picture(m), m->symtab + i * sizeof s, &s, sizeof s)) break;
    const char *text = solo_span_string(picture(m), m->strtab + s.st_name);
    if (s.st_shndx == SHN_UNDEF || !text || strcmp(text, name) != 0) continue;
    if ((ELF64_ST_TYPE(s.st_info) == STT_FUNC) != (function != 0)) continue;
    *out_bytes = s.st_size;
    return m->at - m->low + s.st_value;
  }
  return 0;
}
