/* solo-pack: every container and leaf of a file, with what the containers say of them. */
#include "tools/pack.h"

#include "runtime/image/bundle.h"
#include "runtime/image/elf.h"
#include "runtime/image/fatbin.h"
#include "runtime/image/offload_binary.h"

enum { DEEPEST = 8 };

typedef struct walk {
  solo_pack_visitor *visit;
  void *context;
  unsigned depth, leaves;
  bool sound;
} walk;

typedef unsigned long long ull; /* for %llx */

static void walk_all(walk *w, solo_span bytes, uint64_t offset, const char *label);

static void tell(walk *w, const char *words, const char *label, uint64_t offset, solo_span bytes) {
  solo_pack_item item = {
      .depth = w->depth, .label = label, .words = words, .offset = offset, .bytes = bytes};
  w->visit(w->context, &item);
}

/* What the last reader refused. */
static void tell_error(walk *w, const char *label, uint64_t offset) {
  solo_pack_item item = {.depth = w->depth,
                         .error = solo_error_last()->text,
                         .label = label,
                         .words = "",
                         .offset = offset};
  w->sound = false;
  w->visit(w->context, &item);
}

static void tell_leaf(walk *w, const solo_image *image, const char *label, uint64_t offset) {
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

/* --- containers ------------------------------------------------------------------------------- */

static const char *producer_name(uint16_t producer) {
  switch (producer) {
  case SOLO_OFFLOAD_BY_NONE:
    return "none";
  case SOLO_OFFLOAD_BY_OPENMP:
    return "openmp";
  case SOLO_OFFLOAD_BY_CUDA:
    return "cuda";
  case SOLO_OFFLOAD_BY_HIP_19:
  case SOLO_OFFLOAD_BY_HIP:
    return "hip";
  case SOLO_OFFLOAD_BY_SYCL:
    return "sycl";
  default:
    return solo_tool_text("producer %u", producer);
  }
}

static void walk_offload_binary(walk *w, solo_span bytes, uint64_t offset, const char *label) {
  solo_offload_binary binary;
  uint8_t *unfolded;
  if (solo_offload_binary_open(bytes, &binary) != SOLO_OK) {
    tell_error(w, label, offset);
    return;
  }
  tell(w,
       solo_tool_text("OffloadBinary version %u%s", binary.version,
                      binary.inflated_size ? ", compressed" : ""),
       label, offset, binary.bytes);
  w->depth++;
  if (binary.inflated_size && solo_offload_binary_inflate(&binary, &unfolded, &binary) != SOLO_OK) {
    tell_error(w, "", 0);
    binary.entry_count = 0;
  }
  for (uint64_t i = 0; i < binary.entry_count; i++) {
    solo_offload_entry entry;
    if (solo_offload_binary_entry(&binary, i, &entry) != SOLO_OK) {
      tell_error(w, "", binary.entries_offset + i * SOLO_OFFLOAD_ENTRY);
      break;
    }
    char *words = solo_tool_text("%s %s%s%s", producer_name(entry.producer), entry.triple,
                                 entry.arch[0] ? " " : "", entry.arch);
    if (entry.image.size) walk_all(w, entry.image, entry.offset, words);
  }
  w->depth--;
}

static void walk_bundle(walk *w, solo_span bytes, uint64_t offset, const char *label) {
  solo_bundle bundle;
  solo_bundle_member member;
  solo_status status;
  if (solo_bundle_open(bytes, &bundle) != SOLO_OK) {
    tell_error(w, label, offset);
    return;
  }
  tell(w, bundle.text ? "bundle, text form" : "bundle", label, offset, bundle.bytes);
  w->depth++;
  while ((status = solo_bundle_next(&bundle, &member)) == SOLO_OK) {
    char *id = solo_tool_text("%s", member.id);
    if (member.bytes.size)
      walk_all(w, member.bytes, member.offset, id);
    else
      tell(w, "empty", id, member.offset, member.bytes);
  }
  if (status != SOLO_NOT_FOUND) tell_error(w, "", bundle.at);
  w->depth--;
}

static void walk_compressed_bundle(walk *w, solo_span bytes, uint64_t offset, const char *label) {
  solo_compressed_bundle bundle;
  uint8_t *unfolded;
  if (solo_compressed_bundle_open(bytes, &bundle) != SOLO_OK) {
    tell_error(w, label, offset);
    return;
  }
  tell(w,
       solo_tool_text("compressed bundle version %u, %s, %llu bytes unfolded", bundle.version,
                      bundle.method ? "zstd" : "zlib", (ull)bundle.unfolded_size),
       label, offset, bundle.bytes);
  w->depth++;
  if (solo_compressed_bundle_unfold(&bundle, &unfolded) == SOLO_OK)
    walk_all(w, solo_span_of(unfolded, (size_t)bundle.unfolded_size), 0, "");
  else
    tell_error(w, "", 0);
  w->depth--;
}

static void walk_fatbin(walk *w, solo_span bytes, uint64_t offset, const char *label) {
  solo_fatbin fatbin;
  solo_fatbin_entry entry;
  solo_status status;
  if (solo_fatbin_open(bytes, &fatbin) != SOLO_OK) {
    tell_error(w, label, offset);
    return;
  }
  tell(w, "CUDA fat binary", label, offset, fatbin.bytes);
  w->depth++;
  while ((status = solo_fatbin_next(&fatbin, &entry)) == SOLO_OK) {
    const char *kind = entry.kind == SOLO_FATBIN_PTX   ? "PTX"
                       : entry.kind == SOLO_FATBIN_ELF ? "ELF"
                                                       : "other";
    const char *packed = entry.flags & SOLO_FATBIN_ZSTD  ? ", zstd"
                         : entry.flags & SOLO_FATBIN_LZ4 ? ", LZ4"
                                                         : "";
    char *words = solo_tool_text("%s %s%s", kind, entry.target, packed);
    uint8_t *unfolded;
    if (entry.kind != SOLO_FATBIN_PTX && entry.kind != SOLO_FATBIN_ELF)
      tell(w, solo_tool_text("entry of kind %u", entry.kind), words, entry.offset, entry.payload);
    else if (!packed[0])
      walk_all(w, entry.payload, entry.offset, words);
    else if (solo_fatbin_unfold(&entry, &unfolded) == SOLO_OK)
      walk_all(w, solo_span_of(unfolded, (size_t)entry.unfolded_size), entry.offset, words);
    else
      tell_error(w, words, entry.offset);
  }
  if (status != SOLO_NOT_FOUND) tell_error(w, "", fatbin.at);
  w->depth--;
}

/* --- host programs and objects ---------------------------------------------------------------- */

static bool holds_images(const Elf64_Shdr *section, const char *name) {
  static const char *const names[] = {".llvm.offloading", "solo_images", ".hip_fatbin",
                                      ".nv_fatbin", "__nv_relfatbin"};
  if (section->sh_size == 0 || section->sh_type == SHT_NOBITS) return false;
  if (section->sh_type == SOLO_SHT_LLVM_OFFLOADING) return true;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return solo_tool_after(name, SOLO_BUNDLE_MAGIC) != NULL;
}

static void walk_sections(walk *w, solo_span bytes) {
  solo_elf elf;
  if (solo_elf_open(bytes, &elf) != SOLO_OK) return; /* told as a leaf already */
  for (uint32_t i = 0; i < elf.section_count; i++) {
    Elf64_Shdr section = solo_elf_section(&elf, i);
    const char *name = solo_elf_section_name(&elf, &section);
    if (!holds_images(&section, name)) continue;
    walk_all(w, solo_elf_section_bytes(&elf, &section), section.sh_offset,
             solo_tool_text("section %s", name));
  }
}

/* --- anything --------------------------------------------------------------------------------- */

static void walk_one(walk *w, const solo_image *image, uint64_t offset, const char *label) {
  switch (image->kind) {
  case SOLO_IMAGE_OFFLOAD_BINARY:
    walk_offload_binary(w, image->bytes, offset, label);
    break;
  case SOLO_IMAGE_BUNDLE:
    walk_bundle(w, image->bytes, offset, label);
    break;
  case SOLO_IMAGE_COMPRESSED_BUNDLE:
    walk_compressed_bundle(w, image->bytes, offset, label);
    break;
  case SOLO_IMAGE_FATBIN:
    walk_fatbin(w, image->bytes, offset, label);
    break;
  default:
    tell_leaf(w, image, label, offset);
    w->depth++;
    if (image->kind == SOLO_IMAGE_ELF && solo_machine_name(image->machine))
      walk_sections(w, image->bytes);
    w->depth--;
  }
}

static void walk_all(walk *w, solo_span bytes, uint64_t offset, const char *label) {
  size_t at = 0;
  if (w->depth > DEEPEST) return;
  do {
    solo_image image;
    if (solo_image_recognise((solo_span){bytes.data + at, bytes.size - at}, &image) != SOLO_OK) {
      tell_error(w, label, offset + at);
      return;
    }
    walk_one(w, &image, offset + at, label);
    if (image.kind < SOLO_IMAGE_OFFLOAD_BINARY) return;
    at += image.bytes.size;
    while (at < bytes.size && bytes.data[at] == 0) at++;
  } while (at < bytes.size);
}

bool solo_pack_walk(solo_span file, solo_pack_visitor *visit, void *context) {
  walk w = {.visit = visit, .context = context, .sound = true};
  walk_all(&w, file, 0, "");
  return w.sound;
}
