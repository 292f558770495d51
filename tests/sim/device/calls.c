/* Implements calls.h. */
#define _GNU_SOURCE
#include "tests/sim/device/calls.h"

#include "tests/sim/device/sim_device.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAMES = 256, KINDS = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects all variables below */
static struct {
  const char *name;
  unsigned count;
} calls[NAMES];
static struct {
  const char *kind;
  int live;
} kinds[KINDS];
static unsigned total;
static struct {
  char name[64]; /* "": any call */
  unsigned nth;  /* number of the call that fails, from the next one (1); 0: none */
  int code;
  const char *failed;
} order;
static pthread_cond_t let_go = PTHREAD_COND_INITIALIZER;
static unsigned queued, asked_for;
static unsigned delay_us;
static int trace, violations;

__attribute__((constructor)) static void read_environment(void) {
  const char *text = getenv("SIM_FAIL");
  char name[64];
  unsigned nth;
  int code;
  if (text && sscanf(text, "%63[^:]:%u:%d", name, &nth, &code) == 3)
    sim_call_fail(strcmp(name, "*") ? name : NULL, nth, code);
  if ((text = getenv("SIM_DELAY_US"))) delay_us = (unsigned)atoi(text);
  if ((text = getenv("SIM_TRACE"))) trace = atoi(text);
}

int sim_call(const char *name) {
  int code = 0, i;
  pthread_mutex_lock(&lock);
  total++;
  for (i = 0; i < NAMES - 1 && calls[i].name && strcmp(calls[i].name, name); i++) {
  }
  calls[i].name = name;
  calls[i].count++;
  if (order.code && order.nth && (!order.name[0] || !strcmp(order.name, name)) &&
      --order.nth == 0) {
    code = order.code;
    order.failed = name;
  }
  int tracing = trace;
  pthread_mutex_unlock(&lock);
  if (tracing) fprintf(stderr, "sim: %s%s\n", name, code ? " (ordered to fail)" : "");
  return code;
}

unsigned sim_call_count(const char *name) {
  unsigned count = 0;
  pthread_mutex_lock(&lock);
  if (!name) count = total;
  for (int i = 0; name && i < NAMES && calls[i].name; i++)
    if (!strcmp(calls[i].name, name)) count = calls[i].count;
  pthread_mutex_unlock(&lock);
  return count;
}

void sim_call_reset(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < NAMES; i++) calls[i].count = 0;
  total = 0;
  pthread_mutex_unlock(&lock);
}

void sim_call_fail(const char *name, unsigned nth, int code) {
  pthread_mutex_lock(&lock);
  snprintf(order.name, sizeof order.name, "%s", name ? name : "");
  order.nth = nth;
  order.code = code;
  /* nth 0 does not reset `failed`: work of a lost device can still run */
  if (nth) order.failed = NULL;
  pthread_cond_broadcast(&let_go);
  pthread_mutex_unlock(&lock);
}

const char *sim_call_failed(void) {
  pthread_mutex_lock(&lock);
  const char *failed = order.failed;
  pthread_mutex_unlock(&lock);
  return failed;
}

unsigned sim_hold_ticket(void) {
  pthread_mutex_lock(&lock);
  unsigned ticket = ++queued;
  pthread_mutex_unlock(&lock);
  return ticket;
}

void sim_hold(unsigned ticket) {
  pthread_mutex_lock(&lock);
  while (order.code && ticket > asked_for) pthread_cond_wait(&let_go, &lock);
  pthread_mutex_unlock(&lock);
}

void sim_hold_end(void) {
  pthread_mutex_lock(&lock);
  asked_for = queued;
  pthread_cond_broadcast(&let_go);
  pthread_mutex_unlock(&lock);
}

static void print_counts(FILE *out) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < NAMES && calls[i].name; i++)
    if (calls[i].count) fprintf(out, "%s %u\n", calls[i].name, calls[i].count);
  pthread_mutex_unlock(&lock);
}

void sim_call_print(void) {
  print_counts(stderr);
}

void sim_delay_set(unsigned us) {
  pthread_mutex_lock(&lock);
  delay_us = us;
  pthread_mutex_unlock(&lock);
}

void sim_delay(void) {
  pthread_mutex_lock(&lock);
  unsigned us = delay_us;
  pthread_mutex_unlock(&lock);
  if (us) nanosleep(&(struct timespec){us / 1000000, (long)(us % 1000000) * 1000}, NULL);
}

void sim_live(const char *kind, int change) {
  int i;
  pthread_mutex_lock(&lock);
  for (i = 0; i < KINDS - 1 && kinds[i].kind && strcmp(kinds[i].kind, kind); i++) {
  }
  kinds[i].kind = kind;
  kinds[i].live += change;
  pthread_mutex_unlock(&lock);
}

int sim_live_count(const char *kind) {
  int count = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < KINDS && kinds[i].kind; i++)
    if (!kind || !strcmp(kinds[i].kind, kind)) count += kinds[i].live;
  pthread_mutex_unlock(&lock);
  return count;
}

void sim_violation(const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fprintf(stderr, "sim: violation: %s\n", text);
  pthread_mutex_lock(&lock);
  violations++;
  pthread_mutex_unlock(&lock);
}

int sim_violations(void) {
  pthread_mutex_lock(&lock);
  int count = violations;
  pthread_mutex_unlock(&lock);
  return count;
}

/* Runs after the atexit handlers of the program. */
__attribute__((destructor)) static void report(void) {
  const char *file = getenv("SIM_COUNT"), *leaks = getenv("SIM_LEAKS");
  FILE *out = file ? fopen(file, "a") : NULL;
  if (out) {
    print_counts(out);
    fclose(out);
  }
  if (!leaks || !atoi(leaks)) return;
  int bad = sim_violations();
  for (int i = 0; i < KINDS && kinds[i].kind; i++) {
    if (kinds[i].live == 0) continue;
    fprintf(stderr, "sim: leak: %d %s\n", kinds[i].live, kinds[i].kind);
    bad++;
  }
  if (bad) {
    fflush(stdout);
    _exit(70);
  }
}
