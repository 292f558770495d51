/* Clang 22's entry point for parallel regions, which calls Clang 19's. Ignores the `strict`
 * modifier of num_threads. All other entry points are equal in both versions (abi-facts 14). */
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
