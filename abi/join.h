/* Several copies of the runtime in a process must use one mapping table (docs/design/abi.md). Each copy has an ELF note
 * ("solo", type 1) that refers to its record. Before constructors run, all copies but one replace their entry points by
 * jumps to the remaining copy. */
#ifndef SOLO_ABI_JOIN_H
#define SOLO_ABI_JOIN_H

#include "runtime/exports.h"

enum { TGT_JOIN_VERSION = 1, TGT_JOIN_NOTE = 1 };

/* Copies of different versions read each other's record, so the layout is fixed. */
typedef struct tgt_join_record {
  uint32_t version;
  uint32_t count;
  const solo_export *exports; /* sorted by name */
  uint32_t joined;            /* 1: entry points jump to another copy */
} tgt_join_record;

#endif
