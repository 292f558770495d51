/* Declarations of the drop-in program. */
#ifdef __cplusplus
extern "C" {
#endif
#pragma omp declare target
extern int shared_table[16];
int device_square(int x);
#pragma omp end declare target
long unit_sum(const int *values, int count);
long library_sum(const int *values, int count);
int library_threads(void);
long cxx_sum(int count);
#ifdef __cplusplus
}
#endif
