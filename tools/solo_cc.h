/* solo-cc inside: what was asked for, and what Clang (or flang) needs to be told about targets.
 *
 * Ownership, threads, errors: as in common.h.
 */
#ifndef SOLO_TOOLS_SOLO_CC_H
#define SOLO_TOOLS_SOLO_CC_H

#include "tools/common.h"

typedef enum solo_cc_stage { STAGE_LINK, STAGE_COMPILE, STAGE_PREPROCESS } solo_cc_stage;

typedef struct solo_cc_settings {
  bool cxx, fortran, is_static, dynamic, musl, glibc, allow_host_only, runtime_images, verbose,
      simt_checks, standard_input, cxx_source;
  solo_cc_stage stage;
  const char *clang, *targets;
  solo_list rest;       /* for clang */
  solo_list for_linker; /* for solo-link */
} solo_cc_settings;

/* Processor and triple of the host's device code, as Clang spells them. */
const char *solo_cc_machine(void);
const char *solo_cc_triple(const solo_cc_settings *s);
/* -fopenmp-targets with architectures and device runtimes. */
void solo_cc_add_targets(const solo_cc_settings *s, const char *clang, solo_list *command);
/* The GPU of the only target if that is the virtual GPU ("sm_90" of "simt-sm_90"); NULL: it is not. */
const char *solo_cc_simt(const solo_cc_settings *s);
/* What solo-link has to know of it. */
void solo_cc_add_simt_link(const solo_cc_settings *s, const char *clang, solo_list *command);
/* Folder of libomp.so when this Clang has none of its own (Debian's clang-22): that of the newest
 * that there is. NULL: Clang finds it, or nobody does. */
const char *solo_cc_other_libomp(const char *clang);

#endif
