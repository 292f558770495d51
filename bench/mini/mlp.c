/* A neural network of four dense layers: one team per neuron; the threads add the neuron's inputs. */
#include "bench/mini/mini.h"

enum { MOST = 256, LAYERS = 4 };
static float weight[MOST * MOST], level[2][MOST];

static void layer(long n, int from) {
#pragma omp target teams distribute num_teams(n) thread_limit(64)
  for (long i = 0; i < n; i++) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(64)
    for (long j = 0; j < n; j++) sum += weight[i * n + j] * level[from][j];
    level[1 - from][i] = sum > 0 ? sum : 0;
  }
}

void mini_mlp(long times, long n) {
  for (long i = 0; i < n * n; i++) weight[i] = (i % n == (i / n + 1) % n) - 2.0f * (i % n == i / n);
  for (long t = 0; t < times; t++) {
    for (long i = 0; i < n; i++) level[0][i] = i == n / 2 ? 1 : 0;
#pragma omp target data map(to : weight [0:n * n]) map(tofrom : level)
    for (int l = 0; l < LAYERS; l++) layer(n, l & 1);
  }
  double sum = 0; /* each layer shifts the 1 by one neuron and removes negative values */
  for (long i = 0; i < n; i++) sum += (double)level[0][i];
  mini_check("mlp: all", sum, 1, 0);
  mini_check("mlp: the neuron", (double)level[0][n / 2 - LAYERS], 1, 0);
}
