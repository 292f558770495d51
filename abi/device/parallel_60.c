/* Clang 22's entry point for parallel regions (abi-facts 14) calls Clang 19's. It ignores num_threads(strict). */
typedef struct ident ident;

void __kmpc_parallel_51(ident *loc, int gtid, int condition, int threads, int binding,
                        void *function, void *wrapper, void **arguments, long count);
void __kmpc_parallel_60(ident *loc, int gtid, int condition, int threads, int binding,
                        void *function, void *wrapper, void **arguments, long count, int strict);

__attribute__((used)) void __kmpc_parallel_60(ident *loc, int gtid, int condition, int threads,
                                              int binding, void *function, void *wrapper,
                                              void **arguments, long count, int strict) {
  (void)strict;
  __kmpc_parallel_51(loc, gtid, condition, threads, binding, function, wrapper, arguments, count);
}
