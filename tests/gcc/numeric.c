/* Compiled by GCC: calls OpenBLAS, FFTW and, if SPARSE is defined, SUNDIALS and CHOLMOD with
 * threads, executes a target region and prints checksums. */
#include <cblas.h>
#ifdef SPARSE
#include <cholmod.h>
#include <nvector/nvector_openmp.h>
#include <sundials/sundials_context.h>
#endif
#include <fftw3.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, POINTS = 1 << 15 };

static double a[N * N], b[N * N], c[N * N];

static void multiply(void) {
  double sum = 0;
  for (int i = 0; i < N * N; i++) {
    a[i] = (i * 7 % 13) - 6;
    b[i] = (i * 5 % 11) - 5;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, N, N, N, 1, a, N, b, N, 0, c, N);
  for (int i = 0; i < N * N; i++) sum += c[i] * (i % 17);
  printf("dgemm %.0f threads %d\n", sum, openblas_get_num_threads());
}

static void transform(void) {
  fftw_init_threads();
  fftw_plan_with_nthreads(omp_get_max_threads());
  double(*x)[2] = (double(*)[2])fftw_malloc(sizeof *x * POINTS);
  fftw_plan plan =
      fftw_plan_dft_1d(POINTS, (fftw_complex *)x, (fftw_complex *)x, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < POINTS; i++) x[i][0] = i % 19 - 9, x[i][1] = i % 23 - 11;
  fftw_execute(plan);
  double energy = 0;
  for (int i = 0; i < POINTS; i++) energy += x[i][0] * x[i][0] + x[i][1] * x[i][1];
  printf("fftw %.0f\n", round(energy / POINTS));
  fftw_destroy_plan(plan);
  fftw_free(x);
}

#ifdef SPARSE
/* Solves a Laplace equation on a grid of SIDE * SIDE points with the supernodal method. */
enum { SIDE = 60, UNKNOWNS = SIDE * SIDE };

static void factorize(void) {
  cholmod_common c;
  cholmod_start(&c);
  c.nmethods = 1; /* Debian has no archive of libmetis: AMD is the only ordering method */
  c.method[0].ordering = CHOLMOD_AMD;
  c.postorder = 1;
  c.supernodal = CHOLMOD_SUPERNODAL;
  cholmod_triplet *t =
      cholmod_allocate_triplet(UNKNOWNS, UNKNOWNS, 5 * UNKNOWNS, -1, CHOLMOD_REAL, &c);
  int *row = t->i, *column = t->j;
  double *value = t->x;
  for (int i = 0; i < UNKNOWNS; i++) {
    const int neighbour[3] = {i, i % SIDE ? i - 1 : -1, i - SIDE};
    for (int k = 0; k < 3; k++) {
      if (neighbour[k] < 0) continue;
      row[t->nnz] = i;
      column[t->nnz] = neighbour[k];
      value[t->nnz++] = k ? -1 : 4;
    }
  }
  cholmod_sparse *m = cholmod_triplet_to_sparse(t, 0, &c);
  cholmod_dense *right = cholmod_ones(UNKNOWNS, 1, CHOLMOD_REAL, &c);
  cholmod_factor *f = cholmod_analyze(m, &c);
  cholmod_factorize(m, f, &c);
  cholmod_dense *x = cholmod_solve(CHOLMOD_A, f, right, &c);
  double sum = 0;
  for (int i = 0; i < UNKNOWNS; i++) sum += ((double *)x->x)[i];
  printf("cholmod %.4f status %d\n", sum / UNKNOWNS, c.status);
  cholmod_free_dense(&x, &c);
  cholmod_free_dense(&right, &c);
  cholmod_free_factor(&f, &c);
  cholmod_free_sparse(&m, &c);
  cholmod_free_triplet(&t, &c);
  cholmod_finish(&c);
}

static void vectors(void) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector u = N_VNew_OpenMP(POINTS, omp_get_max_threads(), context), v = N_VClone(u);
  for (int i = 0; i < POINTS; i++) NV_Ith_OMP(u, i) = i % 29 - 14;
  N_VConst(2, v);
  N_VLinearSum(3, u, 1, v, v);
  printf("sundials %.0f %.0f %.0f\n", N_VDotProd(u, v), N_VMaxNorm(v), N_VMin(v));
  N_VDestroy(u);
  N_VDestroy(v);
  SUNContext_Free(&context);
}
#endif

static void region(void) {
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : a, b) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < N * N; i++) sum += a[i] * b[i];
  printf("target %.0f on host %d devices %d\n", sum, omp_is_initial_device(),
         omp_get_num_devices());
}

int main(void) {
  multiply();
#pragma omp parallel num_threads(2)
#pragma omp single
  multiply();
  transform();
  region();
#ifdef SPARSE
  vectors();
  factorize();
#endif
  return 0;
}
