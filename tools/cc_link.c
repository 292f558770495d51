/* Link options that solo-cc and solo-fc share. */
#include "tools/cc.h"

#include <stdlib.h>

static void add_exact_threads(const solo_cc_settings *s, solo_list *command) {
  if (!s->exact_threads) return;
  const char *folder = solo_tool_library_dir(s->musl ? "musl" : "glibc");
  solo_list_addf(command, "%s/solo_exact_threads.o", folder);
}

void solo_cc_add_static_link(const solo_cc_settings *s, const char *clang, solo_list *command) {
  if (!solo_list_has(&s->rest, "-static-pie")) solo_list_add(command, "-static");
  if (!s->machine->offloads) {
    if (s->musl) solo_list_addf(command, "-L%s/lib", getenv("SOLO_MUSL"));
    return;
  }
  solo_list_addf(command, "-B%s", solo_tool_helper_dir());
  if (s->musl) solo_list_add(command, "-nostdlib");
  solo_list_addf(command, "-Wl,--libc=%s", s->musl ? "musl" : "glibc");
  if (solo_tool_host()) solo_list_addf(command, "-Wl,--host=%s", solo_tool_host());
  solo_list_addf(command, "-Wl,--clang=%s", clang);
  if (s->verbose) solo_list_add(command, "-Wl,--show");
  if (s->remote) solo_list_add(command, "-Wl,--remote");
  if (s->allow_host_only) solo_list_add(command, "-Wl,--allow-host-only");
  if (s->runtime_images) solo_list_add(command, "-Wl,--runtime-images");
  add_exact_threads(s, command);
  solo_list_add_all(command, &s->for_linker);
}

/* Adds the library that loads GPU drivers. */
static void add_drivers(const solo_cc_settings *s, const char *libraries, solo_list *command) {
  bool nvidia = strstr(s->targets, "sm_") != NULL, amd = strstr(s->targets, "gfx") != NULL;
  const char *drivers = solo_tool_text("%s/libsolo_drv_%s.so", libraries, nvidia ? "cuda" : "hsa");
  if (nvidia == amd || !solo_tool_is_file(drivers))
    drivers = solo_tool_text("%s/libsolo_drv.so", libraries);
  if (solo_tool_is_file(drivers)) {
    solo_list_addf(command, "-Wl,--push-state,--no-as-needed,%s,--pop-state", drivers);
    solo_list_addf(command, "-Wl,-rpath,%s", libraries);
  }
}

static void add_gpu_link(const solo_cc_settings *s, const char *libraries, solo_list *command) {
  add_drivers(s, libraries, command);
  const char *device = solo_tool_device_library();
  if (device) solo_list_add(command, device);
}

/* Adds solo's library folder first, so that -lomptarget finds solo's archive. Exports the names
 * that libomp and device images look up in the program. */
void solo_cc_add_dynamic_link(const solo_cc_settings *s, const char *clang, solo_list *command) {
  const char *libraries = solo_tool_library_dir("glibc"), *libomp = solo_cc_other_libomp(clang);
  solo_list_addf(command, "-L%s", libraries);
  add_exact_threads(s, command);
  if (libomp) solo_list_addf(command, "-L%s", libomp);
  static const char *const exported[] = {"__tgt_*", "omp_*", "ompx_*", "llvm_omp_*"};
  for (size_t i = 0; i < sizeof exported / sizeof *exported; i++)
    solo_list_addf(command, "-Wl,--export-dynamic-symbol=%s", exported[i]);
  if (solo_cc_simt(s)) solo_list_addf(command, "-B%s", solo_tool_helper_dir());
  if (solo_cc_is_ptx(s))
    add_drivers(s, libraries, command);
  else if (!solo_cc_simt(s) && strcmp(s->targets, "host") != 0)
    add_gpu_link(s, libraries, command);
  if (!s->own_images || solo_cc_simt(s)) {
    if (!solo_cc_simt(s)) solo_cc_add_collection(s, clang, command);
    solo_cc_add_sanitizer_link(s, clang, command);
    return;
  }
  solo_list_addf(command, "-B%s", solo_tool_helper_dir());
  solo_list_add(command, "-Wl,--images");
  solo_list_addf(command, "-Wl,--clang=%s", clang);
  if (s->verbose) solo_list_add(command, "-Wl,--show");
}
