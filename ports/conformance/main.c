/* Runs each case in a separate process and prints the report card.
 *
 *   conformance_NAME [--here] [--card FILE] [PATTERN...]     PATTERN: a shell pattern of case names
 *
 * --here: runs the cases in this process, for MPI jobs. Exit status: 0 passed, 1 failed, 77 no
 * device.
 */
#define _DEFAULT_SOURCE
#include "ports/conformance/conformance.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CASE_SECONDS = 60, WHY = 256 };
_Atomic int conf_failures;
int conf_verdict_pipe;

static const conf_case *const groups[] = {
    conf_cases_probe,  conf_cases_module, conf_cases_memory, conf_cases_queue,
    conf_cases_launch, conf_cases_event,  conf_cases_errors, conf_cases_threads,
};
enum { GROUPS = sizeof groups / sizeof *groups };

static struct {
  int passed, failed, other;
  FILE *card;
  int here, named;
  char missing[1024];
} run;

static int child(const conf_case *c, int pipe_end) {
  conf_verdict_pipe = pipe_end;
  alarm(CASE_SECONDS);
  c->run();
  return conf_failures != 0;
}

static int run_here(const conf_case *c, char *why) {
  jmp_buf here;
  conf_failures = 0;
  conf_why[0] = 0;
  conf_runner = &here;
  alarm(CASE_SECONDS);
  int code = setjmp(here);
  if (code == 0) conf_run_in_process(c);
  alarm(0);
  if (conf.device) conf.b->device_close(conf.device);
  conf.device = NULL;
  snprintf(why, WHY, "%s", conf_why);
  return conf_failures ? 1 : code;
}

static int run_case(const conf_case *c, char *why) {
  int ends[2];
  fflush(NULL);
  if (run.here) return run_here(c, why);
  if (pipe(ends) != 0) return 1;
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    exit(child(c, ends[1])); /* exit, not _exit, so that sanitizers report errors */
  }
  close(ends[1]);
  int status = 0;
  ssize_t got = read(ends[0], why, WHY - 1);
  why[got > 0 ? got : 0] = 0;
  close(ends[0]);
  if (pid < 0 || waitpid(pid, &status, 0) != pid) return 1;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  snprintf(why, WHY, WTERMSIG(status) == SIGALRM ? "hangs" : "killed by signal %d",
           WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

static const char *reason_in(const conf_listed *list, const char *name) {
  for (; list && list->name; list++)
    if (strcmp(list->name, name) == 0) return list->reason;
  return NULL;
}

static int is_missing(const conf_case *c) {
  void (*operation)(void);
  if (!c->optional) return 0;
  memcpy(&operation, (const char *)conf.b + c->optional, sizeof operation);
  return !operation;
}

static void report(const conf_case *c, const char *verdict, const char *why) {
  printf("%-8s %s%s%s\n", verdict, c->name, *why ? ": " : "", why);
  if (run.card)
    fprintf(run.card, "| %s | %s | %s | %s |\n", c->name, c->optional ? "optional" : "required",
            verdict, why);
}

static void judge(const conf_case *c) {
  char why[WHY] = "";
  const char *unsupported = reason_in(conf_adapter_chosen.unsupported, c->name);
  const char *expected = reason_in(conf_adapter_chosen.expected_failures, c->name);
  const char *listed = unsupported ? unsupported : expected;
  const char *alone = run.here ? reason_in(conf_adapter_chosen.alone, c->name) : NULL;
  if (alone && !run.named) {
    run.other++;
    report(c, "skip", alone);
    return;
  }
  int status = run_case(c, why);
  if (is_missing(c)) {
    size_t used = strlen(run.missing);
    snprintf(run.missing + used, sizeof run.missing - used, " %s", strchr(c->name, '/') + 1);
  }
  if (listed && status == 0) {
    run.failed++;
    report(c, "FAIL",
           "passed, but listed as unsupported or expected failure: remove it from the list");
  } else if (listed) {
    run.other++;
    report(c, unsupported ? "no" : "xfail", listed);
  } else if (status == 0) {
    run.passed++;
    report(c, "pass", is_missing(c) ? "by the runtime's default" : "");
  } else if (status == 77 || (status == 78 && c->optional)) {
    run.other++;
    report(c, status == 77 ? "skip" : "no", why);
  } else {
    run.failed++;
    report(c, "FAIL", why);
  }
}

static int wanted(const char *name, char **patterns) {
  if (!*patterns) return 1;
  for (; *patterns; patterns++)
    if (fnmatch(*patterns, name, 0) == 0) return 1;
  return 0;
}

static void probe_run(void) {
  int count;
  solo_status status = conf.b->device_count(&count);
  if (status == SOLO_UNAVAILABLE) conf_skip(solo_error_last()->text);
  CONF_OK(status);
  solo_bdevice *device;
  solo_device_info info;
  CONF_OK(conf.b->device_open(0, 0, &device, &info));
  solo_backend_device_describe(conf.b, device, &info);
  snprintf(conf_why, sizeof conf_why, "%s", info.name);
  if (!run.here) (void)!write(conf_verdict_pipe, info.name, strlen(info.name));
  conf.b->device_close(device);
}

int main(int argc, char **argv) {
  char **patterns = argv + 1;
  if (argc > 1 && strcmp(argv[1], "--here") == 0) {
    run.here = 1;
    argc--, argv++, patterns++;
  }
  if (argc > 2 && strcmp(argv[1], "--card") == 0) {
    run.card = fopen(argv[2], "w");
    patterns += 2;
  }
  run.named = patterns[0] && strchr(patterns[0], '*') == NULL;
  conf.b = conf_adapter_chosen.backend;
#ifdef SOLO_SINGLE_BACKEND
  if (conf.b != solo_backends[0]) {
    printf("skipped: a library with one backend calls that backend only\n");
    return 77;
  }
#endif
  if (conf_adapter_chosen.prepare) conf_adapter_chosen.prepare();
  char why[WHY];
  const conf_case probe = {"probe", probe_run, 0};
  int status = run_case(&probe, why);
  if (status != 0) {
    printf(status == 77 ? "skipped: %s\n" : "FAIL     probe: %s\n", why);
    return status == 77 ? 77 : 1;
  }
  if (run.card)
    fprintf(
        run.card,
        "# Conformance of the %s backend\n\nOn: %s. Written by `build/check/ports/conformance_%s "
        "--card FILE`.\n\n| case | | verdict | |\n|---|---|---|---|\n",
        conf_adapter_chosen.name, why, conf_adapter_chosen.name);
  for (size_t g = 0; g < GROUPS; g++)
    for (const conf_case *c = groups[g]; c->name; c++)
      if (wanted(c->name, patterns)) judge(c);
  char summary[256];
  snprintf(summary, sizeof summary, "%s: %d passed, %d failed, %d not applicable",
           conf_adapter_chosen.name, run.passed, run.failed, run.other);
  printf("%s\n", summary);
  if (run.missing[0]) printf("optional operations not implemented:%s\n", run.missing);
  if (run.card) {
    fprintf(run.card, "\n%s.\n", summary);
    if (run.missing[0]) fprintf(run.card, "Optional operations not implemented:%s.\n", run.missing);
    fclose(run.card);
  }
  return run.failed || !run.passed;
}
