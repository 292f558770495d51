/* Targets of solo-cc: triples, architectures and device runtimes. */
#include "tools/cc.h"

#include <glob.h>
#include <stdlib.h>

const char *solo_cc_triple(const solo_cc_settings *s) {
  /* For riscv64 Clang finds the linker only by the GNU triple. */
  if (s->musl && s->machine->offloads) return solo_tool_text("%s-linux-musl", s->machine->name);
  return solo_tool_text("%s-%s-linux-gnu", s->machine->name, s->machine->vendor);
}

const char *solo_cc_triple_of(const solo_cc_settings *s, const char *target) {
  if (strcmp(target, "host") == 0) return solo_cc_triple(s);
  if (solo_tool_skip_prefix(target, "sm_")) return "nvptx64-nvidia-cuda";
  if (solo_tool_skip_prefix(target, "gfx")) return "amdgcn-amd-amdhsa";
  solo_tool_die("--targets: unknown target '%s'\n  hint: use host, sm_NN (sm_90), gfxNNN (gfx90a), "
                "simt-sm_NN, simt-gfxNNN or ptx-sm_NN" SOLO_SEE("wrong-target"),
                target);
}

bool solo_cc_has_host_target(const solo_cc_settings *s) {
  const char *at = strstr(s->targets, "host");
  return s->is_static || (at && (at[4] == 0 || at[4] == ','));
}

static const char *folder_of(const char *path) {
  return solo_tool_text("%.*s", (int)(strrchr(path, '/') - path), path);
}

/* Returns a file of Clang without running Clang; NULL: not found, or `clang` may be a wrapper. */
static const char *installed(const char *clang, const char *name) {
  const char *file = solo_tool_search(clang), *real = file ? realpath(file, NULL) : NULL;
  if (!real || !solo_tool_skip_prefix(solo_tool_base(real), "clang")) return NULL;
  glob_t found = {0};
  glob(solo_tool_text("%s/../lib/%s", folder_of(real), name), 0, NULL, &found);
  const char *path = found.gl_pathc == 1 ? solo_tool_text("%s", found.gl_pathv[0]) : NULL;
  globfree(&found);
  return path;
}

static const char *file_of_clang(const char *clang, const char *name) {
  solo_list command = {0};
  solo_list_add(&command, clang);
  solo_list_addf(&command, "-print-file-name=%s", name);
  const char *path = solo_tool_run_for_line(&command);
  return path && strchr(path, '/') ? path : NULL;
}

const char *solo_cc_other_libomp(const char *clang) {
  if (installed(clang, "libomp.so") || file_of_clang(clang, "libomp.so")) return NULL;
  glob_t found;
  const char *folder = NULL;
  if (glob("/usr/lib/llvm-*/lib/libomp.so", 0, NULL, &found) == 0) {
    folder = folder_of(found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
  }
  return folder;
}

static void add_once(solo_list *list, const char *option) {
  if (!solo_list_has(list, option)) solo_list_add(list, option);
}

static const char *headers_of(const char *clang) {
  const char *headers = installed(clang, "clang/*/include");
  return headers ? headers : file_of_clang(clang, "include");
}

static const char *version_of(const char *clang) {
  const char *headers = headers_of(clang);
  return headers ? solo_tool_base(folder_of(headers)) : "";
}

void solo_cc_add_collection(const solo_cc_settings *s, const char *clang, solo_list *command) {
  bool by_compiler = strcmp(version_of(clang), "19") == 0; /* Clang 22's linker wrapper calls ld */
  if (!solo_cc_has_host_target(s)) return;
  solo_list_addf(command, "-Xoffload-linker-%s", solo_cc_triple(s));
  solo_list_add(command, by_compiler ? "-Wl,--gc-sections" : "--gc-sections");
}

/* Returns the folder of the corrected device runtime (abi/device/make.sh), or NULL. For Clang
 * 22, one file supports all NVIDIA GPUs from sm_70 on. */
static const char *bundled_runtime(const char *version, const char *vendor, const char *target) {
  const char *bundled = solo_tool_device_library(), *number = solo_tool_skip_prefix(target, "sm_");
  bool is_one_file = number && strcmp(version, "22") == 0;
  if (!bundled || (is_one_file && atoi(number) < 70)) return NULL;
  const char *folder = solo_tool_text("%s/%s", folder_of(bundled), version);
  const char *name = is_one_file ? "libomptarget-nvptx.bc"
                                 : solo_tool_text("libomptarget-%s-%s.bc", vendor, target);
  return solo_tool_is_file(solo_tool_text("%s/%s", folder, name)) ? folder : NULL;
}

static void add_runtime_for_22(const char *folder, solo_list *out) {
  add_once(out, solo_tool_text("--libomptarget-nvptx-bc-path=%s", folder));
  add_once(out, "-Wno-linker-warnings"); /* harmless: data layouts differ */
  if (solo_list_has(out, solo_tool_text("-L%s", folder))) return;
  solo_list_add(out, "-Xoffload-linker");
  solo_list_addf(out, "-L%s", folder);
}

/* Returns the folder of AMD's device libraries. */
static const char *rocm_folder(const char *target) {
  const char *debian =
      solo_tool_text("/usr/lib/%s-linux-gnu/amdgcn/bitcode", solo_machine_native()->name);
  const char *isa =
      solo_tool_text("oclc_isa_version_%.*s.bc", (int)strcspn(target + 3, ":"), target + 3);
  const char *device = solo_tool_device_library();
  const char *bundled = device ? solo_tool_text("%s/rocm", folder_of(device)) : "";
  if (!solo_tool_is_file(solo_tool_text("%s/%s", debian, isa)) &&
      solo_tool_is_file(solo_tool_text("%s/%s", bundled, isa)))
    debian = bundled;
  return debian;
}

static void add_rocm(const char *target, solo_list *out) {
  const char *folder = rocm_folder(target);
  if (solo_tool_is_file(solo_tool_text("%s/ocml.bc", folder)))
    add_once(out, solo_tool_text("--rocm-device-lib-path=%s", folder));
}

/* "gfx90a:xnack+" uses the runtime of gfx90a. */
solo_list solo_cc_runtimes_of(const char *clang, const char *target) {
  bool nvidia = solo_tool_skip_prefix(target, "sm_") != NULL;
  char *processor = solo_tool_text("%.*s", (int)strcspn(target, ":"), target);
  const char *folder = bundled_runtime(version_of(clang), nvidia ? "nvptx" : "amdgpu", processor);
  solo_list files = {0};
  if (!folder) return files;
  if (nvidia) {
    solo_list_addf(&files, "%s/libomptarget-nvptx.bc", folder);
    return files;
  }
  solo_list_addf(&files, "%s/libomptarget-amdgpu-%s.bc", folder, processor);
  solo_list_addf(&files, "%s/../solo-amdgcn-print.bc", folder);
  const char *rocm = rocm_folder(processor), *number = processor + strlen("gfx");
  static const char *const names[] = {"ocml",
                                      "ockl",
                                      "oclc_abi_version_500",
                                      "oclc_finite_only_off",
                                      "oclc_unsafe_math_off",
                                      "oclc_daz_opt_off",
                                      "oclc_correctly_rounded_sqrt_on"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    solo_list_addf(&files, "%s/%s.bc", rocm, names[i]);
  solo_list_addf(&files, "%s/oclc_isa_version_%s.bc", rocm, number);
  solo_list_addf(&files, "%s/oclc_wavefrontsize64_%s.bc", rocm, strlen(number) > 3 ? "off" : "on");
  return files;
}

static void add_device_runtime(const solo_cc_settings *s, const char *clang, const char *target,
                               solo_list *out) {
  bool nvidia = solo_tool_skip_prefix(target, "sm_") != NULL;
  const char *vendor = nvidia ? "nvptx" : "amdgpu";
  for (size_t i = 0; i < s->rest.count; i++)
    if (solo_tool_skip_prefix(s->rest.item[i],
                              solo_tool_text("--libomptarget-%s-bc-path", vendor)) ||
        solo_tool_skip_prefix(s->rest.item[i], "-nogpulib"))
      return;
  const char *version = version_of(clang), *folder = bundled_runtime(version, vendor, target);
  if (folder && !nvidia && strcmp(version, "22") == 0) folder = NULL; /* a file only for flang */
  if (folder && strcmp(version, "22") == 0) {
    add_runtime_for_22(folder, out);
    return;
  }
  const char *bitcode =
      folder ? NULL : file_of_clang(clang, solo_tool_text("libomptarget-%s-%s.bc", vendor, target));
  if (bitcode) folder = folder_of(bitcode);
  if (!folder)
    solo_tool_die("%s has no OpenMP device runtime for %s (libomptarget-%s-%s.bc)\n  hint: use "
                  "--clang=clang-19 with Debian's libomp-19-dev, or name the folder with "
                  "--libomptarget-%s-bc-path=" SOLO_SEE("wrong-target"),
                  clang, target, vendor, target, vendor);
  add_once(out, solo_tool_text("--libomptarget-%s-bc-path=%s", vendor, folder));
  if (!nvidia) add_rocm(target, out);
}

const char *solo_cc_simt(const solo_cc_settings *s) {
  const char *target = solo_tool_skip_prefix(s->targets, "simt-");
  if (!target) target = solo_tool_skip_prefix(s->targets, "ptx-");
  if (!target && (strstr(s->targets, "simt-") || strstr(s->targets, "ptx-")))
    target = strstr(s->targets, ",");
  if (target && strchr(target, ','))
    solo_tool_die("--targets=%s: %s must be the only target", s->targets,
                  solo_cc_is_ptx(s) ? "PTX" : "the virtual GPU");
  if (target && solo_cc_is_ptx(s) && !solo_tool_skip_prefix(target, "sm_"))
    solo_tool_die("--targets=%s: PTX requires sm_NN", s->targets);
  return target;
}

bool solo_cc_has_gpu(const solo_cc_settings *s) {
  return !solo_cc_simt(s) && strcmp(s->targets, "host") != 0;
}

bool solo_cc_is_ptx(const solo_cc_settings *s) {
  return strstr(s->targets, "ptx-") != NULL;
}

const char *solo_cc_level(const solo_cc_settings *s) {
  const char *level = "0";
  for (size_t i = 0; i < s->rest.count; i++) {
    const char *level_text = solo_tool_skip_prefix(s->rest.item[i], "-O");
    if (level_text)
      level = *level_text >= '0' && *level_text <= '3' && !level_text[1] ? level_text
              : *level_text                                              ? "2"
                                                                         : "1";
  }
  return level;
}

/* Compiles to bitcode, which solo-link translates. Clang 19's NVIDIA optimiser fails on debug
 * information of variables, so -g adds them only with -O0. */
static void add_simt(const solo_cc_settings *s, const char *target, solo_list *command) {
  solo_list_addf(command, "-fopenmp-targets=%s", solo_cc_triple_of(s, target));
  solo_list_addf(command, "--offload-arch=%s", target);
  solo_list_add(command, "-foffload-lto");
  solo_list_add(command, "-nogpulib");
  if (solo_tool_skip_prefix(target, "sm_") && strcmp(solo_cc_level(s), "0") == 0)
    solo_list_add(command, "--cuda-noopt-device-debug");
  if (s->simt_checks) solo_list_add(command, "-gline-tables-only");
}

void solo_cc_add_simt_link(const solo_cc_settings *s, const char *clang, solo_list *command) {
  const char *version = version_of(clang);
  solo_list_addf(command, "-Wl,--simt=%s", solo_cc_simt(s));
  solo_list_addf(command, "-Wl,--simt-llvm=%s", *version ? version : "19");
  solo_list_addf(command, "-Wl,--simt-opt=%s", solo_cc_level(s));
  if (s->simt_checks) solo_list_add(command, "-Wl,--simt-checks");
  if (solo_cc_is_ptx(s)) solo_list_add(command, "-Wl,--ptx");
}

static void refuse_static(const solo_cc_settings *s, const char *target) {
  bool nvidia = solo_tool_skip_prefix(target, "sm_") != NULL;
  solo_tool_die(
      "--static with target %s: a static program has no dynamic linker and cannot load the GPU "
      "driver (%s)\n  hint: use one of\n    --static --remote%s: a device server (solo-server) "
      "runs the code for %s\n    a dynamic program: leave out --static\n    --targets=host, or "
      "--allow-host-only, which ignores %s\n    --targets=simt-%s: the virtual GPU" SOLO_SEE(
          "wrong-target"),
      target, nvidia ? "libcuda.so.1" : "libhsa-runtime64.so.1",
      s->musl ? "" : " with musl (C, or C++ without its library)", target, target, target);
}

void solo_cc_add_targets(const solo_cc_settings *s, const char *clang, solo_list *command) {
  solo_list triples = {0}, architectures = {0};
  if (solo_cc_simt(s)) {
    add_simt(s, solo_cc_simt(s), command);
    return;
  }
  char *copy = solo_tool_text("%s", s->targets);
  for (char *target = strtok(copy, ","); target; target = strtok(NULL, ",")) {
    const char *triple = solo_cc_triple_of(s, target);
    bool host = strcmp(target, "host") == 0;
    if (!host && s->is_static && !s->remote) {
      if (!s->allow_host_only) refuse_static(s, target);
      continue;
    }
    if (!solo_list_has(&triples, triple)) solo_list_add(&triples, triple);
    if (!host) {
      solo_list_addf(&architectures, "-Xopenmp-target=%s", triple);
      solo_list_addf(&architectures, "--offload-arch=%s", target);
      add_device_runtime(s, clang, target, &architectures);
    }
  }
  if (!triples.count) solo_list_add(&triples, solo_cc_triple(s));
  const char *all = triples.item[0];
  for (size_t i = 1; i < triples.count; i++) all = solo_tool_text("%s,%s", all, triples.item[i]);
  solo_list_addf(command, "-fopenmp-targets=%s", all);
  solo_list_add_all(command, &architectures);
}

void solo_cc_add_device_headers(const solo_cc_settings *s, const char *clang, solo_list *command) {
  if (!s->musl || !(s->remote || solo_cc_simt(s))) return;
  const char *headers = headers_of(clang);
  if (!headers) return;
  const char *targets = solo_cc_simt(s) ? solo_cc_simt(s) : s->targets;
  solo_list triples = {0};
  char *copy = solo_tool_text("%s", targets);
  for (char *target = strtok(copy, ","); target; target = strtok(NULL, ",")) {
    const char *triple = solo_cc_triple_of(s, target);
    if (strcmp(target, "host") == 0 || solo_list_has(&triples, triple)) continue;
    solo_list_add(&triples, triple);
    solo_list_addf(command, "-Xopenmp-target=%s", triple);
    solo_list_addf(command, "-isystem%s/openmp_wrappers", headers);
  }
}
