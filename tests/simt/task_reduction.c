/* User-defined task reductions in kernels; affinity of tasks. */
#include <omp.h>
#include <stdio.h>
typedef struct pair {
  int sum, most;
} pair;
#pragma omp declare reduction(both:pair                                                            \
                              : omp_out.sum += omp_in.sum,                                         \
                                omp_out.most =                                                     \
                                    omp_out.most > omp_in.most ? omp_out.most : omp_in.most)       \
    initializer(omp_priv = (pair){0, -1})
int main(void) {
  int hist[4] = {1, 2, 3, 4}, wrong = 0, total = 7;
  pair p = {1, 1};
  double product = 1;
#pragma omp target map(tofrom : hist, p, product, total)
  {
#pragma omp taskgroup task_reduction(+ : hist) task_reduction(both : p) task_reduction(* : product)
    for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(+ : hist) in_reduction(both : p) firstprivate(i) shared(product)
      {
        hist[i % 4] += i;
        p.sum += i;
        if (i > p.most) p.most = i;
#pragma omp task in_reduction(* : product)
        product *= 2;
      }
#pragma omp taskloop in_reduction(+ : hist)
      for (int k = 0; k < 4; k++) hist[k]++;
    }
#pragma omp parallel
    {
#pragma omp for reduction(task, + : total)
      for (int i = 0; i < 100; i++)
#pragma omp task in_reduction(+ : total)
        total += i;
    }
#pragma omp parallel reduction(task, + : total)
#pragma omp task in_reduction(+ : total)
    total += 0;
  }
  for (int i = 0; i < 4; i++) {
    printf("%d ", hist[i]);
    wrong += hist[i] != i + 1 + 12 + i + (i + 4) + (i + 8);
  }
  printf("%d %d %g %d\n", p.sum, p.most, product, total);
#pragma omp target map(tofrom : hist)
  {
#pragma omp task shared(hist) affinity(hist) depend(out : hist)
    hist[3] = 5;
#pragma omp task shared(hist) affinity(hist [0:2]) depend(in : hist)
    hist[2] = hist[3] + 1;
#pragma omp taskwait depend(in : hist)
    hist[1] = hist[2] + 1;
  }
  wrong += hist[1] != 7;
  return wrong || p.sum != 67 || p.most != 11 || product != 4096 || total != 4957;
}
