/* Corrects reductions of arrays in flang's device code. flang's functions that should combine the
 * arrays of two threads copy only descriptors. Therefore each thread updates the original array:
 * solo_parallel_reduce() of abi/device/fortran_parallel.c locks, the thread updates,
 * solo_reduce_end() unlocks. */
#include "tools/cc_fortran_code.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_OPEN = 16 };

typedef struct update {
  char *result;    /* register of the call's result, such as %20 */
  char *condition; /* register of "icmp eq i32 %20, 1" */
  char *end;       /* label of the block after the update */
  bool is_next;    /* the current lines begin the block `end` */
} update;

typedef struct state {
  solo_fc_module module;
  update open[MOST_OPEN];
  size_t count, total;
} state;

static const char *call_of(const char *line, const char **name) {
  static const char *const names[] = {"@__kmpc_nvptx_parallel_reduce_nowait_v2(",
                                      "@__kmpc_nvptx_teams_reduce_nowait_v2("};
  static const char *const own[] = {"@solo_parallel_reduce(", "@solo_teams_reduce("};
  for (size_t i = 0; i < 2; i++) {
    const char *at = strstr(line, names[i]);
    if (!at || !strstr(line, " = ")) continue;
    *name = own[i];
    return at;
  }
  return NULL;
}

static char *word_of(const char *text) {
  return solo_tool_text("%.*s", (int)strcspn(text, " ,\n"), text);
}

static void begin_update(state *s, const char *line) {
  if (s->count == MOST_OPEN)
    solo_tool_die("a procedure has more than %d reductions of arrays", MOST_OPEN);
  s->open[s->count++] = (update){.result = word_of(line + strspn(line, " "))};
  s->total++;
}

/* Calls solo_reduce_end() in the block after the update, after the phi nodes. */
static void end_updates(state *s, const char *line, FILE *out) {
  bool is_phi = strstr(line, " = phi ") != NULL;
  size_t size = strcspn(line, ":");
  for (size_t i = 0; i < s->count; i++) {
    update *u = &s->open[i];
    if (u->is_next && !is_phi) {
      fprintf(out, "  call void @solo_reduce_end(i32 %s)\n", u->result);
      *u = s->open[--s->count];
      i--;
    } else if (u->end && strncmp(line, u->end, size) == 0 && !u->end[size] && line[size]) {
      u->is_next = true;
    } else if (!u->condition && strstr(line, solo_tool_text(" = icmp eq i32 %s, 1\n", u->result))) {
      u->condition = word_of(line + strspn(line, " "));
    } else if (u->condition && !u->end) {
      const char *rest = solo_tool_skip_prefix(line, "  br i1 ");
      rest = rest ? solo_tool_skip_prefix(rest, u->condition) : NULL;
      const char *label = rest && *rest == ',' ? strstr(rest, "label %") : NULL;
      label = label ? strstr(label + 1, "label %") : NULL;
      if (label) u->end = word_of(label + strlen("label %"));
    }
  }
}

/* Returns the value that the function stores at the address, or "". */
static const char *stored_at(const solo_fc_module *m, const solo_fc_function *f,
                             const char *address) {
  for (size_t i = f->begin + 1; i < f->end; i++) {
    const char *what = solo_fc_operation(m->lines.item[i]);
    const char *value = solo_tool_skip_prefix(what, "store ptr") ? strchr(what, '%') : NULL;
    const char *to = value ? strchr(value + 1, '%') : NULL;
    if (to && strcmp(solo_fc_name_at(to), address) == 0) return solo_fc_name_at(value);
  }
  return "";
}

/* Returns the operation that allocates the variable with this address, or "". */
static const char *allocation_of(const solo_fc_module *m, const solo_fc_function *f,
                                 const char *address) {
  for (size_t i = f->end; --i > f->begin && *address;) {
    const char *line = m->lines.item[i], *what = solo_fc_operation(line);
    if (what == line + strspn(line, " ") ||
        strcmp(solo_fc_name_at(line + strspn(line, " ")), address) != 0)
      continue;
    bool is_load = solo_tool_skip_prefix(what, "load ptr") != NULL;
    if (!is_load && !solo_tool_skip_prefix(what, "addrspacecast ")) return what;
    address = solo_fc_name_at(strchr(what, '%'));
    if (is_load) address = stored_at(m, f, address);
    i = f->end;
  }
  return "";
}

/* Returns whether the list of the variables to reduce has a descriptor of an array. */
static bool has_array(const solo_fc_module *m, const solo_fc_function *f, const char *list) {
  solo_list elements = solo_fc_addresses_of(m, f, list);
  for (size_t i = f->begin + 1; i < f->end; i++) {
    const char *what = solo_fc_operation(m->lines.item[i]);
    if (!solo_tool_skip_prefix(what, "store ptr")) continue;
    const char *value = strchr(what, '%'), *to = value ? strchr(value + 1, '%') : NULL;
    if (!to || !solo_list_has(&elements, solo_fc_name_at(to))) continue;
    const char *allocation = allocation_of(m, f, solo_fc_name_at(value));
    if (solo_tool_skip_prefix(allocation, "alloca { ptr, i64, i32, i8, i8, i8, i8")) return true;
  }
  return false;
}

static void write_line(state *s, const solo_fc_function *f, const char *line, FILE *out) {
  const char *name = NULL, *call = call_of(line, &name),
             *list = call ? strstr(call, ", ptr %") : NULL;
  if (list && strstr(name, "teams")) list = strstr(strstr(list, "i64 "), ", ptr %");
  end_updates(s, line, out);
  if (!f || !list || !has_array(&s->module, f, solo_fc_name_at(strchr(list, '%')))) {
    fputs(line, out);
    return;
  }
  begin_update(s, line);
  fprintf(out, "%.*s%s%s", (int)(call - line), line, name, strchr(call, '(') + 1);
}

char *solo_cc_mend_reductions(const char *code) {
  char *text = NULL;
  size_t size = 0, next = 0;
  state s = {.module = {.lines = solo_fc_lines(code)}};
  const solo_fc_function *f = NULL;
  FILE *out = open_memstream(&text, &size);
  if (!out) solo_tool_die("no memory");
  solo_fc_find_functions(&s.module);
  for (size_t i = 0; i < s.module.lines.count; i++) {
    if (next < s.module.count && s.module.functions[next].begin == i)
      f = &s.module.functions[next++];
    write_line(&s, f, s.module.lines.item[i], out);
  }
  if (s.total)
    fputs("declare i32 @solo_parallel_reduce(ptr, i64, ptr, ptr, ptr)\n"
          "declare i32 @solo_teams_reduce(ptr, ptr, i32, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr)\n"
          "declare void @solo_reduce_end(i32)\n",
          out);
  if (fclose(out) != 0) solo_tool_die("no memory");
  if (s.count) solo_tool_die("flang's code of a reduction of an array has an unknown form");
  return text;
}
