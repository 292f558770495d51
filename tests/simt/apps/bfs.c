/* Breadth-first search; an atomic capture extends the frontier. */
#include "app.h"

enum { N = 300, DEGREE = 3 };

APP(bfs) {
  static int edge[N][DEGREE], level[N], expected[N], frontier[2][N];
  unsigned state = 5;
  int count = 1, wrong = 0;
  for (int i = 0; i < N; i++) {
    level[i] = expected[i] = i ? -1 : 0;
    for (int k = 0; k < DEGREE; k++) edge[i][k] = (int)(app_next(&state) % N);
  }
#pragma omp target data map(to : edge) map(tofrom : level) map(to : frontier)
  for (int depth = 1, from = 0; count; depth++, from ^= 1) {
    int next = 0;
#pragma omp target teams distribute parallel for map(tofrom : next) firstprivate(count, from)
    for (int i = 0; i < count; i++)
      for (int k = 0; k < DEGREE; k++) {
        int to = edge[frontier[from][i]][k], before = -1;
#pragma omp atomic compare capture
        {
          before = level[to];
          if (level[to] == -1) level[to] = depth;
        }
        if (before != -1) continue;
        int place;
#pragma omp atomic capture
        place = next++;
        frontier[from ^ 1][place] = to;
      }
    count = next;
  }
  for (int again = 1, depth = 0; again; depth++) {
    again = 0;
    for (int i = 0; i < N; i++)
      for (int k = 0; expected[i] == depth && k < DEGREE; k++)
        if (expected[edge[i][k]] == -1) expected[edge[i][k]] = depth + 1, again = 1;
  }
  for (int i = 0; i < N; i++) wrong += level[i] != expected[i];
  return wrong;
}
