/* Interfaces between the files of solo-link: from a linker command line to one that contains the
 * device code for the CPU.
 *
 *   inputs -> units -> select -> check, repair -> device object -> host link
 *
 * A unit is one relocatable object, from the command line or from an archive. Its device parts are
 * ELF objects in its .llvm.offloading section. `ld -r` links the parts, all their symbols become
 * local, and assembly describes them to the library (runtime/image/linked.h). Ownership, threads,
 * errors: as in common.h.
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

/* Device code for this processor in a unit. */
typedef struct solo_part {
  solo_span bytes;
  solo_symtab table;
  const char *file;  /* written to disk; replaced by a repaired copy */
  solo_span bitcode; /* source of bytes; empty: they were an object */
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

/* Input files of one image. */
typedef struct solo_image_inputs {
  solo_list objects, texts;        /* ELF; PTX */
  solo_list bitcode, lazy_bitcode; /* lazy: linked only if referenced */
  solo_list wanted;                /* symbols that no object defines */
} solo_image_inputs;

enum { SOLO_ENTRIES_19 = 1, SOLO_ENTRIES_22 = 2 }; /* entry sections of Clang 19, Clang 22 */

typedef struct solo_unit {
  const char *name; /* "a.o", "libx.a(b.o)" */
  const char *path;
  solo_span bytes;
  solo_symtab table;
  size_t argument;    /* index on the command line */
  bool member;        /* of an archive: linked only if needed */
  bool whole;         /* of an archive under --whole-archive */
  bool selected;      /* part of the host link */
  bool startup;       /* crt*.o */
  unsigned entries;   /* SOLO_ENTRIES_* */
  bool has_lines;     /* compiled with -g */
  bool shared_memory; /* has "requires unified_shared_memory", the only clause that Clang records */
  const char *foreign; /* target of its device code, if it has none for the CPU */
  solo_part *part;
  size_t part_count;
  bool had_parts;          /* before selection */
  const char *replacement; /* repaired copy of the host side */
  solo_span *bitcode;      /* device code for the virtual GPU (--simt) */
  size_t bitcode_count;
  solo_code *code;
  size_t code_count;
} solo_unit;

/* Optional libraries on top of libsolo.a. REX is also linked if its names are undefined. */
enum { SOLO_LINK_REX, SOLO_LINK_HIP, SOLO_LINK_CUDA, SOLO_LINK_WAYS };
extern const char *const solo_link_way_names[SOLO_LINK_WAYS];

typedef struct solo_link {
  solo_list arguments;         /* of the linker, unchanged */
  solo_list wrapper_arguments; /* also those of Clang's wrapper, for --device-link */
  const char *linker;          /* links the host program */
  const char *clang;           /* compiles bitcode; NULL: unknown */
  const char *optimisation;    /* "-O2", for bitcode; NULL: default */
  const char *library;         /* path of libsolo.a on the command line; NULL: absent */
  const char *device_linker;   /* --device-link: run before this linker */
  const char *output;
  const char *libc;          /* "glibc" or "musl" */
  const char *device_object; /* --device-object: write only this file */
  long copies;
  const char *simt;      /* "sm_90": device code of this GPU is for the virtual GPU; NULL: none */
  const char *simt_llvm; /* version of LLVM's tools */
  const char *simt_opt;  /* "2" */
  bool simt_checks;
  bool ptx;              /* with simt: make PTX and a cubin instead */
  bool images;           /* make and register images; in a static program for GPUs only */
  bool linked;           /* dynamic program: device code for the CPU becomes ordinary code */
  bool remote;           /* static program with a device server */
  const char *cuda_path; /* --cuda-path=; NULL: default */
  solo_list device_libraries, device_folders; /* --device-linker=...-lNAME, -L: for NVIDIA */
  solo_list builtin_bitcode;
  solo_image_target *target;
  size_t target_count;
  solo_list image_files; /* registered with the units' entries */
  bool allow_host_only;
  bool runtime_images; /* whole library: images may be registered at run time */
  bool ways[SOLO_LINK_WAYS];
  solo_list symbols, symbols_of; /* for images that are registered at run time */
  bool asks;                     /* -v, --version: possibly nothing to link */
  bool relocatable;              /* -r: only link */
  bool gc;
  uint16_t machine;
  size_t first_library; /* the device object precedes this argument */
  solo_unit *unit;
  size_t unit_count;
} solo_link;

/* link_inputs.c: reads the command line and opens all objects and archives. */
void solo_link_read(solo_link *link, int argc, char **argv);
/* link_units.c: adds one object, or all members of an archive. */
void solo_link_add_file(solo_link *link, const char *path, size_t argument, bool whole);
/* Visits the members of an archive outside the host link. */
typedef void solo_link_visit_member(solo_link *link, solo_unit member, void *context);
void solo_link_each_member(solo_link *link, const char *path, solo_link_visit_member *visit,
                           void *context);
/* link_options.c: true if the next argument is the value of this option of ld. */
bool solo_link_takes_value(const char *option);

/* link_lto.c: replaces bitcode by objects; link-time optimisation joins the command line's objects. */
bool solo_is_bitcode(solo_span bytes);
void solo_link_join_bitcode(solo_link *link);
/* Compile one piece of bitcode, or optimise several files together. Return the object file. */
const char *solo_link_compile(const solo_link *link, const char *name, solo_span bitcode,
                              const char *triple);
const char *solo_link_optimise(const solo_link *link, const solo_list *bitcode, const char *name);
/* True if other objects can use the definition. */
bool solo_symbol_defines(const solo_elf_symbol *symbol);
/* Finds the next global or weak symbol from *index on. */
bool solo_symtab_next(const solo_symtab *table, uint32_t *index, solo_elf_symbol *out);

/* A relocation in a section that is loaded into memory. */
typedef struct solo_relocation {
  uint32_t section; /* section that is changed */
  solo_elf_symbol symbol;
  uint32_t entries; /* section of relocations, and */
  size_t at;        /* offset in it, of the iteration */
} solo_relocation;
/* Advances; starts from an all-zero walk. Skips unwind tables. False: end. */
bool solo_symtab_next_relocation(const solo_symtab *table, solo_relocation *walk);

/* link_select.c: selects the archive members that the host or device code needs. */
void solo_link_select(solo_link *link);
enum { SOLO_NAME_WANTED = 1, SOLO_NAME_DEFINED = 2 }; /* values of names */
/* Collects symbols; tests if table defines a symbol that is only wanted so far. */
void solo_link_take_symbols(solo_names *names, const solo_symtab *table);
bool solo_link_satisfies(const solo_names *names, const solo_symtab *table);
/* link_images.c: makes the images of all targets; after solo_link_select(). */
void solo_link_images(solo_link *link);
/* link_code.c */
bool solo_link_is_gpu(const char *triple);
void solo_link_add_code(solo_unit *unit, const solo_offload_entry *entry);
/* link_gpu.c: returns the image's file. */
const char *solo_link_nvidia(const solo_link *link, const solo_image_target *target,
                             const solo_image_inputs *files);
const char *solo_link_amd(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
const char *solo_link_cpu(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
/* link_ways.c: finds the optional libraries that the objects use; after solo_link_read(). */
void solo_link_ways(solo_link *link);
/* link_check.c: rejects programs that would link but behave incorrectly. */
void solo_link_check_libc(const solo_link *link);
void solo_link_check_machine(const solo_link *link);
void solo_link_check_undefined(const solo_link *link, const char *device_object);
/* Warns if units differ in their requires clauses. */
void solo_link_check_requires(const solo_link *link);
void solo_link_check_runtimes(const solo_link *link);
/* link_dynamic.c: device link of a dynamic program by Clang's wrapper. */
void solo_link_dynamic(const solo_link *link) __attribute__((noreturn));
/* link_repair.c: renames kernels of equal name in two objects. */
void solo_link_repair(solo_link *link);
/* link_same.c: true if the code of both symbols is certainly equal. */
bool solo_same_code(const solo_symtab *a, const solo_elf_symbol *in_a, const solo_symtab *b,
                    const solo_elf_symbol *in_b);
/* link_device.c: the device object; NULL if there is no device code. */
const char *solo_link_device(solo_link *link);
/* link_simt.c: an object that registers the virtual GPU's image; NULL if there is no device code. */
const char *solo_link_simt(solo_link *link);
/* link_emit.c: object files of one copy's table and of the registration. */
typedef struct solo_emitted {
  const char *table, *registration;
} solo_emitted;
/* True with AddressSanitizer: symbol sizes include red zones. */
bool solo_link_has_red_zones(const solo_symtab *device);
solo_emitted solo_link_emit(const solo_link *link, const solo_symtab *device, uint32_t flags);

/* An object that registers image_files with the units' entries. */
char *solo_link_emit_images(const solo_link *link);
/* Closes and assembles the source; returns the object's path. */
char *solo_link_assemble(FILE *file, const char *source, const char *object);
/* link_symbols.c: object with the symbols for images at run time; NULL: none requested. */
const char *solo_link_symbols(const solo_link *link);

#endif
