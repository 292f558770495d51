/* solo-bench runs the question programs of all contestants and compares their results.
 *
 * A contestant is one way to build a program, a question one program, a metric one line of the
 * program's output. A round runs every contestant once. Ratios are computed within a round, so that
 * a slow phase of the machine affects both sides. */
#ifndef SOLO_BENCH_DRIVER_H
#define SOLO_BENCH_DRIVER_H

#include "bench/quantiles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { ROUNDS_MAX = 64, METRICS_MAX = 512, NAME_MAX_BYTES = 48 };

typedef enum contestant {
  STATIC, /* solo-cc --static, musl */
  DROPIN, /* clang-19 with solo's libomptarget.a */
  PEER,   /* libomptarget 19 */
  PEER22, /* liboffload 22, optional */
  HOST,   /* libomp 19 */
  GOMP,   /* libgomp */
  LIMIT,  /* no OpenMP */
  CONTESTANTS
} contestant;

extern const char *const contestant_name[CONTESTANTS];

#define BIT(c) (1u << (c))

typedef struct question {
  const char *name; /* also the prefix of its metrics */
  const char *program;
  unsigned contestants; /* set of BIT(contestant) */
  int cpus;
  enum {
    FROM_INSIDE,
    FROM_OUTSIDE,
    BY_SIZE
  } measured; /* by the program, from outside (whole processes), size of the file */
  const char *what;
  /* Number of rounds with the question; 0: all, -1: none. */
  int quick_rounds, long_rounds;
  const char *argument; /* may be NULL */
} question;

extern const question questions[];
extern const size_t question_count;

/* A promise of an issue: the limit of a metric. */
typedef struct bar {
  int issue;
  const char *metric;
  enum {
    TIMES_PEER,      /* peer / solo >= value */
    TIMES_HOST,      /* host / solo >= value */
    TIMES_GOMP,      /* gomp / solo >= value */
    OF_LIMIT,        /* solo / limit <= value */
    MORE_THAN_LIMIT, /* solo - limit <= value */
    AT_LEAST,        /* solo >= value */
    AT_MOST
  } kind;
  contestant solo;
  double value;
} bar;

extern const bar bars[];
extern const size_t bar_count;

typedef struct series {
  double round[ROUNDS_MAX]; /* medians; 0: no value in that round */
  double *all;
  size_t count, room;
} series;

typedef struct metric {
  char name[NAME_MAX_BYTES], unit[16];
  series of[CONTESTANTS];
} metric;

typedef struct result {
  metric metrics[METRICS_MAX];
  size_t count;
  const char *selected[METRICS_MAX]; /* selected questions */
  size_t selected_count;
  int rounds;
  double noise[ROUNDS_MAX]; /* time of the fixed work */
  double spread;            /* upper quartile / minimum - 1 */
  bool noisy;
  int issue; /* 0: all */
} result;

typedef struct options {
  bool quick, list, count, update;
  const char *only, *json, *plot, *markdown, *against;
  int rounds, issue;
} options;

/* bench_run.c */
typedef struct outcome {
  int status; /* exit status; 77: not built; -1: did not run */
  double wall_ns, cpu_ns, faults;
} outcome;

outcome run_program(const char *path, const char *const *arguments, int cpus, FILE **out_text);
/* Peak memory in KiB; 0: unknown. */
double measure_peak_memory(const char *path, int cpus);
/* Size in KiB; 0: no file. */
double stripped_size(const char *path);
/* By strace; 0: unknown. */
double count_system_calls(const char *path);
/* By callgrind; 0: unknown. */
double count_instructions(const char *path, const char *only, long ops);
double now_ns(void);
/* Returns its time in ns. */
double time_fixed_work(void);

/* bench_result.c */
metric *metric_named(result *r, const char *name, const char *unit);
void add_value(series *s, double value);
double median_of(double *values, size_t count);
/* Sorts the values; fraction is 0 to 1. */
double quantile(double *values, size_t count, double fraction);
double series_median(const series *s);

typedef struct spread {
  double low, middle, high; /* quartiles over the rounds; middle 0: no value */
} spread;
spread ratio_of(const metric *m, contestant over, contestant under, int rounds);
spread value_of(const metric *m, contestant c, int rounds);
void judge_noise(result *r);

/* Quantiles of single operations, for a chart only. */
bool is_distribution(const metric *m);

/* bench_report.c */
void print_table(const result *r);
void print_bars(FILE *to, const result *r);
int write_json(const result *r, const char *file);
int write_markdown(const result *r, const char *file);
void describe_machine(char *text, size_t bytes);

/* bench_plot.c, bench_against.c, bench_count.c */
int write_plots(const result *r, const char *folder);
int compare_with(const result *r, const char *file);
int count_and_compare(bool update);

#endif
