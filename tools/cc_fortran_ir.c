/* Rewrites the LLVM code that flang emits for GPUs, so that LLVM's back ends and solo's device
 * runtime accept it. */
#include "tools/cc.h"

#include <stdlib.h>

/* Clang's data layout. flang's differs only for types that the code does not use. */
static const char layout_nvidia[] =
    "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"";

typedef struct writer {
  char *text;
  size_t size, capacity;
} writer;

static void write_text(writer *w, const char *text, size_t size) {
  if (w->size + size + 1 > w->capacity) {
    w->capacity = 2 * (w->size + size) + 4096;
    char *more = solo_tool_alloc(w->capacity);
    memcpy(more, w->text, w->size);
    w->text = more;
  }
  memcpy(w->text + w->size, text, size);
  w->text[w->size += size] = 0;
}

typedef struct pair {
  const char *from, *to;
} pair;

static const pair renamed[] = {
    {"@__kmpc_parallel_60", "@solo_parallel_60"},
    {"@omp_get_num_threads(", "@solo_get_num_threads("},
    {"@__kmpc_for_static_loop_", "@solo_for_static_loop_"},
    {"@__kmpc_distribute_static_loop_", "@solo_distribute_static_loop_"},
    {"@__kmpc_distribute_for_static_loop_", "@solo_distribute_for_static_loop_"},
    {"@jn(", "@_FortranABesselJ8("},
    {"@jnf(", "@_FortranABesselJ4("},
    {"@yn(", "@_FortranABesselY8("},
    {"@ynf(", "@_FortranABesselY4("},
    {"@llvm.lround.i64.f64", "@_FortranARound8_8"},
    {"@llvm.lround.i64.f32", "@_FortranARound8_4"},
    {"@llvm.lround.i32.f64", "@_FortranARound4_8"},
    {"@llvm.lround.i32.f32", "@_FortranARound4_4"},
};

/* Functions of libdevice (__nv_NAME, __nv_NAMEf) and of AMD's ocml (__ocml_NAME_f64, _f32),
 * which flang calls as llvm.NAME or by their C names. */
static const char *const mathematics[] = {
    "sin",    "cos",    "tan",   "asin", "acos",  "atan", "atan2", "sinh",  "cosh", "tanh", "asinh",
    "acosh",  "atanh",  "exp",   "exp2", "exp10", "log",  "log2",  "log10", "pow",  "erf",  "erfc",
    "tgamma", "lgamma", "hypot", "fmod", "cbrt",  "j0",   "j1",    "y0",    "y1"};

static bool is_name(char c) {
  return c == '_' || c == '.' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

/* Returns the size of "@NAME" or "@llvm.NAME.TYPE" if `at` begins with this function; else 0. */
static size_t size_of_function(const char *at, const char *name, bool *is_float) {
  const char *rest = solo_tool_skip_prefix(at, "@llvm.");
  bool is_intrinsic = rest != NULL;
  rest = solo_tool_skip_prefix(is_intrinsic ? rest : at + 1, name);
  if (!rest) return 0;
  *is_float = *rest == 'f' && !is_intrinsic;
  if (is_intrinsic) {
    const char *type = solo_tool_skip_prefix(rest, ".f");
    if (!type || (strncmp(type, "32", 2) != 0 && strncmp(type, "64", 2) != 0)) return 0;
    *is_float = *type == '3';
    rest = type + 2;
  } else {
    rest += *is_float;
  }
  return is_name(*rest) ? 0 : (size_t)(rest - at);
}

static const pair *renaming_of(const char *at, solo_cc_code kind) {
  static pair found;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    if (solo_tool_skip_prefix(at, renamed[i].from)) return &renamed[i];
  const char *power = solo_tool_skip_prefix(at, "@llvm.powi.f");
  if (power && kind == SOLO_CC_NVIDIA) {
    found = (pair){solo_tool_text("%.*s.i32", (int)sizeof "@llvm.powi.f64" - 1, at),
                   *power == '3' ? "@__nv_powif" : "@__nv_powi"};
    return &found;
  }
  if (solo_tool_skip_prefix(at, "@.gomp_critical_user_") && kind == SOLO_CC_NVIDIA) {
    size_t size = 1;
    while (is_name(at[size])) size++;
    found.from = solo_tool_text("%.*s", (int)size, at);
    char *name = solo_tool_text("%s", found.from);
    for (char *dot = name; (dot = strchr(dot, '.'));) *dot = '$'; /* PTX forbids dots */
    found.to = name;
    return &found;
  }
  for (size_t i = 0; i < sizeof mathematics / sizeof *mathematics; i++) {
    bool is_float;
    size_t size = size_of_function(at, mathematics[i], &is_float);
    if (!size) continue;
    const char *form = kind == SOLO_CC_NVIDIA ? (is_float ? "@__nv_%sf" : "@__nv_%s")
                                              : (is_float ? "@__ocml_%s_f32" : "@__ocml_%s_f64");
    found = (pair){solo_tool_text("%.*s", (int)size, at), solo_tool_text(form, mathematics[i])};
    return &found;
  }
  return NULL;
}

static void write_renamed(writer *w, const char *line, size_t size, solo_cc_code kind) {
  const char *end = line + size, *at = line;
  while (line < end) {
    at = memchr(at, '@', (size_t)(end - at));
    const pair *rename = at ? renaming_of(at, kind) : NULL;
    if (at && !rename) {
      at++;
      continue;
    }
    write_text(w, line, (size_t)((at ? at : end) - line));
    if (!at) return;
    write_text(w, rename->to, strlen(rename->to));
    line = at = at + strlen(rename->from);
  }
}

/* Reduces debug information to line numbers: ptxas does not optimise more. */
static bool write_debug_kind(writer *w, const char *line, size_t size) {
  static const char member[] = "emissionKind: ";
  if (*line != '!') return false;
  const char *text = solo_tool_text("%.*s", (int)size, line), *at = strstr(text, member);
  if (!at || strstr(at, "NoDebug")) return false;
  const char *rest = at + strcspn(at, ",)");
  write_text(w, text, (size_t)(at - text) + sizeof member - 1);
  write_text(w, "DebugDirectivesOnly", strlen("DebugDirectivesOnly"));
  write_text(w, rest, strlen(rest));
  return true;
}

/* The verifier requires a source location of each call in a function with debug information. */
typedef struct locations {
  char *scope; /* !N of the current function; NULL: no debug information */
  char *nodes;
  unsigned number;
} locations;

static bool write_located(writer *w, const char *line, size_t size, locations *l,
                          solo_cc_code kind) {
  const char *text = solo_tool_text("%.*s", (int)size, line), *debug = strstr(text, " !dbg !");
  if (solo_tool_skip_prefix(text, "define ")) {
    l->scope = NULL;
    if (!debug) return false;
    debug += strlen(" !dbg ");
    l->scope = solo_tool_text("%.*s", (int)strcspn(debug, " {\n"), debug);
    l->nodes = solo_tool_text("%s!%u = !DILocation(line: 0, scope: %s)\n", l->nodes, ++l->number,
                              l->scope);
    return false;
  }
  if (!l->scope || debug || *text != ' ' || !strstr(text, "call ")) return false;
  text = solo_tool_text("%.*s, !dbg !%u\n", (int)strcspn(text, "\n"), text, l->number);
  write_renamed(w, text, strlen(text), kind);
  return true;
}

static void write_line(writer *w, const char *line, size_t size, locations *l, solo_cc_code kind) {
  if (kind == SOLO_CC_NVIDIA && solo_tool_skip_prefix(line, "target datalayout")) {
    write_text(w, layout_nvidia, sizeof layout_nvidia - 1);
    write_text(w, "\n", 1);
    return;
  }
  if (kind == SOLO_CC_NVIDIA && write_debug_kind(w, line, size)) return;
  if (write_located(w, line, size, l, kind)) return;
  write_renamed(w, line, size, kind);
}

char *solo_cc_repair_fortran(const char *code, solo_cc_code kind) {
  writer w = {.text = solo_tool_text("%s", "")};
  locations l = {.nodes = w.text,
                 .number = 10000000}; /* larger than the numbers of flang's nodes */
  while (*code) {
    size_t size = strcspn(code, "\n");
    size += code[size] == '\n';
    write_line(&w, code, size, &l, kind);
    code += size;
  }
  write_text(&w, l.nodes, strlen(l.nodes));
  return w.text;
}
