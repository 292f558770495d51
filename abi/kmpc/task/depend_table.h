/* The dependence table of a generating task: for each address, the nodes that precede the next
 * task.
 *
 *   last:    the last node that wrote (out, inout), or none
 *   set:     later nodes that may run together; one kind: in, mutexinoutset or inoutset
 *   earlier: the previous set, of another kind
 *
 *   new node      waits for                                    becomes
 *   out, inout    set, else earlier, else last                 last; empties the sets
 *   same kind     earlier, else last                           member of set
 *   other kind    set (which becomes earlier), else last       sole member of a new set
 *
 * omp_all_memory waits for all nodes and becomes last of every address. Only the thread that
 * executes the generating task uses the table.
 */
#ifndef SOLO_KMPC_TASK_DEPEND_TABLE_H
#define SOLO_KMPC_TASK_DEPEND_TABLE_H

#include "abi/kmpc/task/depend.h"

/* A depend clause as compilers emit it (abi-facts 4.5). */
typedef struct kmpc_depend {
  uint64_t address, length;
  uint8_t kind;
} kmpc_depend;
enum {
  KMPC_DEPEND_IN = 1,
  KMPC_DEPEND_OUT = 3, /* out and inout; 2 has the same meaning */
  KMPC_DEPEND_MUTEX = 4,
  KMPC_DEPEND_SET = 8,
  KMPC_DEPEND_ALL = 0x80,
};

typedef struct kmpc_depend_list {
  const kmpc_depend *clause;
  int32_t count;
} kmpc_depend_list;

typedef struct kmpc_depend_table kmpc_depend_table;

/* KEEP: later nodes wait for this node. FORGET: it waits but is not recorded. */
typedef enum kmpc_depend_mode { KMPC_DEPEND_KEEP, KMPC_DEPEND_FORGET } kmpc_depend_mode;

/* Adds the edges to node; creates the table at first use. Returns nonzero if node is ready.
 * Otherwise solo_kmp_depend_done of a predecessor returns it. */
int solo_kmp_depend_add(kmpc_depend_table **table, kmpc_cache *cache, kmpc_depend_node *node,
                        const kmpc_depend_list lists[2], kmpc_depend_mode mode);

/* Frees the table at the end of the generating task. */
void solo_kmp_depend_close(kmpc_depend_table *table, kmpc_cache *cache);

#endif
