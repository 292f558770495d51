/* Interfaces inside solo-cc. */
#ifndef SOLO_TOOLS_CC_H
#define SOLO_TOOLS_CC_H

#include "tools/common.h"
#include "tools/machine.h"

typedef enum solo_cc_stage { STAGE_LINK, STAGE_COMPILE, STAGE_PREPROCESS } solo_cc_stage;

typedef struct solo_cc_settings {
  bool cxx, fortran, is_static, dynamic, musl, glibc, allow_host_only, runtime_images, verbose,
      standard_input, cxx_source, pie, sanitize_device, has_input, has_language_option, simt_checks,
      remote, own_images, exact_threads,
      only_prints; /* only_prints: Clang only prints information */
  solo_cc_stage stage;
  const char *clang, *targets;
  const solo_machine *machine;
  solo_list rest;
  solo_list for_linker;
} solo_cc_settings;

bool solo_cc_option_has_value(const char *option);
bool solo_cc_has_option(const solo_cc_settings *s, const char *prefix);
void solo_cc_read_inputs(solo_cc_settings *s);
/* Prepares inputs that Clang compiles only for one target: standard input, preprocessed source. */
void solo_cc_prepare_inputs(solo_cc_settings *s);

void solo_cc_check_sanitizers(const solo_cc_settings *s);
/* Adds options that disable sanitizers and gcov in device code. */
void solo_cc_add_sanitizers(const solo_cc_settings *s, solo_list *command);
void solo_cc_add_sanitizer_link(const solo_cc_settings *s, const char *clang, solo_list *command);

void solo_cc_set_host(solo_cc_settings *s, const char *host);
void solo_cc_check_host(const solo_cc_settings *s);
void solo_cc_explain_host(const solo_cc_settings *s);

void solo_cc_check_version(const char *clang);

int solo_cc_run_link(solo_list *command, const char *tool);

/* Returns Clang's triple of device code for the CPU. */
const char *solo_cc_triple(const solo_cc_settings *s);
/* Returns whether device code for the CPU is compiled. If not, Clang rejects -Xopenmp-target. */
bool solo_cc_has_host_target(const solo_cc_settings *s);
void solo_cc_add_targets(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Adds Clang's GPU math headers; they must precede musl's. */
void solo_cc_add_device_headers(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Adds options that remove unused device code for the CPU, because it can refer to threadprivate
 * variables, which exist only on the host. */
void solo_cc_add_collection(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Returns "sm_90" if the only target is "simt-sm_90" or "ptx-sm_90"; else NULL. */
const char *solo_cc_simt(const solo_cc_settings *s);
bool solo_cc_is_ptx(const solo_cc_settings *s);
void solo_cc_add_simt_link(const solo_cc_settings *s, const char *clang, solo_list *command);
const char *solo_cc_other_libomp(const char *clang);

bool solo_cc_has_gpu(const solo_cc_settings *s);
const char *solo_cc_triple_of(const solo_cc_settings *s, const char *target);
/* Returns the files of a target's device runtime, or an empty list. */
solo_list solo_cc_runtimes_of(const char *clang, const char *target);
/* Returns the level of the last -O option, "0" to "3". */
const char *solo_cc_level(const solo_cc_settings *s);
bool solo_cc_is_optimised(const solo_cc_settings *s);
bool solo_cc_links(const solo_cc_settings *s);
void solo_cc_add_static_link(const solo_cc_settings *s, const char *clang, solo_list *command);
void solo_cc_add_dynamic_link(const solo_cc_settings *s, const char *clang, solo_list *command);
void solo_cc_run_flang(const solo_cc_settings *s, const char *flang) __attribute__((noreturn));
typedef enum solo_cc_code { SOLO_CC_NVIDIA, SOLO_CC_AMD } solo_cc_code;
/* Return flang's device code (LLVM text), rewritten for a GPU. Before optimisation: move variables
 * that threads share out of private memory; correct reductions of arrays and, for AMD, calls of
 * complex functions; serialise the lanes of a warp in critical regions. After optimisation: rename
 * functions. */
char *solo_cc_share_private(const char *code, solo_cc_code kind);
char *solo_cc_mend_reductions(const char *code);
char *solo_cc_mend_complex(const char *code);
char *solo_cc_serialise_lanes(const char *code, solo_cc_code kind);
char *solo_cc_repair_fortran(const char *code, solo_cc_code kind);
/* Returns whether code calls functions that solo's Fortran library lacks. */
bool solo_cc_misses_fortran(const char *code);
/* Returns LLVM metadata with the source lines of these calls. code: device code of `source`,
 * compiled with -gline-tables-only. */
char *solo_cc_fortran_calls(const char *code, const char *source);

#endif
