#define _DEFAULT_SOURCE
#include "tools/common.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *tool = "solo";

void solo_tool_start(const char *name) {
  tool = name;
}

static void message(const char *kind, const char *format, va_list args) {
  fflush(stdout);
  fprintf(stderr, "%s: %s: ", tool, kind);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
}

void solo_tool_die(const char *format, ...) {
  va_list args;
  va_start(args, format);
  message("error", format, args);
  va_end(args);
  exit(1);
}

void solo_tool_warn(const char *format, ...) {
  va_list args;
  va_start(args, format);
  message("warning", format, args);
  va_end(args);
}

static char *format_text(const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  char *text = size < 0 ? NULL : solo_tool_alloc((size_t)size + 1);
  if (text) vsnprintf(text, (size_t)size + 1, format, again);
  va_end(again);
  if (!text) solo_tool_die("cannot format a message");
  return text;
}

char *solo_tool_text(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = format_text(format, args);
  va_end(args);
  return text;
}

const char *solo_tool_skip_prefix(const char *text, const char *prefix) {
  size_t size = strlen(prefix);
  return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

bool solo_tool_has_suffix(const char *text, const char *suffix) {
  size_t size = strlen(text), end = strlen(suffix);
  return size >= end && strcmp(text + size - end, suffix) == 0;
}

const char *solo_tool_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void *solo_tool_alloc(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory) solo_tool_die("out of memory");
  return memory;
}

void *solo_tool_grow(void *array, size_t count, size_t element) {
  /* The capacity is a power of two, so the array is full only if count is a power of two. */
  if (array && (count & (count - 1)) != 0) return array;
  void *memory = realloc(array, (count ? count * 2 : 1) * element);
  if (!memory) solo_tool_die("out of memory");
  return memory;
}

void solo_list_add(solo_list *list, const char *text) {
  list->item = solo_tool_grow(list->item, list->count + 1, sizeof *list->item);
  list->item[list->count++] = (char *)text;
  list->item[list->count] = NULL;
}

void solo_list_addf(solo_list *list, const char *format, ...) {
  va_list args;
  va_start(args, format);
  solo_list_add(list, format_text(format, args));
  va_end(args);
}

void solo_list_add_all(solo_list *list, const solo_list *more) {
  for (size_t i = 0; i < more->count; i++) solo_list_add(list, more->item[i]);
}

void solo_list_insert(solo_list *list, size_t at, const char *text) {
  solo_list_add(list, NULL);
  memmove(list->item + at + 1, list->item + at, (list->count - 1 - at) * sizeof *list->item);
  list->item[at] = (char *)text;
}

bool solo_list_has(const solo_list *list, const char *text) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->item[i], text) == 0) return true;
  return false;
}

static size_t slot_of(const solo_names *names, const char *name) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
  size_t at = hash & (names->capacity - 1);
  while (names->key[at] && strcmp(names->key[at], name) != 0) at = (at + 1) & (names->capacity - 1);
  return at;
}

int *solo_names_find(const solo_names *names, const char *name) {
  if (!names->capacity) return NULL;
  size_t at = slot_of(names, name);
  return names->key[at] ? &names->value[at] : NULL;
}

int *solo_names_put(solo_names *names, const char *name, int value) {
  if (names->count * 2 >= names->capacity) {
    solo_names old = *names;
    names->capacity = old.capacity ? old.capacity * 2 : 64;
    names->key = solo_tool_alloc(names->capacity * sizeof *names->key);
    names->value = solo_tool_alloc(names->capacity * sizeof *names->value);
    for (size_t i = 0; i < old.capacity; i++) {
      if (!old.key[i]) continue;
      size_t at = slot_of(names, old.key[i]);
      names->key[at] = old.key[i];
      names->value[at] = old.value[i];
    }
  }
  size_t at = slot_of(names, name);
  if (!names->key[at]) {
    names->key[at] = name;
    names->value[at] = value;
    names->count++;
  }
  return &names->value[at];
}

static bool is_plain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

char *solo_tool_asm_string(const char *text) {
  char *out = solo_tool_alloc(4 * strlen(text) + 3), *at = out;
  *at++ = '"';
  for (; *text; text++)
    if (is_plain(*text))
      *at++ = *text;
    else
      at += sprintf(at, "\\%03o", (unsigned char)*text);
  *at++ = '"';
  return out;
}

/* In a quoted symbol, the assembler has only the escape sequences \" and \\. */
char *solo_tool_asm_symbol(const char *name) {
  char *out = solo_tool_alloc(2 * strlen(name) + 3), *at = out;
  *at++ = '"';
  for (; *name; name++) {
    if (*name == '"' || *name == '\\') *at++ = '\\';
    *at++ = *name;
  }
  *at++ = '"';
  return out;
}

void solo_tool_end_within(int seconds) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  const struct itimerspec time = {.it_value = {.tv_sec = seconds}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
      timer_settime(timer, 0, &time, NULL) != 0)
    alarm((unsigned)seconds); /* fallback: SIGALRM can be blocked, for example by LeakSanitizer */
}
