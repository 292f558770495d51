/* solo-cc inside: what was asked for, and what Clang (or flang) needs to be told about targets.
 *
 * Ownership, threads, errors: as in common.h.
 */
#ifndef SOLO_TOOLS_CC_H
#define SOLO_TOOLS_CC_H

#include "tools/common.h"
#include "tools/machine.h"

typedef enum solo_cc_stage { STAGE_LINK, STAGE_COMPILE, STAGE_PREPROCESS } solo_cc_stage;

typedef struct solo_cc_settings {
  bool cxx, fortran, is_static, dynamic, musl, glibc, allow_host_only, runtime_images, verbose,
      standard_input, cxx_source, pie, sanitize_device, has_input, told_language, simt_checks,
      remote, own_images,
      asks; /* asks: nothing is compiled or linked, the compiler or linker answers */
  solo_cc_stage stage;
  const char *clang, *targets;
  const solo_machine *machine; /* that the program is for */
  solo_list rest;              /* for clang */
  solo_list for_linker;        /* for solo-link */
} solo_cc_settings;

/* Is it an option of Clang whose value is the next argument? */
bool solo_cc_takes_value(const char *option);
bool solo_cc_has_option(const solo_cc_settings *s, const char *prefix);
/* cc_inputs.c: what kinds of inputs there are; then, for what compiles, inputs that Clang can compile for
 * several targets in place of those that it cannot (from standard input, preprocessed). */
void solo_cc_read_inputs(solo_cc_settings *s);
void solo_cc_prepare_inputs(solo_cc_settings *s);

/* cc_sanitize.c: refuses what no runtime is made for. */
void solo_cc_check_sanitizers(const solo_cc_settings *s);
/* Options that keep sanitizers and gcov's counts out of device code, behind the user's; that link the
 * runtimes of sanitizers into the program alone. Nothing where none is asked for. */
void solo_cc_add_sanitizers(const solo_cc_settings *s, solo_list *command);
void solo_cc_add_sanitizer_link(const solo_cc_settings *s, const char *clang, solo_list *command);

/* cc_host.c: --host; refuses what no program for that machine can have; says, behind Clang's words, what a failed
 * link for it may lack. */
void solo_cc_set_host(solo_cc_settings *s, const char *host);
void solo_cc_check_host(const solo_cc_settings *s);
void solo_cc_explain_host(const solo_cc_settings *s);

/* cc_explain.c: runs a link and says, behind the linker's own words, what they mean here. The exit
 * status. */
int solo_cc_run_link(solo_list *command, const char *tool);

/* Processor and triple of the host's device code, as Clang spells them. */
const char *solo_cc_triple(const solo_cc_settings *s);
/* Is there device code for the CPU? Clang refuses -Xopenmp-target for what is no target. */
bool solo_cc_has_host_target(const solo_cc_settings *s);
/* -fopenmp-targets with architectures and device runtimes. */
void solo_cc_add_targets(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Clang's own mathematics for device code, in front of musl's; nothing with glibc, or without a GPU. */
void solo_cc_add_device_headers(const solo_cc_settings *s, const char *clang, solo_list *command);
/* The link of device code for the CPU drops what nothing uses. Clang writes there, too, how a thread finds a
 * threadprivate variable that a copyin clause of the host names; the variable is the host's alone. */
void solo_cc_add_collection(const solo_cc_settings *s, const char *clang, solo_list *command);
/* The GPU of the only target if that is one whose device code solo-link makes into the image: the virtual
 * GPU ("sm_90" of "simt-sm_90"), or PTX ("ptx-sm_90"). NULL: it is none. */
const char *solo_cc_simt(const solo_cc_settings *s);
bool solo_cc_is_ptx(const solo_cc_settings *s);
/* What solo-link has to know of it. */
void solo_cc_add_simt_link(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Folder of libomp.so when this Clang has none of its own (Debian's clang-22): that of the newest
 * that there is. NULL: Clang finds it, or nobody does. */
const char *solo_cc_other_libomp(const char *clang);

#endif
