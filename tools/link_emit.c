/* Emits the table of device symbols and the registration. Each copy of the device code has a
 * part of the table; ld -r joins these parts after the registration's label .Lsymbols. */
#include "tools/link.h"
#include "tools/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/image/linked.h"
#include "runtime/image/simt.h"

typedef struct named {
  const char *name;
  uint64_t size;
} named;

static int by_name(const void *a, const void *b) {
  return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* Symbols that the library needs although no entry names them. */
static bool is_well_known(const char *name) {
  return strcmp(name, "__omp_offloading_fptr_map_p") == 0 ||
         strcmp(name, "__omp_offloading_fptr_map_size") == 0;
}

static void collect_entries(solo_names *wanted, const solo_symtab *table) {
  solo_elf_symbol symbol;
  for (uint32_t i = 1; solo_symtab_next(table, &i, &symbol);) {
    const char *name = solo_tool_skip_prefix(symbol.name, ".offloading.entry.");
    if (name) solo_names_put(wanted, name, 1);
  }
}

bool solo_link_has_red_zones(const solo_symtab *device) {
  for (uint32_t i = 0; i < device->elf.section_count; i++) {
    Elf64_Shdr section = solo_elf_section(&device->elf, i);
    if (strcmp(solo_elf_section_name(&device->elf, &section), "asan_globals") == 0) return true;
  }
  return false;
}

static size_t choose(const solo_link *link, const solo_symtab *device, named **out) {
  solo_names wanted = {0};
  bool sizes_known = !solo_link_has_red_zones(device);
  collect_entries(&wanted, device);
  for (size_t i = 0; i < link->unit_count; i++)
    if (link->unit[i].selected) collect_entries(&wanted, &link->unit[i].table);
  named *list = NULL;
  size_t count = 0;
  solo_elf_symbol symbol;
  for (uint32_t i = 1; solo_symtab_next(device, &i, &symbol);) {
    if (!solo_symbol_defines(&symbol) || symbol.type == STT_TLS) continue;
    if (!solo_names_find(&wanted, symbol.name) && !is_well_known(symbol.name)) continue;
    list = solo_tool_grow(list, count, sizeof *list);
    list[count++] = (named){symbol.name, symbol.type == STT_FUNC || !sizes_known ? 0 : symbol.size};
  }
  if (count) qsort(list, count, sizeof *list, by_name);
  *out = list;
  return count;
}

static FILE *create(const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) solo_tool_die_of_write(path);
  fputs("# written by solo-link\n\t.section .note.GNU-stack,\"\",@progbits\n", file);
  return file;
}

char *solo_link_assemble(FILE *file, const char *source, const char *object) {
  if (fclose(file) != 0) solo_tool_die_of_write(source);
  char *out = solo_tool_temporary(object);
  solo_list command = {0};
  solo_list_add(&command, solo_tool_binutil("as"));
  solo_list_add(&command, "-o");
  solo_list_add(&command, out);
  solo_list_add(&command, source);
  if (solo_tool_run(&command) != 0)
    solo_tool_die("the assembler rejects %s\n  hint: check the installation of binutils", source);
  return out;
}

static char *emit_table(const named *list, size_t count) {
  char *source = solo_tool_temporary("table.s");
  FILE *file = create(source);
  fputs("\t.section solo_linked_symbols,\"aw\",@progbits\n\t.balign 8\n", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "\t.quad .Lname%zu, %s, %llu\n", i, solo_tool_asm_symbol(list[i].name),
            (unsigned long long)list[i].size);
  fputs("\t.section .rodata.solo_linked_names,\"a\",@progbits\n", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, ".Lname%zu:\t.asciz %s\n", i, solo_tool_asm_string(list[i].name));
  return solo_link_assemble(file, source, "table.o");
}

/* Tools search for containers in section .llvm.offloading. */
static void emit_images(const solo_link *link, FILE *file) {
  const char *section = link->simt && !link->ptx ? SOLO_SIMT_SECTION ",\"a\",@progbits"
                                                 : ".llvm.offloading,\"a\",@0x6fff4c0b";
  for (size_t i = 0; i < link->image_files.count; i++)
    fprintf(file,
            "\t.section %s\n\t.balign 16\n.Lbytes%zu:\t.incbin "
            "%s\n.Lbytes%zu_end:\n",
            section, i, solo_tool_asm_string(link->image_files.item[i]), i);
}

/* linked 1: the first image is linked code. */
static void emit_descriptor(const solo_link *link, FILE *file, size_t linked, const char *section) {
  fprintf(file, "\t.hidden __start_%s, __stop_%s\n.Limage_%s:\n", section, section, section);
  if (linked)
    fprintf(file, "\t.quad .Llinked, .Llinked_end, __start_%s, __stop_%s\n", section, section);
  for (size_t i = 0; i < link->image_files.count; i++)
    fprintf(file, "\t.quad .Lbytes%zu, .Lbytes%zu_end, __start_%s, __stop_%s\n", i, i, section,
            section);
  fprintf(file, ".Ldescriptor_%s:\t.long %zu, 0\n\t.quad .Limage_%s, __start_%s, __stop_%s\n",
          section, linked + link->image_files.count, section, section, section);
}

static void emit_calls(const solo_link *link, FILE *file, unsigned entries, const char *function) {
  const solo_machine *machine = solo_machine_for_elf(link->machine);
  fprintf(file, "\t.section .text.solo_linked_register,\"ax\",@progbits\n.L%s:\n%s", function,
          machine->enter);
  if (entries & SOLO_ENTRIES_19)
    fprintf(file, machine->call, ".Ldescriptor_omp_offloading_entries", function);
  if (entries & SOLO_ENTRIES_22)
    fprintf(file, machine->call, ".Ldescriptor_llvm_offload_entries", function);
  fputs(machine->leave, file);
}

static char *emit_registration(const solo_link *link, FILE *file, size_t linked,
                               const char *source) {
  if (!solo_machine_for_elf(link->machine))
    solo_tool_die(
        "linked images: unsupported ELF machine %u\n  hint: add its row to tools/machine.c",
        link->machine);
  unsigned entries = 0;
  for (size_t i = 0; i < link->unit_count; i++)
    if (link->unit[i].selected) entries |= link->unit[i].entries;
  emit_images(link, file);
  fputs("\t.section .data.rel.ro.solo_linked,\"aw\",@progbits\n\t.balign 8\n", file);
  if (entries & SOLO_ENTRIES_19) emit_descriptor(link, file, linked, "omp_offloading_entries");
  if (entries & SOLO_ENTRIES_22) emit_descriptor(link, file, linked, "llvm_offload_entries");
  emit_calls(link, file, entries, "__tgt_register_lib");
  fputs("\t.section .init_array.00101,\"aw\",@init_array\n\t.balign 8\n"
        "\t.quad .L__tgt_register_lib\n",
        file);
  /* for dlclose() and destructors of images */
  if (link->image_files.count || solo_list_has(&link->arguments, "-shared")) {
    emit_calls(link, file, entries, "__tgt_unregister_lib");
    fputs("\t.section .fini_array.00101,\"aw\",@fini_array\n\t.balign 8\n"
          "\t.quad .L__tgt_unregister_lib\n",
          file);
  }
  return solo_link_assemble(file, source, "registration.o");
}

static char *emit_linked(const solo_link *link, size_t count, uint32_t flags) {
  char *source = solo_tool_temporary("registration.s");
  FILE *file = create(source);
  fputs("\t.section solo_linked_symbols,\"aw\",@progbits\n\t.balign 8\n.Lsymbols:\n", file);
  fprintf(
      file,
      "\t.section .data.rel.ro.solo_linked,\"aw\",@progbits\n\t.balign 8\n"
      ".Llinked:\t.quad 0x%llx\n\t.long %d, %u, %ld, %u\n\t.quad %zu, .Lsymbols\n.Llinked_end:\n",
      (unsigned long long)SOLO_LINKED_MAGIC, SOLO_LINKED_VERSION, flags, link->copies,
      (unsigned)link->machine, count);
  return emit_registration(link, file, 1, source);
}

static void emit_simt_math(FILE *file) {
  fputs("\t.section .data.rel.ro.solo_simt_math,\"aw\",@progbits\n\t.balign 8\n\t.globl "
        "solo_simt_math\n\t.hidden solo_simt_math\nsolo_simt_math:\n",
        file);
#define XX(name) fputs("\t.quad " #name "\n", file);
  SOLO_SIMT_FUNCTIONS_1(XX)
  SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
}

char *solo_link_emit_images(const solo_link *link) {
  char *source = solo_tool_temporary("image.s");
  FILE *file = create(source);
  if (link->simt && !link->ptx) emit_simt_math(file);
  return emit_registration(link, file, 0, source);
}

solo_emitted solo_link_emit(const solo_link *link, const solo_symtab *device, uint32_t flags) {
  named *list;
  size_t count = choose(link, device, &list);
  return (solo_emitted){.table = emit_table(list, count),
                        .registration = emit_linked(link, count, flags)};
}
