/* Interfaces between the files of solo-cc. Ownership, threads, errors: as in common.h. */
#ifndef SOLO_TOOLS_CC_H
#define SOLO_TOOLS_CC_H

#include "tools/common.h"
#include "tools/machine.h"

typedef enum solo_cc_stage { STAGE_LINK, STAGE_COMPILE, STAGE_PREPROCESS } solo_cc_stage;

typedef struct solo_cc_settings {
  bool cxx, fortran, is_static, dynamic, musl, glibc, allow_host_only, runtime_images, verbose,
      standard_input, cxx_source, pie, sanitize_device, has_input, told_language, simt_checks,
      remote, own_images, asks; /* only information is printed */
  solo_cc_stage stage;
  const char *clang, *targets;
  const solo_machine *machine; /* target machine */
  solo_list rest;
  solo_list for_linker; /* for solo-link */
} solo_cc_settings;

/* Option with a separate value. */
bool solo_cc_takes_value(const char *option);
bool solo_cc_has_option(const solo_cc_settings *s, const char *prefix);
/* Classifies inputs; replaces standard input and preprocessed source for several targets. */
void solo_cc_read_inputs(solo_cc_settings *s);
void solo_cc_prepare_inputs(solo_cc_settings *s);

/* Rejects unusable sanitizers. */
void solo_cc_check_sanitizers(const solo_cc_settings *s);
/* Disables sanitizers and gcov in device code; links sanitizer runtimes into the program. */
void solo_cc_add_sanitizers(const solo_cc_settings *s, solo_list *command);
void solo_cc_add_sanitizer_link(const solo_cc_settings *s, const char *clang, solo_list *command);

/* --host: sets the machine, rejects unsupported uses, explains failed links. */
void solo_cc_set_host(solo_cc_settings *s, const char *host);
void solo_cc_check_host(const solo_cc_settings *s);
void solo_cc_explain_host(const solo_cc_settings *s);

/* Runs and explains a link. Returns the exit status. */
int solo_cc_run_link(solo_list *command, const char *tool);

/* For the host's device code. */
const char *solo_cc_triple(const solo_cc_settings *s);
/* Device code for the CPU; Clang rejects -Xopenmp-target otherwise. */
bool solo_cc_has_host_target(const solo_cc_settings *s);
void solo_cc_add_targets(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Clang's GPU math headers, before musl's. */
void solo_cc_add_device_headers(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Drops unused device code for the CPU, such as Clang's lookup of threadprivate variables that only
 * the host has. */
void solo_cc_add_collection(const solo_cc_settings *s, const char *clang, solo_list *command);
/* "sm_90" of "simt-sm_90" or "ptx-sm_90", the only target; otherwise NULL. */
const char *solo_cc_simt(const solo_cc_settings *s);
bool solo_cc_is_ptx(const solo_cc_settings *s);
void solo_cc_add_simt_link(const solo_cc_settings *s, const char *clang, solo_list *command);
/* The newest libomp.so if this Clang has none; otherwise NULL. */
const char *solo_cc_other_libomp(const char *clang);

#endif
