/* Routines of OpenMP 5.2 and the error directive. */
#define CALLED __attribute__((weak, visibility("hidden")))

/* ICVs (5.2, 2.2); 0: not limited. */
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

void omp_init_lock(void **lock);
CALLED void omp_init_lock_with_hint(void **lock, int hint);
void omp_init_lock_with_hint(void **lock, int hint) {
  (void)hint;
  omp_init_lock(lock);
}

int __llvm_omp_vprintf(const char *format, void *arguments, unsigned size);

/* severity: 1: warning, 2: fatal */
CALLED void __kmpc_error(void *loc, int severity, const char *message);
void __kmpc_error(void *loc, int severity, const char *message) {
  (void)loc;
  const char *words = message ? message : "";
  __llvm_omp_vprintf(severity == 2 ? "error directive: error: %s\n"
                                   : "error directive: warning: %s\n",
                     &words, sizeof words);
  if (severity == 2) __builtin_trap();
}
