/* The header of an image for the virtual GPU: an ELF file for this CPU under another machine's number,
 * so that nobody takes it for code of the CPU, with the GPU that it was compiled for in e_flags.
 * Written by tools/link_simt.c, read by the backend.
 */
#ifndef SOLO_IMAGE_SIMT_H
#define SOLO_IMAGE_SIMT_H

/* Where programs have such images, one behind the other (solo-link puts them there, solo-info looks). */
#define SOLO_SIMT_SECTION "solo_simt_images"
enum { SOLO_SIMT_ALIGNMENT = 16 };

enum {
  SOLO_SIMT_MACHINE = 0x5347,     /* e_machine: nobody's */
  SOLO_SIMT_TARGET = 0x00ffffff,  /* of e_flags: what follows; 0x90a of gfx90a, 90 of sm_90 */
  SOLO_SIMT_HEX = 0x00800000,     /* the number is one of 16 digits: gfx90a */
  SOLO_SIMT_CHECKED = 0x01000000, /* the program's accesses call the checker (translate.sh -r) */
};

/* Functions of the C library that the virtual GPU computes with where a GPU has an instruction, or where
 * there is no library of the vendor's. Beside an image stands the table solo_simt_math of them, in this
 * order: so a program without the virtual GPU does not need its C library's mathematics. */
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
