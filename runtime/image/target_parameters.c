#include "runtime/image/target_parameters.h"

#include "runtime/image/amdgpu_metadata.h"
#include "runtime/image/elf.h"
#include "runtime/image/mangled.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_CUDA = 190, MACHINE_AMDGPU = 224 };

static solo_status set(solo_parameters *p, uint32_t index, uint32_t offset, uint32_t bytes) {
  if (index >= SOLO_MAX_PARAMETERS || offset > SOLO_MAX_PARAMETER_BYTES ||
      bytes > SOLO_MAX_PARAMETER_BYTES - offset)
    return solo_fail(SOLO_BAD_IMAGE, "kernel parameter %u: %u bytes at offset %u exceed the limit",
                     index, bytes, offset);
  if (index >= p->count) {
    solo_parameter *list = realloc(p->list, (index + 1) * sizeof *list);
    if (!list) return solo_fail(SOLO_NOMEM, "no host memory for %u kernel parameters", index + 1);
    memset(list + p->count, 0, (index + 1 - p->count) * sizeof *list);
    p->list = list;
    p->count = index + 1;
  }
  p->list[index] = (solo_parameter){offset, bytes};
  if (p->bytes < offset + bytes) p->bytes = offset + bytes;
  return SOLO_OK;
}

static solo_status append(solo_parameters *p, uint32_t bytes, uint32_t align) {
  return set(p, p->count, (p->bytes + align - 1) & ~(align - 1), bytes);
}

static solo_status of_amdgpu(const solo_elf *elf, const char *kernel, solo_parameters *p) {
  solo_amdgpu_metadata metadata;
  solo_amdgpu_kernel found;
  SOLO_TRY(solo_amdgpu_metadata_open(elf, &metadata));
  SOLO_TRY(solo_amdgpu_kernel_find(&metadata, kernel, &found));
  for (uint32_t i = 0; i < found.argument_count; i++) {
    solo_amdgpu_argument argument;
    SOLO_TRY(solo_amdgpu_argument_next(&found.arguments, &argument));
    if (solo_amdgpu_argument_is_hidden(argument.kind)) continue;
    SOLO_TRY(set(p, p->count, argument.offset, argument.size));
  }
  return SOLO_OK;
}

/* Records of .nv.info.<kernel>: format, attribute, 16-bit word. In format 4 the word is the size of
 * the data that follow. Attribute 0x17 is a parameter: index (4 bytes), ordinal (2), offset (2),
 * word with the size in the upper 14 bits (ptxas 10 to 13). */
static solo_status read_info(solo_span info, solo_parameters *p) {
  enum { SIZED = 4, PARAMETER = 0x17, PARAMETER_BYTES = 12 };
  for (size_t at = 0; at < info.size;) {
    uint8_t head[4], body[PARAMETER_BYTES];
    if (!solo_span_read(info, at, head, sizeof head))
      return solo_fail(SOLO_BAD_IMAGE, ".nv.info: cut off at offset 0x%zx", at);
    size_t size = head[0] == SIZED ? (size_t)head[2] | (size_t)head[3] << 8 : 0;
    at += sizeof head;
    if (!solo_span_has(info, at, size))
      return solo_fail(SOLO_BAD_IMAGE, ".nv.info: record of %zu bytes at offset 0x%zx", size, at);
    if (head[0] == SIZED && head[1] == PARAMETER) {
      if (size != PARAMETER_BYTES || !solo_span_read(info, at, body, sizeof body))
        return solo_fail(SOLO_BAD_IMAGE, ".nv.info: parameter of %zu bytes at offset 0x%zx", size,
                         at);
      uint32_t ordinal = body[4] | (uint32_t)body[5] << 8,
               offset = body[6] | (uint32_t)body[7] << 8;
      uint32_t bytes = (body[10] | (uint32_t)body[11] << 8) >> 2;
      SOLO_TRY(set(p, ordinal, offset, bytes));
    }
    at += size;
  }
  return SOLO_OK;
}

static solo_status of_cubin(const solo_elf *elf, const char *kernel, solo_parameters *p) {
  static const char prefix[] = ".nv.info.";
  for (uint32_t i = 0; i < elf->section_count; i++) {
    Elf64_Shdr section = solo_elf_section(elf, i);
    const char *name = solo_elf_section_name(elf, &section);
    if (strncmp(name, prefix, sizeof prefix - 1) == 0 &&
        strcmp(name + sizeof prefix - 1, kernel) == 0)
      return read_info(solo_elf_section_bytes(elf, &section), p);
  }
  return SOLO_NOT_FOUND;
}

typedef struct text {
  const char *at, *end;
} text;

/* Returns the next token after blanks and comments; an empty token at the end. */
static text next(text *t) {
  while (t->at < t->end) {
    if (isspace((unsigned char)*t->at)) {
      t->at++;
    } else if (t->end - t->at >= 2 && t->at[0] == '/' && t->at[1] == '/') {
      while (t->at < t->end && *t->at != '\n') t->at++;
    } else {
      break;
    }
  }
  text word = {t->at, t->at};
  while (word.end < t->end && (isalnum((unsigned char)*word.end) || strchr("_$.%", *word.end)) &&
         *word.end)
    word.end++;
  if (word.end == word.at && word.end < t->end) word.end++;
  t->at = word.end;
  return word;
}

static bool is(text word, const char *what) {
  size_t size = strlen(what);
  return (size_t)(word.end - word.at) == size && memcmp(word.at, what, size) == 0;
}

static uint32_t number(text word) {
  uint32_t value = 0;
  for (; word.at < word.end && isdigit((unsigned char)*word.at) && value < 1 << 24; word.at++)
    value = value * 10 + (uint32_t)(*word.at - '0');
  return value;
}

static uint32_t type_bytes(text word) {
  if (word.end - word.at < 3 || word.at[0] != '.' || !strchr("busf", word.at[1])) return 0;
  uint32_t bits = number((text){word.at + 2, word.end});
  return bits >= 8 && bits <= 128 && bits % 8 == 0 ? bits / 8 : 0;
}

/* Parses ".param [.align N] .type name[elements], ..." up to ")". */
static solo_status read_entry(text *t, solo_parameters *p) {
  text start = *t, word = next(t);
  bool sound = true;
  while (sound && !is(word, ")")) {
    uint32_t align = 0, bytes = 0, elements = 1;
    if (!is(word, ".param")) break;
    while (word = next(t), word.at < word.end && !is(word, ",") && !is(word, ")")) {
      if (is(word, ".align")) {
        align = number(next(t));
      } else if (is(word, "[")) {
        elements = number(next(t));
      } else if (type_bytes(word)) {
        bytes = type_bytes(word);
        /* skips the alignment of the pointee */
      } else if (is(word, ".ptr")) {
        text ahead = *t;
        while (word = next(&ahead), word.at < word.end && *word.at == '.') {
          if (is(word, ".align")) (void)next(&ahead);
          *t = ahead;
        }
      }
    }
    if (!align) align = bytes;
    sound = bytes && elements && elements <= SOLO_MAX_PARAMETER_BYTES / bytes && align <= 256 &&
            (align & (align - 1)) == 0;
    if (sound) SOLO_TRY(append(p, bytes * elements, align));
    if (is(word, ",")) word = next(t);
  }
  if (sound && is(word, ")")) return SOLO_OK;
  return solo_fail(SOLO_BAD_IMAGE, "PTX: invalid parameters at \"%.*s\"",
                   (int)(start.end - start.at < 40 ? start.end - start.at : 40), start.at);
}

static solo_status of_ptx(solo_span bytes, const char *kernel, solo_parameters *p) {
  text t = {(const char *)bytes.data, (const char *)bytes.data + bytes.size};
  for (text word = next(&t); word.at < word.end; word = next(&t)) {
    if (!is(word, ".entry") || !is(next(&t), kernel)) continue;
    text behind = t;
    word = next(&t);
    if (is(word, "(")) return read_entry(&t, p);
    t = behind;
    return SOLO_OK;
  }
  return SOLO_NOT_FOUND;
}

/* For the CPU, on which each kernel parameter has a slot of 8 bytes. */
static solo_status of_name(const char *kernel, solo_parameters *p) {
  uint8_t sizes[SOLO_MANGLED_MOST];
  uint32_t count;
  SOLO_TRY(solo_mangled_parameters(kernel, sizes, &count));
  for (uint32_t i = 0; i < count; i++) {
    if (sizes[i] & (SOLO_MANGLED_FLOAT | SOLO_MANGLED_EXTENDED))
      return solo_fail(SOLO_UNSUPPORTED,
                       "kernel %s: parameter %u is a %s, which CPU kernels do not support; pass "
                       "its address",
                       kernel, i + 1,
                       sizes[i] & SOLO_MANGLED_FLOAT ? "floating point number"
                                                     : "integer smaller than int");
    SOLO_TRY(set(p, i, 8 * i, sizes[i]));
  }
  p->bytes = 8 * count;
  return SOLO_OK;
}

solo_status solo_target_parameters(const solo_image *image, const char *kernel,
                                   solo_parameters *out) {
  solo_parameters p = {NULL, 0, 0};
  solo_elf elf;
  solo_status status = SOLO_NOT_FOUND;
  if (image->kind == SOLO_IMAGE_PTX) {
    status = of_ptx(image->bytes, kernel, &p);
  } else if (image->kind == SOLO_IMAGE_ELF) {
    SOLO_TRY(solo_elf_open(image->bytes, &elf));
    if (elf.machine == MACHINE_AMDGPU)
      status = of_amdgpu(&elf, kernel, &p);
    else if (elf.machine == MACHINE_CUDA)
      status = of_cubin(&elf, kernel, &p);
    else
      status = of_name(kernel, &p);
  } else if (image->kind == SOLO_IMAGE_LINKED) {
    status = of_name(kernel, &p);
  }
  if (status != SOLO_OK) {
    free(p.list);
    return status;
  }
  *out = p;
  return SOLO_OK;
}
