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
#include "runtime/image/offload_binary.h"
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
  const char *file;  /* written out; replaced by a repaired copy */
  solo_span bitcode; /* what bytes were compiled from; empty: they came as an object */
  bool repaired;
} solo_part;

/* Device code that becomes an image (--images). */
typedef struct solo_code {
  const char *triple, *arch; /* arch: "" or "generic" for any processor of the triple */
  solo_span bytes;
} solo_code;

typedef struct solo_image_target {
  const char *triple, *arch; /* arch: "" for a CPU */
} solo_image_target;

/* What an image is made of: files. */
typedef struct solo_image_inputs {
  solo_list objects, texts;        /* ELF; PTX */
  solo_list bitcode, lazy_bitcode; /* lazy: as far as the others need it */
  solo_list wanted;                /* symbols that no object defines */
} solo_image_inputs;

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
  bool has_lines;      /* compiled with -g */
  bool shared_memory;  /* has "requires unified_shared_memory", the one clause that Clang records */
  const char *foreign; /* a target that it has device code for, when it has none for the CPU */
  solo_part *part;
  size_t part_count;
  bool had_parts;          /* before selection */
  const char *replacement; /* repaired copy of the host side */
  solo_span *bitcode;      /* device code for the virtual GPU's target (--simt) */
  size_t bitcode_count;
  solo_code *code;
  size_t code_count;
} solo_unit;

/* Libraries over libsolo.a, each linked on request; REX's also where its names are undefined. */
enum { SOLO_LINK_REX, SOLO_LINK_HIP, SOLO_LINK_CUDA, SOLO_LINK_WAYS };
extern const char *const solo_link_way_names[SOLO_LINK_WAYS]; /* "solo_rex" ... */

typedef struct solo_link {
  solo_list arguments;         /* of the linker, as given */
  solo_list wrapper_arguments; /* all of them, those of Clang's wrapper too: for --device-link */
  const char *linker;          /* that links the host program */
  const char *clang;           /* that made the objects: for those of bitcode; NULL: not known */
  const char *optimisation;    /* "-O2" and so on, for bitcode; NULL: not said */
  const char *library;         /* libsolo.a as the command line names it; NULL: it does not */
  const char *device_linker;   /* --device-link: this is not the linker, only in front of it */
  const char *output;
  const char *libc;          /* "glibc" or "musl" */
  const char *device_object; /* --device-object: write it and stop */
  long copies;
  const char *simt;      /* "sm_90": link device code for that GPU as the virtual GPU's; NULL: no */
  const char *simt_llvm; /* version of the tools that understand it */
  const char *simt_opt;  /* "2" */
  bool simt_checks;
  bool ptx;              /* with simt: not the virtual GPU's, but PTX and a cubin */
  bool images;           /* makes images of device code and registers them; static: for GPUs only */
  bool linked;           /* a dynamic program: device code for the CPU becomes ordinary code */
  bool remote;           /* a static program with the devices of a device server */
  const char *cuda_path; /* --cuda-path=; NULL: not said */
  solo_list device_libraries, device_folders; /* --device-linker=...-lNAME, -L: for NVIDIA */
  solo_list builtin_bitcode;                  /* --builtin-bitcode=: the same */
  solo_image_target *target;
  size_t target_count;
  solo_list image_files; /* registered with the units' entries */
  bool allow_host_only;
  bool runtime_images;           /* the whole library: images may be registered at run time */
  bool ways[SOLO_LINK_WAYS];     /* libraries over libsolo.a that it uses, too */
  solo_list symbols, symbols_of; /* --symbol, --symbols-of: for images registered at run time */
  bool asks;                     /* -v, --version: there may be nothing to link */
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
/* The members of an archive that is no part of the host's link. */
typedef void solo_link_visit_member(solo_link *link, solo_unit member, void *context);
void solo_link_each_member(solo_link *link, const char *path, solo_link_visit_member *visit,
                           void *context);
/* link_options.c: is it an option of ld whose value is the next argument? */
bool solo_link_takes_value(const char *option);

/* link_lto.c: bitcode becomes objects. The objects of the command line become one, by link-time
 * optimisation. */
bool solo_is_bitcode(solo_span bytes);
void solo_link_join_bitcode(solo_link *link);
/* Object file of one piece of bitcode, which name is the name of; of several files, optimised together. */
const char *solo_link_compile(const solo_link *link, const char *name, solo_span bitcode,
                              const char *triple);
const char *solo_link_optimise(const solo_link *link, const solo_list *bitcode, const char *name);
/* Does the symbol define something for other objects? */
bool solo_symbol_defines(const solo_elf_symbol *symbol);
/* Next symbol with a name of at least weak binding, from *index on; false: no more. */
bool solo_symtab_next(const solo_symtab *table, uint32_t *index, solo_elf_symbol *out);

/* A relocation of a section that programs have in memory. */
typedef struct solo_relocation {
  uint32_t section;       /* the one that is changed */
  solo_elf_symbol symbol; /* what it names */
  uint32_t entries;       /* where the walk is: section of relocations ... */
  size_t at;              /* ... and offset there */
} solo_relocation;
/* The next one, from one that is all zero on; false: no more. Tables of how to unwind are passed over. */
bool solo_symtab_next_relocation(const solo_symtab *table, solo_relocation *walk);

/* link_select.c: which archive members the linker will take, and which only device code needs. */
void solo_link_select(solo_link *link);
enum { SOLO_NAME_WANTED = 1, SOLO_NAME_DEFINED = 2 }; /* values of names */
/* The symbols that it wants, defines; does it define something that was only wanted so far? */
void solo_link_take_symbols(solo_names *names, const solo_symtab *table);
bool solo_link_satisfies(const solo_names *names, const solo_symtab *table);
/* link_images.c: the images of all targets, into image_files. Behind the selection. */
void solo_link_images(solo_link *link);
/* link_code.c */
bool solo_link_is_gpu(const char *triple);
void solo_link_add_code(solo_unit *unit, const solo_offload_entry *entry);
/* link_gpu.c: the image, a file. */
const char *solo_link_nvidia(const solo_link *link, const solo_image_target *target,
                             const solo_image_inputs *files);
const char *solo_link_amd(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
const char *solo_link_cpu(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
/* link_ways.c: which parts of the library the program's objects ask for. Behind the reading. */
void solo_link_ways(solo_link *link);
/* link_check.c: refuses what would link and then do wrong. */
void solo_link_check_libc(const solo_link *link);
/* Refuses objects of another machine than the link is for. */
void solo_link_check_machine(const solo_link *link);
void solo_link_check_undefined(const solo_link *link, const char *device_object);
/* Warns of units that differ in their requires clauses. */
void solo_link_check_requires(const solo_link *link);
void solo_link_check_runtimes(const solo_link *link);
/* link_dynamic.c: the device link of a dynamic program, by Clang's own wrapper. */
void solo_link_dynamic(const solo_link *link) __attribute__((noreturn));
/* link_repair.c: gives kernels of equal name in two objects a name each. */
void solo_link_repair(solo_link *link);
/* link_same.c: is the code of both symbols certainly the same? */
bool solo_same_code(const solo_symtab *a, const solo_elf_symbol *in_a, const solo_symtab *b,
                    const solo_elf_symbol *in_b);
/* link_device.c: the device object, NULL when there is no device code. */
const char *solo_link_device(solo_link *link);
/* link_simt.c: an object with the virtual GPU's image and its registration; NULL: there is no device
 * code. */
const char *solo_link_simt(solo_link *link);
/* link_emit.c: assembly for the table of one copy, and for registration. */
typedef struct solo_emitted {
  const char *table, *registration; /* object files */
} solo_emitted;
/* Device code with AddressSanitizer: a variable ends in a red zone, which counts in its symbol's size. */
bool solo_link_has_red_zones(const solo_symtab *device);
solo_emitted solo_link_emit(const solo_link *link, const solo_symtab *device, uint32_t flags);

/* An object that registers image_files, with the entries of the units. */
char *solo_link_emit_images(const solo_link *link);
/* Closes and assembles what was written; the object's path. */
char *solo_link_assemble(FILE *file, const char *source, const char *object);
/* link_symbols.c: object with the symbols that images will ask for; NULL: none were asked for. */
const char *solo_link_symbols(const solo_link *link);

#endif
