/* The static loops of flang 22. solo-fc renames the calls from __kmpc_* to solo_*, because Clang
 * 19's functions of these names have one argument less and execute one iteration more. */
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef struct ident ident;

#define CALLED __attribute__((weak, visibility("hidden")))

void __kmpc_barrier(ident *loc, i32 thread);
i32 solo_get_num_threads(void);
i32 omp_get_thread_num(void);
i32 omp_get_num_teams(void);
i32 omp_get_team_num(void);

#define LOOPS(suffix, word)                                                                        \
  typedef void body_##suffix(word iteration, void *arguments);                                     \
  static inline __attribute__((always_inline)) void share_##suffix(                                \
      body_##suffix *body, void *arguments, word count, word worker, word workers, word chunk) {   \
    u64 step = (u64)workers * chunk;                                                               \
    for (u64 first = (u64)worker * chunk; first < count; first += step)                            \
      for (u64 i = first; i < count && i - first < chunk; i++) body((word)i, arguments);           \
  }                                                                                                \
  CALLED void solo_for_static_loop_##suffix(ident *loc, body_##suffix *body, void *arguments,      \
                                            word count, word threads, word chunk,                  \
                                            signed char once);                                     \
  void solo_for_static_loop_##suffix(ident *loc, body_##suffix *body, void *arguments, word count, \
                                     word threads, word chunk, signed char once) {                 \
    (void)threads, (void)once;                                                                     \
    share_##suffix(body, arguments, count, (word)omp_get_thread_num(),                             \
                   (word)solo_get_num_threads(), chunk ? chunk : 1);                               \
    __kmpc_barrier(loc, omp_get_thread_num()); /* flang emits no barrier, even without nowait */   \
  }                                                                                                \
  CALLED void solo_distribute_static_loop_##suffix(                                                \
      ident *loc, body_##suffix *body, void *arguments, word count, word chunk, signed char once); \
  void solo_distribute_static_loop_##suffix(ident *loc, body_##suffix *body, void *arguments,      \
                                            word count, word chunk, signed char once) {            \
    (void)loc, (void)once;                                                                         \
    share_##suffix(body, arguments, count, (word)omp_get_team_num(), (word)omp_get_num_teams(),    \
                   chunk ? chunk : 1);                                                             \
  }                                                                                                \
  CALLED void solo_distribute_for_static_loop_##suffix(                                            \
      ident *loc, body_##suffix *body, void *arguments, word count, word threads, word team_chunk, \
      word chunk, signed char once);                                                               \
  void solo_distribute_for_static_loop_##suffix(ident *loc, body_##suffix *body, void *arguments,  \
                                                word count, word threads, word team_chunk,         \
                                                word chunk, signed char once) {                    \
    (void)loc, (void)once;                                                                         \
    u64 all = (u64)solo_get_num_threads(), thread = (u64)omp_get_thread_num();                     \
    if (!chunk) chunk = 1;                                                                         \
    u64 block = team_chunk ? team_chunk : all * chunk, step = block * (u64)omp_get_num_teams();    \
    (void)threads;                                                                                 \
    for (u64 first = block * (u64)omp_get_team_num(); first < count; first += step)                \
      for (u64 in = thread * chunk; in < block; in += all * chunk)                                 \
        for (u64 i = in; i < block && i - in < chunk && first + i < count; i++)                    \
          body((word)(first + i), arguments);                                                      \
  }
LOOPS(4, u32)
LOOPS(4u, u32)
LOOPS(8, u64)
LOOPS(8u, u64)
