/* Device code: the entry of Clang 22 for parallel regions, over Clang 19's device runtime. It
 * ignores one more argument, a strict number of threads. All other entries are equal (abi-facts
 * 14). */
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
