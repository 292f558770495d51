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
    {"@__kmpc_for_static_loop_", "@solo_for_static_loop_"},
    {"@__kmpc_distribute_static_loop_", "@solo_distribute_static_loop_"},
    {"@__kmpc_distribute_for_static_loop_", "@solo_distribute_for_static_loop_"},
    {"@llvm.lround.i64.f64", "@_FortranARound8_8"},
    {"@llvm.lround.i64.f32", "@_FortranARound8_4"},
    {"@llvm.lround.i32.f64", "@_FortranARound4_8"},
    {"@llvm.lround.i32.f32", "@_FortranARound4_4"},
};

/* Functions of libdevice (__nv_NAME, __nv_NAMEf) and of AMD's ocml (__ocml_NAME_f64, _f32), which
 * flang calls as llvm.NAME or by their names in C. */
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

static const char private_pointer[] = "ptr addrspace(5)";

static void write_plain(writer *w, const char *text, size_t size) {
  char *copy = solo_tool_text("%.*s", (int)size, text), *out = copy;
  for (const char *at = copy; *at;)
    if (solo_tool_skip_prefix(at, private_pointer)) {
      memcpy(out, "ptr", 3);
      out += 3;
      at += sizeof private_pointer - 1;
    } else {
      *out++ = *at++;
    }
  write_renamed(w, copy, (size_t)(out - copy), SOLO_CC_VIRTUAL_AMD);
}

/* Rewrites a line that stores, loads or allocates pointers to private memory (addrspace(5)), to use
 * generic pointers: AMD's layout reserves 4 bytes, but the virtual GPU needs 8. */
static bool write_private(writer *w, const char *line, size_t size) {
  static unsigned number;
  const char *at, *text = solo_tool_text("%.*s", (int)size, line);
  if ((at = strstr(text, "store ptr addrspace(5) "))) {
    const char *value = at + strlen("store ptr addrspace(5) ");
    int name = (int)strcspn(value, ",");
    char *both = solo_tool_text("  %%solo.%u = addrspacecast ptr addrspace(5) %.*s to ptr\n"
                                "  store ptr %%solo.%u%s",
                                number, name, value, number, value + name);
    number++;
    write_text(w, both, strlen(both));
  } else if ((at = strstr(text, " = load ptr addrspace(5), "))) {
    char *both = solo_tool_text("  %%solo.%u = load ptr, %s%.*s = addrspacecast ptr %%solo.%u to "
                                "ptr addrspace(5)\n",
                                number, at + strlen(" = load ptr addrspace(5), "), (int)(at - text),
                                text, number);
    number++;
    write_text(w, both, strlen(both));
  } else if ((at = strstr(text, "= alloca "))) {
    write_plain(w, text, size);
  } else if ((at = strstr(text, " getelementptr {")) && strchr(at, '}')) {
    size_t type = (size_t)(strchr(at, '}') - text);
    write_plain(w, text, type);
    write_renamed(w, text + type, size - type, SOLO_CC_VIRTUAL_AMD);
  } else {
    return false;
  }
  return true;
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

static void write_line(writer *w, const char *line, size_t size, solo_cc_code kind) {
  if (kind == SOLO_CC_NVIDIA && solo_tool_skip_prefix(line, "target datalayout")) {
    write_text(w, layout_nvidia, sizeof layout_nvidia - 1);
    write_text(w, "\n", 1);
    return;
  }
  if (kind == SOLO_CC_NVIDIA && write_debug_kind(w, line, size)) return;
  if (kind == SOLO_CC_VIRTUAL_AMD && write_private(w, line, size)) return;
  write_renamed(w, line, size, kind);
}

char *solo_cc_repair_fortran(solo_span code, solo_cc_code kind) {
  writer w = {.text = solo_tool_text("%s", "")};
  const char *text = solo_tool_text("%.*s", (int)code.size, (const char *)code.data);
  while (*text) {
    size_t size = strcspn(text, "\n");
    size += text[size] == '\n';
    write_line(&w, text, size, kind);
    text += size;
  }
  return w.text;
}
