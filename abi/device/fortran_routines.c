/* OpenMP routines for Fortran programs that declare them `external`. The module omp_lib uses the
 * names of C. */
typedef int i32;

#define CALLED __attribute__((weak, visibility("hidden")))
#define ROUTINE(name)                                                                              \
  i32 name(void);                                                                                  \
  CALLED i32 name##_(void);                                                                        \
  i32 name##_(void) {                                                                              \
    return name();                                                                                 \
  }

ROUTINE(omp_get_num_teams)
ROUTINE(omp_get_team_num)
ROUTINE(omp_get_num_threads)
ROUTINE(omp_get_thread_num)
ROUTINE(omp_get_max_threads)
ROUTINE(omp_get_num_procs)
ROUTINE(omp_get_level)
ROUTINE(omp_get_active_level)
ROUTINE(omp_get_thread_limit)
ROUTINE(omp_in_parallel)
ROUTINE(omp_is_initial_device)
