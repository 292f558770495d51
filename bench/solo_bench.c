/* solo-bench: reads the options and runs the rounds. */
#include "bench/solo_bench.h"

#include <stdlib.h>
#include <string.h>

static result all;
static double took_ns[METRICS_MAX];

static const char usage_text[] =
    "usage: solo-bench [options]     in the root of the tree, after `ninja bench_programs`\n"
    "  --quick          fewer batches and rounds (4 minutes; without: 25)\n"
    "  --rounds N       rounds per question\n"
    "  --only NAME      only questions with the prefix NAME\n"
    "  --issue N        only the questions and promises of one issue\n"
    "  --list           list the questions\n"
    "  --json FILE      write one JSON object per metric and line\n"
    "  --markdown FILE  write tables\n"
    "  --plot DIR       write SVG charts\n"
    "  --against FILE   compare with an earlier --json FILE\n"
    "  --count          compare instructions per operation with bench/baseline.json (valgrind)\n"
    "  --update         with --count: write the baseline\n"
    "exit status: 0; 1: --count is 5 % above the baseline, --against differs, or a file was not "
    "written; 2: usage error\n";

static options read_options(int argc, char **argv) {
  options o = {.quick = false};
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(a, "--quick"))
      o.quick = true;
    else if (!strcmp(a, "--list"))
      o.list = true;
    else if (!strcmp(a, "--count"))
      o.count = true;
    else if (!strcmp(a, "--update"))
      o.update = true;
    else if (!strcmp(a, "--help")) {
      fputs(usage_text, stdout);
      exit(0);
    } else if (next && !strcmp(a, "--only"))
      o.only = argv[++i];
    else if (next && !strcmp(a, "--json"))
      o.json = argv[++i];
    else if (next && !strcmp(a, "--markdown"))
      o.markdown = argv[++i];
    else if (next && !strcmp(a, "--against"))
      o.against = argv[++i];
    else if (next && !strcmp(a, "--plot"))
      o.plot = argv[++i];
    else if (next && !strcmp(a, "--rounds"))
      o.rounds = atoi(argv[++i]);
    else if (next && !strcmp(a, "--issue"))
      o.issue = atoi(argv[++i]);
    else {
      fprintf(stderr, "solo-bench: unknown option or missing argument: %s\n", a);
      fputs(usage_text, stderr);
      exit(2);
    }
  }
  if (o.rounds <= 0) o.rounds = o.quick ? 5 : 21;
  if (o.rounds > ROUNDS_MAX) o.rounds = ROUNDS_MAX;
  return o;
}

static void program_path(char *path, size_t bytes, const question *q, contestant c) {
  snprintf(path, bytes, "build/bench/%s/%s", contestant_name[c], q->program);
}

/* Parses a line of a program: NAME UNIT VALUE... */
static void parse_line(char *line, contestant c, int round) {
  char *rest = NULL, *name = strtok_r(line, " \n", &rest), *unit = strtok_r(NULL, " \n", &rest);
  metric *m = name && unit ? metric_named(&all, name, unit) : NULL;
  if (!m) return;
  series *s = &m->of[c];
  size_t before = s->count;
  for (char *word; (word = strtok_r(NULL, " \n", &rest));) add_value(s, strtod(word, NULL));
  size_t count = s->count - before;
  double *copy = malloc((count + 1) * sizeof *copy);
  if (!copy) return;
  memcpy(copy, s->all + before, count * sizeof *copy);
  s->round[round] = median_of(copy, count);
  free(copy);
}

static void measure_inside(const question *q, contestant c, int round, const options *o) {
  char path[256], line[65536];
  program_path(path, sizeof path, q, c);
  const char *arguments[] = {q->argument, o->quick ? "--quick" : NULL, NULL};
  if (!q->argument) arguments[0] = arguments[1], arguments[1] = NULL;
  FILE *text = NULL;
  outcome out = run_program(path, arguments, q->cpus, &text);
  if (out.status != 0 && out.status != 77 && out.status != -1)
    fprintf(stderr, "solo-bench: program failed: %s: exit status %d, result ignored\n", path,
            out.status);
  while (text && out.status == 0 && fgets(line, sizeof line, text)) parse_line(line, c, round);
  if (text) fclose(text);
}

static void set_round(const question *q, const char *what, const char *unit, contestant c,
                      int round, double *values, size_t count) {
  char name[NAME_MAX_BYTES];
  snprintf(name, sizeof name, "%s/%s", q->name, what);
  metric *m = metric_named(&all, name, unit);
  if (!m) return;
  for (size_t i = 0; i < count; i++) add_value(&m->of[c], values[i]);
  m->of[c].round[round] = median_of(values, count);
}

#define SHORT_NS 1e6 /* for shorter processes, the state of the caches matters */

typedef struct outside {
  double *wall, *cpu, *faults;
  size_t count;
} outside;

/* Uses the second of two runs of a short process, because the first finds the caches of the
 * previous contestant. Returns 0 if the contestant cannot run. */
static int run_outside(const question *q, contestant c, outside *found) {
  char path[256];
  program_path(path, sizeof path, q, c);
  outcome out = run_program(path, NULL, q->cpus, NULL);
  if (out.status == 0 && out.wall_ns < SHORT_NS) out = run_program(path, NULL, q->cpus, NULL);
  if (out.status == 77 || out.status == -1) return 0;
  if (out.status != 0) {
    fprintf(stderr, "solo-bench: program failed: %s: exit status %d, result ignored\n", path,
            out.status);
    return 0;
  }
  found->wall[found->count] = out.wall_ns, found->cpu[found->count] = out.cpu_ns;
  found->faults[found->count++] = out.faults;
  return 1;
}

static void record_outside(const question *q, contestant c, int round, const options *o,
                           const outside *found) {
  char path[256];
  program_path(path, sizeof path, q, c);
  set_round(q, "wall", "ns", c, round, found->wall, found->count);
  set_round(q, "cpu", "ns", c, round, found->cpu, found->count);
  double memory = measure_peak_memory(path, q->cpus);
  if (memory > 0) set_round(q, "memory", "KiB", c, round, &memory, 1);
  set_round(q, "page_faults", "faults", c, round, found->faults, found->count);
  if (round > 0) return;
  double calls = count_system_calls(path);
  for (int i = 0; calls > 0 && i < o->rounds; i++)
    set_round(q, "system_calls", "calls", c, i, &calls, 1);
}

/* Measures whole processes; the contestants alternate after each run. */
static void measure_outside(const question *q, int round, const options *o) {
  enum { MOST = 40 };
  static double wall[CONTESTANTS][MOST], cpu[CONTESTANTS][MOST], faults[CONTESTANTS][MOST];
  outside found[CONTESTANTS];
  int times = o->quick ? MOST / 2 : MOST, is_left[CONTESTANTS];
  if (!strcmp(q->name, "register")) times = 3;
  for (int c = 0; c < CONTESTANTS; c++) {
    found[c] = (outside){wall[c], cpu[c], faults[c], 0};
    is_left[c] = (q->contestants & BIT(c)) != 0;
  }
  for (int i = 0; i < times; i++)
    for (int k = 0; k < CONTESTANTS; k++) {
      contestant c = (contestant)(i % 2 ? CONTESTANTS - 1 - k : k);
      if (is_left[c]) is_left[c] = run_outside(q, c, &found[c]);
    }
  for (int c = 0; c < CONTESTANTS; c++)
    if (is_left[c]) record_outside(q, (contestant)c, round, o, &found[c]);
}

static void weigh(const question *q, contestant c, const options *o) {
  char path[256];
  program_path(path, sizeof path, q, c);
  double kib = stripped_size(path);
  /* a smaller file is a stub of build.sh */
  metric *m = kib > 2 ? metric_named(&all, q->name, "KiB") : NULL;
  if (m) add_value(&m->of[c], kib);
  for (int i = 0; m && i < o->rounds; i++) m->of[c].round[i] = kib;
}

/* Alternates the order, A B C, then C B A, so that drift favours no contestant. */
static void run_question(const question *q, int round, const options *o) {
  if (q->measured == FROM_OUTSIDE) {
    measure_outside(q, round, o);
    return;
  }
  for (int i = 0; i < CONTESTANTS; i++) {
    contestant c = (contestant)(round % 2 ? CONTESTANTS - 1 - i : i);
    if (!(q->contestants & BIT(c))) continue;
    switch (q->measured) {
    case FROM_INSIDE:
      measure_inside(q, c, round, o);
      break;
    case FROM_OUTSIDE:
      break;
    case BY_SIZE:
      if (round == 0) weigh(q, c, o);
    }
  }
}

static int rounds_of(const question *q, const options *o) {
  int most = o->quick ? q->quick_rounds : q->long_rounds;
  return most < 0 ? 0 : most == 0 || most > o->rounds ? o->rounds : most;
}

/* A metric's name is QUESTION or QUESTION/CASE. */
static bool has_promise(const question *q, int issue) {
  for (size_t i = 0; i < bar_count; i++)
    if (bars[i].issue == issue && !strncmp(bars[i].metric, q->name, strlen(q->name)) &&
        strchr("/", bars[i].metric[strlen(q->name)]))
      return true;
  return false;
}

static bool wanted(const question *q, const options *o) {
  if (o->only) return !strncmp(q->name, o->only, strlen(o->only));
  return rounds_of(q, o) > 0 && (!o->issue || has_promise(q, o->issue));
}

static void report_missing(const options *o) {
  for (size_t i = 0; i < question_count; i++)
    for (int c = 0; wanted(&questions[i], o) && c < CONTESTANTS; c++) {
      if (!(questions[i].contestants & BIT(c))) continue;
      char path[256];
      program_path(path, sizeof path, &questions[i], (contestant)c);
      FILE *text = NULL;
      const char *const none[] = {"--only", "nothing", NULL};
      if (questions[i].measured != FROM_INSIDE) continue;
      if (c == PEER22) continue; /* optional */
      outcome out = run_program(path, none, 1, &text);
      char why[256] = "";
      if (out.status == 77 && text && fgets(why, sizeof why, text))
        printf("omitted: %s: %s", path, why[0] == '#' ? why + 2 : why);
      else if (out.status == 77 || out.status == -1)
        printf("not built: %s (see %s.log)\n", path, path);
      if (text) fclose(text);
    }
}

static void print_times(void) {
  double sum = 0;
  printf("seconds:");
  for (size_t i = 0; i < question_count; i++) {
    if (took_ns[i] >= 5e8) printf(" %s %.0f,", questions[i].name, took_ns[i] / 1e9);
    sum += took_ns[i];
  }
  printf(" all %.0f\n", sum / 1e9);
}

int main(int argc, char **argv) {
  options o = read_options(argc, argv);
  if (o.list) {
    for (size_t i = 0; i < question_count; i++)
      printf("%-14s %s\n", questions[i].name, questions[i].what);
    return 0;
  }
  if (o.count) return count_and_compare(o.update);
  setenv("OMP_NUM_THREADS", "2", 0);
  char machine[256];
  describe_machine(machine, sizeof machine);
  printf("%s\n", machine);
  report_missing(&o);
  all.rounds = o.rounds;
  all.issue = o.issue;
  for (size_t i = 0; i < question_count && all.selected_count < METRICS_MAX; i++)
    if (wanted(&questions[i], &o)) all.selected[all.selected_count++] = questions[i].name;
  for (int round = 0; round < o.rounds; round++) {
    all.noise[round] = time_fixed_work();
    for (size_t i = 0; i < question_count; i++) {
      if (!wanted(&questions[i], &o) || (round && round >= rounds_of(&questions[i], &o))) continue;
      fprintf(stderr, "\rround %d of %d: %-15s ", round + 1, o.rounds, questions[i].name);
      double begun = now_ns();
      run_question(&questions[i], round, &o);
      took_ns[i] += now_ns() - begun;
    }
  }
  fprintf(stderr, "\r%40s\r", "");
  judge_noise(&all);
  print_table(&all);
  print_bars(stdout, &all);
  print_times();
  int rc = 0;
  if (o.json) rc |= write_json(&all, o.json);
  if (o.markdown) rc |= write_markdown(&all, o.markdown);
  if (o.against) rc |= compare_with(&all, o.against);
  if (o.plot) rc |= write_plots(&all, o.plot);
  return rc;
}
