#include "runtime/image/bundle.h"

#include "runtime/image/container.h"
#include <stdio.h>

typedef unsigned long long ull;

enum { MAGIC = sizeof SOLO_BUNDLE_MAGIC - 1, FIRST_LINES = 64 };

static const char start_word[] = "__CLANG_OFFLOAD_BUNDLE____START__ ";
static const char end_word[] = "__CLANG_OFFLOAD_BUNDLE____END__ ";

static bool put(char *out, size_t capacity, const char *begin, size_t size) {
  if (size >= capacity) return false;
  memcpy(out, begin, size);
  out[size] = 0;
  return true;
}

/* The target id may contain '-'. The environment may be missing; then the fourth part is the
 * processor name. */
solo_status solo_bundle_id_parse(const char *id, solo_bundle_id *out) {
  size_t kind = strcspn(id, "-");
  const char *triple = id + kind + (id[kind] == '-'), *at = triple, *target = NULL;
  for (int dashes = 0; *at && !target;) {
    at += strcspn(at, "-");
    if (!*at) break;
    dashes++, at++;
    if (dashes == 4 || (dashes == 3 && solo_target_is_processor(at))) target = at;
  }
  size_t triple_size = target ? (size_t)(target - triple) : strlen(triple);
  while (triple_size && triple[triple_size - 1] == '-') triple_size--;
  if (!target) target = "";
  if (kind == 0 || !put(out->kind, sizeof out->kind, id, kind) ||
      !put(out->triple, sizeof out->triple, triple, triple_size) ||
      !put(out->target, sizeof out->target, target, strlen(target)))
    return solo_fail(SOLO_INVALID, "bundle id \"%.100s\" is not kind-triple-target", id);
  return SOLO_OK;
}

static bool is_binary(solo_span bytes) {
  return bytes.size >= MAGIC && memcmp(bytes.data, SOLO_BUNDLE_MAGIC, MAGIC) == 0;
}

static size_t find(solo_span bytes, size_t at, const char *word) {
  size_t size = strlen(word);
  while (at < bytes.size && bytes.size - at >= size) {
    const uint8_t *hit = memchr(bytes.data + at, word[0], bytes.size - at - size + 1);
    if (!hit) break;
    at = (size_t)(hit - bytes.data);
    if (memcmp(hit, word, size) == 0) return at;
    at++;
  }
  return bytes.size;
}

static bool is_text(solo_span bytes) {
  solo_span head = {bytes.data, bytes.size < FIRST_LINES ? bytes.size : FIRST_LINES};
  return find(head, 0, start_word) < head.size;
}

bool solo_bundle_is(solo_span bytes) {
  return is_binary(bytes) || is_text(bytes);
}

static solo_status binary_member(solo_bundle *bundle, solo_bundle_member *out) {
  uint64_t words[3];
  size_t at = bundle->at;
  solo_span id;
  if (!solo_span_read(bundle->bytes, at, words, sizeof words))
    return solo_fail(SOLO_BAD_IMAGE, "bundle: header of member %llu at offset 0x%zx is cut off",
                     (ull)bundle->index, at);
  if (!solo_span_sub(bundle->bytes, at + sizeof words, words[2], &id) || id.size >= sizeof out->id)
    return solo_fail(SOLO_BAD_IMAGE, "bundle at offset 0x%zx: id of 0x%llx bytes", at + 16,
                     (ull)words[2]);
  memcpy(out->id, id.data, id.size);
  out->id[id.size] = 0;
  out->offset = words[0];
  if (!solo_span_sub(bundle->bytes, words[0], words[1], &out->bytes))
    return solo_fail(
        SOLO_BAD_IMAGE,
        "bundle at offset 0x%zx: member %s at 0x%llx with 0x%llx bytes exceeds the file of "
        "0x%zx bytes",
        at, out->id, (ull)words[0], (ull)words[1], bundle->bytes.size);
  if (solo_bundle_id_parse(out->id, &out->parts) != SOLO_OK)
    return solo_fail(SOLO_BAD_IMAGE, "bundle at offset 0x%zx: id \"%s\" is not kind-triple-target",
                     at + sizeof words, out->id);
  bundle->at = at + sizeof words + id.size;
  bundle->index++;
  return SOLO_OK;
}

static solo_status open_binary(solo_span bytes, solo_bundle *out) {
  solo_bundle bundle = {.bytes = bytes, .at = MAGIC + 8};
  if (!solo_span_read(bytes, MAGIC, &bundle.count, 8))
    return solo_fail(SOLO_BAD_IMAGE, "bundle at offset %d: the count of members is cut off", MAGIC);
  solo_bundle walk = bundle;
  solo_bundle_member member;
  uint64_t extent = walk.at;
  /* binary_member() rejects a count that is too large, at the first missing header */
  for (uint64_t i = 0; i < bundle.count; i++) {
    SOLO_TRY(binary_member(&walk, &member));
    if (member.offset + member.bytes.size > extent) extent = member.offset + member.bytes.size;
  }
  if (walk.at > extent) extent = walk.at;
  bundle.bytes.size = (size_t)extent;
  *out = bundle;
  return SOLO_OK;
}

static solo_status read_id(solo_span bytes, size_t at, char out[SOLO_BUNDLE_ID], size_t *out_end) {
  size_t size = 0;
  while (at + size < bytes.size && bytes.data[at + size] != '\n' && bytes.data[at + size] != '\r')
    size++;
  if (size >= SOLO_BUNDLE_ID || memchr(bytes.data + at, 0, size))
    return solo_fail(SOLO_BAD_IMAGE, "bundle at offset 0x%zx: id of %zu bytes", at, size);
  memcpy(out, bytes.data + at, size);
  out[size] = 0;
  *out_end = at + size;
  return SOLO_OK;
}

static solo_status text_member(solo_bundle *bundle, solo_bundle_member *out) {
  solo_span bytes = bundle->bytes;
  size_t start = find(bytes, bundle->at, start_word), body, end, line;
  char end_id[SOLO_BUNDLE_ID];
  if (start == bytes.size) return SOLO_NOT_FOUND;
  SOLO_TRY(read_id(bytes, start + sizeof start_word - 1, out->id, &body));
  if (solo_bundle_id_parse(out->id, &out->parts) != SOLO_OK)
    return solo_fail(SOLO_BAD_IMAGE, "bundle at offset 0x%zx: id \"%s\" is not kind-triple-target",
                     start, out->id);
  if (body < bytes.size && bytes.data[body] == '\r') body++;
  if (body < bytes.size) body++;
  end = find(bytes, body, end_word);
  if (end == bytes.size)
    return solo_fail(SOLO_BAD_IMAGE, "bundle: member %s at offset 0x%zx has no end line", out->id,
                     start);
  SOLO_TRY(read_id(bytes, end + sizeof end_word - 1, end_id, &bundle->at));
  if (strcmp(end_id, out->id) != 0)
    return solo_fail(SOLO_BAD_IMAGE, "bundle at offset 0x%zx: end of \"%s\" inside \"%s\"", end,
                     end_id, out->id);
  /* The bundler adds a newline before the end line. */
  for (line = end; line > body && bytes.data[line - 1] != '\n';) line--;
  if (line > body) line--;
  out->offset = body;
  out->bytes = (solo_span){bytes.data + body, line - body};
  bundle->index++;
  return SOLO_OK;
}

solo_status solo_bundle_open(solo_span bytes, solo_bundle *out) {
  if (is_binary(bytes)) return open_binary(bytes, out);
  if (!is_text(bytes)) return solo_fail(SOLO_BAD_IMAGE, "bundle at offset 0: wrong magic bytes");
  *out = (solo_bundle){.bytes = bytes, .text = 1};
  return SOLO_OK;
}

solo_status solo_bundle_next(solo_bundle *bundle, solo_bundle_member *out) {
  if (bundle->text) return text_member(bundle, out);
  if (bundle->index == bundle->count) return SOLO_NOT_FOUND;
  return binary_member(bundle, out);
}

static solo_status open_container(solo_span bytes, solo_container *out) {
  solo_bundle bundle;
  SOLO_TRY(solo_bundle_open(bytes, &bundle));
  out->bytes = bundle.bytes;
  out->count = bundle.count;
  out->at = bundle.at;
  if (out->words)
    snprintf(out->words, SOLO_CONTAINER_WORDS, "%s", bundle.text ? "bundle, text form" : "bundle");
  return SOLO_OK;
}

static solo_status next_member(solo_container *container, solo_container_entry *out) {
  solo_bundle bundle = {.bytes = container->bytes,
                        .text = !is_binary(container->bytes),
                        .count = container->count,
                        .index = container->index,
                        .at = container->at};
  solo_bundle_member member;
  if (container->words) container->words[0] = 0;
  solo_status status = solo_bundle_next(&bundle, &member);
  container->index = bundle.index;
  container->at = bundle.at;
  if (status != SOLO_OK) return status;
  *out = (solo_container_entry){.bytes = member.bytes,
                                .offset = member.offset,
                                .target = out->text,
                                .no_image = strcmp(member.parts.kind, "host") == 0};
  memcpy(out->text, member.parts.target, sizeof out->text);
  if (container->words) snprintf(container->words, SOLO_CONTAINER_WORDS, "%s", member.id);
  return SOLO_OK;
}

const solo_container_type solo_container_bundle = {
    .name = "bundle",
    .entry_name = "bundle member",
    .recognise = solo_bundle_is,
    .open = open_container,
    .next = next_member,
};
