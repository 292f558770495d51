/* Compiles LLVM bitcode (-flto, -foffload-lto) to ELF objects. lld -r optimises the objects of the
 * command line together, and all device code unless kernels were renamed. Archive members are
 * compiled separately. */
#include "tools/link.h"

#include <stdlib.h>

bool solo_is_bitcode(solo_span bytes) {
  return bytes.size >= 4 && memcmp(bytes.data, "BC\xc0\xde", 4) == 0;
}

static void need_clang(const solo_link *link, const char *name) {
  if (!link->clang)
    solo_tool_die("%s is LLVM bitcode (-flto or -foffload-lto) and needs Clang\n  hint: link with "
                  "solo-cc --static, use --clang=, or compile without this option",
                  name);
}

static void run(const solo_list *command, const char *name) {
  if (solo_tool_run(command) != 0)
    solo_tool_die(
        "%s: %s cannot compile the bitcode\n  hint: use the Clang that made it (--clang=)", name,
        solo_tool_base(command->item[0]));
}

static void add_words(solo_list *command, const char *const *words) {
  for (; *words; words++) solo_list_add(command, *words);
}

const char *solo_link_compile(const solo_link *link, const char *name, solo_span bitcode,
                              const char *triple) {
  static unsigned number;
  need_clang(link, name);
  char *in = solo_tool_temporary(solo_tool_text("lto-%u.bc", number));
  char *out = solo_tool_temporary(solo_tool_text("lto-%u.o", number++));
  solo_tool_write(in, bitcode.data, bitcode.size);
  solo_list command = {0};
  solo_list_add(&command, link->clang);
  if (triple && *triple) solo_list_addf(&command, "--target=%s", triple);
  const char *const words[] = {"-c",
                               "-fPIC",
                               "-ffunction-sections",
                               "-fdata-sections",
                               "-Wno-override-module",
                               link->optimisation ? link->optimisation : "-O2",
                               "-xir",
                               in,
                               "-o",
                               out,
                               NULL};
  add_words(&command, words);
  run(&command, name);
  return out;
}

static const char *lld_of(const solo_link *link) {
  solo_list query = {0};
  solo_list_add(&query, link->clang);
  solo_list_add(&query, "-print-prog-name=ld.lld");
  const char *lld = solo_tool_run_for_line(&query);
  if (!lld || !solo_tool_exists(lld))
    solo_tool_die(
        "-flto needs ld.lld of %s, which is not installed\n  hint: install lld-19 (for clang-19)",
        link->clang);
  return lld;
}

const char *solo_link_optimise(const solo_link *link, const solo_list *bitcode, const char *name) {
  need_clang(link, bitcode->item[0]);
  char *out = solo_tool_temporary(name);
  solo_list command = {0};
  solo_list_add(&command, lld_of(link));
  const char *const words[] = {"-r", "-o", out, NULL};
  add_words(&command, words);
  const char *level = link->optimisation ? link->optimisation + 2 : "2";
  solo_list_addf(&command, "--lto-O%s", level[0] >= '0' && level[0] <= '3' ? level : "2");
  solo_list_add_all(&command, bitcode);
  run(&command, bitcode->item[0]);
  return out;
}

void solo_link_join_bitcode(solo_link *link) {
  solo_list kept = {0}, bitcode = {0};
  size_t place = 0;
  for (size_t i = 0; i < link->arguments.count; i++) {
    const char *argument = link->arguments.item[i];
    solo_span bytes;
    bool value = solo_link_option_has_value(argument) && i + 1 < link->arguments.count;
    if (argument[0] == '-' || !solo_tool_map(argument, &bytes) || !solo_is_bitcode(bytes)) {
      solo_list_add(&kept, argument);
      if (value) solo_list_add(&kept, link->arguments.item[++i]);
      continue;
    }
    if (!bitcode.count) place = kept.count;
    solo_list_add(&bitcode, argument);
  }
  if (!bitcode.count) return;
  solo_list_insert(&kept, place, solo_link_optimise(link, &bitcode, "lto-objects.o"));
  link->arguments = kept;
}
