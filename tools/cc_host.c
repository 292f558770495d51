/* Cross compilation: --host. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns "linux-gnu" of a triple with or without vendor; NULL: none. */
static const char *system_of(const char *host) {
  const char *system = strchr(host, '-');
  if (!system) return NULL;
  const char *vendor_end = strchr(system + 1, '-');
  return vendor_end && strncmp(vendor_end, "-linux", 6) == 0 ? vendor_end + 1 : system + 1;
}

static const char *hosts(void) {
  const char *all = "";
  const solo_machine *machine;
  for (size_t i = 0; (machine = solo_machine_at(i)); i++)
    all = solo_tool_text("%s%s%s-linux-gnu", all, i ? ", " : "", machine->name);
  return all;
}

void solo_cc_set_host(solo_cc_settings *s, const char *host) {
  s->machine = solo_machine_named(host);
  const char *system = system_of(host);
  if (s->machine && system && strcmp(system, "linux-musl") == 0)
    solo_tool_die("--host=%s: the name does not contain the C library; use --host=%s-linux-gnu\n  "
                  "hint: select the C library with --musl or --glibc (default with --static: musl "
                  "for C, glibc for C++)",
                  host, s->machine->name);
  if (!s->machine || !system || strcmp(system, "linux-gnu") != 0)
    solo_tool_die("--host=%s: unknown machine\n  hint: use one of %s", host, hosts());
  if (s->machine != solo_machine_native())
    solo_tool_set_host(solo_tool_text("%s-linux-gnu", s->machine->name));
}

static bool is_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static const char *sysroot_of(const solo_cc_settings *s) {
  const char *found = NULL;
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *value = solo_tool_skip_prefix(s->rest.item[i], "--sysroot=");
    if (!value && strcmp(s->rest.item[i], "--sysroot") == 0 && i + 1 < s->rest.count)
      value = s->rest.item[i + 1];
    if (value) found = value;
  }
  return found;
}

void solo_cc_check_host(const solo_cc_settings *s) {
  const char *sysroot = sysroot_of(s), *musl = getenv("SOLO_MUSL");
  if (sysroot && *sysroot && !is_folder(sysroot))
    solo_tool_die("--sysroot=%s: the folder does not exist", sysroot);
  if (sysroot && s->musl)
    solo_tool_warn("--sysroot does not apply to musl\n  hint: set SOLO_MUSL to the prefix of musl");
  if (s->musl && s->stage == STAGE_LINK && musl && *musl &&
      !solo_tool_is_file(solo_tool_text("%s/lib/libc.a", musl)))
    solo_tool_die("SOLO_MUSL=%s: the folder has no lib/libc.a", musl);
  if (s->remote && s->machine != solo_machine_native())
    solo_tool_die("--remote is not supported for %s: program and device server must have the same "
                  "instruction set, and solo has no remote library for this machine",
                  s->machine->name);
  if (s->machine->offloads) return;
  if (s->stage != STAGE_PREPROCESS)
    solo_tool_warn("target regions run on the host: Clang 19 and 22 have no OpenMP target for %s",
                   s->machine->name);
  if (!s->is_static || (s->musl && !(musl && *musl)))
    solo_tool_die("%s is supported only with --static --glibc, or with --static --musl and "
                  "SOLO_MUSL: Debian has no libomp and no musl for it\n  hint: set SOLO_MUSL to "
                  "the prefix of a musl for it (ports/cross/musl.sh builds one)",
                  s->machine->name);
}

void solo_cc_explain_host(const solo_cc_settings *s) {
  const char *host = solo_tool_host();
  if (!host || s->is_static || s->stage != STAGE_LINK) return;
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *dir = solo_tool_skip_prefix(s->rest.item[i], "-L");
    if (dir && solo_tool_is_file(solo_tool_text("%s/libomp.so", dir))) return;
  }
  fprintf(
      stderr,
      "solo-cc: note: a dynamic program needs libomp for its machine, %s\n  hint: name the folder "
      "of this libomp.so with -L (libomp-19-dev of the machine, unpacked), or link with --static\n",
      s->machine->name);
}
