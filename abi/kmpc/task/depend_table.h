/* The dependence table of a generating task: for each address, the predecessors of the next child.
 * Only the thread of the generating task uses it.
 *
 *   last:    last writer (out, inout) of the address
 *   set:     later nodes that may run at the same time, of one kind
 *   earlier: the previous set, of another kind
 *
 *   new node      waits for                       becomes
 *   out, inout    set, else earlier, else last    last; empties both sets
 *   same kind     earlier, else last              member of set
 *   other kind    set, else last                  new set; set becomes earlier
 *
 * omp_all_memory waits for all nodes and becomes last of each address.
 */
#ifndef SOLO_KMPC_TASK_DEPEND_TABLE_H
#define SOLO_KMPC_TASK_DEPEND_TABLE_H

#include "abi/kmpc/task/depend.h"

/* As compilers emit it (abi-facts 4.5). */
typedef struct kmpc_depend {
  uint64_t address, length;
  uint8_t kind;
} kmpc_depend;
enum {
  KMPC_DEPEND_IN = 1,
  KMPC_DEPEND_OUT = 3,
  KMPC_DEPEND_MUTEX = 4,
  KMPC_DEPEND_SET = 8,
  KMPC_DEPEND_ALL = 0x80,
};

typedef struct kmpc_depend_list {
  const kmpc_depend *clause;
  int32_t count;
} kmpc_depend_list;

typedef struct kmpc_depend_table kmpc_depend_table;

/* WAIT_ONLY: the node waits but is not recorded as a predecessor. */
typedef enum kmpc_depend_mode { KMPC_DEPEND_RECORD, KMPC_DEPEND_WAIT_ONLY } kmpc_depend_mode;

/* Makes the node wait for the predecessors that its clauses define. Returns nonzero if it is ready.
 * The first call creates the table. */
int solo_kmp_depend_add(kmpc_depend_table **table, kmpc_cache *cache, kmpc_depend_node *node,
                        const kmpc_depend_list lists[2], kmpc_depend_mode mode);

void solo_kmp_depend_close(kmpc_depend_table *table, kmpc_cache *cache);

#endif
