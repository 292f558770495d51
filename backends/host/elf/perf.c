/* SOLO_PERF_MAP: appends an image's functions to /tmp/perf-<pid>.map as "start size name". */
#define _GNU_SOURCE
#include "backends/host/elf/module.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void solo_host_elf_perf_add(const solo_host_elf *m, const solo_elf *file) {
  char path[64];
  solo_elf_symbols symbols;
  if (solo_elf_static_symbols(file, &symbols) != SOLO_OK &&
      solo_elf_dynamic_symbols(file, &symbols) != SOLO_OK)
    return;
  snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
  /* reject links and files of other users */
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  FILE *out = fd < 0 ? NULL : fdopen(fd, "a");
  if (!out) {
    if (fd >= 0) close(fd);
    return;
  }
  for (uint32_t i = 1; i < symbols.count; i++) {
    solo_elf_symbol s;
    if (solo_elf_symbol_at(&symbols, i, &s) != SOLO_OK || s.section == SHN_UNDEF ||
        s.type != STT_FUNC || !s.size)
      continue;
    fprintf(out, "%" PRIx64 " %" PRIx64 " %s [device %d]\n", (uint64_t)(m->bias + s.value), s.size,
            s.name, m->device);
  }
  fclose(out);
}
