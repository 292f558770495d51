#include "tools/common.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool show;

static char *folder;
static solo_list made;
static pid_t owner; /* process that created the folder; its forked children must not remove it */

void solo_tool_show_commands(void) {
  show = true;
}

static void print_command(const solo_list *command) {
  for (size_t i = 0; i < command->count; i++) {
    const char *text = command->item[i];
    fputs(i ? " " : "", stderr);
    if (*text && !strpbrk(text, " \t\n\"'\\$`*?[]();&|<>#~!{}")) {
      fputs(text, stderr);
      continue;
    }
    fputc('\'', stderr);
    for (const char *c = text; *c; c++)
      if (*c == '\'')
        fputs("'\\''", stderr);
      else
        fputc(*c, stderr);
    fputc('\'', stderr);
  }
  fputc('\n', stderr);
}

static _Noreturn void become(const solo_list *command) {
  execvp(command->item[0], command->item);
  int reason = errno;
  fprintf(stderr, "solo: error: cannot run %s: %s", command->item[0], strerror(reason));
  fputs(reason == ENOENT ? "\n  hint: install its package; ./configure.sh prints its name\n" : "\n",
        stderr);
  _exit(127);
}

/* Passes a long command in a response file, one quoted word per line. */
static const solo_list *shorten(const solo_list *command, solo_list *storage) {
  enum { LONGEST = 1000000 };
  size_t size = 0;
  for (size_t i = 0; i < command->count; i++) size += strlen(command->item[i]) + 1;
  if (size < LONGEST) return command;
  char *path = solo_tool_temporary(solo_tool_text("arguments-%zu", made.count));
  FILE *file = fopen(path, "w");
  if (!file) solo_tool_die_of_write(path);
  for (size_t i = 1; i < command->count; i++) {
    fputc('"', file);
    for (const char *c = command->item[i]; *c; c++) {
      if (*c == '"' || *c == '\\') fputc('\\', file);
      fputc(*c, file);
    }
    fputs("\"\n", file);
  }
  if (fclose(file) != 0) solo_tool_die_of_write(path);
  solo_list_add(storage, command->item[0]);
  solo_list_addf(storage, "@%s", path);
  return storage;
}

static pid_t start(const solo_list *command) {
  enum { TRIES = 10, FIRST_NS = 5000000 };
  if (show) print_command(command);
  fflush(NULL);
  for (int i = 0;; i++) {
    pid_t child = fork();
    if (child >= 0) return child;
    if (errno != EAGAIN || i == TRIES)
      solo_tool_die("cannot start %s: %s", command->item[0], strerror(errno));
    long long ns = (long long)FIRST_NS << i;
    struct timespec pause = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    nanosleep(&pause, NULL);
  }
}

static int wait_for(pid_t child, const solo_list *command) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) solo_tool_die("cannot wait for %s: %s", command->item[0], strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int solo_tool_run(const solo_list *given) {
  solo_list storage = {0};
  const solo_list *command = shorten(given, &storage);
  pid_t child = start(command);
  if (child == 0) become(command);
  return wait_for(child, command);
}

/* Reads all output; otherwise the writer would receive SIGPIPE. */
static char *first_line(int from) {
  FILE *answer = fdopen(from, "r");
  char *line = NULL, rest[512];
  size_t storage = 0;
  if (!answer) solo_tool_die("cannot read a pipe: %s", strerror(errno));
  ssize_t size = getline(&line, &storage, answer);
  while (fread(rest, 1, sizeof rest, answer) > 0) {
  }
  fclose(answer);
  if (size <= 0) return NULL;
  line[strcspn(line, "\n")] = 0;
  return line;
}

char *solo_tool_run_for_line(const solo_list *command) {
  int ends[2];
  if (pipe(ends) != 0) solo_tool_die("cannot create a pipe: %s", strerror(errno));
  pid_t child = start(command);
  if (child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    become(command);
  }
  close(ends[1]);
  char *line = first_line(ends[0]);
  return wait_for(child, command) == 0 ? line : NULL;
}

static void copy_stderr(int from, solo_tool_watcher *see, void *context) {
  char buffer[4096], line[4096];
  size_t filled = 0;
  for (;;) {
    ssize_t size = read(from, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    for (ssize_t done = 0, one; done < size; done += one)
      if ((one = write(STDERR_FILENO, buffer + done, (size_t)(size - done))) <= 0) break;
    for (ssize_t i = 0; i < size; i++) {
      if (buffer[i] != '\n') {
        if (filled + 1 < sizeof line) line[filled++] = buffer[i];
        continue;
      }
      line[filled] = 0;
      see(context, line);
      filled = 0;
    }
  }
}

int solo_tool_run_watched(const solo_list *given, solo_tool_watcher *see, void *context) {
  solo_list storage = {0};
  const solo_list *command = shorten(given, &storage);
  int ends[2];
  if (pipe(ends) != 0) solo_tool_die("cannot create a pipe: %s", strerror(errno));
  pid_t child = start(command);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    become(command);
  }
  close(ends[1]);
  copy_stderr(ends[0], see, context);
  close(ends[0]);
  return wait_for(child, command);
}

void solo_tool_exec(const solo_list *given) {
  solo_list storage = {0};
  const solo_list *command = shorten(given, &storage);
  /* a child, because this process removes the response file afterwards */
  if (command == &storage) exit(solo_tool_run(command));
  if (show) print_command(command);
  fflush(NULL);
  become(command);
}

const char *solo_tool_search(const char *command) {
  if (strchr(command, '/')) return access(command, X_OK) == 0 ? command : NULL;
  const char *path = getenv("PATH");
  for (path = path ? path : "/usr/bin:/bin"; *path;) {
    size_t size = strcspn(path, ":");
    const char *file = solo_tool_text("%.*s/%s", (int)size, path, command);
    if (access(file, X_OK) == 0) return file;
    path += size + (path[size] == ':');
  }
  return NULL;
}

bool solo_tool_exists(const char *command) {
  return solo_tool_search(command) != NULL;
}

static void clean_up(void) {
  if (getpid() != owner) return;
  for (size_t i = 0; i < made.count; i++) unlink(made.item[i]);
  rmdir(folder);
}

static const int interruptions[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

static void end_interrupted(int number) {
  clean_up();
  (void)raise(number); /* SA_RESETHAND has restored the default action */
}

static void clean_up_at_end(void) {
  struct sigaction before, action = {.sa_handler = end_interrupted};
  action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
  atexit(clean_up);
  for (size_t i = 0; i < sizeof interruptions / sizeof *interruptions; i++)
    if (sigaction(interruptions[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      (void)sigaction(interruptions[i], &action, NULL);
}

static void add_made(char *path) {
  sigset_t set, before;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof interruptions / sizeof *interruptions; i++)
    sigaddset(&set, interruptions[i]);
  (void)sigprocmask(SIG_BLOCK, &set, &before); /* because the handlers read the list */
  solo_list_add(&made, path);
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

char *solo_tool_temporary(const char *name) {
  if (!folder) {
    const char *parent = getenv("TMPDIR");
    char *pattern = solo_tool_text("%s/solo-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(pattern)) solo_tool_die("cannot create folder %s: %s", pattern, strerror(errno));
    folder = pattern;
    owner = getpid();
    clean_up_at_end();
  }
  char *path = solo_tool_text("%s/%s", folder, name);
  add_made(path);
  return path;
}

bool solo_tool_map(const char *path, solo_span *out) {
  /* O_NONBLOCK: does not wait for the writer of a pipe */
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct stat info;
  bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  if (!good) errno = EINVAL;
  *out = solo_span_of("", 0);
  if (good && info.st_size > 0) {
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    good = data != MAP_FAILED;
    if (good) *out = solo_span_of(data, (size_t)info.st_size);
  }
  close(file);
  return good;
}

solo_span solo_tool_input(const char *path) {
  solo_span bytes;
  errno = 0;
  if (solo_tool_map(path, &bytes)) return bytes;
  if (errno == EINVAL) solo_tool_die("cannot read %s: not a regular file", path);
  solo_tool_die("cannot read %s: %s", path, strerror(errno));
}

void solo_tool_write(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    solo_tool_die_of_write(path);
}

bool solo_tool_is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool solo_tool_is_special(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

void solo_tool_die_of_write(const char *path) {
  solo_tool_die("cannot write %s: %s" SOLO_SEE("disk-full"), path, strerror(errno));
}

const char *solo_tool_write_error(const char *path) {
  struct statvfs space;
  if (!solo_tool_is_special(path)) {
    const char *slash = strrchr(path, '/');
    const char *dir = slash ? solo_tool_text("%.*s/", (int)(slash - path), path) : ".";
    if (access(dir, W_OK) != 0) return strerror(errno);
    return statvfs(dir, &space) == 0 && space.f_bavail == 0 ? strerror(ENOSPC) : NULL;
  }
  int file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  bool bad = file < 0 || write(file, "", 1) < 0;
  const char *reason = bad ? strerror(errno) : NULL;
  if (file >= 0) close(file);
  return reason;
}

int solo_tool_finish(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  solo_tool_die("cannot write to standard output: %s", strerror(errno));
}

static void add_words(solo_list *out, solo_span text) {
  char *word = solo_tool_alloc(text.size + 1);
  for (size_t at = 0; at < text.size;) {
    char c = (char)text.data[at];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      at++;
      continue;
    }
    size_t size = 0;
    char quote = 0;
    for (; at < text.size; at++) {
      c = (char)text.data[at];
      if (!quote && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) break;
      if (c == '\\' && at + 1 < text.size)
        word[size++] = (char)text.data[++at];
      else if (c == quote)
        quote = 0;
      else if (!quote && (c == '"' || c == '\''))
        quote = c;
      else
        word[size++] = c;
    }
    solo_list_addf(out, "%.*s", (int)size, word);
  }
}

solo_list solo_tool_arguments(int argc, char **argv) {
  solo_list out = {0};
  for (int i = 1; i < argc; i++) {
    solo_span text;
    if (argv[i][0] == '@' && solo_tool_map(argv[i] + 1, &text))
      add_words(&out, text);
    else
      solo_list_add(&out, argv[i]);
  }
  return out;
}

const char *solo_tool_program_dir(void) {
  static char path[4096];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (size <= 0) solo_tool_die("cannot read /proc/self/exe: %s", strerror(errno));
  path[size] = 0;
  char *slash = strrchr(path, '/');
  if (slash) *slash = 0;
  return path;
}

static const char *host;

void solo_tool_set_host(const char *name) {
  host = name;
}

const char *solo_tool_host(void) {
  return host;
}

const char *solo_tool_binutil(const char *name) {
  const char *own = host ? solo_tool_text("%s-%s", host, name) : name;
  return host && solo_tool_exists(own) ? own : name;
}

/* Searches the installation, then the build folder. NULL: not found. */
typedef enum what { THE_FOLDER, THE_FILE } what;
static char *find(const char *root, const char *folder, const char *file, what wanted) {
  const char *places[] = {"/solo", ""};
  for (int i = 0; i < 2; i++) {
    char *dir = solo_tool_text("%s/../%s%s/%s", solo_tool_program_dir(), root, places[i], folder);
    char *path = solo_tool_text("%s/%s", dir, file);
    if (solo_tool_is_file(path)) return realpath(wanted == THE_FILE ? path : dir, NULL);
  }
  return NULL;
}

char *solo_tool_sibling(const char *name) {
  char *path = solo_tool_text("%s/%s", solo_tool_program_dir(), name);
  if (!solo_tool_is_file(path))
    solo_tool_die("%s is missing\n  hint: run ninja, or install solo again", path);
  return path;
}

char *solo_tool_library_dir(const char *libc) {
  if (host) libc = solo_tool_text("%s/%s", host, libc);
  char *dir = find("lib", libc, "libsolo.a", THE_FOLDER);
  if (dir) return dir;
  solo_tool_die("libsolo.a for %s is missing in %s/../lib[/solo]/%s/\n  hint: build it: "
                "./configure.sh --libc=both%s%s && ninja",
                libc, solo_tool_program_dir(), libc, host ? " --host=" : "", host ? host : "");
}

char *solo_tool_device_library(void) {
  return find("lib", "device", "libsolo_device.a", THE_FILE);
}

char *solo_tool_flang_loops(void) {
  return find("lib", "flang", "loops.bc", THE_FILE);
}

char *solo_tool_simt_dir(void) {
  char *dir = find("lib", "simt", "translate.sh", THE_FOLDER);
  if (dir) return dir;
  solo_tool_die("the translator for the virtual GPU is missing in %s/../lib[/solo]/simt/\n  hint: "
                "build it: ./configure.sh (--backends with simt) && ninja",
                solo_tool_program_dir());
}

char *solo_tool_include_dir(void) {
  return find("include", "", "omp.h", THE_FOLDER);
}

char *solo_tool_helper_dir(void) {
  char *dir = solo_tool_text("%s/../libexec/solo", solo_tool_program_dir());
  if (access(solo_tool_text("%s/clang-linker-wrapper", dir), X_OK) != 0)
    solo_tool_die("%s/clang-linker-wrapper is missing\n  hint: run ninja, or install solo again",
                  dir);
  return realpath(dir, NULL);
}
