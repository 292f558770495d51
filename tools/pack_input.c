#include "tools/pack.h"

#include "runtime/image/elf.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void solo_pack_usage(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "solo-pack: error: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n  hint: see solo-pack --help\n");
  va_end(args);
  exit(2);
}

static const char *triple_of(const solo_image *image) {
  if (image->kind == SOLO_IMAGE_PTX) return "nvptx64-nvidia-cuda";
  if (image->kind != SOLO_IMAGE_ELF) return NULL;
  if (image->machine == SOLO_EM_CUDA) return "nvptx64-nvidia-cuda";
  if (image->machine == SOLO_EM_AMDGPU) return "amdgcn-amd-amdhsa";
  const char *name = solo_machine_name(image->machine);
  return name ? solo_tool_text("%s-unknown-linux-gnu", name) : NULL;
}

static void set(solo_pack_image *image, char *text, const char *argument) {
  char *value = strchr(text, '=');
  if (!value) solo_pack_usage("image \"%s\": \"%s\" is not key=value", argument, text);
  *value++ = 0;
  if (strcmp(text, "file") == 0)
    image->path = value;
  else if (strcmp(text, "triple") == 0)
    image->triple = value;
  else if (strcmp(text, "arch") == 0)
    image->arch = value;
  else if (strcmp(text, "kind") == 0)
    image->kind = value;
  else
    solo_pack_usage("image \"%s\": unknown key \"%s\" (file, triple, arch, kind)", argument, text);
}

solo_pack_image solo_pack_input(const char *argument) {
  solo_pack_image image = {.path = argument};
  if (strncmp(argument, "file=", 5) == 0 || strstr(argument, ",file=")) {
    image.path = NULL;
    for (char *text = solo_tool_text("%s", argument); text;) {
      char *comma = strchr(text, ',');
      if (comma) *comma++ = 0;
      set(&image, text, argument);
      text = comma;
    }
    if (!image.path) solo_pack_usage("image \"%s\" names no file", argument);
  }
  image.bytes = solo_tool_input(image.path);
  if (image.bytes.size && solo_image_recognise(image.bytes, &image.image) != SOLO_OK)
    image.image.kind = SOLO_IMAGE_UNKNOWN;
  if (!image.triple) image.triple = triple_of(&image.image);
  if (!image.triple)
    solo_tool_die(
        "%s: the contents do not identify the target\n  hint: use file=%s,triple=...,arch=...",
        image.path, image.path);
  if (!image.arch)
    image.arch =
        solo_machine_name(image.image.machine) ? "" : solo_tool_text("%s", image.image.target);
  if (image.arch[0]) {
    solo_target_id id;
    if (solo_target_parse(image.arch, &id) != SOLO_OK) solo_tool_die("%s", solo_error_last()->text);
    char canonical[SOLO_TARGET_TEXT];
    solo_target_format(&id, canonical);
    image.arch = solo_tool_text("%s", canonical);
  }
  return image;
}
