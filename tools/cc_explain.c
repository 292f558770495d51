/* Explains a failed link from the linker's messages, which are also printed. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct findings {
  char *gcc;    /* undefined function of libgomp; NULL: none */
  char *gcc_in; /* object that refers to `gcc`; NULL: unknown */
  char *object; /* object that ld's last "in function" line names */
  char *undefined;
  char *device; /* undefined symbol in a device link; NULL: none */
  bool crashed;
  bool full;
  bool cuda;
} findings;

/* Returns the undefined symbol in a message of ld, lld or nvlink; NULL: none. */
static char *missing_symbol(const char *line) {
  static const char *const words[] = {"undefined reference to ",
                                      "undefined symbol: ", "Undefined reference to "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *at = strstr(line, words[i]);
    if (!at) continue;
    at += strlen(words[i]);
    at += *at == '`' || *at == '\'';
    return solo_tool_text("%.*s", (int)strcspn(at, "'\n"), at);
  }
  return NULL;
}

/* Returns the object in a line of ld such as "a.o: in function `f':" or "a.o:(.text+0x5):
 * undefined ...". end_mark: the text after the object. */
static char *object_in(const char *line, const char *end_mark) {
  const char *end = strstr(line, end_mark);
  if (!end) return NULL;
  const char *begin = end;
  while (begin > line && (begin[-1] != ' ' || begin[0] == '(')) begin--;
  return solo_tool_text("%.*s", (int)(end - begin), begin);
}

/* The first version of GCC with this function in libgomp; NULL: unknown. Source: OpenMP in
 * https://gcc.gnu.org/gcc-13/changes.html to gcc-15/changes.html, and nm -D of libgomp. */
static const char *gcc_version_of(const char *name) {
  static const char *const later[][2] = {
      {"GOMP_target_map_indirect_ptr", "14"},
      {"GOMP_interop", "15"},
  };
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    if (strcmp(later[i][0], name) == 0) return later[i][1];
  return NULL;
}

static void inspect_line(void *context, const char *line) {
  findings *f = context;
  f->crashed =
      f->crashed || strstr(line, "PLEASE submit a bug report") || strstr(line, ": Cannot select: ");
  char *symbol = missing_symbol(line), *object = object_in(line, ": in function ");
  if (object) f->object = object;
  if (symbol && solo_tool_skip_prefix(symbol, "GOMP_") && !f->gcc) {
    object = object_in(line, ":(");
    f->gcc = symbol;
    f->gcc_in = f->object ? f->object : object;
  } else if (symbol)
    f->undefined = symbol;
  f->full = f->full || strstr(line, "No space left on device");
  f->cuda = f->cuda || strstr(line, "cannot find libdevice for sm_") ||
            strstr(line, "cannot find CUDA installation") || strstr(line, "'ptxas'") ||
            strstr(line, "\"ptxas\"");
  if (strstr(line, "clang-linker-wrapper: error: 'clang' failed") ||
      strstr(line, "clang-linker-wrapper: error: 'clang++' failed") ||
      strstr(line, "solo-link: error: cannot make device code"))
    f->device = f->undefined;
}

static void explain_gcc(const findings *f, const char *tool) {
  const char *version = gcc_version_of(f->gcc);
  fprintf(stderr,
          "%s: note: %s%s'%s' is a function of GCC's libgomp that solo does not have (%s%s)\n",
          tool, f->gcc_in ? f->gcc_in : "", f->gcc_in ? ": " : "", f->gcc,
          version ? "introduced in GCC " : "not in GCC 12 to 15", version ? version : "");
  fprintf(stderr, "  hint: compile the object with %s (Clang) instead of gcc -fopenmp\n", tool);
}

static void explain(const findings *f, const char *tool) {
  if (f->full)
    fprintf(stderr,
            "%s: note: a file system is full\n  hint: free space in the folders of the output and "
            "of TMPDIR, or set TMPDIR" SOLO_SEE("disk-full") "\n",
            tool);
  if (f->cuda)
    fprintf(stderr,
            "%s: note: Clang needs ptxas and libdevice of a CUDA toolkit for this target\n  hint: "
            "name its folder with --cuda-path=, or use --targets=ptx-sm_NN (no toolkit) or "
            "--targets=simt-sm_NN (virtual GPU)" SOLO_SEE("missing-ptxas") "\n",
            tool);
  if (f->crashed)
    fprintf(stderr, "%s: note: the compiler crashed\n  hint: %s\n", tool,
            strcmp(tool, "solo-fc") == 0
                ? "docs/limits-fortran.md lists code that flang 22 cannot compile"
                : "Clang 19 crashes for some virtual and indirect functions and atomic operations "
                  "in device code; try "
                  "--clang=clang-22");
  if (f->gcc) explain_gcc(f, tool);
  if (f->device &&
      (solo_tool_skip_prefix(f->device, "__kmpc_") || solo_tool_skip_prefix(f->device, "omp_")))
    fprintf(stderr,
            "%s: note: device code for this GPU has no function '%s'\n  hint: "
            "docs/conformance/device.md lists the constructs and routines that work on GPUs\n",
            tool, f->device);
  else if (f->device)
    fprintf(
        stderr,
        "%s: note: device code uses '%s', which no linked object or library defines for the "
        "device\n  hint: put the function between '#pragma omp begin declare target' and '#pragma "
        "omp end declare target' and compile it with %s, or link the library that defines it\n",
        tool, f->device, tool);
}

void solo_cc_check_version(const char *clang) {
  const char *name = strstr(solo_tool_base(clang), "clang"),
             *dash = name ? strrchr(name, '-') : NULL;
  long version = dash ? strtol(dash + 1, NULL, 10) : 0;
  if (version && version != 19 && version != 22)
    solo_tool_warn("%s has version %ld; solo supports Clang 19 and 22\n  hint: use "
                   "--clang=clang-19, or set SOLO_CLANG" SOLO_SEE("wrong-clang"),
                   clang, version);
}

int solo_cc_run_link(solo_list *command, const char *tool) {
  findings f = {0};
  if (isatty(STDERR_FILENO)) solo_list_insert(command, 1, "-fcolor-diagnostics");
  int status = solo_tool_run_watched(command, inspect_line, &f);
  if (status != 0) explain(&f, tool);
  return status;
}
