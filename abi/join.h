/* One runtime per process, however many copies were linked in.
 *
 * A program and the libraries that it loads may each have been linked with libomptarget.a. Two
 * copies would be two mapping tables. Each copy carries an ELF note (owner "solo", type 1) that
 * leads to its record; dl_iterate_phdr finds the notes of all. The copy that stays is the
 * program's, else that of an object that is never unloaded (a library that the program needs, libsolo.so). Any
 * other copy, as it is initialised, turns its entry points into jumps to the one that stays: nothing is paid afterwards.
 * The jumps are written through /proc/self/mem, so that no code is ever writable.
 *
 *   SEPARATE --a copy that stays exists, jumps written--> JOINED
 *      +--otherwise, and another copy is there: one warning on stderr, with what to do
 *
 * Who needs it: a program linked with -lomptarget that loads plug-ins, each linked in the same way. Their regions are to find
 * each other's data, and neither was made with the other in mind, so there is nobody who could link them differently.
 * tests/dropin/join.sh has all mixtures of static copies and libsolo.so: one table, `present` across objects.
 *
 * A copy inside a CPU image is not of this kind: the loader of the host backend deals with it.
 * Threads: runs before constructors of the object that carries the copy.
 */
#ifndef SOLO_ABI_JOIN_H
#define SOLO_ABI_JOIN_H

#include "runtime/exports.h"

enum { TGT_JOIN_VERSION = 1, TGT_JOIN_NOTE = 1 };

/* What a note leads to; a contract between versions of the library. */
typedef struct tgt_join_record {
  uint32_t version; /* TGT_JOIN_VERSION */
  uint32_t count;
  const solo_export *exports; /* sorted by name */
  uint32_t joined;            /* 1: this copy's entry points lead to another */
} tgt_join_record;

#endif
