/* Joins several copies of the runtime in one process to one mapping table (docs/design/abi.md).
 * Each copy has an ELF note ("solo", type 1) that refers to its record. One copy stays. The entry
 * points of the others become jumps to it, before constructors run. */
#ifndef SOLO_ABI_JOIN_H
#define SOLO_ABI_JOIN_H

#include "runtime/exports.h"

enum { TGT_JOIN_VERSION = 1, TGT_JOIN_NOTE = 1 };

/* Shared between versions of the library. */
typedef struct tgt_join_record {
  uint32_t version;
  uint32_t count;
  const solo_export *exports; /* sorted by name */
  uint32_t joined;            /* 1: entry points jump to another copy */
} tgt_join_record;

#endif
