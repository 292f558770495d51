/* Functions of all command-line tools. Memory is not freed. A failed allocation or file
 * operation ends the process. solo_tool_die prints "<tool>: error: <text>" and exits with status
 * 1. */
#ifndef SOLO_TOOLS_COMMON_H
#define SOLO_TOOLS_COMMON_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

void solo_tool_start(const char *name);
void solo_tool_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void solo_tool_warn(const char *format, ...) SOLO_PRINTF(1, 2);

char *solo_tool_text(const char *format, ...) SOLO_PRINTF(1, 2);
/* Returns the text after the prefix, or NULL. */
const char *solo_tool_skip_prefix(const char *text, const char *prefix);
bool solo_tool_has_suffix(const char *text, const char *suffix);
const char *solo_tool_base(const char *path);
void *solo_tool_alloc(size_t size);
/* returns the array with space for count + 1 elements */
void *solo_tool_grow(void *array, size_t count, size_t element);

typedef struct solo_list {
  char **item;
  size_t count;
} solo_list;

void solo_list_add(solo_list *list, const char *text); /* does not copy */
void solo_list_addf(solo_list *list, const char *format, ...) SOLO_PRINTF(2, 3);
void solo_list_add_all(solo_list *list, const solo_list *more);
void solo_list_insert(solo_list *list, size_t at, const char *text);
bool solo_list_has(const solo_list *list, const char *text);
/* The words of a response file replace an argument @FILE. */
solo_list solo_tool_arguments(int argc, char **argv);

typedef struct solo_names {
  const char **key;
  int *value;
  size_t count, capacity;
} solo_names;

int *solo_names_find(const solo_names *names, const char *name);
/* Inserts name if it is missing. */
int *solo_names_put(solo_names *names, const char *name, int value);

void solo_tool_show_commands(void);
/* Returns the exit status, or 128 + signal. */
int solo_tool_run(const solo_list *command);
/* Returns the output's first line; NULL: none, or failure. */
char *solo_tool_run_for_line(const solo_list *command);
/* Like solo_tool_run(); also passes each line of stderr to `see`. */
typedef void solo_tool_watcher(void *context, const char *line);
int solo_tool_run_watched(const solo_list *command, solo_tool_watcher *see, void *context);
void solo_tool_exec(const solo_list *command) __attribute__((noreturn));
void solo_tool_end_within(int seconds);
const char *solo_tool_search(const char *command);
bool solo_tool_exists(const char *command);

/* Returns a path in a temporary folder that is removed at exit. */
char *solo_tool_temporary(const char *name);
/* Maps a regular file. Returns false on failure (errno EINVAL: not a regular file). */
bool solo_tool_map(const char *path, solo_span *out);
solo_span solo_tool_input(const char *path);
void solo_tool_write(const char *path, const void *data, size_t size);
bool solo_tool_is_file(const char *path);
/* Returns true for a pipe or a device, which cannot be read twice. */
bool solo_tool_is_special(const char *path);
/* Reports a failed write; errno is the reason. solo_tool_write_error() returns why `path` is not
 * writable; NULL: unknown. */
void solo_tool_die_of_write(const char *path) __attribute__((noreturn));
const char *solo_tool_write_error(const char *path);
/* Returns `status`. If stdout could not be written, ends with status 1. */
int solo_tool_finish(int status);

/* Returns a quoted string for .asciz or .incbin. */
char *solo_tool_asm_string(const char *text);
char *solo_tool_asm_symbol(const char *name);

void solo_tool_set_host(const char *host);
const char *solo_tool_host(void); /* NULL: this machine */
const char *solo_tool_binutil(const char *name);

char *solo_tool_sibling(const char *name);
char *solo_tool_library_dir(const char *libc);
const char *solo_tool_program_dir(void);
char *solo_tool_include_dir(void);
char *solo_tool_device_library(void);
char *solo_tool_flang_loops(void);
char *solo_tool_simt_dir(void);
char *solo_tool_helper_dir(void);

#endif
