/* The header of an image for the virtual GPU: an ELF file for this CPU under another machine's number,
 * so that nobody takes it for code of the CPU, with the GPU that it was compiled for in e_flags.
 * Written by tools/link_simt.c, read by the backend.
 */
#ifndef SOLO_IMAGE_SIMT_H
#define SOLO_IMAGE_SIMT_H

enum {
  SOLO_SIMT_MACHINE = 0x5347,    /* e_machine: nobody's */
  SOLO_SIMT_TARGET = 0x00ffffff, /* of e_flags: what follows; 0x90a of gfx90a, 90 of sm_90 */
  SOLO_SIMT_GFX = 0x00800000,
  SOLO_SIMT_CHECKED = 0x01000000, /* the program's accesses are told (translate.sh -r) */
};

#endif
