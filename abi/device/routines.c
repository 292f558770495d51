/* Device code: routines of OpenMP 5.2 that Clang 19's device runtime lacks. */
#define CALLED __attribute__((weak, visibility("hidden")))

/* The ICVs nteams-var and teams-thread-limit-var (5.2, 2.2). 0: not limited. */
CALLED int omp_get_max_teams(void);
int omp_get_max_teams(void) {
  return 0;
}

CALLED int omp_get_teams_thread_limit(void);
int omp_get_teams_thread_limit(void) {
  return 0;
}

CALLED int omp_get_supported_active_levels(void);
int omp_get_supported_active_levels(void) {
  return 1;
}

/* The effect of these routines in target regions is unspecified (5.2, 18.4). */
CALLED void omp_set_num_teams(int teams);
void omp_set_num_teams(int teams) {
  (void)teams;
}

CALLED void omp_set_teams_thread_limit(int threads);
void omp_set_teams_thread_limit(int threads) {
  (void)threads;
}
