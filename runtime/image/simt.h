/* Images of the virtual GPU: ELF files for this CPU with a private e_machine, so that the CPU
 * loader rejects them. tools/link_simt.c writes them. */
#ifndef SOLO_IMAGE_SIMT_H
#define SOLO_IMAGE_SIMT_H

#define SOLO_SIMT_SECTION "solo_simt_images"
enum { SOLO_SIMT_ALIGNMENT = 16 };

enum {
  SOLO_SIMT_MACHINE = 0x5347,
  /* mask of e_flags: number of the target, 0x90a for gfx90a, 90 for sm_90 */
  SOLO_SIMT_TARGET = 0x00ffffff,
  SOLO_SIMT_HEX = 0x00800000,     /* flag: the number is hexadecimal */
  SOLO_SIMT_CHECKED = 0x01000000, /* flag: accesses call race and bounds checks (translate.sh -r) */
};

/* C library functions in the table solo_simt_math, in this order. Programs without an image for the
 * virtual GPU do not link them. */
/* clang-format off */
#define SOLO_SIMT_FUNCTIONS_1(XX) \
  XX(acos) XX(acosh) XX(asin) XX(asinh) XX(atan) XX(atanh) XX(cbrt) XX(cos) \
  XX(cosh) XX(erf) XX(erfc) XX(exp) XX(exp2) XX(expm1) XX(lgamma) XX(log) \
  XX(log10) XX(log1p) XX(log2) XX(logb) XX(sin) XX(sinh) XX(tan) XX(tanh) \
  XX(tgamma)
#define SOLO_SIMT_FUNCTIONS_2(XX) \
  XX(atan2) XX(fmod) XX(hypot) XX(nextafter) XX(pow) XX(remainder)
/* clang-format on */

#endif
