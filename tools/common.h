/* What the command-line tools share: messages, text, lists, child processes, files.
 *
 * A tool is a short-lived process: what these functions allocate is never freed, and they end the
 * process when memory or a file system fails. Threads: one. Errors: solo_tool_die prints
 * "<tool>: error: <text>" and exits with status 1; texts name the file, the symbol and the remedy.
 */
#ifndef SOLO_TOOLS_COMMON_H
#define SOLO_TOOLS_COMMON_H

#include "runtime/image/span.h"

/* Set first thing in main: the name in messages. */
void solo_tool_start(const char *name);
void solo_tool_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void solo_tool_warn(const char *format, ...) SOLO_PRINTF(1, 2);

/* printf into fresh memory. */
char *solo_tool_text(const char *format, ...) SOLO_PRINTF(1, 2);
/* What follows prefix in text; NULL when text does not begin so. */
const char *solo_tool_after(const char *text, const char *prefix);
bool solo_tool_ends(const char *text, const char *suffix);
const char *solo_tool_base(const char *path);                    /* behind the last slash */
void *solo_tool_alloc(size_t size);                              /* zeroed */
void *solo_tool_grow(void *array, size_t count, size_t element); /* room for count + 1 */

/* --- lists of text, NULL-terminated at all times (argv) --------------------------------------- */

typedef struct solo_list {
  char **item;
  size_t count;
} solo_list;

void solo_list_add(solo_list *list, const char *text); /* borrows text */
void solo_list_addf(solo_list *list, const char *format, ...) SOLO_PRINTF(2, 3);
void solo_list_add_all(solo_list *list, const solo_list *more);
void solo_list_insert(solo_list *list, size_t at, const char *text);
bool solo_list_has(const solo_list *list, const char *text);
/* The arguments behind a program's name, with the words of each response file (@FILE) in its place. */
solo_list solo_tool_arguments(int argc, char **argv);

/* --- a map from text to a number -------------------------------------------------------------- */

typedef struct solo_names {
  const char **key;
  int *value;
  size_t count, capacity;
} solo_names;

/* The value slot of name, NULL when it is not there. */
int *solo_names_find(const solo_names *names, const char *name);
/* The value slot of name, made with value when it is not there. */
int *solo_names_put(solo_names *names, const char *name, int value);

/* --- processes and files ---------------------------------------------------------------------- */

/* Commands are shown on stderr, quoted for a shell, once this was called. */
void solo_tool_show_commands(void);
/* Runs and waits; the exit status (128 + signal when killed). */
int solo_tool_run(const solo_list *command);
/* Runs, without a shell, and gives the first line that the command prints, without its line end;
 * NULL: none, or it failed. What it says on stderr is not shown. */
char *solo_tool_ask(const solo_list *command);
/* Runs and waits; each line that it writes to stderr goes there and to see. The exit status. */
typedef void solo_tool_watcher(void *context, const char *line);
int solo_tool_run_watched(const solo_list *command, solo_tool_watcher *see, void *context);
/* Becomes the command. */
void solo_tool_exec(const solo_list *command) __attribute__((noreturn));
/* Ends this process, by a signal that nothing blocks, unless it has ended by itself within seconds. */
void solo_tool_end_within(int seconds);
/* Does the command exist on PATH (or as a path)? */
bool solo_tool_exists(const char *command);

/* A file name in a folder of this process that is removed when it exits. */
char *solo_tool_temporary(const char *name);
/* The bytes of a regular file, mapped; false: cannot be read, or is none (errno says which: EINVAL). */
bool solo_tool_map(const char *path, solo_span *out);
/* The same; dies when it cannot be read. */
solo_span solo_tool_input(const char *path);
void solo_tool_write(const char *path, const void *data, size_t size);
bool solo_tool_is_file(const char *path);
/* Is it there and neither a regular file nor a folder: a pipe, a device? Nothing can be linked or
 * read twice from it. */
bool solo_tool_is_special(const char *path);
/* Why nothing can be written there ("No space left on device"), asked behind a failure; NULL: it is
 * not known. */
const char *solo_tool_write_error(const char *path);
/* Ends main: status, or 1 when what was printed did not arrive. */
int solo_tool_finish(int status);

/* --- names in files for the assembler --------------------------------------------------------- */

/* A string with its quotes, as the operand of .asciz or .incbin: any byte may be in it. */
char *solo_tool_asm_string(const char *text);
/* A symbol with quotes. */
char *solo_tool_asm_symbol(const char *name);

/* --- where things are: relative to the running tool, in the build folder and when installed --- */

/* Folder of lib/<libc>/libsolo.a; dies when there is none. */
/* The machine that programs are made for, when it is not this one: "aarch64-linux-gnu". */
void solo_tool_set_host(const char *host);
const char *solo_tool_host(void); /* NULL: this one */
/* ld, as, objcopy for the host: with its name in front where there is one. */
const char *solo_tool_binutil(const char *name);

char *solo_tool_own(const char *name); /* another tool of ours */
char *solo_tool_library_dir(const char *libc);
/* Folder of omp.h and its like. */
char *solo_tool_include_dir(void); /* NULL: there is none */
/* Archive of device code for GPUs (abi/device); NULL: none was made. */
char *solo_tool_device_library(void);
/* The loops of the device runtime as bitcode for flang; NULL: not there. */
char *solo_tool_flang_loops(void);
char *solo_tool_simt_dir(void);   /* translate.sh and what it needs; dies when it is not there */
char *solo_tool_helper_dir(void); /* holds clang-linker-wrapper: solo-link under that name */

#endif
