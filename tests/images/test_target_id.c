/* Description: checks target ids: canonical form, ELF header flags, PTX, compatibility and
 * reasons. */
#include "runtime/image/target_id.h"

#include "runtime/image/image.h"
#include "tests/unit/test.h"

static void canonical(const char *text, const char *expected) {
  solo_target_id id;
  char out[SOLO_TARGET_TEXT];
  CHECK_INT(solo_target_parse(text, &id), SOLO_OK);
  solo_target_format(&id, out);
  CHECK_TEXT(out, expected);
}

static void malformed(const char *text, const char *why) {
  solo_target_id id;
  CHECK_INT(solo_target_parse(text, &id), SOLO_INVALID);
  CHECK_HAS(solo_error_last()->text, why);
}

static void forms(void) {
  canonical("gfx90a", "gfx90a");
  canonical("gfx90a:xnack+", "gfx90a:xnack+");
  canonical("gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-");
  canonical("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-");
  canonical("gfx10-3-generic", "gfx10-3-generic");
  canonical("sm_90a", "sm_90a");
  malformed("", "no processor");
  malformed("amdgcn-amd-amdhsa--", "no processor");
  malformed("a--b--c", "character");
  malformed("gfx 90a", "character");
  malformed("gfx90a:xnack", "features are");
  malformed("gfx90a:xnack+x", "features are");
  malformed("gfx90a:wave64+", "features are");
  malformed("gfx90a:xnack+:xnack-", "twice");
  malformed("gfx90a:", "features are");
  malformed("a0123456789012345678901234567890123456789", "no processor");
}

static void header(uint16_t machine, uint8_t osabi, uint8_t abi, uint32_t flags, const char *target,
                   const char *words) {
  Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, osabi, abi},
                  .e_type = ET_DYN,
                  .e_machine = machine,
                  .e_version = 1,
                  .e_flags = flags,
                  .e_ehsize = sizeof h};
  solo_image image;
  char text[80];
  CHECK_INT(solo_image_recognise(solo_span_of(&h, sizeof h), &image), SOLO_OK);
  CHECK_INT(image.kind, SOLO_IMAGE_ELF);
  CHECK_TEXT(image.target, target);
  solo_image_describe(&image, text, sizeof text);
  CHECK_TEXT(text, words);
}

static void headers(void) {
  header(EM_X86_64, 0, 0, 0, "x86_64", "ELF for x86_64");
  header(EM_AARCH64, 0, 0, 0, "aarch64", "ELF for aarch64");
  header(2, 0, 0, 0, "", "ELF for machine 2, flags 0x0");
  /* Cubins of ptxas 12 and 13. */
  header(190, 51, 7, 0x005a055a, "sm_90", "ELF for sm_90");
  header(190, 51, 7, 0x005a0d5a, "sm_90a", "ELF for sm_90a");
  header(190, 51, 7, 0x00500550, "sm_80", "ELF for sm_80");
  header(190, 0x41, 8, 0x06005a04, "sm_90", "ELF for sm_90");
  header(190, 0x41, 8, 0x06005004, "sm_80", "ELF for sm_80");
  header(190, 0x41, 8, 0x06006402, "sm_100", "ELF for sm_100");
  header(190, 0x41, 8, 0x0600640a, "sm_100a", "ELF for sm_100a");
  /* amdgcn: clang-19 and clang-22. */
  header(224, 64, 3, 0x12c, "gfx900", "ELF for gfx900");
  header(224, 64, 3, 0x36, "gfx1030", "ELF for gfx1030");
  header(224, 64, 3, 0x53f, "gfx90a", "ELF for gfx90a");
  header(224, 64, 3, 0x73f, "gfx90a:xnack+", "ELF for gfx90a:xnack+");
  header(224, 64, 3, 0xe3f, "gfx90a:sramecc+:xnack-", "ELF for gfx90a:sramecc+:xnack-");
  header(224, 64, 2, 0xa2f, "gfx906:sramecc-:xnack-", "ELF for gfx906:sramecc-:xnack-");
  header(224, 64, 4, 0x01010051, "gfx9-generic", "ELF for gfx9-generic");
  header(224, 64, 1, 0x32f, "gfx906:sramecc+:xnack+", "ELF for gfx906:sramecc+:xnack+");
  header(224, 64, 3, 0xfe, "", "ELF for machine 224, flags 0xfe");
}

static void ptx(const char *text, const char *target) {
  solo_image image;
  CHECK_INT(solo_image_recognise(solo_span_of(text, strlen(text)), &image), SOLO_OK);
  CHECK_INT(image.kind, SOLO_IMAGE_PTX);
  CHECK_TEXT(image.target, target);
}

static void refused(const char *image, const char *device, const char *why) {
  char reason[160] = "";
  CHECK_INT(solo_target_score(image, device, reason, sizeof reason), 0);
  CHECK_HAS(reason, why);
}

static uint32_t fits(const char *image, const char *device) {
  char reason[160];
  uint32_t score = solo_target_score(image, device, reason, sizeof reason);
  if (!score) printf("%s on %s: %s\n", image, device, reason);
  CHECK(score > 0);
  return score;
}

static void amd_fit(void) {
  const char *device = "gfx90a:sramecc+:xnack-";
  CHECK(fits("gfx90a", device) < fits("gfx90a:xnack-", device));
  CHECK(fits("gfx90a:xnack-", device) < fits("gfx90a:sramecc+:xnack-", device));
  refused("gfx90a:xnack+", device, "needs xnack on");
  refused("gfx90a:sramecc-", device, "needs sramecc off");
  refused("gfx90a:xnack-", "gfx90a:xnack+", "needs xnack off");
  refused("gfx90a:xnack+", "gfx1100", "different processor");
  refused("gfx906", "gfx90a", "different processor");
  refused("gfx1100:xnack+", "gfx1100", "needs xnack on");
  CHECK(fits("gfx9-generic", "gfx906:sramecc+:xnack-") < fits("gfx906", "gfx906"));
  CHECK(fits("gfx11-generic", "gfx1103"));
  refused("gfx9-generic", "gfx90a", "different processor");
  refused("gfx9-generic", "gfx90", "different processor");
  refused("gfx10-3-generic", "gfx1010", "different processor");
  refused("x86_64", "gfx90a", "different processor");
  CHECK(fits("x86_64", "x86_64"));
  refused("aarch64", "x86_64", "different processor");
  refused("", "x86_64", "invalid target id");
}

static void nvidia_fit(void) {
  char why[160];
  CHECK(fits("sm_80", "sm_86") < fits("sm_86", "sm_86"));
  CHECK(fits("sm_90", "sm_90") < fits("sm_90a", "sm_90"));
  CHECK(fits("sm_90a", "sm_90a"));
  refused("sm_80", "sm_90", "different major");
  refused("sm_89", "sm_86", "too old");
  refused("sm_100a", "sm_103", "exactly one other processor");
  CHECK(fits("sm_100f", "sm_103"));
  refused("sm_90", "gfx90a", "different processor");
  uint32_t old = solo_target_score_ptx("sm_70", "sm_90", why, sizeof why);
  uint32_t near = solo_target_score_ptx("sm_90", "sm_90", why, sizeof why);
  CHECK(0 < old && old < near && near < fits("sm_80", "sm_89"));
  CHECK_INT(solo_target_score_ptx("sm_90", "sm_80", why, sizeof why), 0);
  CHECK_HAS(why, "too old");
  CHECK_INT(solo_target_score_ptx("sm_90a", "sm_100", why, sizeof why), 0);
  CHECK_INT(solo_target_score_ptx("sm_100f", "sm_120", why, sizeof why), 0);
  CHECK_HAS(why, "family");
  CHECK_INT(solo_target_score_ptx("", "sm_80", why, sizeof why), 0);
  CHECK_INT(solo_target_score_ptx("sm_80", "gfx900", why, sizeof why), 0);
}

int main(void) {
  forms();
  headers();
  ptx(".version 8.3\n.target sm_80\n", "sm_80");
  ptx("//\n// Generated by x\n/* .target sm_10 */\n\n.version 8.3\n.target sm_90a, "
      "texmode_independent\n",
      "sm_90a");
  ptx(".version 7.0", "");
  amd_fit();
  nvidia_fit();
  return TEST_RESULT();
}
