/* Private memory in flang's device code.
 *
 * In generic mode the initial thread executes serial code, and parallel regions access its variables.
 * flang allocates them on the stack, which other threads of a GPU cannot read. Therefore
 * __kmpc_alloc_shared() allocates the variables that a parallel region may access. Otherwise LLVM's
 * conversion to SPMD mode also gives each thread its own variables. */
#include "tools/cc_fortran_code.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct variable {
  const char *name;  /* %NAME */
  uint64_t bytes;    /* of an element */
  const char *count; /* NULL: one element */
  const char *scope; /* register of llvm.stacksave; NULL: the function */
  size_t line;
} variable;

static bool read_variable(const solo_fc_module *m, size_t line, variable *out) {
  uint64_t bytes;
  const char *text = m->lines.item[line], *type = strstr(text, " = alloca ");
  if (!type) return false;
  type = solo_fc_size_of_type(m, type + strlen(" = alloca "), &bytes);
  if (!type) return false;
  *out = (variable){.name = solo_fc_name_at(strchr(text, '%')), .bytes = bytes, .line = line};
  const char *count = solo_tool_skip_prefix(type, ", i64 ");
  if (!count) return true;
  if (*count == '%')
    out->count = solo_fc_name_at(count);
  else
    out->bytes *= strtoull(count, NULL, 10);
  return true;
}

typedef struct writer {
  solo_fc_module module;
  solo_list declarations, intrinsics;
  bool is_amd;
  FILE *out;
} writer;

/* Returns whether the line lets other code access the variable with this address. */
static bool shares(const char *line, const char *address) {
  static const char *const harmless[] = {"load ", "icmp ", "#dbg_"};
  const char *what = solo_fc_operation(line), *used = solo_fc_find_name(what, address), *call;
  if (!used) return false;
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (solo_tool_skip_prefix(what, harmless[i])) return false;
  if (solo_tool_skip_prefix(what, "store "))
    return solo_fc_find_name(used + 1, address) ||
           !solo_tool_skip_prefix(used - strlen(", ptr "), ", ptr ");
  if ((call = strstr(what, "call ")))
    return !strstr(call, " @llvm.") && !strstr(call, " @_FortranA");
  return true;
}

/* Returns whether a call of the undefined function executes no parallel region of the program. */
static bool is_of_runtime(const char *name) {
  static const char *const prefixes[] = {"@llvm.",  "@__kmpc_", "@_FortranA", "@omp_",
                                         "@malloc", "@free",    "@solo_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (solo_tool_skip_prefix(name, prefixes[i])) return true;
  return false;
}

/* Updates f and the functions that the line mentions. Returns whether something changed. */
static bool follow_line(solo_fc_module *m, solo_fc_function *f, const char *line) {
  static const char region[] = "@__kmpc_parallel_60(";
  bool changed = false, has_region = strstr(line, region) != NULL, calls = strstr(line, "call ");
  if (calls && strstr(line, " %") && !strchr(line, '@')) has_region = true; /* indirect */
  for (const char *at = has_region ? NULL : strchr(line, '@'); at; at = strchr(at + 1, '@')) {
    const char *name = solo_fc_name_at(at);
    solo_fc_function *other = solo_fc_function_named(m, name);
    if (!other) {
      if (calls && *solo_fc_end_of_name(at) == '(' && !is_of_runtime(name)) has_region = true;
      continue;
    }
    if (other->has_region) has_region = true;
    if (f->is_serial && !other->is_serial && !other->is_kernel) other->is_serial = changed = true;
  }
  if (has_region && !f->has_region) f->has_region = changed = true;
  return changed;
}

static void follow_calls(solo_fc_module *m) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < m->count; i++)
      for (size_t k = m->functions[i].begin + 1; k < m->functions[i].end; k++)
        if (follow_line(m, &m->functions[i], m->lines.item[k])) changed = true;
  }
}

static bool is_shared(const solo_fc_module *m, const solo_fc_function *f, const char *variable) {
  solo_list addresses = solo_fc_addresses_of(m, f, variable);
  for (size_t k = f->begin + 1; k < f->end; k++)
    for (size_t i = 0; i < addresses.count; i++)
      if (!solo_fc_copies_address(m->lines.item[k]) && shares(m->lines.item[k], addresses.item[i]))
        return true;
  return false;
}

static void declare(writer *w, const char *name, const char *declaration) {
  for (size_t i = 0; i < w->module.lines.count; i++)
    if (solo_tool_skip_prefix(w->module.lines.item[i], "declare ") &&
        solo_fc_find_name(w->module.lines.item[i], name))
      return;
  if (!solo_list_has(&w->declarations, declaration)) solo_list_add(&w->declarations, declaration);
}

static const char *bytes_of(const variable *v) {
  return v->count ? solo_tool_text("%%bytes.%zu", v->line)
                  : solo_tool_text("%llu", (unsigned long long)v->bytes);
}

static void write_allocation(writer *w, const variable *v) {
  if (v->count)
    fprintf(w->out, "  %%bytes.%zu = mul i64 %s, %llu\n", v->line, v->count,
            (unsigned long long)v->bytes);
  fprintf(w->out, "  %%shared.%zu = call ptr @__kmpc_alloc_shared(i64 %s)\n", v->line, bytes_of(v));
}

typedef struct plan {
  variable *variables;
  size_t count, start; /* start: line before which the fixed variables are allocated */
} plan;

/* scope: as in variable */
static void write_frees(writer *w, const plan *p, const char *scope) {
  for (size_t i = p->count; i--;) {
    const variable *v = &p->variables[i];
    if (scope ? !v->scope || strcmp(v->scope, scope) != 0 : v->scope != NULL) continue;
    fprintf(w->out, "  call void @__kmpc_free_shared(ptr %%shared.%zu, i64 %s)\n", v->line,
            bytes_of(v));
  }
}

static void write_stack(writer *w, size_t line) {
  const char *text = w->module.lines.item[line];
  fprintf(w->out, "  %%private.%zu%s", line, solo_fc_end_of_name(strchr(text, '%')));
}

/* The register of the variable holds its generic address. */
static void write_variable(writer *w, size_t line) {
  const char *name = solo_fc_name_at(strchr(w->module.lines.item[line], '%'));
  fprintf(w->out,
          w->is_amd ? "  %s = addrspacecast ptr addrspace(5) %%private.%zu to ptr\n"
                    : "  %s = bitcast ptr %%private.%zu to ptr\n",
          name, line);
}

static size_t start_of(const solo_fc_module *m, const solo_fc_function *f) {
  size_t line = f->begin + 1;
  if (f->is_kernel) {
    while (line < f->end && !strstr(m->lines.item[line], "@__kmpc_target_init(")) line++;
    while (line < f->end && !solo_fc_is_label(m->lines.item[line])) line++;
  }
  return line + (line < f->end && solo_fc_is_label(m->lines.item[line]));
}

static bool is_in_first_block(const solo_fc_module *m, const solo_fc_function *f, size_t line) {
  for (size_t i = f->begin + 2; i < line; i++)
    if (solo_fc_is_label(m->lines.item[i])) return false;
  return true;
}

/* Returns whether the variable of a later block is allocated at the start of the function. */
static bool is_hoisted(const solo_fc_module *m, const solo_fc_function *f, size_t line) {
  return !strstr(m->lines.item[line], ", i64 %") && !is_in_first_block(m, f, line);
}

static const char *scope_of(const solo_fc_module *m, const solo_fc_function *f, size_t line) {
  while (line > f->begin && !strstr(m->lines.item[line], "@llvm.stacksave")) line--;
  return line > f->begin ? solo_fc_name_at(strchr(m->lines.item[line], '%')) : NULL;
}

static plan plan_of(const solo_fc_module *m, const solo_fc_function *f) {
  plan p = {.start = start_of(m, f)};
  if (!f->is_serial || !f->has_region) return p;
  for (size_t i = f->begin + 1; i < f->end; i++) {
    variable v;
    if (!read_variable(m, i, &v) || !is_shared(m, f, v.name)) continue;
    if (v.count && (f->is_kernel || !is_in_first_block(m, f, i))) {
      v.scope = scope_of(m, f, i);
      if (!v.scope) continue;
    }
    p.variables = solo_tool_grow(p.variables, p.count, sizeof *p.variables);
    p.variables[p.count++] = v;
  }
  return p;
}

static const variable *variable_of(const plan *p, size_t line) {
  for (size_t i = 0; i < p->count; i++)
    if (p->variables[i].line == line) return &p->variables[i];
  return NULL;
}

static bool is_used_before(const solo_fc_module *m, const solo_fc_function *f, const plan *p,
                           const variable *v) {
  for (size_t i = v->line + 1; i < p->start; i++)
    if (i > f->begin && solo_fc_find_name(m->lines.item[i], v->name)) return true;
  return false;
}

/* A kernel's variables are allocated after __kmpc_target_init(), which returns only in the initial
 * thread. flang stores arguments into variables before. */
static void write_start(writer *w, const solo_fc_function *f, const plan *p) {
  for (size_t i = 0; i < p->count; i++) {
    const variable *v = &p->variables[i];
    if (v->count) continue;
    write_allocation(w, v);
    if (v->line >= p->start || !f->is_kernel || !is_used_before(&w->module, f, p, v)) continue;
    fprintf(w->out,
            "  call void @llvm.memcpy.p0.p0.i64(ptr %%shared.%zu, ptr %s, i64 %llu, i1 false)\n",
            v->line, v->name, (unsigned long long)v->bytes);
    declare(w, "@llvm.memcpy.p0.p0.i64",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
  }
}

/* Replaces the variable and its casts, which are before the allocation in a kernel. */
static const char *use_shared(const solo_fc_module *m, const plan *p, const variable *v,
                              const char *text) {
  const char *shared = solo_tool_text("%%shared.%zu", v->line);
  for (size_t i = v->line; i < p->start; i++) {
    const char *line = m->lines.item[i];
    if (i == v->line ||
        (solo_fc_copies_address(line) && solo_fc_find_name(solo_fc_operation(line), v->name)))
      text = solo_fc_replace_name(text, solo_fc_name_at(strchr(line, '%')), shared);
  }
  return text;
}

static void write_body_line(writer *w, const solo_fc_function *f, const plan *p, size_t line) {
  const char *text = w->module.lines.item[line];
  const variable *v = variable_of(p, line);
  if (v && (!f->is_kernel || line >= p->start)) {
    if (v->count) write_allocation(w, v);
    fprintf(w->out, "  %s = bitcast ptr %%shared.%zu to ptr\n", v->name, v->line);
    return;
  }
  if (strstr(text, " = alloca ") && !w->is_amd && !is_hoisted(&w->module, f, line)) {
    fputs(text, w->out);
    return;
  }
  if (strstr(text, " = alloca ")) {
    if (!is_hoisted(&w->module, f, line)) write_stack(w, line);
    write_variable(w, line);
    return;
  }
  if (strstr(text, f->is_kernel ? "@__kmpc_target_deinit(" : "  ret ") && text[0] == ' ')
    write_frees(w, p, NULL);
  const char *restored = strstr(text, "@llvm.stackrestore");
  if (restored && text[0] == ' ') write_frees(w, p, solo_fc_name_at(strchr(restored, '%')));
  for (size_t i = 0; f->is_kernel && line >= p->start && i < p->count; i++)
    text = use_shared(&w->module, p, &p->variables[i], text);
  fputs(text, w->out);
}

/* Returns whether the function has the default linkage. Nothing outside of the image calls it. */
static bool is_exported(const char *head) {
  static const char *const linkages[] = {"internal ", "private ", "linkonce",
                                         "weak",      "hidden ",  "protected "};
  for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++)
    if (solo_tool_skip_prefix(head + strlen("define "), linkages[i])) return false;
  return true;
}

static void write_function(writer *w, const solo_fc_function *f) {
  plan p = plan_of(&w->module, f);
  const char *head = w->module.lines.item[f->begin];
  /* flang promises that no argument is captured, but a parallel region shares its arguments */
  head = solo_fc_replace(head, " captures(none)", "");
  fputs(is_exported(head) ? solo_fc_replace(head, "define ", "define hidden ") : head, w->out);
  size_t first = f->begin + 1 + solo_fc_is_label(w->module.lines.item[f->begin + 1]);
  for (size_t i = f->begin + 1; i <= f->end; i++) {
    for (size_t k = first; i == first && k < f->end; k++)
      if (strstr(w->module.lines.item[k], " = alloca ") && is_hoisted(&w->module, f, k) &&
          !variable_of(&p, k))
        write_stack(w, k);
    if (i == p.start) write_start(w, f, &p);
    write_body_line(w, f, &p, i);
  }
  if (!p.count) return;
  declare(w, "@__kmpc_alloc_shared", "declare ptr @__kmpc_alloc_shared(i64)\n");
  declare(w, "@__kmpc_free_shared", "declare void @__kmpc_free_shared(ptr, i64)\n");
}

static void write_declaration(writer *w, const char *line) {
  const char *at = strchr(line, '@'), *name = at ? solo_fc_name_at(at) : "";
  bool is_intrinsic = solo_tool_skip_prefix(name, "@llvm.") != NULL;
  if (is_intrinsic && solo_list_has(&w->intrinsics, name))
    return; /* two address spaces became one */
  if (is_intrinsic) solo_list_add(&w->intrinsics, name);
  fputs(is_intrinsic ? line : solo_fc_replace(line, " captures(none)", ""), w->out);
}

static void read_lines(writer *w, const char *text) {
  solo_list lines = solo_fc_lines(text);
  for (size_t i = 0; i < lines.count; i++) {
    const char *line = lines.item[i];
    if (strstr(line, "@llvm.lifetime.")) continue;
    solo_list_add(&w->module.lines, w->is_amd ? solo_fc_generic_line(line) : line);
  }
}

char *solo_cc_share_private(const char *code, solo_cc_code kind) {
  char *text = NULL;
  size_t size = 0, next = 0;
  writer w = {.is_amd = kind == SOLO_CC_AMD, .out = open_memstream(&text, &size)};
  solo_fc_module *m = &w.module;
  if (!w.out) solo_tool_die("no memory");
  read_lines(&w, code);
  solo_fc_find_functions(m);
  solo_fc_select_modes(m);
  follow_calls(m);
  for (size_t i = 0; i < m->lines.count; i++) {
    const char *line = m->lines.item[i];
    if (next < m->count && m->functions[next].begin == i) {
      write_function(&w, &m->functions[next]);
      i = m->functions[next++].end;
    } else if (solo_tool_skip_prefix(line, "declare ")) {
      write_declaration(&w, line);
    } else {
      fputs(line, w.out);
    }
  }
  for (size_t i = 0; i < w.declarations.count; i++) fputs(w.declarations.item[i], w.out);
  if (fclose(w.out) != 0) solo_tool_die("no memory");
  return text;
}
