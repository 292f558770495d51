#include "runtime/image/target_id.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  SCORE_NATIVE = 1000,
  SCORE_FEATURE = 10,
  SCORE_GENERIC = 900,
  /* subtracted for each minor version by which the image is older than the device */
  SCORE_OLDER_STEP = 10,
  SCORE_PTX = 100, /* half the compute capability of the PTX is added */
};

static bool processor_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

static bool feature_end(const char *at) {
  return *at == ':' || *at == 0;
}

static solo_status read_feature(const char *text, const char *at, solo_target_id *id) {
  static const char *const names[] = {"sramecc", "xnack"};
  for (int i = 0; i < 2; i++) {
    size_t size = strlen(names[i]);
    if (strncmp(at, names[i], size) != 0) continue;
    if ((at[size] != '+' && at[size] != '-') || !feature_end(at + size + 1)) break;
    solo_feature *feature = i == 0 ? &id->sramecc : &id->xnack;
    if (*feature != SOLO_FEATURE_ANY)
      return solo_fail(SOLO_INVALID, "target id \"%s\": %s is specified twice", text, names[i]);
    *feature = at[size] == '+' ? SOLO_FEATURE_ON : SOLO_FEATURE_OFF;
    return SOLO_OK;
  }
  return solo_fail(SOLO_INVALID,
                   "target id \"%s\": features are sramecc+, sramecc-, xnack+ and xnack-", text);
}

bool solo_target_is_processor(const char *text) {
  return strncmp(text, "gfx", 3) == 0 || strncmp(text, "sm_", 3) == 0;
}

solo_status solo_target_parse(const char *text, solo_target_id *out) {
  solo_target_id id = {.processor = ""};
  const char *processor = text;
  /* for a triple with an empty environment, the processor follows "--" */
  const char *triple_end = strstr(text, "--");
  if (triple_end) processor = triple_end + 2;
  size_t size = strcspn(processor, ":");
  if (size == 0 || size >= sizeof id.processor)
    return solo_fail(SOLO_INVALID, "target id \"%s\": no processor, or its name is too long", text);
  for (size_t i = 0; i < size; i++)
    if (!processor_character(processor[i]) || (processor[i] == '-' && processor[i + 1] == '-'))
      return solo_fail(SOLO_INVALID, "target id \"%s\": invalid character in the processor name",
                       text);
  memcpy(id.processor, processor, size);
  for (const char *at = processor + size; *at == ':';) {
    at++;
    SOLO_TRY(read_feature(text, at, &id));
    at += strcspn(at, ":");
  }
  *out = id;
  return SOLO_OK;
}

static const char *feature_text(solo_feature feature, const char *on, const char *off) {
  return feature == SOLO_FEATURE_ON ? on : feature == SOLO_FEATURE_OFF ? off : "";
}

void solo_target_format(const solo_target_id *id, char out[SOLO_TARGET_TEXT]) {
  snprintf(out, SOLO_TARGET_TEXT, "%s%s%s", id->processor,
           feature_text(id->sramecc, ":sramecc+", ":sramecc-"),
           feature_text(id->xnack, ":xnack+", ":xnack-"));
}

/* Searches .target only at line starts, because comments may contain the word. */
void solo_target_of_ptx(solo_span text, char out[SOLO_TARGET_TEXT]) {
  static const char word[] = ".target";
  const char *at = (const char *)text.data, *end = at + text.size;
  out[0] = 0;
  while (at && at < end) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (end - at < (ptrdiff_t)sizeof word || memcmp(at, word, sizeof word - 1) != 0) {
      at = memchr(at, '\n', (size_t)(end - at));
      if (at) at++;
      continue;
    }
    at += sizeof word - 1;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    size_t size = 0;
    while (at + size < end && size < SOLO_TARGET_TEXT - 1 && at[size] > ' ' && at[size] != ',')
      size++;
    memcpy(out, at, size);
    out[size] = 0;
    return;
  }
}

static const struct {
  const char *generic, *members;
} generics[] = {
    {"gfx9-generic", " gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
    {"gfx9-4-generic", " gfx940 gfx941 gfx942 gfx950 "},
    {"gfx10-1-generic", " gfx1010 gfx1011 gfx1012 gfx1013 "},
    {"gfx10-3-generic", " gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
    {"gfx11-generic", " gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
    {"gfx12-generic", " gfx1200 gfx1201 "},
};

static bool generic_covers(const char *generic, const char *processor) {
  char padded[48];
  snprintf(padded, sizeof padded, " %s ", processor);
  for (size_t i = 0; i < sizeof generics / sizeof generics[0]; i++)
    if (strcmp(generics[i].generic, generic) == 0)
      return strstr(generics[i].members, padded) != NULL;
  return false;
}

static bool feature_fits(solo_feature image, solo_feature device, uint32_t *score) {
  if (image == SOLO_FEATURE_ANY) return true;
  *score += SCORE_FEATURE;
  return image == device;
}

static uint32_t no(char *reason, size_t size, const char *text) {
  if (size) snprintf(reason, size, "%s", text);
  return 0;
}

typedef struct capability {
  long number;
  char variant;
} capability;

static bool read_capability(const char *text, capability *out) {
  char *end;
  if (strncmp(text, "sm_", 3) != 0 || text[3] < '1' || text[3] > '9') return false;
  out->number = strtol(text + 3, &end, 10);
  out->variant = *end;
  return out->number < 1000 && (*end == 0 || ((*end == 'a' || *end == 'f') && end[1] == 0));
}

static uint32_t score_cubin(capability image, capability device, char *reason, size_t size) {
  if (image.variant == 'a' && image.number != device.number)
    return no(reason, size, "built for exactly one other processor (\"a\" target)");
  if (image.number / 10 != device.number / 10)
    return no(reason, size, "different major compute capability");
  if (image.number > device.number) return no(reason, size, "device is too old");
  uint32_t bonus = image.variant ? SCORE_FEATURE / 2 : 0;
  return SCORE_NATIVE + bonus - SCORE_OLDER_STEP * (uint32_t)(device.number - image.number);
}

uint32_t solo_target_score_ptx(const char *ptx, const char *device, char *reason, size_t size) {
  capability have, want;
  if (!read_capability(device, &have)) return no(reason, size, "device does not compile PTX");
  if (!read_capability(ptx, &want)) return no(reason, size, "PTX without a known .target");
  if (want.variant == 'a' && want.number != have.number)
    return no(reason, size, "built for exactly one other processor (\"a\" target)");
  if (want.variant == 'f' && want.number / 10 != have.number / 10)
    return no(reason, size, "built for another processor family (\"f\" target)");
  if (want.number > have.number) return no(reason, size, "device is too old");
  return SCORE_PTX + (uint32_t)want.number / 2;
}

uint32_t solo_target_score(const char *image, const char *device, char *reason, size_t size) {
  capability image_sm, device_sm;
  if (read_capability(image, &image_sm) && read_capability(device, &device_sm))
    return score_cubin(image_sm, device_sm, reason, size);
  solo_target_id want, have;
  if (solo_target_parse(image, &want) != SOLO_OK)
    return no(reason, size, "the image has an invalid target id");
  if (solo_target_parse(device, &have) != SOLO_OK)
    return no(reason, size, "the device has an invalid target id");
  uint32_t score = SCORE_NATIVE;
  if (strcmp(want.processor, have.processor) != 0) {
    if (!generic_covers(want.processor, have.processor))
      return no(reason, size, "different processor");
    score = SCORE_GENERIC;
  }
  if (!feature_fits(want.xnack, have.xnack, &score))
    return no(reason, size,
              want.xnack == SOLO_FEATURE_ON ? "needs xnack on (HSA_XNACK=1, or build without it)"
                                            : "needs xnack off (HSA_XNACK=0, or build without it)");
  if (!feature_fits(want.sramecc, have.sramecc, &score))
    return no(reason, size,
              want.sramecc == SOLO_FEATURE_ON ? "needs sramecc on" : "needs sramecc off");
  return score;
}
