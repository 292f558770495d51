/* Detects a second host runtime (libomp, libiomp5, libgomp) in the process. If the program is linked
 * with a second runtime, solo reports an error before main (abi/join.c). If dlopen loads one, solo
 * warns once: when a library registers, a worker is created, or the program ends. */
#define _GNU_SOURCE
#include "abi/kmpc/kmpc.h"
#include "runtime/base/status.h"
#include "runtime/host_threads.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct search {
  const char *runtime;
  unsigned long long loads;
} search;

static _Atomic uint64_t loads_seen;

static int is_host_runtime(const char *path) {
  static const char *const names[] = {"libomp.so", "libiomp5.so", "libgomp.so"};
  const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
  for (size_t i = 0; name && i < sizeof names / sizeof names[0]; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0) return 1;
  return 0;
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  search *s = context;
  (void)size;
  s->loads = info->dlpi_adds;
  if (s->loads == solo_load_relaxed(&loads_seen)) return 1; /* relaxed: a hint */
  if (!s->runtime && is_host_runtime(info->dlpi_name)) s->runtime = info->dlpi_name;
  return 0;
}

static const char *find(void) {
  search s = {0};
  dl_iterate_phdr(visit_object, &s);
  solo_store_relaxed(&loads_seen, s.loads); /* relaxed: a hint */
  return s.runtime;
}

/* Calls _exit, because functions of atexit(3) can depend on constructors that have not run. */
static void reject_at_start(void) {
  const char *other = find();
  if (!other) return;
  char text[1024];
  snprintf(
      text, sizeof text,
      "solo: error: two OpenMP runtimes in one process: the host threads of libsolo.a and %s\n"
      "  hint: link only the device part together with libomp (pkg-config solo, CMake's "
      "solo::offload, -lomptarget), or link libsolo.a and no library that needs another OpenMP "
      "runtime (pkg-config solo-static, solo::static, solo-cc --static)" SOLO_SEE("two-runtimes"),
      other);
  solo_kmp_line(text);
  _exit(1);
}

static void warn_once(void) {
  static _Atomic int32_t has_warned;
  const char *other = find();
  if (other && !solo_exchange_relaxed(&has_warned, 1)) /* relaxed: only one thread warns */
    solo_kmp_warn(
        "two OpenMP runtimes in one process: dlopen loaded %s in addition to the host "
        "threads of libsolo.a; the two do not share thread numbers, locks and limits\n"
        "  hint: link the program with the device part and libomp (pkg-config solo, CMake's "
        "solo::offload, -lomptarget)" SOLO_SEE("two-runtimes"),
        other);
}

const solo_second_runtime_seam solo_second_runtime = {
    .reject_at_start = reject_at_start,
    .warn_once = warn_once,
};

SOLO_EXPORT extern const char solo_second_runtime_here;
const char solo_second_runtime_here = 1;

__attribute__((destructor)) static void at_the_end(void) {
  warn_once();
}
