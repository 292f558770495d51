/* Emits the table solo_program_symbols (runtime/exports.h) for --symbols-of and --symbol. CPU
 * images registered at run time need this table, because a static program has no dynamic symbol
 * table. */
#include "tools/link.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct wanted {
  const char *name;
  bool weak;
} wanted;

typedef struct wanted_list {
  wanted *item;
  size_t count;
} wanted_list;

static int by_name(const void *a, const void *b) {
  return strcmp(((const wanted *)a)->name, ((const wanted *)b)->name);
}

static void want(wanted_list *list, const char *name, bool weak) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->item[i].name, name) == 0) {
      list->item[i].weak = list->item[i].weak && weak;
      return;
    }
  list->item = solo_tool_grow(list->item, list->count, sizeof *list->item);
  list->item[list->count++] = (wanted){name, weak};
}

static void add_undefined_symbols(wanted_list *list, const char *image) {
  solo_span bytes;
  solo_symtab table;
  if (!solo_tool_map(image, &bytes)) solo_tool_die("--symbols-of=%s: cannot be read", image);
  if (solo_elf_open(bytes, &table.elf) != SOLO_OK ||
      solo_elf_dynamic_symbols(&table.elf, &table.symbols) != SOLO_OK)
    solo_tool_die("--symbols-of=%s: not a shared object for the CPU\n  hint: extract images from "
                  "containers with solo-pack",
                  image);
  solo_elf_symbol symbol;
  for (uint32_t i = 1; solo_symtab_next(&table, &i, &symbol);)
    if (!solo_symbol_defines(&symbol) && symbol.type != STT_TLS)
      want(list, symbol.name, symbol.bind == STB_WEAK);
}

static const char *write_table(const wanted_list *list) {
  char *source = solo_tool_temporary("symbols.s");
  FILE *file = fopen(source, "w");
  if (!file) solo_tool_die_of_write(source);
  fputs("# written by solo-link\n\t.section .note.GNU-stack,\"\",@progbits\n"
        "\t.section .data.rel.ro.solo_program_symbols,\"aw\",@progbits\n\t.balign 8\n"
        "\t.globl solo_program_symbols\nsolo_program_symbols:\n",
        file);
  for (size_t i = 0; i < list->count; i++) {
    const char *symbol = solo_tool_asm_symbol(list->item[i].name);
    if (list->item[i].weak) fprintf(file, "\t.weak %s\n", symbol);
    fprintf(file, "\t.quad .Lname%zu, %s\n", i, symbol);
  }
  fputs("\t.section .rodata.solo_program_symbols,\"a\",@progbits\n\t.balign 4\n"
        "\t.globl solo_program_symbol_count\nsolo_program_symbol_count:\n",
        file);
  fprintf(file, "\t.long %zu\n", list->count);
  for (size_t i = 0; i < list->count; i++)
    fprintf(file, ".Lname%zu:\t.asciz %s\n", i, solo_tool_asm_string(list->item[i].name));
  return solo_link_assemble(file, source, "symbols.o");
}

const char *solo_link_symbols(const solo_link *link) {
  wanted_list list = {0};
  for (size_t i = 0; i < link->symbols_of.count; i++)
    add_undefined_symbols(&list, link->symbols_of.item[i]);
  for (size_t i = 0; i < link->symbols.count; i++) want(&list, link->symbols.item[i], false);
  if (!list.count) return NULL;
  qsort(list.item, list.count, sizeof *list.item, by_name);
  return write_table(&list);
}
