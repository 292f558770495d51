/* solo-link inside: from a linker command line to one that has the CPU device code in it.
 *
 *   inputs -> units -> select -> check, repair -> device object -> host link
 *
 * A unit is one relocatable object: named on the command line or a member of an archive. Its host
 * side is what the linker sees; its device parts are ELF objects inside its .llvm.offloading
 * section. Device parts are linked relocatably (ld -r), everything in them is made local, and
 * what the library needs to know is written as assembly beside them (runtime/image/linked.h).
 *
 * Ownership, threads, errors: as in common.h.
 */
#ifndef SOLO_TOOLS_LINK_H
#define SOLO_TOOLS_LINK_H

#include "runtime/image/elf.h"
#include "tools/common.h"
#include <stdio.h>

typedef struct solo_symtab {
  solo_elf elf;
  solo_elf_symbols symbols;
} solo_symtab;

/* Device code for this processor inside a unit. */
typedef struct solo_part {
  solo_span bytes;
  solo_symtab table;
  const char *file; /* written out; replaced by a repaired copy */
} solo_part;

enum { SOLO_ENTRIES_19 = 1, SOLO_ENTRIES_22 = 2 }; /* which entry sections a host side has */

typedef struct solo_unit {
  const char *name; /* "a.o", "libx.a(b.o)" */
  const char *path; /* of the file that holds it */
  solo_span bytes;
  solo_symtab table;
  size_t argument;     /* its place on the command line */
  bool member;         /* of an archive: linked only when needed */
  bool whole;          /* of an archive under --whole-archive */
  bool selected;       /* takes part in the host link */
  bool startup;        /* crt*.o: neither the user's nor a library's */
  unsigned entries;    /* SOLO_ENTRIES_* */
  const char *foreign; /* a target that it has device code for, when it has none for the CPU */
  solo_part *part;
  size_t part_count;
  bool had_parts;          /* before selection */
  const char *replacement; /* repaired copy of the host side */
  solo_span *bitcode;      /* device code for the virtual GPU's target (--simt) */
  size_t bitcode_count;
} solo_unit;

typedef struct solo_link {
  solo_list arguments; /* of the linker, as given */
  const char *linker;  /* that links the host program */
  const char *output;
  const char *libc;          /* "glibc" or "musl" */
  const char *device_object; /* --device-object: write it and stop */
  long copies;
  const char *simt;      /* "sm_90": link device code for that GPU as the virtual GPU's; NULL: no */
  const char *simt_llvm; /* version of the tools that understand it */
  const char *simt_opt;  /* "2" */
  bool simt_checks;
  bool allow_host_only;
  bool runtime_images;           /* the whole library: images may be registered at run time */
  solo_list symbols, symbols_of; /* --symbol, --symbols-of: for images registered at run time */
  bool relocatable;              /* -r: nothing to do but to link */
  bool gc;
  uint16_t machine;
  size_t first_library; /* argument before which the device object goes */
  solo_unit *unit;
  size_t unit_count;
} solo_link;

/* link_inputs.c: reads the command line, opens every object and archive that could matter. */
void solo_link_read(solo_link *link, int argc, char **argv);
/* link_units.c: one object, or all members of an archive. */
void solo_link_add_file(solo_link *link, const char *path, size_t argument, bool whole);
/* Does the symbol define something for other objects? */
bool solo_symbol_defines(const solo_elf_symbol *symbol);
/* Next symbol with a name of at least weak binding, from *index on; false: no more. */
bool solo_symtab_next(const solo_symtab *table, uint32_t *index, solo_elf_symbol *out);

/* link_select.c: which archive members the linker will take, and which only device code needs. */
void solo_link_select(solo_link *link);
/* link_check.c: refuses what would link and then do wrong. */
void solo_link_check_libc(const solo_link *link);
void solo_link_check_undefined(const solo_link *link, const char *device_object);
/* link_repair.c: gives kernels of equal name in two objects a name each. */
void solo_link_repair(solo_link *link);
/* link_same.c: is the code of both symbols certainly the same? */
bool solo_same_code(const solo_symtab *a, const solo_elf_symbol *in_a, const solo_symtab *b,
                    const solo_elf_symbol *in_b);
/* link_device.c: the device object, NULL when there is no device code. */
const char *solo_link_device(solo_link *link);
/* link_simt.c: an object with the virtual GPU's image and its registration; NULL: there is no device
 * code. */
const char *solo_link_simt(const solo_link *link);
/* link_emit.c: assembly for the table of one copy, and for registration. */
typedef struct solo_emitted {
  const char *table, *registration; /* object files */
} solo_emitted;
solo_emitted solo_link_emit(const solo_link *link, const solo_symtab *device, uint32_t flags);

/* Closes and assembles what was written; the object's path. */
/* An object that registers the image in a file, with the entries of the units. */
char *solo_link_emit_image(const solo_link *link, const char *file);
char *solo_link_assemble(FILE *file, const char *source, const char *object);
/* link_symbols.c: object with the symbols that images will ask for; NULL: none were asked for. */
const char *solo_link_symbols(const solo_link *link);

#endif
