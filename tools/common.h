/* Functions that all command-line tools use: messages, text, lists, child processes, files.
 *
 * Ownership: a tool never frees; its process is short. Threads: one. Errors: the functions end the
 * process if memory or a file system fails. solo_tool_die prints "<tool>: error: <text>" and exits
 * with status 1. */
#ifndef SOLO_TOOLS_COMMON_H
#define SOLO_TOOLS_COMMON_H

#include "runtime/image/span.h"

/* First call in main; sets the name in messages. */
void solo_tool_start(const char *name);
void solo_tool_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void solo_tool_warn(const char *format, ...) SOLO_PRINTF(1, 2);

/* Allocates the result. */
char *solo_tool_text(const char *format, ...) SOLO_PRINTF(1, 2);
/* The text after prefix; NULL if text does not begin with prefix. */
const char *solo_tool_after(const char *text, const char *prefix);
bool solo_tool_ends(const char *text, const char *suffix);
const char *solo_tool_base(const char *path);
void *solo_tool_alloc(size_t size);                              /* zeroed */
void *solo_tool_grow(void *array, size_t count, size_t element); /* space for count + 1 */

/* --- lists of text, always NULL-terminated (argv) ------------------------------------------- */

typedef struct solo_list {
  char **item;
  size_t count;
} solo_list;

void solo_list_add(solo_list *list, const char *text); /* borrows text */
void solo_list_addf(solo_list *list, const char *format, ...) SOLO_PRINTF(2, 3);
void solo_list_add_all(solo_list *list, const solo_list *more);
void solo_list_insert(solo_list *list, size_t at, const char *text);
bool solo_list_has(const solo_list *list, const char *text);
/* The arguments after the program name. The words of a response file (@FILE) replace its argument. */
solo_list solo_tool_arguments(int argc, char **argv);

/* --- a map from text to a number -------------------------------------------------------------- */

typedef struct solo_names {
  const char **key;
  int *value;
  size_t count, capacity;
} solo_names;

int *solo_names_find(const solo_names *names, const char *name);
/* The value of name; inserts name with value if it is missing. */
int *solo_names_put(solo_names *names, const char *name, int value);

/* --- processes and files ---------------------------------------------------------------------- */

/* Prints each command to stderr, quoted for a shell. */
void solo_tool_show_commands(void);
/* Runs a command and waits. Returns its exit status, or 128 + signal. */
int solo_tool_run(const solo_list *command);
/* Runs without a shell. Returns the first output line without its newline; NULL if there is none or
 * the command failed. Discards stderr. */
char *solo_tool_ask(const solo_list *command);
/* Like solo_tool_run(); passes stderr through and calls see for each of its lines. */
typedef void solo_tool_watcher(void *context, const char *line);
int solo_tool_run_watched(const solo_list *command, solo_tool_watcher *see, void *context);
/* Replaces this process by the command. */
void solo_tool_exec(const solo_list *command) __attribute__((noreturn));
/* Kills this process with SIGKILL after the given seconds, unless it has ended. */
void solo_tool_end_within(int seconds);
/* True if the command exists in PATH, or as a path. */
bool solo_tool_exists(const char *command);

/* A file name in a temporary folder, which is removed at exit. */
char *solo_tool_temporary(const char *name);
/* Maps a regular file. Returns false if it cannot be read; errno is EINVAL if it is not regular. */
bool solo_tool_map(const char *path, solo_span *out);
/* Like solo_tool_map(); ends the process on failure. */
solo_span solo_tool_input(const char *path);
void solo_tool_write(const char *path, const void *data, size_t size);
bool solo_tool_is_file(const char *path);
/* True for a pipe or a device: it cannot be linked, or read twice. */
bool solo_tool_is_special(const char *path);
/* After a failed write, the reason ("No space left on device"); NULL if unknown. */
const char *solo_tool_write_error(const char *path);
/* The exit status of main: 1 if the output could not be written. */
int solo_tool_finish(int status);

/* --- names in files for the assembler --------------------------------------------------------- */

/* A quoted string for .asciz or .incbin; any byte is allowed. */
char *solo_tool_asm_string(const char *text);
/* A quoted symbol. */
char *solo_tool_asm_symbol(const char *name);

/* --- paths, relative to the running tool; equal in the build folder and installed ---------- */

/* Sets the target machine, for example "aarch64-linux-gnu", if it is not this machine. */
void solo_tool_set_host(const char *host);
const char *solo_tool_host(void); /* NULL: this machine */
/* ld, as or objcopy for the target machine; with its prefix if that exists. */
const char *solo_tool_binutil(const char *name);

char *solo_tool_own(const char *name);         /* another tool of solo */
char *solo_tool_library_dir(const char *libc); /* of lib/<libc>/libsolo.a */
/* Folder of omp.h. */
char *solo_tool_include_dir(void); /* NULL: not found */
/* Archive of device code for GPUs (abi/device); NULL: not built. */
char *solo_tool_device_library(void);
/* Bitcode of the device runtime's loops for flang; NULL: not built. */
char *solo_tool_flang_loops(void);
char *solo_tool_simt_dir(void);   /* folder of translate.sh */
char *solo_tool_helper_dir(void); /* folder of clang-linker-wrapper, a link to solo-link */

#endif
