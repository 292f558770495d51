/* Finds images in sections, fat binaries and linked programs. Otherwise the whole file is one
 * image. */
#include "tools/info.h"

#include "runtime/image/elf.h"
#include "runtime/image/linked.h"
#include "runtime/image/simt.h"

#include <errno.h>

static void add(solo_found_list *list, solo_found found) {
  list->item = solo_tool_grow(list->item, list->count, sizeof found);
  list->item[list->count++] = found;
}

/* In a section, containers are padded to 8 bytes. */
static void add_containers(solo_found_list *list, const char *where, solo_span section) {
  static const uint8_t magic[4] = {0x10, 0xff, 0x10, 0xad};
  for (size_t at = 0; at + 32 <= section.size; at += 8) {
    uint64_t size = 0;
    solo_span one;
    if (memcmp(section.data + at, magic, sizeof magic) != 0) continue;
    if (!solo_span_read(section, at + 8, &size, 8) || !solo_span_sub(section, at, size, &one)) {
      /* adds the malformed container, because its reader reports the error */
      one = solo_span_of(section.data + at, section.size - at);
      size = one.size;
    }
    add(list, (solo_found){.where = where, .bytes = one});
    at += (size_t)size / 8 * 8 - (size >= 8 ? 8 : 0);
  }
}

/* The pointers of solo-link's record are valid only if the program has fixed addresses. */
static const char *describe_linked(const solo_elf *elf, const solo_linked_image *image) {
  char *names = solo_tool_text("%s", "");
  for (uint64_t i = 0; i < image->symbol_count && i < 1000; i++) {
    solo_linked_symbol symbol;
    solo_span bytes, text;
    uint64_t at = (uint64_t)(uintptr_t)image->symbols + i * sizeof symbol;
    if (solo_elf_bytes_at(elf, at, sizeof symbol, &bytes) != SOLO_OK) break;
    memcpy(&symbol, bytes.data, sizeof symbol);
    if (solo_elf_bytes_at(elf, (uint64_t)(uintptr_t)symbol.name, 1, &text) != SOLO_OK) break;
    const char *name = solo_span_string(elf->file, (uint64_t)(text.data - elf->file.data));
    if (!name) break;
    names = symbol.size ? solo_tool_text("%s\n      %s (%llu bytes)", names, name,
                                         (unsigned long long)symbol.size)
                        : solo_tool_text("%s\n      %s", names, name);
  }
  return solo_tool_text(
      "linked image, %u %s of %llu symbols%s%s", image->copies,
      image->copies == 1 ? "copy" : "copies", (unsigned long long)image->symbol_count,
      image->flags & SOLO_LINKED_HAS_GLOBALS ? ", with global variables" : "", names);
}

static void find_linked(solo_found_list *list, const solo_elf *elf) {
  for (size_t at = 0; at + sizeof(solo_linked_image) <= elf->file.size; at += 8) {
    solo_linked_image image;
    memcpy(&image, elf->file.data + at, sizeof image);
    if (image.magic != SOLO_LINKED_MAGIC || image.version != SOLO_LINKED_VERSION ||
        image.machine != elf->machine || image.copies == 0 || image.copies > 4096)
      continue;
    add(list, (solo_found){.where = "program", .text = describe_linked(elf, &image)});
  }
}

static bool is_virtual_gpu_image(solo_span section, size_t at) {
  static const uint8_t magic[4] = {0x7f, 'E', 'L', 'F'};
  uint64_t machine = 0;
  return memcmp(section.data + at, magic, sizeof magic) == 0 &&
         solo_span_read(section, at + offsetof(Elf64_Ehdr, e_machine), &machine, 2) &&
         machine == SOLO_SIMT_MACHINE;
}

static void add_virtual_gpu_images(solo_found_list *list, const char *where, solo_span section) {
  size_t begin = 0;
  bool is_open = false;
  for (size_t at = 0; at + sizeof(Elf64_Ehdr) <= section.size; at += SOLO_SIMT_ALIGNMENT) {
    if (!is_virtual_gpu_image(section, at)) continue;
    if (is_open)
      add(list,
          (solo_found){.where = where, .bytes = solo_span_of(section.data + begin, at - begin)});
    begin = at;
    is_open = true;
  }
  if (is_open)
    add(list, (solo_found){.where = where,
                           .bytes = solo_span_of(section.data + begin, section.size - begin)});
}

/* Sections that Clang's wrapper and solo-pack write. */
static bool is_offload_section(const char *name) {
  return strcmp(name, ".llvm.offloading") == 0 || strcmp(name, "solo_images") == 0;
}

/* Returns false for the empty section of a bundle's host member, because this member is the
 * enclosing file. */
static bool is_fatbin_section(const char *name) {
  const char *id = solo_tool_skip_prefix(name, "__CLANG_OFFLOAD_BUNDLE__");
  return strcmp(name, ".hip_fatbin") == 0 || strcmp(name, ".nv_fatbin") == 0 ||
         (id && !solo_tool_skip_prefix(id, "host-"));
}

static void find_in_elf(solo_found_list *list, const solo_elf *elf) {
  for (uint32_t i = 0; i < elf->section_count; i++) {
    Elf64_Shdr section = solo_elf_section(elf, i);
    const char *name = solo_elf_section_name(elf, &section);
    solo_span bytes = solo_elf_section_bytes(elf, &section);
    const char *where = solo_tool_text("section %s", name);
    if (is_offload_section(name))
      add_containers(list, where, bytes);
    else if (strcmp(name, SOLO_SIMT_SECTION) == 0)
      add_virtual_gpu_images(list, where, bytes);
    else if (is_fatbin_section(name) && bytes.size)
      add(list, (solo_found){.where = where, .bytes = bytes});
  }
  if (elf->type != ET_REL) find_linked(list, elf);
}

solo_found_list solo_info_find(const char *path) {
  solo_found_list list = {0};
  solo_span file;
  solo_elf elf;
  bool own_machine = false;
  errno = 0;
  if (!solo_tool_map(path, &file)) {
    list.reason = errno == EINVAL ? "not a regular file" : strerror(errno);
    return list;
  }
  if (solo_elf_is(file)) {
    if (solo_elf_open(file, &elf) != SOLO_OK) {
      list.reason = solo_tool_text("%s", solo_error_last()->text);
      return list;
    }
    own_machine = elf.machine != SOLO_EM_CUDA && elf.machine != SOLO_EM_AMDGPU;
    find_in_elf(&list, &elf);
  }
  if (!list.count && !own_machine) add(&list, (solo_found){.where = "file", .bytes = file});
  return list;
}
