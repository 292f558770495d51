/* Rewrites the LLVM code that flang emits for GPUs, so that LLVM's back ends and solo's device
 * runtime accept it. */
#include "tools/cc.h"

#include <stdlib.h>

/* The data layout of Clang's device code, which differs from flang's only for unused types. */
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
    {"@__kmpc_for_static_loop_", "@solo_for_static_loop_"},
    {"@__kmpc_distribute_static_loop_", "@solo_distribute_static_loop_"},
    {"@__kmpc_distribute_for_static_loop_", "@solo_distribute_for_static_loop_"},
};

static const pair *renaming_of(const char *name) {
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    if (solo_tool_skip_prefix(name, renamed[i].from)) return &renamed[i];
  return NULL;
}

static void write_renamed(writer *w, const char *line, size_t size) {
  const char *end = line + size, *at = line;
  while (line < end) {
    at = memchr(at, '@', (size_t)(end - at));
    const pair *rename = at ? renaming_of(at) : NULL;
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

static void write_line(writer *w, const char *line, size_t size, bool is_nvidia) {
  if (is_nvidia && solo_tool_skip_prefix(line, "target datalayout")) {
    write_text(w, layout_nvidia, sizeof layout_nvidia - 1);
    write_text(w, "\n", 1);
    return;
  }
  write_renamed(w, line, size);
}

char *solo_cc_mend_fortran(solo_span code, const char *target) {
  bool is_nvidia = solo_tool_skip_prefix(target, "sm_") != NULL;
  writer w = {.text = solo_tool_text("%s", "")};
  const char *text = solo_tool_text("%.*s", (int)code.size, (const char *)code.data);
  while (*text) {
    size_t size = strcspn(text, "\n");
    size += text[size] == '\n';
    write_line(&w, text, size, is_nvidia);
    text += size;
  }
  return w.text;
}
