/* Corrects reductions of arrays in flang's device code: flang's functions that combine the arrays
 * of two threads copy only descriptors. Each thread updates the original array between
 * solo_parallel_reduce(), which locks, and solo_reduce_end(). */
#include "tools/cc.h"

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
  solo_list arrays; /* flang's functions that combine arrays */
  update open[MOST_OPEN];
  size_t count, total;
} state;

static const char descriptor[] = " = alloca { ptr, i64, i32, i8, i8, i8, i8";
static const char combine[] = "@_omp_reduction_shuffle_and_reduce_func";

static char *name_of(const char *at) {
  return solo_tool_text("%.*s", (int)strcspn(at, " ,()\n"), at);
}

static solo_list array_functions(const char *code) {
  solo_list found = {0};
  for (const char *at = code; (at = strstr(at, "\ndefine "));) {
    at++;
    const char *name = strstr(at, combine), *end = strstr(at, "\n}");
    if (!end) break;
    if (!name || name > at + strcspn(at, "\n")) continue;
    const char *element = strstr(at, "%.omp.reduction.element");
    for (; element && element < end; element = strstr(element + 1, "%.omp.reduction.element"))
      if (solo_tool_skip_prefix(element + strcspn(element, " \n"), descriptor))
        solo_list_add(&found, name_of(name));
  }
  return found;
}

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

static void write_line(state *s, char *line, FILE *out) {
  const char *name, *call = call_of(line, &name);
  const char *function = call ? strstr(call, combine) : NULL;
  end_updates(s, line, out);
  if (!function || !solo_list_has(&s->arrays, name_of(function))) {
    fputs(line, out);
    return;
  }
  begin_update(s, line);
  fprintf(out, "%.*s%s%s", (int)(call - line), line, name, strchr(call, '(') + 1);
}

char *solo_cc_mend_reductions(const char *code) {
  char *text = NULL;
  size_t size = 0;
  state s = {.arrays = array_functions(code)};
  FILE *out = open_memstream(&text, &size);
  if (!out) solo_tool_die("no memory");
  for (const char *at = code; *at;) {
    size_t length = strcspn(at, "\n");
    length += at[length] == '\n';
    write_line(&s, solo_tool_text("%.*s", (int)length, at), out);
    at += length;
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
