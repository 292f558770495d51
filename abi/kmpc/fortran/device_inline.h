/* The loops as bitcode (build/lib/flang/loops.bc), so that flang inlines and vectorizes loop
 * bodies. Only public functions are used, because the bitcode is built before the thread runtime is
 * chosen. */
#ifndef SOLO_KMPC_DEVICE_INLINE_H
#define SOLO_KMPC_DEVICE_INLINE_H

extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);
extern int omp_get_team_num(void);
extern int omp_get_num_teams(void);
extern int32_t __kmpc_global_thread_num(struct kmpc_ident *loc);
extern void __kmpc_barrier(struct kmpc_ident *loc, int32_t gtid);

SOLO_INLINE solo_device_part solo_device_team(void) {
  return (solo_device_part){(uint32_t)omp_get_team_num(), (uint32_t)omp_get_num_teams()};
}

SOLO_INLINE solo_device_part solo_device_thread(void) {
  return (solo_device_part){(uint32_t)omp_get_thread_num(), (uint32_t)omp_get_num_threads()};
}

SOLO_INLINE void solo_device_barrier(struct kmpc_ident *loc) {
  __kmpc_barrier(loc, __kmpc_global_thread_num(loc));
}

#endif
