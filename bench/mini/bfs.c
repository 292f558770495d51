/* Breadth-first search by levels in a graph in compressed rows: many small regions that return one
 * flag. */
#include "bench/mini/mini.h"

enum { MOST = 96, NODES = MOST * MOST };
static int row[NODES + 1], neighbour[4 * NODES], distance_to[NODES];

static int grid(int side) {
  int edges = 0;
  for (int i = 0; i < side * side; i++) {
    int x = i % side, y = i / side;
    row[i] = edges;
    if (x > 0) neighbour[edges++] = i - 1;
    if (x < side - 1) neighbour[edges++] = i + 1;
    if (y > 0) neighbour[edges++] = i - side;
    if (y < side - 1) neighbour[edges++] = i + side;
  }
  row[side * side] = edges;
  return edges;
}

void mini_bfs(long times, long side) {
  int nodes = (int)(side * side), edges = grid((int)side);
  for (long t = 0; t < times; t++) {
    for (int i = 0; i < nodes; i++) distance_to[i] = i ? -1 : 0;
#pragma omp target data map(to                                                                     \
                            : row [0:nodes + 1], neighbour [0:edges]) map(tofrom                   \
                                                                          : distance_to [0:nodes])
    for (int level = 0, found = 1; found; level++) {
      found = 0;
#pragma omp target teams distribute parallel for reduction(| : found) map(tofrom : found)
      for (int i = 0; i < nodes; i++) {
        if (distance_to[i] != level) continue;
        for (int e = row[i]; e < row[i + 1]; e++) {
          int seen;
#pragma omp atomic read
          seen = distance_to[neighbour[e]];
          if (seen >= 0) continue;
#pragma omp atomic write
          distance_to[neighbour[e]] = level + 1;
          found = 1;
        }
      }
    }
  }
  long wrong = 0;
  for (int i = 0; i < nodes; i++) wrong += distance_to[i] != i % side + i / side;
  mini_check("bfs: distances", (double)wrong, 0, 0);
}
