/* solo-pack: lists, extracts, creates and wraps containers of device images. */
#include "tools/pack.h"

#include "runtime/image/elf.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char help[] =
    "usage: solo-pack list FILE...\n"
    "       solo-pack extract [--image=N] -o PATH FILE\n"
    "       solo-pack create --format=FORMAT [options] -o FILE IMAGE...\n"
    "       solo-pack wrap [--cc=COMMAND] -o FILE.o IMAGE...\n"
    "Reads and writes containers of device code: OffloadBinary, bundles of clang-offload-bundler\n"
    "(binary, text, compressed), HIP and CUDA fat binaries. Finds them also in programs, objects\n"
    "and archives.\n"
    "\n"
    "  list       print containers and numbered images with targets, offsets and sizes\n"
    "  extract    write image N to the file PATH, or all images to the folder PATH\n"
    "  create     write the images to one container\n"
    "  wrap       make an object that registers the images before main; the program that links it\n"
    "             must contain the entries of the kernels\n"
    "\n"
    "IMAGE is a file, or file=PATH,triple=T,arch=A,kind=K if the contents do not identify the\n"
    "target (kinds: openmp, cuda, hip, hipv4, host, none).\n"
    "\n"
    "  --image=N          extract: number of the image, as list prints it\n"
    "  --format=FORMAT    create: see below\n"
    "  --align=N          bundle, hip: alignment of members, a power of two\n"
    "  --comment=TOKEN    text: begin of a comment                          [#]\n"
    "  --method=METHOD    ccob1, ccob2, ccob3: zstd or zlib                 [zstd]\n"
    "  --compress         offload3, fatbin: compress with zstd\n"
    "  --level=N          compression level                                 [zstd: 3, zlib: 6]\n"
    "  --cc=COMMAND       wrap: C compiler                                  [cc]\n"
    "  --show             print the commands\n"
    "  --help             print this text\n"
    "\n"
    "formats:\n";

typedef struct settings {
  const char *command, *output, *format, *compiler;
  unsigned image;
  solo_pack_options options;
  solo_list files;
} settings;

static unsigned long number(const char *option, const char *text) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (errno || *end || end == text || text[0] == '-')
    solo_pack_usage("%s%s: not a number", option, text);
  return value;
}

static bool parse_pack_option(settings *s, const char *option) {
  const char *value;
  if ((value = solo_tool_skip_prefix(option, "--image="))) {
    s->image = (unsigned)number("--image=", value);
    if (s->image == 0) solo_pack_usage("--image=0: images are numbered from 1");
  } else if ((value = solo_tool_skip_prefix(option, "--format="))) {
    s->format = value;
  } else if ((value = solo_tool_skip_prefix(option, "--align="))) {
    s->options.align = number("--align=", value);
    if (s->options.align == 0 || (s->options.align & (s->options.align - 1)))
      solo_pack_usage("%s: not a power of two", option);
  } else if ((value = solo_tool_skip_prefix(option, "--comment="))) {
    s->options.comment = value;
  } else if ((value = solo_tool_skip_prefix(option, "--method="))) {
    s->options.zlib = strcmp(value, "zlib") == 0;
    if (!s->options.zlib && strcmp(value, "zstd") != 0) solo_pack_usage("%s: zstd or zlib", option);
  } else if (strcmp(option, "--compress") == 0) {
    s->options.compress = true;
  } else if ((value = solo_tool_skip_prefix(option, "--level="))) {
    s->options.level = (int)number("--level=", value);
  } else if ((value = solo_tool_skip_prefix(option, "--cc="))) {
    s->compiler = value;
  } else if (strcmp(option, "--show") == 0) {
    solo_tool_show_commands();
  } else {
    return false;
  }
  return true;
}

static settings read_arguments(int argc, char **argv) {
  settings s = {.compiler = "cc"};
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      printf("%s%s", help, solo_pack_formats_help);
      exit(solo_tool_finish(0));
    } else if (strcmp(word, "-o") == 0) {
      if (++i == argc) solo_pack_usage("-o: PATH is missing");
      s.output = argv[i];
    } else if (word[0] == '-' && word[1]) {
      if (!parse_pack_option(&s, word)) solo_pack_usage("unknown option %s", word);
    } else if (!s.command) {
      s.command = word;
    } else {
      solo_list_add(&s.files, word);
    }
  }
  if (!s.command) solo_pack_usage("no command (list, extract, create or wrap)");
  return s;
}

static void show(void *unused, const solo_pack_item *item) {
  (void)unused;
  printf("%*s", 2 * (int)item->depth, "");
  if (item->number) printf("[%u] ", item->number);
  if (item->label[0]) printf("%s: ", item->label);
  if (item->error)
    printf("malformed at offset 0x%llx: %s\n", (unsigned long long)item->offset, item->error);
  else
    printf("%s, offset 0x%llx, %zu bytes\n", item->words, (unsigned long long)item->offset,
           item->bytes.size);
}

static int list(const settings *s) {
  bool sound = true;
  if (s->files.count == 0) solo_pack_usage("list: no file");
  for (size_t i = 0; i < s->files.count; i++) {
    if (s->files.count > 1) printf("%s:\n", s->files.item[i]);
    if (!solo_pack_walk(solo_tool_input(s->files.item[i]), show, NULL)) sound = false;
  }
  return sound ? 0 : 1;
}

typedef struct extraction {
  const settings *settings;
  unsigned written, seen;
} extraction;

static const char *extension(const solo_image *image) {
  switch (image->kind) {
  case SOLO_IMAGE_PTX:
    return "ptx";
  case SOLO_IMAGE_BITCODE:
    return "bc";
  case SOLO_IMAGE_SPIRV:
    return "spv";
  case SOLO_IMAGE_UNKNOWN:
    return "txt";
  case SOLO_IMAGE_ELF:
    break;
  default:
    return "bin";
  }
  if (image->machine == SOLO_EM_CUDA) return "cubin";
  if (image->machine == SOLO_EM_AMDGPU) return "co";
  return image->type == ET_REL ? "o" : image->type == ET_DYN ? "so" : "elf";
}

static char *file_name(const solo_pack_item *item) {
  char *name = solo_tool_text("%u-%s.%s", item->number,
                              item->image->target[0] ? item->image->target : "image",
                              extension(item->image));
  for (char *at = name; *at; at++)
    if (*at == ':' || *at == '/') *at = '-';
  return name;
}

static void extract_item(void *context, const solo_pack_item *item) {
  extraction *e = context;
  if (item->error) solo_tool_warn("%s%s%s", item->label, item->label[0] ? ": " : "", item->error);
  if (!item->number) return;
  e->seen = item->number;
  if (e->settings->image == item->number) {
    solo_tool_write(e->settings->output, item->bytes.data, item->bytes.size);
    e->written++;
  } else if (!e->settings->image && !(item->depth == 0 && item->offset == 0)) {
    char *path = solo_tool_text("%s/%s", e->settings->output, file_name(item));
    solo_tool_write(path, item->bytes.data, item->bytes.size);
    printf("%s\n", path);
    e->written++;
  }
}

static int extract(const settings *s) {
  extraction e = {.settings = s};
  if (s->files.count != 1)
    solo_pack_usage("extract: one file is required, not %zu", s->files.count);
  if (!s->output) solo_pack_usage("extract: -o PATH is missing");
  if (!s->image && mkdir(s->output, 0777) != 0 && errno != EEXIST)
    solo_tool_die("cannot create the folder %s: %s", s->output, strerror(errno));
  bool sound = solo_pack_walk(solo_tool_input(s->files.item[0]), extract_item, &e);
  if (s->image && e.written == 0)
    solo_tool_die("%s has no image %u: solo-pack list prints %u", s->files.item[0], s->image,
                  e.seen);
  if (e.written == 0) solo_tool_die("%s contains no image", s->files.item[0]);
  return sound ? 0 : 1;
}

static solo_pack_image *inputs(const settings *s) {
  if (!s->output) solo_pack_usage("%s: -o FILE is missing", s->command);
  if (s->files.count == 0) solo_pack_usage("%s: no image", s->command);
  solo_pack_image *images = solo_tool_alloc(s->files.count * sizeof *images);
  for (size_t i = 0; i < s->files.count; i++) images[i] = solo_pack_input(s->files.item[i]);
  return images;
}

static int create(const settings *s) {
  solo_pack_buffer out = {0};
  if (!s->format) solo_pack_usage("create: --format=FORMAT is missing");
  solo_pack_writer *write = solo_pack_format(s->format);
  if (!write) solo_pack_usage("unknown format \"%s\"", s->format);
  write(&out, inputs(s), s->files.count, &s->options);
  solo_tool_write(s->output, out.data, out.size);
  return 0;
}

static int wrap(const settings *s) {
  solo_pack_wrap(s->output, inputs(s), s->files.count, s->compiler);
  return 0;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(const settings *);
  } commands[] = {{"list", list}, {"extract", extract}, {"create", create}, {"wrap", wrap}};
  solo_tool_start("solo-pack");
  settings s = read_arguments(argc, argv);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(commands[i].name, s.command) == 0) return solo_tool_finish(commands[i].run(&s));
  solo_pack_usage("unknown command \"%s\": list, extract, create or wrap", s.command);
}
