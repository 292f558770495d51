#include "runtime/image/target_id.h"

#include <stdio.h>

const char *solo_machine_name(uint16_t machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86_64";
  case EM_AARCH64:
    return "aarch64";
  case EM_PPC64:
    return "powerpc64le";
  case EM_RISCV:
    return "riscv64";
  case 258:
    return "loongarch64";
  default:
    return NULL;
  }
}

/* EF_AMDGPU_MACH, the low byte of e_flags (abi-facts 8.5) */
static const char *const amdgpu[256] = {
    [0x20] = "gfx600",          [0x21] = "gfx601",        [0x22] = "gfx700",
    [0x23] = "gfx701",          [0x24] = "gfx702",        [0x25] = "gfx703",
    [0x26] = "gfx704",          [0x28] = "gfx801",        [0x29] = "gfx802",
    [0x2a] = "gfx803",          [0x2b] = "gfx810",        [0x2c] = "gfx900",
    [0x2d] = "gfx902",          [0x2e] = "gfx904",        [0x2f] = "gfx906",
    [0x30] = "gfx908",          [0x31] = "gfx909",        [0x32] = "gfx90c",
    [0x33] = "gfx1010",         [0x34] = "gfx1011",       [0x35] = "gfx1012",
    [0x36] = "gfx1030",         [0x37] = "gfx1031",       [0x38] = "gfx1032",
    [0x39] = "gfx1033",         [0x3a] = "gfx602",        [0x3b] = "gfx705",
    [0x3c] = "gfx805",          [0x3d] = "gfx1035",       [0x3e] = "gfx1034",
    [0x3f] = "gfx90a",          [0x40] = "gfx940",        [0x41] = "gfx1100",
    [0x42] = "gfx1013",         [0x43] = "gfx1150",       [0x44] = "gfx1103",
    [0x45] = "gfx1036",         [0x46] = "gfx1101",       [0x47] = "gfx1102",
    [0x48] = "gfx1200",         [0x49] = "gfx1250",       [0x4a] = "gfx1151",
    [0x4b] = "gfx941",          [0x4c] = "gfx942",        [0x4e] = "gfx1201",
    [0x4f] = "gfx950",          [0x51] = "gfx9-generic",  [0x52] = "gfx10-1-generic",
    [0x53] = "gfx10-3-generic", [0x54] = "gfx11-generic", [0x55] = "gfx1152",
    [0x58] = "gfx1153",         [0x59] = "gfx12-generic", [0x5a] = "gfx1251",
    [0x5f] = "gfx9-4-generic",
};

/* e_flags has two bits per feature (0 unsupported, 1 any, 2 off, 3 on); with EI_ABIVERSION below 2,
 * one bit. */
static void of_amdgpu(const solo_elf *elf, char out[SOLO_TARGET_TEXT]) {
  static const solo_feature states[] = {SOLO_FEATURE_ANY, SOLO_FEATURE_ANY, SOLO_FEATURE_OFF,
                                        SOLO_FEATURE_ON};
  const char *processor = amdgpu[elf->flags & 0xff];
  solo_target_id id = {.processor = ""};
  if (!processor) return;
  snprintf(id.processor, sizeof id.processor, "%s", processor);
  if (elf->abi_version >= 2) {
    id.xnack = states[elf->flags >> 8 & 3];
    id.sramecc = states[elf->flags >> 10 & 3];
  } else if (elf->abi_version == 1) {
    /* a clear bit means off or unsupported: "any" */
    if (elf->flags & 0x100) id.xnack = SOLO_FEATURE_ON;
    if (elf->flags & 0x200) id.sramecc = SOLO_FEATURE_ON;
  }
  solo_target_format(&id, out);
}

/* Attribute 9 of .nv.compat marks an "a" target. Records: {u8 format, u8 attribute, u16 value};
 * after format 4, value bytes follow (ptxas 13.0). */
static bool cubin_compat_exact(const solo_elf *elf) {
  Elf64_Shdr section;
  if (solo_elf_section_by_name(elf, ".nv.compat", &section) != SOLO_OK) return false;
  solo_span records = solo_elf_section_bytes(elf, &section);
  uint8_t record[4];
  for (size_t at = 0; solo_span_read(records, at, record, 4);) {
    uint16_t value = (uint16_t)(record[2] | record[3] << 8);
    if (record[1] == 9 && record[0] == 2) return value == 1;
    at += 4 + (record[0] == 4 ? value : 0u);
  }
  return false;
}

/* ABI version 7 (CUDA 12): the low byte of e_flags is the capability, bit 11 means "a". Version 8
 * (CUDA 13): bits 8 to 15 are the capability; .nv.compat or bit 3 means "a". */
static void of_cubin(const solo_elf *elf, char out[SOLO_TARGET_TEXT]) {
  bool deferred = elf->abi_version >= 8;
  unsigned number = deferred ? elf->flags >> 8 & 0xff : elf->flags & 0xff;
  bool exact = deferred ? (elf->flags & 0x8) || cubin_compat_exact(elf) : (elf->flags & 0x800) != 0;
  if (number) snprintf(out, SOLO_TARGET_TEXT, "sm_%u%s", number, exact ? "a" : "");
}

bool solo_target_is_refined(uint16_t machine) {
  return machine == SOLO_EM_CUDA;
}

void solo_target_of_elf(const solo_elf *elf, char out[SOLO_TARGET_TEXT]) {
  out[0] = 0;
  if (elf->machine == SOLO_EM_AMDGPU) {
    of_amdgpu(elf, out);
  } else if (elf->machine == SOLO_EM_CUDA) {
    of_cubin(elf, out);
  } else {
    const char *name = solo_machine_name(elf->machine);
    if (name) snprintf(out, SOLO_TARGET_TEXT, "%s", name);
  }
}
