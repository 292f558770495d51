/* Description: checks the tree of large teams: each thread has one parent, the depth is minimal,
 * each lowest group is in one processor package. */
#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/tree_sync.h"
#include "abi/kmpc/team/worker_team.h"
#include "tests/unit/test.h"

enum { MOST = 512 };
static kmpc_worker_team team;
static kmpc_worker worker[MOST];
static kmpc_worker *workers[MOST];
static kmpc_node *nodes[2 * MOST];
static kmpc_thread master;
static int32_t package[MOST];

static int number_of(const kmpc_node *node) {
  for (int tid = 1; tid < MOST; tid++)
    if (node == &worker[tid - 1].node) return tid;
  return 0;
}

static int depth_of(kmpc_node *node) {
  int depth = 0;
  for (; node != &team.root && depth < MOST; node = node->parent) depth++;
  return depth;
}

typedef struct shape {
  int depth, widest, crossing; /* crossing: number of leaves with a parent in another package */
} shape;

static shape make(int size, const int32_t *of_place) {
  shape s = {0, 0, 0};
  static int seen[MOST];
  solo_kmp_tree_make(&team, size, of_place);
  for (int tid = 0; tid < size; tid++) seen[tid] = 0;
  for (int tid = 0; tid < size; tid++) {
    kmpc_node *node = solo_kmp_node(&team, tid);
    int depth = depth_of(node);
    if (depth > s.depth) s.depth = depth;
    if (node->children > s.widest) s.widest = node->children;
    if (tid && !node->children && package[tid] != package[number_of(node->parent)]) s.crossing++;
    for (int i = 0; i < node->children; i++) {
      CHECK(node->child[i]->parent == node);
      seen[number_of(node->child[i])]++;
    }
  }
  for (int tid = 0; tid < size; tid++) CHECK_INT(seen[tid], tid != 0);
  return s;
}

int main(void) {
  team.worker = workers;
  team.master = &master;
  team.tree.order = nodes;
  team.tree.leader = nodes + MOST;
  for (int i = 0; i < MOST; i++) {
    workers[i] = &worker[i];
    worker[i].place = i + 1;
  }
  solo_kmp_config()->tree_width = 12;
  for (int size = 2; size <= MOST; size++) {
    shape s = make(size, NULL);
    CHECK_INT(s.depth, size <= 12 ? 1 : size <= 144 ? 2 : 3);
    CHECK(s.widest <= 3 * 11);
  }
  for (int place = 0; place < MOST; place++) package[place] = place / 64;
  shape two = make(128, package);
  CHECK_INT(two.depth, 2);
  CHECK_INT(two.crossing, 0);
  CHECK(make(128, NULL).crossing > 0);
  CHECK_INT(make(512, package).crossing, 0);
  for (int place = 0; place < MOST; place++) package[place] = place % 2;
  CHECK_INT(make(128, package).depth, 2);
  return TEST_RESULT();
}
