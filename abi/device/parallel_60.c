/* Clang 22's entry into a parallel region in device code, for Clang 19's device runtime: a flag
 * more
 * ("strict" number of threads), which that runtime has no use for. Everything else that Clang 22
 * calls there is the same (abi-facts 14). make.sh makes the runtime for Clang 22 of both; Debian
 * has none. */
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
