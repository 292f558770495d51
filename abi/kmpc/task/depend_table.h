/* The table of a generating task: from address to the nodes that a next one must wait for.
 *
 *   address -> last:    the last node that wrote (out, inout), or none
 *              set:     nodes since then that may run together: all in, all mutexinoutset or all
 *                       inoutset (kind says which)
 *              earlier: the set of another kind before it
 *
 *   new node      waits for                                    becomes
 *   out, inout    set, else earlier, else last                 last; sets emptied
 *   same kind     earlier, else last                           member of set
 *   other kind    set (which is now earlier), else last        the only member of a new set
 *
 * omp_all_memory waits for everything and becomes the last of every address, known or not.
 *
 * Ownership: tables live in the caches of task/memory.h. Threads: a table belongs to the thread that executes the
 * generating task. Errors: none. Held by tests/unit/test_task_depend.c.
 */
#ifndef SOLO_KMPC_TASK_DEPEND_TABLE_H
#define SOLO_KMPC_TASK_DEPEND_TABLE_H

#include "abi/kmpc/task/depend.h"

/* A depend clause as compilers pass it (abi-facts 4.5). */
typedef struct kmpc_depend {
  uint64_t address, length;
  uint8_t kind;
} kmpc_depend;
enum {
  KMPC_DEPEND_IN = 1,
  KMPC_DEPEND_OUT = 3, /* out and inout; 2 alone is taken as this */
  KMPC_DEPEND_MUTEX = 4,
  KMPC_DEPEND_SET = 8,
  KMPC_DEPEND_ALL = 0x80,
};

typedef struct kmpc_depend_list {
  const kmpc_depend *clause;
  int32_t count;
} kmpc_depend_list;

typedef struct kmpc_depend_table kmpc_depend_table;

/* KEEP: later nodes wait for this one. FORGET: it waits, and nobody will wait for it. */
typedef enum kmpc_depend_mode { KMPC_DEPEND_KEEP, KMPC_DEPEND_FORGET } kmpc_depend_mode;

/* Finds what node must wait for. Returns nonzero when it is ready at once; else it is handed out
 * later by some solo_kmp_depend_done. table: created at first use. */
int solo_kmp_depend_add(kmpc_depend_table **table, kmpc_cache *cache, kmpc_depend_node *node,
                        const kmpc_depend_list lists[2], kmpc_depend_mode mode);

/* The generating task ends. */
void solo_kmp_depend_close(kmpc_depend_table *table, kmpc_cache *cache);

#endif
