/* The small applications of bench/mini/, each measured as a whole: copies, kernels, check. --check
 * runs each with a small problem. */
#include "bench/bench.h"
#include "bench/mini/mini.h"

static const struct {
  const char *name;
  bench_loop loop;
  long small;
} apps[] = {
#define XX(name, size, small) {#name, mini_##name, small},
    MINI_APPS(XX)
#undef XX
};

static const bench_case cases[] = {
#define XX(app, size, small) {.name = "mini/" #app, .loop = mini_##app, .argument = size},
    MINI_APPS(XX)
#undef XX
};

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "--check") != 0)
    return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
  for (size_t i = 0; i < sizeof apps / sizeof apps[0]; i++) apps[i].loop(2, apps[i].small);
  printf("%zu applications are right\n", sizeof apps / sizeof apps[0]);
  return 0;
}
