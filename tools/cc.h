/* Interfaces between the files of solo-cc: its settings, and the options that Clang or flang need.
 * Ownership, threads, errors: as in common.h. */
#ifndef SOLO_TOOLS_CC_H
#define SOLO_TOOLS_CC_H

#include "tools/common.h"
#include "tools/machine.h"

typedef enum solo_cc_stage { STAGE_LINK, STAGE_COMPILE, STAGE_PREPROCESS } solo_cc_stage;

typedef struct solo_cc_settings {
  bool cxx, fortran, is_static, dynamic, musl, glibc, allow_host_only, runtime_images, verbose,
      standard_input, cxx_source, pie, sanitize_device, has_input, told_language, simt_checks,
      remote, own_images, asks; /* nothing is compiled: the compiler or linker prints information */
  solo_cc_stage stage;
  const char *clang, *targets;
  const solo_machine *machine; /* target machine */
  solo_list rest;              /* for clang */
  solo_list for_linker;        /* for solo-link */
} solo_cc_settings;

/* True if the next argument is the value of this option of Clang. */
bool solo_cc_takes_value(const char *option);
bool solo_cc_has_option(const solo_cc_settings *s, const char *prefix);
/* cc_inputs.c: classifies the inputs; then replaces standard input and preprocessed source, which
 * Clang cannot compile for several targets. */
void solo_cc_read_inputs(solo_cc_settings *s);
void solo_cc_prepare_inputs(solo_cc_settings *s);

/* cc_sanitize.c: rejects sanitizers without a usable runtime. */
void solo_cc_check_sanitizers(const solo_cc_settings *s);
/* Options that disable sanitizers and gcov in device code, and that link sanitizer runtimes only
 * into the program. Both add nothing if no sanitizer is enabled. */
void solo_cc_add_sanitizers(const solo_cc_settings *s, solo_list *command);
void solo_cc_add_sanitizer_link(const solo_cc_settings *s, const char *clang, solo_list *command);

/* cc_host.c: --host; rejects what the machine does not support; after a failed link, prints a
 * possible cause. */
void solo_cc_set_host(solo_cc_settings *s, const char *host);
void solo_cc_check_host(const solo_cc_settings *s);
void solo_cc_explain_host(const solo_cc_settings *s);

/* cc_explain.c: runs a link and explains its errors. Returns the exit status. */
int solo_cc_run_link(solo_list *command, const char *tool);

/* Triple of the host's device code, as Clang spells it. */
const char *solo_cc_triple(const solo_cc_settings *s);
/* True if there is device code for the CPU. Clang rejects -Xopenmp-target for other triples. */
bool solo_cc_has_host_target(const solo_cc_settings *s);
/* Adds -fopenmp-targets with architectures and device runtimes. */
void solo_cc_add_targets(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Adds Clang's math headers for GPUs before musl's. */
void solo_cc_add_device_headers(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Drops unused device code for the CPU. Clang also emits the lookup of a threadprivate variable of
 * a copyin clause there; that variable exists only on the host. */
void solo_cc_add_collection(const solo_cc_settings *s, const char *clang, solo_list *command);
/* The GPU if solo-link makes the only target's image: "sm_90" of "simt-sm_90" (virtual GPU) or
 * "ptx-sm_90". NULL: another target. */
const char *solo_cc_simt(const solo_cc_settings *s);
bool solo_cc_is_ptx(const solo_cc_settings *s);
void solo_cc_add_simt_link(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Folder of the newest libomp.so if this Clang has none (Debian's clang-22). NULL: Clang finds one,
 * or none exists. */
const char *solo_cc_other_libomp(const char *clang);

#endif
