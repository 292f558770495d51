/* Writes and compiles a C file that registers images before main: images (.incbin, section
 * solo_images), a descriptor for each layout of entries (Clang 19, 22), a constructor. */
#include "tools/pack.h"

#include <stdio.h>

static const char text_of_file[] =
    "struct image { const void *start, *end; const void *entries, *entries_end; };\n"
    "struct descriptor { int count; const struct image *images; const void *entries, *entries_end; "
    "};\n"
    "int __tgt_register_lib(struct descriptor *);\n"
    "int __tgt_unregister_lib(struct descriptor *);\n"
    "int atexit(void (*)(void));\n"
    "#define RANGE(section) \\\n"
    "  extern const char __start_##section[] __attribute__((weak, visibility(\"hidden\"))); \\\n"
    "  extern const char __stop_##section[] __attribute__((weak, visibility(\"hidden\")));\n"
    "RANGE(omp_offloading_entries)\n"
    "RANGE(llvm_offload_entries)\n";

static const char text_of_registration[] =
    "#define OF(section) __start_##section, __stop_##section\n"
    "static struct image images_19[] = { IMAGES(OF(omp_offloading_entries)) };\n"
    "static struct image images_22[] = { IMAGES(OF(llvm_offload_entries)) };\n"
    "static struct descriptor descriptor_19 = { COUNT, images_19, OF(omp_offloading_entries) };\n"
    "static struct descriptor descriptor_22 = { COUNT, images_22, OF(llvm_offload_entries) };\n"
    "static int use_19(void) {\n"
    "  return __start_omp_offloading_entries != __stop_omp_offloading_entries || !use_22();\n"
    "}\n"
    "static void unregister_images(void) {\n"
    "  if (use_22()) __tgt_unregister_lib(&descriptor_22);\n"
    "  if (use_19()) __tgt_unregister_lib(&descriptor_19);\n"
    "}\n"
    "__attribute__((constructor(101))) static void register_images(void) {\n"
    "  if (use_19()) __tgt_register_lib(&descriptor_19);\n"
    "  if (use_22()) __tgt_register_lib(&descriptor_22);\n"
    "  atexit(unregister_images);\n"
    "}\n";

/* use_22(): the program has entries of Clang 22. use_19(): of Clang 19, or none at all. */
static const char text_of_use_22[] =
    "static int use_22(void) {\n"
    "  return __start_llvm_offload_entries != __stop_llvm_offload_entries;\n"
    "}\n";

static char *quote_for_c(const char *text) {
  char *out = solo_tool_alloc(2 * strlen(text) + 1), *at = out;
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') *at++ = '\\';
    *at++ = *text;
  }
  return out;
}

void solo_pack_wrap(const char *object, const solo_pack_image *images, size_t count,
                    const char *compiler) {
  solo_pack_buffer all = {0};
  char *containers = solo_tool_temporary("images.bin"), *source = solo_tool_temporary("images.c");
  FILE *file = fopen(source, "w");
  if (!file) solo_tool_die_of_write(source);
  fprintf(file, "/* written by solo-pack */\n%s", text_of_file);
  fprintf(file,
          "__asm__(\".pushsection solo_images,\\\"a\\\",%%progbits\\n\\t.balign 8\\n\"\n"
          "        \"solo_pack_images:\\n\\t.incbin %s\\n\\t.popsection\\n\");\n"
          "extern const char solo_pack_images[] __attribute__((visibility(\"hidden\")));\n"
          "#define COUNT %zu\n#define IMAGES(range) \\\n",
          quote_for_c(solo_tool_asm_string(containers)), count);
  for (size_t i = 0; i < count; i++) {
    size_t at;
    solo_pack_offload_one(&all, &images[i], &at);
    fprintf(file, "  { solo_pack_images + %zu, solo_pack_images + %zu, range }%s\n", at,
            at + images[i].bytes.size, i + 1 < count ? ", \\" : "");
  }
  fprintf(file, "%s%s", text_of_use_22, text_of_registration);
  if (fclose(file) != 0) solo_tool_die_of_write(source);
  solo_tool_write(containers, all.data, all.size);
  solo_list command = {0};
  const char *const words[] = {compiler, "-O1",  "-fPIC", "-fno-lto", "-w",
                               "-c",     source, "-o",    object};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) solo_list_add(&command, words[i]);
  if (!solo_tool_exists(compiler))
    solo_tool_die("no command %s\n  hint: name a C compiler with --cc=COMMAND", compiler);
  if (solo_tool_run(&command) != 0)
    solo_tool_die("%s cannot compile the registration code", compiler);
}
