#include "tools/pack.h"

#include "runtime/image/bundle.h"
#include "runtime/image/container.h"
#include "runtime/image/elf.h"
#include <stdlib.h>

enum { DEEPEST = 8 };

typedef struct walk {
  solo_pack_visitor *visit;
  void *context;
  unsigned depth, leaves;
  bool sound;
} walk;

static void walk_all(walk *w, solo_span bytes, uint64_t offset, const char *label);

static void print_entry(walk *w, const char *words, const char *label, uint64_t offset,
                        solo_span bytes) {
  solo_pack_item item = {
      .depth = w->depth, .label = label, .words = words, .offset = offset, .bytes = bytes};
  w->visit(w->context, &item);
}

static void visit_error(walk *w, const char *label, uint64_t offset) {
  solo_pack_item item = {.depth = w->depth,
                         .error = solo_error_last()->text,
                         .label = label,
                         .words = "",
                         .offset = offset};
  w->sound = false;
  w->visit(w->context, &item);
}

static void visit_leaf(walk *w, const solo_image *image, const char *label, uint64_t offset) {
  char words[128];
  solo_image_describe(image, words, sizeof words);
  solo_pack_item item = {.depth = w->depth,
                         .number = ++w->leaves,
                         .label = label,
                         .words = words,
                         .offset = offset,
                         .image = image,
                         .bytes = image->bytes};
  w->visit(w->context, &item);
}

static bool is_text(solo_span bytes) {
  for (size_t i = 0; i < bytes.size; i++) {
    uint8_t c = bytes.data[i];
    if (c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != '\f') return false;
  }
  return true;
}

static void visit_text(walk *w, solo_span bytes, const char *label, uint64_t offset) {
  solo_image text = {.kind = SOLO_IMAGE_UNKNOWN, .bytes = bytes};
  solo_pack_item item = {.depth = w->depth,
                         .number = ++w->leaves,
                         .label = label,
                         .words = "text",
                         .offset = offset,
                         .image = &text,
                         .bytes = bytes};
  w->visit(w->context, &item);
}

static void walk_entry(walk *w, const solo_container_type *type, const solo_container *container,
                       const solo_container_entry *entry) {
  char *label = solo_tool_text("%s", container->words);
  uint8_t *unfolded = NULL;
  solo_image image;
  if (entry->bytes.size == 0)
    print_entry(w, "empty", label, entry->offset, entry->bytes);
  else if (entry->compressed && type->decompress(container, entry, &unfolded) == SOLO_OK)
    walk_all(w, solo_span_of(unfolded, (size_t)entry->decompressed_size), entry->offset, label);
  else if (entry->compressed)
    visit_error(w, label, entry->offset);
  else if (solo_image_recognise(entry->bytes, &image) == SOLO_OK)
    walk_all(w, entry->bytes, entry->offset, label);
  else if (type == &solo_container_bundle && is_text(entry->bytes))
    visit_text(w, entry->bytes, label, entry->offset);
  else if (entry->no_image || type == &solo_pack_archive)
    print_entry(w, "no device image", label, entry->offset, entry->bytes);
  else
    walk_all(w, entry->bytes, entry->offset, label);
  free(unfolded);
  free(label);
}

static void walk_container(walk *w, const solo_image *image, uint64_t offset, const char *label) {
  char words[SOLO_CONTAINER_WORDS] = "";
  solo_container container = {.bytes = image->bytes, .words = words};
  solo_container_entry entry;
  solo_status status;
  if (image->container->open(image->bytes, &container) != SOLO_OK) {
    visit_error(w, label, offset);
    return;
  }
  char *what = solo_tool_text("%s", words); /* copied, because next() overwrites words */
  print_entry(w, what, label, offset, container.bytes);
  free(what);
  w->depth++;
  while ((status = image->container->next(&container, &entry)) == SOLO_OK)
    walk_entry(w, image->container, &container, &entry);
  if (status != SOLO_NOT_FOUND) visit_error(w, "", container.at);
  w->depth--;
}

static bool holds_images(const Elf64_Shdr *section, const char *name) {
  static const char *const names[] = {".llvm.offloading", "solo_images", ".hip_fatbin",
                                      ".nv_fatbin", "__nv_relfatbin"};
  if (section->sh_size == 0 || section->sh_type == SHT_NOBITS) return false;
  if (section->sh_type == SOLO_SHT_LLVM_OFFLOADING) return true;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return solo_tool_skip_prefix(name, SOLO_BUNDLE_MAGIC) != NULL;
}

static void walk_sections(walk *w, solo_span bytes) {
  solo_elf elf;
  if (solo_elf_open(bytes, &elf) != SOLO_OK) return; /* the walk has already reported the error */
  for (uint32_t i = 0; i < elf.section_count; i++) {
    Elf64_Shdr section = solo_elf_section(&elf, i);
    const char *name = solo_elf_section_name(&elf, &section);
    if (!holds_images(&section, name)) continue;
    const char *id = solo_tool_skip_prefix(name, SOLO_BUNDLE_MAGIC);
    char *label = solo_tool_text("section %s", name);
    solo_span inside = solo_elf_section_bytes(&elf, &section);
    if (id && solo_tool_skip_prefix(id, "host-")) /* the host's member is the enclosing object */
      print_entry(w, "place of the host's member", label, section.sh_offset, inside);
    else
      walk_all(w, inside, section.sh_offset, label);
    free(label);
  }
}

static void walk_one(walk *w, const solo_image *image, uint64_t offset, const char *label) {
  if (image->container) {
    walk_container(w, image, offset, label);
    return;
  }
  visit_leaf(w, image, label, offset);
  w->depth++;
  if (image->kind == SOLO_IMAGE_ELF && solo_machine_name(image->machine))
    walk_sections(w, image->bytes);
  w->depth--;
}

static void walk_all(walk *w, solo_span bytes, uint64_t offset, const char *label) {
  size_t at = 0;
  if (w->depth > DEEPEST) return;
  do {
    solo_image image;
    if (solo_image_recognise((solo_span){bytes.data + at, bytes.size - at}, &image) != SOLO_OK) {
      visit_error(w, label, offset + at);
      return;
    }
    walk_one(w, &image, offset + at, label);
    if (!image.container) return;
    at += image.bytes.size;
    while (at < bytes.size && bytes.data[at] == 0) at++;
  } while (at < bytes.size);
}

bool solo_pack_walk(solo_span file, solo_pack_visitor *visit, void *context) {
  walk w = {.visit = visit, .context = context, .sound = true};
  solo_image archive = {
      .kind = SOLO_IMAGE_CONTAINER, .container = &solo_pack_archive, .bytes = file};
  if (solo_pack_archive.recognise(file))
    walk_container(&w, &archive, 0, "");
  else
    walk_all(&w, file, 0, "");
  return w.sound;
}
