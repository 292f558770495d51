/* Interfaces inside solo-link. README.md describes the steps.
 * A unit is one relocatable object, from the command line or from an archive. Its device parts are
 * ELF objects in its section .llvm.offloading. */
#ifndef SOLO_TOOLS_LINK_H
#define SOLO_TOOLS_LINK_H

#include "runtime/image/elf.h"
#include "tools/common.h"
#include <stdio.h>

typedef struct solo_symtab {
  solo_elf elf;
  solo_elf_symbols symbols;
} solo_symtab;

typedef struct solo_part {
  solo_span bytes;
  solo_symtab table;
  const char *file;  /* path; if `repaired`, of the copy with renamed kernels */
  solo_span bitcode; /* source of `bytes`; empty: the input was an object */
  bool repaired;
} solo_part;

/* Device code that becomes an image (--images). */
typedef struct solo_code {
  const char *triple, *arch; /* arch: "" or "generic" for any processor */
  solo_span bytes;
} solo_code;

typedef struct solo_image_target {
  const char *triple, *arch;
} solo_image_target;

typedef struct solo_image_inputs {
  solo_list objects, texts;        /* ELF; PTX */
  solo_list bitcode, lazy_bitcode; /* lazy_bitcode: linked only if it is referenced */
  solo_list wanted;                /* symbols that no object defines */
} solo_image_inputs;

enum { SOLO_ENTRIES_19 = 1, SOLO_ENTRIES_22 = 2 };

typedef struct solo_unit {
  const char *name;
  const char *path;
  solo_span bytes;
  solo_symtab table;
  size_t argument;
  bool member;   /* archive member, linked only if needed */
  bool whole;    /* the archive is under --whole-archive */
  bool selected; /* the host link includes the unit */
  bool startup;  /* crt*.o */
  unsigned entries;
  bool has_lines;
  bool shared_memory; /* "requires unified_shared_memory" */
  /* target, if the unit has device code but none for the CPU; else NULL */
  const char *foreign;
  solo_part *part;
  size_t part_count;
  bool had_parts;
  const char *replacement;
  solo_span *bitcode;
  size_t bitcode_count;
  solo_code *code;
  size_t code_count;
} solo_unit;

enum { SOLO_LINK_REX, SOLO_LINK_HIP, SOLO_LINK_CUDA, SOLO_LINK_LIBRARY_COUNT };
extern const char *const solo_link_library_names[SOLO_LINK_LIBRARY_COUNT];

typedef struct solo_link {
  solo_list arguments;
  solo_list wrapper_arguments; /* including options of Clang's wrapper */
  const char *linker;
  const char *clang;
  const char *optimisation;
  const char *library;       /* path of libsolo.a on the command line; NULL: none */
  const char *device_linker; /* path of --device-link: Clang's linker wrapper */
  const char *output;
  const char *libc;
  const char *device_object; /* path of --device-object: only this file is written */
  long copies;
  const char *simt; /* "sm_90" or similar; NULL: no virtual GPU */
  const char *simt_llvm;
  const char *simt_opt;
  bool simt_checks;
  bool ptx; /* with simt: makes PTX and a cubin */
  bool images;
  bool linked; /* dynamic program with linked device code */
  bool remote;
  const char *cuda_path;
  solo_list device_libraries, device_folders;
  solo_list builtin_bitcode;
  solo_list device_runtimes; /* PROCESSOR=FILE, for flang's code */
  solo_image_target *target;
  size_t target_count;
  solo_list image_files; /* registered together with the units' entries */
  bool allow_host_only;
  bool runtime_images; /* the program may register images at run time */
  bool ways[SOLO_LINK_LIBRARY_COUNT];
  solo_list symbols, symbols_of;
  bool only_prints; /* -v or --version, possibly without inputs */
  bool relocatable;
  bool gc;
  uint16_t machine;
  size_t first_library; /* the device object is inserted before this argument */
  solo_unit *unit;
  size_t unit_count;
} solo_link;

void solo_link_read(solo_link *link, int argc, char **argv);
void solo_link_add_file(solo_link *link, const char *path, size_t argument, bool whole);
typedef void solo_link_visit_member(solo_link *link, solo_unit member, void *context);
void solo_link_each_member(solo_link *link, const char *path, solo_link_visit_member *visit,
                           void *context);
bool solo_link_option_has_value(const char *option);

bool solo_is_bitcode(solo_span bytes);
/* Makes one object of the command line's bitcode. */
void solo_link_join_bitcode(solo_link *link);
const char *solo_link_compile(const solo_link *link, const char *name, solo_span bitcode,
                              const char *triple);
const char *solo_link_optimise(const solo_link *link, const solo_list *bitcode, const char *name);
bool solo_symbol_defines(const solo_elf_symbol *symbol);
bool solo_symtab_next(const solo_symtab *table, uint32_t *index, solo_elf_symbol *out);

/* A relocation in a loaded section. */
typedef struct solo_relocation {
  uint32_t section; /* the changed section */
  solo_elf_symbol symbol;
  uint32_t entries; /* walk: section of relocations */
  size_t at;        /* walk: offset in this section */
} solo_relocation;
/* false: the end. *walk is initially zero. Skips unwind tables. */
bool solo_symtab_next_relocation(const solo_symtab *table, solo_relocation *walk);

void solo_link_select(solo_link *link);
enum { SOLO_NAME_WANTED = 1, SOLO_NAME_DEFINED = 2 };
void solo_link_collect_symbols(solo_names *names, const solo_symtab *table);
bool solo_link_defines_wanted(const solo_names *names, const solo_symtab *table);
/* Called after solo_link_select(). */
void solo_link_images(solo_link *link);
bool solo_link_is_gpu(const char *triple);
const char *solo_link_nvidia(const solo_link *link, const solo_image_target *target,
                             const solo_image_inputs *files);
const char *solo_link_amd(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
const char *solo_link_cpu(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
void solo_link_check_libc(const solo_link *link);
void solo_link_check_machine(const solo_link *link);
void solo_link_check_undefined(const solo_link *link, const char *device_object);
void solo_link_check_requires(const solo_link *link);
void solo_link_check_runtimes(const solo_link *link);
void solo_link_repair(solo_link *link);
/* Returns true if the code is certainly equal. */
bool solo_same_code(const solo_symtab *a, const solo_elf_symbol *in_a, const solo_symtab *b,
                    const solo_elf_symbol *in_b);
/* Return the device object, or an object with the image of the virtual GPU; NULL: no device code. */
const char *solo_link_device(solo_link *link);
const char *solo_link_simt(solo_link *link);
/* Paths of object files. */
typedef struct solo_emitted {
  const char *table, *registration;
} solo_emitted;
/* Returns whether symbol sizes include red zones (AddressSanitizer). */
bool solo_link_has_red_zones(const solo_symtab *device);
solo_emitted solo_link_emit(const solo_link *link, const solo_symtab *device, uint32_t flags);

/* Joins flang's bitcode with Fortran's device library. Returns other files unchanged. */
solo_list solo_link_add_fortran(const char *version, const solo_list *files, const char *library);
void solo_link_check_fortran(const char *disassembler, const char *bitcode);

char *solo_link_emit_images(const solo_link *link);
char *solo_link_assemble(FILE *file, const char *source, const char *object);
/* Returns an object with solo_program_symbols; NULL: not requested. */
const char *solo_link_symbols(const solo_link *link);

#endif
