/* Makes device images without Clang's linker wrapper. Collects each target's code from selected
 * units, and from archive members that only device code needs; link_gpu.c links it. Code for
 * "generic" is part of every target. */
#include "tools/link.h"

#include <stdlib.h>

typedef struct input {
  const char *name;
  solo_span bytes;
  bool selected;
} input;

typedef struct inputs {
  input *item;
  size_t count;
} inputs;

static bool is_any(const char *arch) {
  return !*arch || strcmp(arch, "generic") == 0;
}

static void add_input(inputs *list, input one) {
  list->item = solo_tool_grow(list->item, list->count, sizeof one);
  list->item[list->count++] = one;
}

static bool is_of(const solo_code *code, const solo_image_target *target) {
  if (strcmp(code->triple, target->triple) != 0) return false;
  return is_any(code->arch) || !solo_link_is_gpu(target->triple) ||
         strcmp(code->arch, target->arch) == 0;
}

static void add_member(solo_link *link, solo_unit member, void *context) {
  (void)link;
  add_input(context, (input){.name = member.name, .bytes = member.bytes});
}

static inputs gather(solo_link *link, const solo_image_target *target) {
  inputs list = {0};
  for (size_t i = 0; i < link->unit_count; i++) {
    const solo_unit *unit = &link->unit[i];
    for (size_t k = 0; k < unit->code_count; k++)
      if (is_of(&unit->code[k], target))
        add_input(&list, (input){unit->name, unit->code[k].bytes, unit->selected});
  }
  for (size_t i = 0; i < link->device_libraries.count; i++)
    if (solo_tool_skip_prefix(target->triple, "nvptx"))
      solo_link_each_member(link, link->device_libraries.item[i], add_member, &list);
  return list;
}

static bool open_input(const input *in, solo_symtab *out) {
  return solo_elf_is(in->bytes) && solo_elf_open(in->bytes, &out->elf) == SOLO_OK &&
         solo_elf_static_symbols(&out->elf, &out->symbols) == SOLO_OK;
}

static bool is_builtin(const char *name) {
  static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static solo_list select_objects(inputs *list) {
  solo_names names = {0};
  solo_symtab table;
  for (size_t i = 0; i < list->count; i++)
    if (list->item[i].selected && open_input(&list->item[i], &table))
      solo_link_collect_symbols(&names, &table);
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < list->count; i++) {
      input *in = &list->item[i];
      if (in->selected || !open_input(in, &table) || !solo_link_defines_wanted(&names, &table))
        continue;
      in->selected = again = true;
      solo_link_collect_symbols(&names, &table);
    }
  }
  solo_list wanted = {0};
  for (size_t i = 0; i < names.capacity; i++)
    if (names.key[i] && names.value[i] == SOLO_NAME_WANTED && !is_builtin(names.key[i]))
      solo_list_add(&wanted, names.key[i]);
  return wanted;
}

static const char *write_input(const input *in, const char *end) {
  static unsigned number;
  char *name = solo_tool_text("code-%u-%.60s.%s", number++, solo_tool_base(in->name), end);
  for (char *c = name; *c; c++)
    if (*c == '(' || *c == ')') *c = '-';
  char *file = solo_tool_temporary(name);
  solo_tool_write(file, in->bytes.data, in->bytes.size);
  return file;
}

static solo_image_inputs write_inputs(const inputs *list, const solo_image_target *target) {
  solo_image_inputs out = {0};
  bool nvidia = solo_tool_skip_prefix(target->triple, "nvptx") != NULL;
  for (size_t i = 0; i < list->count; i++) {
    const input *in = &list->item[i];
    if (solo_is_bitcode(in->bytes))
      solo_list_add(in->selected ? &out.bitcode : &out.lazy_bitcode, write_input(in, "bc"));
    else if (in->selected && solo_elf_is(in->bytes))
      solo_list_add(&out.objects, write_input(in, nvidia ? "cubin" : "o"));
    else if (in->selected)
      solo_list_add(&out.texts, write_input(in, "ptx"));
  }
  return out;
}

static bool is_known(const solo_link *link, const solo_image_target *target) {
  for (size_t i = 0; i < link->target_count; i++)
    if (strcmp(link->target[i].triple, target->triple) == 0 &&
        strcmp(link->target[i].arch, target->arch) == 0)
      return true;
  return false;
}

static void list_targets(solo_link *link) {
  for (size_t i = 0; i < link->unit_count; i++)
    for (size_t k = 0; link->unit[i].selected && k < link->unit[i].code_count; k++) {
      const solo_code *code = &link->unit[i].code[k];
      bool gpu = solo_link_is_gpu(code->triple);
      solo_image_target target = {code->triple, gpu ? code->arch : ""};
      if ((gpu && is_any(code->arch)) || is_known(link, &target)) continue;
      link->target = solo_tool_grow(link->target, link->target_count, sizeof target);
      link->target[link->target_count++] = target;
    }
}

static const char *contain(const char *image, const solo_image_target *target) {
  char *out = solo_tool_temporary(solo_tool_text("%s.bin", solo_tool_base(image)));
  solo_list command = {0};
  solo_list_add(&command, solo_tool_sibling("solo-pack"));
  solo_list_add(&command, "create");
  solo_list_add(&command, "--format=offload");
  solo_list_add(&command, "-o");
  solo_list_add(&command, out);
  solo_list_addf(&command, "file=%s,triple=%s,arch=%s,kind=openmp", image, target->triple,
                 target->arch);
  if (solo_tool_run(&command) != 0) solo_tool_die("cannot pack the image %s", image);
  return out;
}

void solo_link_images(solo_link *link) {
  list_targets(link);
  for (size_t t = 0; t < link->target_count; t++) {
    const solo_image_target *target = &link->target[t];
    inputs list = gather(link, target);
    solo_list wanted = select_objects(&list);
    solo_image_inputs files = write_inputs(&list, target);
    files.wanted = wanted;
    const char *image;
    if (solo_tool_skip_prefix(target->triple, "nvptx"))
      image = solo_link_nvidia(link, target, &files);
    else if (solo_tool_skip_prefix(target->triple, "amdgcn"))
      image = solo_link_amd(link, target, &files);
    else
      image = solo_link_cpu(link, target, &files);
    solo_list_add(&link->image_files, contain(image, target));
  }
}
