/* Selects generic mode for kernels in which code between parallel regions has effects. flang 22 selects SPMD mode, in
 * which all threads execute this code. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_DEPTH = 8, NAME = 256 };

typedef struct code {
  char **line;
  size_t count;
} code;

typedef struct function {
  size_t first, end; /* lines */
} function;

static code lines_of(const char *text) {
  code c = {0};
  size_t most = 0;
  for (const char *at = text; *at;) {
    size_t size = strcspn(at, "\n");
    size += at[size] == '\n';
    if (c.count == most) {
      char **more = solo_tool_alloc((most = 2 * most + 1024) * sizeof *more);
      if (c.count) memcpy(more, c.line, c.count * sizeof *more);
      c.line = more;
    }
    c.line[c.count++] = solo_tool_text("%.*s", (int)size, at);
    at += size;
  }
  return c;
}

static bool is_word(char c) {
  return strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-\"", c) && c;
}

static const char *name_at(const char *text) {
  size_t size = 1;
  while (is_word(text[size])) size++;
  return solo_tool_text("%.*s", (int)size, text);
}

static bool find_function(const code *c, const char *name, function *out) {
  const char *wanted = solo_tool_text("%s(", name);
  for (size_t i = 0; i < c->count; i++) {
    if (!solo_tool_skip_prefix(c->line[i], "define ") || !strstr(c->line[i], wanted)) continue;
    out->first = i + 1;
    for (out->end = i + 1; out->end < c->count && *c->line[out->end] != '}';) out->end++;
    return true;
  }
  return false;
}

/* Returns whether `pointer` refers to a variable of the calling thread. */
static bool is_private(const code *c, const function *f, const char *pointer) {
  if (*pointer != '%') return false;
  const char *start = solo_tool_text("  %s = ", pointer);
  for (size_t i = f->first; i < f->end; i++) {
    const char *rest = solo_tool_skip_prefix(c->line[i], start);
    if (!rest) continue;
    if (solo_tool_skip_prefix(rest, "alloca ")) return true;
    if (solo_tool_skip_prefix(rest, "addrspacecast ptr addrspace(5)")) return true;
    const char *base = solo_tool_skip_prefix(rest, "getelementptr ") ? strstr(rest, "ptr %") : NULL;
    if (!base && solo_tool_skip_prefix(rest, "getelementptr "))
      return strstr(rest, "addrspace(5) %");
    return base && is_private(c, f, name_at(base + strlen("ptr ")));
  }
  return false;
}

static const char *target_of(const char *line) {
  const char *last = NULL;
  for (const char *at = line; (at = strstr(at, ", ptr ")); at++) last = at + strlen(", ptr ");
  return last ? last : "";
}

static const char *callee_of(const char *line) {
  const char *at = strstr(line, "call ");
  for (at = at ? at + strlen("call ") : ""; *at; at++)
    if ((*at == '@' || *at == '%') && at[1 + strcspn(at + 1, " (,")] == '(')
      return *at == '@' ? name_at(at) : NULL;
  return NULL;
}

static bool has_effect(const code *c, const char *name, int depth);

static bool call_has_effect(const code *c, const function *f, const char *line, int depth) {
  static const char *const harmless[] = {"@__kmpc_", "@solo_",   "@omp_",    "@llvm.",
                                         "@__nv_",   "@__ocml_", "@malloc(", "@free("};
  const char *callee = callee_of(line);
  if (!callee) return true;
  if (strstr(callee, "..omp_par")) return has_effect(c, callee, depth + 1);
  if (strstr(callee, "_distribute_static_loop_")) {
    const char *body = strstr(line, "..omp_par");
    while (body && *body != '@') body--;
    return !body || has_effect(c, name_at(body), depth + 1);
  }
  if (solo_tool_skip_prefix(callee, "@llvm.mem")) {
    const char *to = strstr(line, "(ptr ");
    to = to ? strchr(to, '%') : NULL;
    return !strstr(line, "(ptr addrspace(5)") && !(to && is_private(c, f, name_at(to)));
  }
  const char *called = solo_tool_text("%s(", callee);
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (solo_tool_skip_prefix(called, harmless[i])) return false;
  return true;
}

/* Returns whether the function changes memory of other threads outside of parallel regions. */
static bool has_effect(const code *c, const char *name, int depth) {
  function f;
  bool is_update = false;
  if (depth > MOST_DEPTH || !find_function(c, name, &f)) return true;
  size_t i = f.first;
  for (size_t k = f.first; k < f.end; k++)
    if (solo_tool_skip_prefix(c->line[k], "user_code.entry:")) i = k;
  for (; i < f.end; i++) {
    const char *line = c->line[i];
    /* one thread executes the update of a reduction */
    if (is_word(*line)) is_update = solo_tool_skip_prefix(line, ".omp.reduction.then") != NULL;
    if (is_update || *line != ' ') continue;
    if (strstr(line, " = atomicrmw ") || strstr(line, " = cmpxchg ")) return true;
    if (solo_tool_skip_prefix(line, "  store ")) {
      const char *to = target_of(line);
      if (!solo_tool_skip_prefix(to, "addrspace(5)") && !is_private(c, &f, name_at(to)))
        return true;
    }
    if (strstr(line, "call ") && call_has_effect(c, &f, line, depth)) return true;
  }
  return false;
}

static void set_generic(const code *c, size_t mode_line, const char *name) {
  char *digit = strstr(c->line[mode_line], " constant i8 ");
  digit[strlen(" constant i8 ")] = '1';
  const char *start = solo_tool_text("%s_kernel_environment = ", name);
  for (size_t i = 0; i < c->count; i++) {
    char *at = solo_tool_skip_prefix(c->line[i], start) ? strstr(c->line[i], "{ i8 ") : NULL;
    if (at) memcpy(at, "{ i8 1, i8 1, i8 1,", strlen("{ i8 1, i8 1, i8 1,"));
  }
}

/* Returns whether other code than loads and stores uses the variable. */
static bool is_shared(const code *c, const function *f, const char *name) {
  const char *use = solo_tool_text("ptr %s", name);
  for (size_t i = f->first; i < f->end; i++)
    for (const char *line = c->line[i], *at = line; (at = strstr(at, use)); at++) {
      if (is_word(at[strlen(use)]) || strstr(line, " = load ")) continue;
      if (!solo_tool_skip_prefix(line, "  store ") || target_of(line) != at + strlen("ptr "))
        return true;
    }
  return false;
}

static char *renamed(const char *line, const char *from, const char *to) {
  const char *text = "", *at = line;
  for (const char *hit; (hit = strstr(at, from)); at = hit + strlen(from))
    text = solo_tool_text("%s%.*s%s", text, (int)(hit - at), at,
                          is_word(hit[strlen(from)]) ? from : to);
  return solo_tool_text("%s%s", text, at);
}

static const char *type_of(const char *line) {
  const char *type = strstr(line, " = alloca "), *end = type ? strstr(type, ", align") : NULL;
  if (!end || strstr(line, "%gid.addr") || strstr(line, "%tid.addr") || strstr(line, "  %.omp."))
    return NULL;
  type += strlen(" = alloca ");
  const char *text = solo_tool_text("%.*s", (int)(end - type), type);
  if ((*text != '{' && *text != '[' && strchr(text, ',')) || strstr(text, " x ptr]")) return NULL;
  return text;
}

/* Allocates variables outside of parallel regions in memory of the team. */
static void share_variables(const code *c, const function *f) {
  size_t begin = f->first;
  const char *frees = "";
  for (size_t i = f->first; i < f->end; i++)
    if (solo_tool_skip_prefix(c->line[i], "user_code.entry:")) begin = i;
  bool is_kernel = begin != f->first;
  for (size_t i = f->first; i < f->end; i++) {
    const char *type = type_of(c->line[i]);
    const char *name = type ? name_at(c->line[i] + strspn(c->line[i], " ")) : NULL;
    if (!name || !is_shared(c, f, name)) continue;
    const char *size =
        solo_tool_text("i64 ptrtoint (ptr getelementptr (%s, ptr null, i32 1) to i64)", type);
    if (!is_kernel || i > begin) {
      c->line[i] = solo_tool_text("  %s = call ptr @__kmpc_alloc_shared(%s)\n", name, size);
    } else {
      const char *moved = solo_tool_text("%%solo.%s", name + 1), *copy = "";
      for (size_t k = i + 1; k < begin; k++)
        if (solo_tool_skip_prefix(c->line[k], "  store ") &&
            strcmp(name_at(target_of(c->line[k])), name) == 0)
          copy = solo_tool_text(
              "  %%solo.value.%s = load %s, ptr %s\n  store %s %%solo.value.%s, ptr %s\n", name + 1,
              type, name, type, name + 1, moved);
      for (size_t k = begin + 1; k < f->end; k++) c->line[k] = renamed(c->line[k], name, moved);
      c->line[begin] = solo_tool_text("%s  %s = call ptr @__kmpc_alloc_shared(%s)\n%s",
                                      c->line[begin], moved, size, copy);
      name = moved;
    }
    frees = solo_tool_text("  call void @__kmpc_free_shared(ptr %s, %s)\n%s", name, size, frees);
  }
  const char *end = is_kernel ? "  call void @__kmpc_target_deinit(" : "  ret ";
  for (size_t i = f->first; *frees && i < f->end; i++)
    if (solo_tool_skip_prefix(c->line[i], end))
      c->line[i] = solo_tool_text("%s%s", frees, c->line[i]);
}

static bool has_parallel(const code *c, const char *name, int depth, bool shares) {
  function f;
  bool found = false;
  if (depth > MOST_DEPTH || !find_function(c, name, &f)) return false;
  for (size_t i = f.first; i < f.end; i++) {
    const char *callee = strstr(c->line[i], "call ") ? callee_of(c->line[i]) : NULL, *body = NULL;
    if (!callee) continue;
    found |= strstr(callee, "parallel_60") != NULL;
    if (strstr(callee, "..omp_par")) body = callee;
    if (strstr(callee, "_distribute_static_loop_")) {
      body = strstr(c->line[i], "..omp_par");
      while (body && *body != '@') body--;
    }
    found |= body && has_parallel(c, name_at(body), depth + 1, shares);
  }
  if (shares) share_variables(c, &f);
  return found;
}

static void share_all(code *c) {
  bool declares = false;
  for (size_t i = 0; i < c->count; i++) {
    const char *line = c->line[i], *at = strchr(line, '@');
    declares |= strstr(line, "declare ptr @__kmpc_alloc_shared") != NULL;
    if (!at || !solo_tool_skip_prefix(line, "define ")) continue;
    const char *name = name_at(at), *mode = solo_tool_text("%s_exec_mode = ", name);
    if (strstr(name, "..omp_par") || !has_parallel(c, name, 0, false)) continue;
    for (size_t k = 0; k < c->count; k++)
      if (solo_tool_skip_prefix(c->line[k], mode)) mode = strstr(c->line[k], " constant i8 ");
    if (!strstr(line, "ptx_kernel") || mode[strlen(" constant i8 ")] == '1')
      has_parallel(c, name, 0, true);
  }
  if (!declares && c->count)
    c->line[c->count - 1] =
        solo_tool_text("%s\ndeclare ptr @__kmpc_alloc_shared(i64)\ndeclare void "
                       "@__kmpc_free_shared(ptr, i64)\n",
                       c->line[c->count - 1]);
}

char *solo_cc_mend_modes(const char *text, solo_cc_code kind) {
  code c = lines_of(text);
  for (size_t i = 0; i < c.count; i++) {
    const char *line = c.line[i], *mode = *line == '@' ? strstr(line, "_exec_mode = ") : NULL;
    if (!mode) continue;
    const char *value = strstr(mode, " constant i8 ");
    const char *name = solo_tool_text("%.*s", (int)(mode - line), line);
    if (!value || (value[13] != '2' && value[13] != '3')) continue;
    if (has_effect(&c, name, 0)) set_generic(&c, i, name);
  }
  if (kind == SOLO_CC_NVIDIA) share_all(&c);
  size_t size = 0;
  for (size_t i = 0; i < c.count; i++) size += strlen(c.line[i]);
  char *all = solo_tool_alloc(size + 1), *end = all;
  for (size_t i = 0; i < c.count; i++) end = stpcpy(end, c.line[i]);
  *end = 0;
  return all;
}
