/* Interfaces between the files of solo-link: inputs -> units -> select -> check, repair -> device
 * object -> host link. A unit is one relocatable object, from the command line or an archive. Its
 * device parts are ELF objects in its .llvm.offloading section. Ownership, threads, errors: as in
 * common.h. */
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

/* Device code for this processor. */
typedef struct solo_part {
  solo_span bytes;
  solo_symtab table;
  const char *file;  /* replaced by a repaired copy */
  solo_span bitcode; /* source of bytes; empty: none */
  bool repaired;
} solo_part;

/* Device code for an image (--images). */
typedef struct solo_code {
  const char *triple, *arch; /* arch: "" or "generic": any */
  solo_span bytes;
} solo_code;

typedef struct solo_image_target {
  const char *triple, *arch; /* arch: "" for a CPU */
} solo_image_target;

typedef struct solo_image_inputs {
  solo_list objects, texts;        /* ELF; PTX */
  solo_list bitcode, lazy_bitcode; /* lazy: only if referenced */
  solo_list wanted;                /* undefined in objects */
} solo_image_inputs;

enum { SOLO_ENTRIES_19 = 1, SOLO_ENTRIES_22 = 2 }; /* entry sections of Clang 19, 22 */

typedef struct solo_unit {
  const char *name;
  const char *path;
  solo_span bytes;
  solo_symtab table;
  size_t argument;
  bool member;   /* linked only if needed */
  bool whole;    /* --whole-archive */
  bool selected; /* in the host link */
  bool startup;  /* crt*.o */
  unsigned entries;
  bool has_lines;
  bool shared_memory;  /* "requires unified_shared_memory" */
  const char *foreign; /* target of its device code; NULL: CPU */
  solo_part *part;
  size_t part_count;
  bool had_parts;
  const char *replacement; /* repaired host side */
  solo_span *bitcode;      /* for the virtual GPU */
  size_t bitcode_count;
  solo_code *code;
  size_t code_count;
} solo_unit;

/* Optional libraries. */
enum { SOLO_LINK_REX, SOLO_LINK_HIP, SOLO_LINK_CUDA, SOLO_LINK_WAYS };
extern const char *const solo_link_way_names[SOLO_LINK_WAYS];

typedef struct solo_link {
  solo_list arguments;         /* of the linker, unchanged */
  solo_list wrapper_arguments; /* also of Clang's wrapper */
  const char *linker;
  const char *clang; /* NULL: unknown */
  const char *optimisation;
  const char *library;       /* path of libsolo.a */
  const char *device_linker; /* Clang's linker wrapper */
  const char *output;
  const char *libc;
  const char *device_object; /* --device-object: the only output */
  long copies;
  const char *simt; /* "sm_90"; NULL: no virtual GPU */
  const char *simt_llvm;
  const char *simt_opt;
  bool simt_checks;
  bool ptx;    /* with simt: PTX and a cubin */
  bool images; /* make and register images */
  bool linked; /* dynamic program with linked device code */
  bool remote;
  const char *cuda_path;
  solo_list device_libraries, device_folders; /* for NVIDIA */
  solo_list builtin_bitcode;
  solo_image_target *target;
  size_t target_count;
  solo_list image_files; /* registered with the units' entries */
  bool allow_host_only;
  bool runtime_images; /* images may be registered at run time */
  bool ways[SOLO_LINK_WAYS];
  solo_list symbols, symbols_of;
  bool asks; /* -v, --version */
  bool relocatable;
  bool gc;
  uint16_t machine;
  size_t first_library; /* position of the device object */
  solo_unit *unit;
  size_t unit_count;
} solo_link;

void solo_link_read(solo_link *link, int argc, char **argv);
void solo_link_add_file(solo_link *link, const char *path, size_t argument, bool whole);
/* Visits an archive outside the host link. */
typedef void solo_link_visit_member(solo_link *link, solo_unit member, void *context);
void solo_link_each_member(solo_link *link, const char *path, solo_link_visit_member *visit,
                           void *context);
bool solo_link_takes_value(const char *option);

/* Replace bitcode by objects. Command line objects become one. */
bool solo_is_bitcode(solo_span bytes);
void solo_link_join_bitcode(solo_link *link);
/* Return the object file. */
const char *solo_link_compile(const solo_link *link, const char *name, solo_span bitcode,
                              const char *triple);
const char *solo_link_optimise(const solo_link *link, const solo_list *bitcode, const char *name);
bool solo_symbol_defines(const solo_elf_symbol *symbol);
bool solo_symtab_next(const solo_symtab *table, uint32_t *index, solo_elf_symbol *out);

/* A relocation in loaded memory. */
typedef struct solo_relocation {
  uint32_t section; /* changed section */
  solo_elf_symbol symbol;
  uint32_t entries; /* iteration: section of relocations, */
  size_t at;        /* offset */
} solo_relocation;
/* Starts from zero, skips unwind tables. False: end. */
bool solo_symtab_next_relocation(const solo_symtab *table, solo_relocation *walk);

/* Selects archive members that the host or device code needs. */
void solo_link_select(solo_link *link);
enum { SOLO_NAME_WANTED = 1, SOLO_NAME_DEFINED = 2 };
/* Collects symbols; true if table defines a wanted symbol. */
void solo_link_take_symbols(solo_names *names, const solo_symtab *table);
bool solo_link_satisfies(const solo_names *names, const solo_symtab *table);
/* After solo_link_select(). */
void solo_link_images(solo_link *link);
bool solo_link_is_gpu(const char *triple);
void solo_link_add_code(solo_unit *unit, const solo_offload_entry *entry);
const char *solo_link_nvidia(const solo_link *link, const solo_image_target *target,
                             const solo_image_inputs *files);
const char *solo_link_amd(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
const char *solo_link_cpu(const solo_link *link, const solo_image_target *target,
                          const solo_image_inputs *files);
void solo_link_ways(solo_link *link);
void solo_link_check_libc(const solo_link *link);
void solo_link_check_machine(const solo_link *link);
void solo_link_check_undefined(const solo_link *link, const char *device_object);
void solo_link_check_requires(const solo_link *link);
void solo_link_check_runtimes(const solo_link *link);
/* Runs Clang's wrapper. */
void solo_link_dynamic(const solo_link *link) __attribute__((noreturn));
void solo_link_repair(solo_link *link);
/* True only if certainly equal. */
bool solo_same_code(const solo_symtab *a, const solo_elf_symbol *in_a, const solo_symtab *b,
                    const solo_elf_symbol *in_b);
/* NULL: no device code. */
const char *solo_link_device(solo_link *link);
/* NULL: no device code. */
const char *solo_link_simt(solo_link *link);
/* Object files. */
typedef struct solo_emitted {
  const char *table, *registration;
} solo_emitted;
/* AddressSanitizer: symbol sizes include red zones. */
bool solo_link_has_red_zones(const solo_symtab *device);
solo_emitted solo_link_emit(const solo_link *link, const solo_symtab *device, uint32_t flags);

char *solo_link_emit_images(const solo_link *link);
char *solo_link_assemble(FILE *file, const char *source, const char *object);
/* Table for --symbol, --symbols-of; NULL: none. */
const char *solo_link_symbols(const solo_link *link);

#endif
