/* solo-bench: runs the question programs of all contestants, interleaved, and compares.
 *
 * Words: a contestant is one way to build a program (static, drop-in, peer ...); a question is one
 * program; a metric is one line that it prints; a round runs every contestant once. A round's value
 * is the median of its batches; a ratio is taken within each round, so that what slows the machine
 * down slows both sides.
 * Threads: one. Ownership: the result holds everything until the process ends.
 */
#ifndef SOLO_BENCH_DRIVER_H
#define SOLO_BENCH_DRIVER_H

#include "bench/quantiles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { ROUNDS_MAX = 64, METRICS_MAX = 512, NAME_MAX_BYTES = 48 };

typedef enum contestant {
  STATIC, /* solo-cc --static: musl */
  DROPIN, /* stock clang-19 with solo's libomptarget.a */
  PEER,   /* LLVM's libomptarget 19 */
  PEER22, /* LLVM's liboffload 22, where installed */
  HOST,   /* libomp 19, regions run as host code */
  GOMP,   /* libgomp, regions run as host code */
  LIMIT,  /* no OpenMP: the work itself */
  CONTESTANTS
} contestant;

extern const char *const contestant_name[CONTESTANTS];

#define BIT(c) (1u << (c))

typedef struct question {
  const char *name; /* of the question and the program's folder entry: build/bench/<c>/<program> */
  const char *program;
  unsigned contestants; /* BIT()s */
  int cpus;             /* to pin to */
  enum {
    FROM_INSIDE,
    FROM_OUTSIDE,
    BY_SIZE
  } measured; /* by the program, process by process, weighed */
  const char *what;
  /* Of how many rounds it is a part: 0: of all; -1: of none. A question that is slow, or gives the same every
   * time, is asked less often. */
  int quick_rounds, long_rounds;
  const char *argument; /* one more of the program's; may be NULL */
} question;

extern const question questions[];
extern const size_t question_count;

/* A promise of an issue. */
typedef struct bar {
  int issue;
  const char *metric;
  enum {
    TIMES_PEER,      /* peer / solo >= value */
    TIMES_HOST,      /* the same against HOST */
    OF_LIMIT,        /* solo / limit <= value */
    MORE_THAN_LIMIT, /* solo - limit <= value */
    AT_LEAST,        /* solo's own value >= value */
    AT_MOST
  } kind;
  contestant solo;
  double value;
} bar;

extern const bar bars[];
extern const size_t bar_count;

typedef struct series {
  double round[ROUNDS_MAX]; /* medians; 0: no value in that round */
  double *all;              /* every batch */
  size_t count, room;
} series;

typedef struct metric {
  char name[NAME_MAX_BYTES], unit[16];
  series of[CONTESTANTS];
} metric;

typedef struct result {
  metric metrics[METRICS_MAX];
  size_t count;
  const char *asked[METRICS_MAX]; /* names of questions */
  size_t asked_count;
  int rounds;
  double noise[ROUNDS_MAX]; /* time of a fixed piece of work, against the best round */
  double spread;            /* of those */
  bool noisy;
  int issue; /* whose promises are judged; 0: all */
} result;

typedef struct options {
  bool quick, list, count, update;
  const char *only, *json, *plot, *markdown, *against;
  int rounds, issue;
} options;

/* --- bench_run.c --- */
typedef struct outcome {
  int status; /* of exit; 77: this contestant was not built; -1: did not run */
  double wall_ns, cpu_ns, faults;
} outcome;

outcome run_program(const char *path, const char *const *arguments, int cpus, FILE **out_text);
/* Highest resident set of one run, KiB; 0: not known. */
double measure_peak_memory(const char *path, int cpus);
/* Bytes of the stripped file, KiB; 0: not there. */
double stripped_size(const char *path);
/* System calls of one run, by strace; 0: not known. */
double count_system_calls(const char *path);
/* Instructions of one run, by callgrind; 0: not known. */
double count_instructions(const char *path, const char *only, long ops);
double now_ns(void);
/* A fixed piece of work: its time in ns. */
double time_fixed_work(void);

/* --- bench_result.c --- */
metric *metric_named(result *r, const char *name, const char *unit);
void add_value(series *s, double value);
double median_of(double *values, size_t count);
/* Sorts; fraction 0 to 1. */
double quantile(double *values, size_t count, double fraction);
double series_median(const series *s);

typedef struct spread {
  double low, middle, high; /* quartiles over the rounds; middle 0: no value */
} spread;
spread ratio_of(const metric *m, contestant over, contestant under, int rounds);
spread value_of(const metric *m, contestant c, int rounds);
void judge_noise(result *r);

/* Quantiles of single operations, for a chart only: no line in tables. */
bool is_distribution(const metric *m);

/* --- bench_report.c --- */
void print_table(const result *r);
void print_bars(FILE *to, const result *r);
int write_json(const result *r, const char *file);
int write_markdown(const result *r, const char *file);
void describe_machine(char *text, size_t bytes);

/* --- bench_plot.c, bench_against.c, bench_count.c --- */
int write_plots(const result *r, const char *folder);
int compare_with(const result *r, const char *file);
int count_and_compare(bool update);

#endif
