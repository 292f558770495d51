/* Cross compilation with solo-cc: --host and its limits. */
#include "tools/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "linux-gnu" of a triple with or without vendor; NULL: malformed. */
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
    solo_tool_die(
        "--host=%s: the machine is named %s-linux-gnu whatever the C library is; that is said by "
        "--musl or --glibc (--static alone: musl for C, glibc for C++)",
        host, s->machine->name);
  if (!s->machine || !system || strcmp(system, "linux-gnu") != 0)
    solo_tool_die("--host=%s: solo makes programs for %s", host, hosts());
  if (s->machine != solo_machine_here())
    solo_tool_set_host(solo_tool_text("%s-linux-gnu", s->machine->name));
}

static bool is_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static const char *sysroot_of(const solo_cc_settings *s) {
  const char *found = NULL;
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *value = solo_tool_after(s->rest.item[i], "--sysroot=");
    if (!value && strcmp(s->rest.item[i], "--sysroot") == 0 && i + 1 < s->rest.count)
      value = s->rest.item[i + 1];
    if (value) found = value;
  }
  return found;
}

void solo_cc_check_host(const solo_cc_settings *s) {
  const char *sysroot = sysroot_of(s), *musl = getenv("SOLO_MUSL");
  if (sysroot && *sysroot && !is_folder(sysroot))
    solo_tool_die("--sysroot=%s: there is no such folder", sysroot);
  if (sysroot && s->musl)
    solo_tool_warn("--sysroot says nothing about musl, whose prefix SOLO_MUSL names");
  if (s->musl && s->stage == STAGE_LINK && musl && *musl &&
      !solo_tool_is_file(solo_tool_text("%s/lib/libc.a", musl)))
    solo_tool_die("SOLO_MUSL=%s: there is no lib/libc.a in it", musl);
  if (s->remote && s->machine != solo_machine_here())
    solo_tool_die("--remote: programs for %s cannot have a device server's GPUs: server and "
                  "program run the same instruction set, and no library is made for that machine",
                  s->machine->name);
  if (s->machine->offloads) return;
  if (s->stage != STAGE_PREPROCESS)
    solo_tool_warn(
        "target regions will run on the host: neither Clang 19 nor 22 takes %s as an OpenMP "
        "target, so there is no device code for it",
        s->machine->name);
  if (!s->is_static || (s->musl && !(musl && *musl)))
    solo_tool_die(
        "for %s there is only --static --glibc, or --static --musl with the prefix of a musl in "
        "SOLO_MUSL (ports/cross/musl.sh builds one): Debian has neither libomp nor musl for it",
        s->machine->name);
}

void solo_cc_explain_host(const solo_cc_settings *s) {
  const char *host = solo_tool_host();
  if (!host || s->is_static || s->stage != STAGE_LINK) return;
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *dir = solo_tool_after(s->rest.item[i], "-L");
    if (dir && solo_tool_is_file(solo_tool_text("%s/libomp.so", dir))) return;
  }
  fprintf(
      stderr,
      "solo-cc: note: host threads of a dynamic program are libomp's, of the machine that it is "
      "for: "
      "name the folder of %s's libomp.so (Debian's libomp-19-dev of that machine, unpacked) with "
      "-L, or link with --static\n",
      s->machine->name);
}
