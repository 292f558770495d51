/* Critical regions in flang's device code. The lanes of a warp execute in lockstep, so they cannot
 * wait for a lock that another lane holds. Therefore a loop lets one lane after another execute the
 * critical region or the reduction of an array, as in Clang's code. */
#include "tools/cc_fortran_code.h"

#include <stdio.h>

typedef struct region {
  size_t begin, end; /* lines: the calls that lock and unlock */
  const char *lock;  /* @NAME of the critical region, or %NAME: result of a reduction's call */
} region;

typedef struct regions {
  region *item;
  size_t count;
} regions;

static const char *locked_by(const char *line) {
  if (strstr(line, "@solo_parallel_reduce(") || strstr(line, "@solo_teams_reduce("))
    return line[0] == ' ' ? solo_fc_name_at(line + strspn(line, " ")) : NULL;
  const char *call = strstr(line, "call void @__kmpc_critical(");
  return call ? solo_fc_name_at(strrchr(call, '@')) : NULL;
}

static const char *unlocked_by(const char *line) {
  const char *call = strstr(line, "call void @solo_reduce_end(");
  if (call) return solo_fc_name_at(strchr(call, '%'));
  call = strstr(line, "call void @__kmpc_end_critical(");
  return call ? solo_fc_name_at(strrchr(call, '@')) : NULL;
}

/* Pairs the n-th call that locks a lock with the n-th that unlocks it. */
static regions regions_of(const solo_fc_module *m, const solo_fc_function *f) {
  regions r = {0};
  for (size_t i = f->begin + 1; i < f->end; i++) {
    const char *lock = locked_by(m->lines.item[i]);
    if (!lock) continue;
    r.item = solo_tool_grow(r.item, r.count, sizeof *r.item);
    r.item[r.count++] = (region){.begin = i, .lock = lock};
  }
  for (size_t i = f->begin + 1; i < f->end; i++) {
    const char *lock = unlocked_by(m->lines.item[i]);
    for (size_t k = 0; lock && k < r.count; k++)
      if (!r.item[k].end && strcmp(r.item[k].lock, lock) == 0) {
        r.item[k].end = i;
        lock = NULL;
      }
  }
  return r;
}

static void write_counter(FILE *out, size_t number, bool is_amd) {
  if (!is_amd) {
    fprintf(out, "  %%lane.%zu.next = alloca i32\n", number);
    return;
  }
  fprintf(out,
          "  %%lane.%zu.private = alloca i32, addrspace(5)\n"
          "  %%lane.%zu.next = addrspacecast ptr addrspace(5) %%lane.%zu.private to ptr\n",
          number, number, number);
}

/* Writes the text with the number in place of each '#'. */
static void write_numbered(FILE *out, const char *text, size_t number) {
  for (; *text; text++)
    if (*text == '#')
      fprintf(out, "%zu", number);
    else
      fputc(*text, out);
}

static const char before[] =
    "  %lane.#.mask = call i64 @__kmpc_warp_active_thread_mask()\n"
    "  %lane.#.thread = call i32 @__kmpc_get_hardware_thread_id_in_block()\n"
    "  %lane.#.size = call i32 @__kmpc_get_warp_size()\n"
    "  %lane.#.own = urem i32 %lane.#.thread, %lane.#.size\n"
    "  store i32 0, ptr %lane.#.next\n"
    "  br label %lane.#.loop\n"
    "\nlane.#.loop:\n"
    "  %lane.#.turn = load i32, ptr %lane.#.next\n"
    "  %lane.#.mine = icmp eq i32 %lane.#.turn, %lane.#.own\n"
    "  br i1 %lane.#.mine, label %lane.#.enter, label %lane.#.latch\n"
    "\nlane.#.enter:\n";
static const char after[] = "  br label %lane.#.latch\n"
                            "\nlane.#.latch:\n"
                            "  call void @__kmpc_syncwarp(i64 %lane.#.mask)\n"
                            "  %lane.#.after = add i32 %lane.#.turn, 1\n"
                            "  store i32 %lane.#.after, ptr %lane.#.next\n"
                            "  %lane.#.more = icmp ult i32 %lane.#.after, %lane.#.size\n"
                            "  br i1 %lane.#.more, label %lane.#.loop, label %lane.#.done\n"
                            "\nlane.#.done:\n";

static const char *const declarations[][2] = {
    {"@__kmpc_warp_active_thread_mask",
     "declare i64 @__kmpc_warp_active_thread_mask() convergent\n"},
    {"@__kmpc_get_hardware_thread_id_in_block",
     "declare i32 @__kmpc_get_hardware_thread_id_in_block()\n"},
    {"@__kmpc_get_warp_size", "declare i32 @__kmpc_get_warp_size()\n"},
    {"@__kmpc_syncwarp", "declare void @__kmpc_syncwarp(i64) convergent\n"},
};

/* Returns the label of the block at its end: a region splits a block. */
static const char *last_label(const regions *r, size_t begin, size_t end, const char *label) {
  size_t last = 0;
  for (size_t i = 0; i < r->count; i++) {
    const region *item = &r->item[i];
    if (!item->end) continue;
    if (item->begin > last && item->begin > begin && item->begin < end) {
      last = item->begin;
      label = solo_tool_text("%%lane.%zu.enter", item->begin);
    }
    if (item->end > last && item->end > begin && item->end < end) {
      last = item->end;
      label = solo_tool_text("%%lane.%zu.done", item->begin);
    }
  }
  return label;
}

/* Corrects the predecessors in a phi node. */
static const char *with_labels(const solo_fc_module *m, const solo_fc_function *f, const regions *r,
                               const char *line) {
  const char *text = line;
  for (size_t i = f->begin + 1; i < f->end;) {
    size_t next = i + 1;
    while (next < f->end && !solo_fc_is_label(m->lines.item[next])) next++;
    if (solo_fc_is_label(m->lines.item[i])) {
      const char *name =
          solo_tool_text("%%%.*s", (int)strcspn(m->lines.item[i], ":"), m->lines.item[i]);
      const char *last = last_label(r, i, next, name);
      if (last != name)
        text =
            solo_fc_replace(text, solo_tool_text(", %s ]", name), solo_tool_text(", %s ]", last));
    }
    i = next;
  }
  return text;
}

static void write_function(FILE *out, const solo_fc_module *m, const solo_fc_function *f,
                           const regions *r, bool is_amd) {
  size_t start = f->begin + 1 + solo_fc_is_label(m->lines.item[f->begin + 1]);
  for (size_t i = f->begin; i <= f->end; i++) {
    const char *line = m->lines.item[i];
    for (size_t k = 0; i == start && k < r->count; k++)
      if (r->item[k].end) write_counter(out, r->item[k].begin, is_amd);
    for (size_t k = 0; k < r->count; k++)
      if (r->item[k].end && r->item[k].begin == i) write_numbered(out, before, i);
    fputs(strstr(line, " = phi ") ? with_labels(m, f, r, line) : line, out);
    for (size_t k = 0; k < r->count; k++)
      if (r->item[k].end == i) write_numbered(out, after, r->item[k].begin);
  }
}

char *solo_cc_serialise_lanes(const char *code, solo_cc_code kind) {
  char *text = NULL;
  size_t size = 0, next = 0, total = 0;
  solo_fc_module m = {.lines = solo_fc_lines(code)};
  FILE *out = open_memstream(&text, &size);
  if (!out) solo_tool_die("no memory");
  solo_fc_find_functions(&m);
  for (size_t i = 0; i < m.lines.count; i++) {
    const solo_fc_function *f =
        next < m.count && m.functions[next].begin == i ? &m.functions[next] : NULL;
    regions r = f ? regions_of(&m, f) : (regions){0};
    total += r.count;
    if (f) {
      write_function(out, &m, f, &r, kind == SOLO_CC_AMD);
      i = m.functions[next++].end;
    } else {
      fputs(m.lines.item[i], out);
    }
  }
  for (size_t i = 0; total && i < sizeof declarations / sizeof *declarations; i++)
    if (!strstr(code, solo_tool_text("%s(", declarations[i][0]))) fputs(declarations[i][1], out);
  if (fclose(out) != 0) solo_tool_die("no memory");
  return text;
}
