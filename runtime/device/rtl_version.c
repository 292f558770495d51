/* Rejects images of Clang versions after 22, which change the layout of launch arguments. Only AMD
 * code objects have the version, in their .comment section. abi/tgt_upgrade.c and rtl.c reject
 * NVIDIA images of these Clang versions. */
#include "runtime/device/rtl.h"

#include <stdlib.h>

enum { LATEST = 22 };

/* Returns the highest N of all "clang version N.", because linked libraries may be older; 0: none. */
static long version_of(solo_span comment) {
  static const char words[] = "clang version ";
  long version = 0;
  const size_t length = sizeof words - 1;
  for (size_t at = 0; at + length < comment.size; at++) {
    if (memcmp(comment.data + at, words, length) != 0) continue;
    char number[8] = "";
    size_t left = comment.size - at - length;
    memcpy(number, comment.data + at + length, left < sizeof number - 1 ? left : sizeof number - 1);
    long n = strtol(number, NULL, 10);
    if (n > version) version = n;
  }
  return version;
}

solo_status solo_rtl_image_fits(const solo_device *device, const solo_image *image) {
  solo_elf elf;
  Elf64_Shdr section;
  if (image->kind != SOLO_IMAGE_ELF || solo_elf_open(image->bytes, &elf) != SOLO_OK ||
      solo_elf_section_by_name(&elf, ".comment", &section) != SOLO_OK)
    return SOLO_OK;
  long version = version_of(solo_elf_section_bytes(&elf, &section));
  if (version <= LATEST) return SOLO_OK;
  return solo_fail(
      SOLO_INCOMPATIBLE,
      "the image for device %d was made by Clang %ld: solo supports Clang 17 to %d; "
      "later versions use another layout of launch arguments\n  hint: compile with one of these",
      device->number, version, LATEST);
}

const char *solo_rtl_host_call_hint(const solo_device *device) {
  /* relaxed: set before a kernel can be launched */
  return solo_load_relaxed(&((solo_device *)(uintptr_t)device)->may_call_host)
             ? "\n  hint: an image on this device can call the host (__llvm_rpc_client: printf, "
               "malloc, "
               "host calls of LLVM's GPU C library); such calls fail because the device belongs to "
               "another process"
             : "";
}
