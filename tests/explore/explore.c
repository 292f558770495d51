/* Implements explore.h: coroutines, views, and a depth-first search that repeats runs with other
 * choices. */
#include "tests/explore/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum {
  LOCATIONS = 192,
  MESSAGES = 240,
  STACK = 128 << 10,
  STEPS = 4000,
  CHOICES = 4000,
  STALE = 3,
  RUNS_MOST = 3000000,
  RUNS_MOST_WIDE = 300000000,
  PRIVATE_BYTES = 4096,
};
enum state { READY, PAUSED, ASLEEP, ENDED };

typedef struct view {
  uint8_t at[LOCATIONS];
} view;

typedef struct message {
  uint64_t value;
  view carried;
} message;

typedef struct location {
  const volatile void *address;
  uint8_t newest;
  message message[MESSAGES];
} location;

typedef struct thread {
  ucontext_t context;
  enum state state;
  uint64_t stores; /* the total number of stores when the thread's pause began */
  const volatile void *word;
  view seen, to_acquire, released;
  int is_fresh;
  char kept[PRIVATE_BYTES];
} thread;

static location locations[LOCATIONS];
static int location_count;
static thread threads[EXPLORE_THREADS];
static int thread_count, self = -1;
static ucontext_t searcher;
static view fences, sc_stores;
static uint64_t stores;
static int steps, switches_left;
static long abandoned, weakened;
static const explore_scenario *now;
static int is_wide;
static const char *plant, *failure;
static char stacks[EXPLORE_THREADS][STACK] __attribute__((aligned(64)));
static struct {
  void *p;
  size_t bytes;
} private_memory[4];
static int private_count;
static char private_start[PRIVATE_BYTES];

static struct { uint8_t taken, of; } choices[CHOICES];
static int choice_count, choice_at;

static int choose(int of) {
  if (of == 1) return 0;
  if (choice_at == choice_count) {
    if (choice_count == CHOICES) {
      fprintf(stderr, "explore: more than %d choices in a run\n", CHOICES);
      exit(2);
    }
    choices[choice_count].taken = 0;
    choices[choice_count++].of = (uint8_t)of;
  }
  return choices[choice_at++].taken;
}

/* Selects the choices of the next run. Returns 0 if all combinations were tried. */
static int next_run(void) {
  choice_count = choice_at;
  while (choice_count && choices[choice_count - 1].taken + 1 == choices[choice_count - 1].of)
    choice_count--;
  if (!choice_count) return 0;
  choices[choice_count - 1].taken++;
  return 1;
}

static void fail(const char *what) {
  if (!failure) failure = what;
  setcontext(&searcher);
}

/* Ends a run that exceeds STEPS, for example because the run loops on old values. Such a run proves
 * nothing, because on a real machine the newest values become visible. */
static void abandon(void) {
  abandoned++;
  setcontext(&searcher);
}

void explore_check(int is_true, const char *what) {
  if (!is_true) fail(what);
}

void explore_finished(int is_true, const char *what) {
  int ended = 0;
  for (int i = 0; i < thread_count; i++) ended += threads[i].state == ENDED;
  if (!is_true && ended == thread_count && !failure) failure = what;
}

int explore_self(void) {
  return self;
}

static int can_go_on(const thread *t) {
  return t->state == READY || (t->state == PAUSED && t->stores != stores);
}

static void keep(char *kept, int is_back) {
  for (int i = 0; i < private_count; i++) {
    if (is_back)
      memcpy(private_memory[i].p, kept, private_memory[i].bytes);
    else
      memcpy(kept, private_memory[i].p, private_memory[i].bytes);
    kept += private_memory[i].bytes;
  }
}

static void switch_to(int next) {
  int before = self;
  threads[next].state = READY;
  if (next == before) return;
  keep(threads[before].kept, 0);
  self = next;
  keep(threads[next].kept, 1);
  swapcontext(&threads[before].context, &threads[next].context);
}

/* Lets the search select the thread that continues. The first choice is the present thread. */
static void turn(void) {
  int options[EXPLORE_THREADS], count = 0;
  if (++steps > STEPS) abandon();
  int stays = can_go_on(&threads[self]);
  if (stays) options[count++] = self;
  for (int i = 0; i < thread_count && (!stays || switches_left > 0); i++)
    if (i != self && can_go_on(&threads[i])) options[count++] = i;
  if (count) {
    int chosen = choose(count);
    if (stays && chosen) switches_left--;
    switch_to(options[chosen]);
    return;
  }
  for (int i = 0; i < thread_count; i++)
    if (threads[i].state != ENDED) fail("no thread can continue: a wake-up or a store was lost");
  setcontext(&searcher);
}

static void run_thread(void) {
  now->thread[self]();
  threads[self].state = ENDED;
  turn();
}

static void join(view *into, const view *from) {
  for (int i = 0; i < location_count; i++)
    if (into->at[i] < from->at[i]) into->at[i] = from->at[i];
}

/* returns -1 if the address is not a location yet */
static int place_known(const volatile void *p) {
  int i = location_count - 1;
  while (i >= 0 && locations[i].address != p) i--;
  return i;
}

static int place_of(const volatile void *p, size_t bytes) {
  int known = place_known(p);
  if (known >= 0) return known;
  if (location_count == LOCATIONS) {
    fprintf(stderr, "explore: more than %d locations\n", LOCATIONS);
    exit(2);
  }
  location *l = &locations[location_count];
  l->address = p;
  l->newest = 0;
  l->message[0] = (message){0};
  memcpy(&l->message[0].value, (const void *)(uintptr_t)p, bytes);
  return location_count++;
}

/* Matches a function name, optionally with a kind of operation ("name/load"), against `where` and
 * `kind`. */
static int is_named(const char *what, size_t bytes, const char *where, const char *kind) {
  size_t length = strlen(where);
  if (bytes < length || strncmp(what, where, length) != 0) return 0;
  if (bytes == length) return 1;
  what += length;
  bytes -= length;
  return *what == '/' && bytes - 1 == strlen(kind) && strncmp(what + 1, kind, bytes - 1) == 0;
}

/* Returns the memory order of an operation: relaxed if `plant` names its function. plant: names,
 * joined by "+". */
static int order_in(int order, const char *where, const char *kind) {
  for (const char *what = plant; what;) {
    const char *end = strchr(what, '+');
    if (is_named(what, end ? (size_t)(end - what) : strlen(what), where, kind)) {
      weakened++;
      return EXPLORE_RELAXED;
    }
    what = end ? end + 1 : NULL;
  }
  return order;
}

static void has_read(thread *t, int place, int index, int order) {
  const message *m = &locations[place].message[index];
  if (t->seen.at[place] < index) t->seen.at[place] = (uint8_t)index;
  int acquires = order == EXPLORE_ACQUIRE || order >= EXPLORE_ACQ_REL;
  join(acquires ? &t->seen : &t->to_acquire, &m->carried);
}

static void append(thread *t, int place, uint64_t value, int order, const view *inherited) {
  location *l = &locations[place];
  if (l->newest + 1 == MESSAGES) abandon();
  message *m = &l->message[++l->newest];
  t->seen.at[place] = l->newest;
  m->value = value;
  m->carried = order >= EXPLORE_RELEASE ? t->seen : t->released;
  m->carried.at[place] = l->newest;
  if (inherited) join(&m->carried, inherited);
  if (order == EXPLORE_SEQ_CST) sc_stores.at[place] = l->newest;
  stores++;
  t->is_fresh = 0;
}

void explore_load(const volatile void *p, size_t bytes, void *value, int order, const char *where) {
  if (self < 0) return;
  turn();
  order = order_in(order, where, "load");
  thread *t = &threads[self];
  int place = place_of(p, bytes);
  location *l = &locations[place];
  int oldest = t->seen.at[place];
  if (order == EXPLORE_SEQ_CST && oldest < fences.at[place]) oldest = fences.at[place];
  if (order == EXPLORE_SEQ_CST && oldest < sc_stores.at[place]) oldest = sc_stores.at[place];
  if (t->is_fresh) oldest = l->newest;
  int options = l->newest - oldest + 1;
  int index = l->newest - choose(options < STALE ? options : STALE);
  has_read(t, place, index, order);
  memcpy(value, &l->message[index].value, bytes);
}

static void write_memory(volatile void *p, size_t bytes, const void *value) {
  memcpy((void *)(uintptr_t)p, value, bytes);
}

void explore_store(volatile void *p, size_t bytes, const void *value, int order,
                   const char *where) {
  if (self >= 0) {
    uint64_t number = 0;
    turn();
    memcpy(&number, value, bytes);
    append(&threads[self], place_of(p, bytes), number, order_in(order, where, "store"), NULL);
  }
  write_memory(p, bytes, value);
}

void explore_read_newest(const volatile void *p, size_t bytes, void *value, int order,
                         const char *where) {
  if (self < 0) return;
  turn();
  int place = place_of(p, bytes);
  has_read(&threads[self], place, locations[place].newest, order_in(order, where, "load"));
  memcpy(value, &locations[place].message[locations[place].newest].value, bytes);
}

void explore_write_newest(volatile void *p, size_t bytes, const void *value, int order,
                          const char *where) {
  if (self >= 0) {
    int place = place_of(p, bytes);
    uint64_t number = 0;
    view inherited = locations[place].message[locations[place].newest].carried;
    memcpy(&number, value, bytes);
    append(&threads[self], place, number, order_in(order, where, "store"), &inherited);
  }
  write_memory(p, bytes, value);
}

int explore_cas(volatile void *p, size_t bytes, void *expected, const void *value, int order,
                int failure_order, const char *where) {
  uint64_t newest = 0, wanted = 0;
  memcpy(&wanted, expected, bytes);
  memcpy(&newest, (const void *)(uintptr_t)p, bytes);
  if (self >= 0) {
    turn();
    int place = place_of(p, bytes);
    newest = locations[place].message[locations[place].newest].value;
    int did = newest == wanted;
    has_read(&threads[self], place, locations[place].newest,
             order_in(did ? order : failure_order, where, "load"));
  }
  if (newest != wanted) {
    memcpy(expected, &newest, bytes);
    return 0;
  }
  explore_write_newest(p, bytes, value, order, where);
  return 1;
}

void explore_fence(int order, const char *where) {
  if (self < 0 || order_in(order, where, "fence") == EXPLORE_RELAXED) return;
  turn();
  thread *t = &threads[self];
  if (order != EXPLORE_RELEASE) join(&t->seen, &t->to_acquire);
  if (order == EXPLORE_SEQ_CST) {
    join(&t->seen, &fences);
    join(&t->seen, &sc_stores);
    fences = t->seen;
  }
  if (order != EXPLORE_ACQUIRE) t->released = t->seen;
}

/* The reads of plain data by a thread are recorded as a separate location, at an address within the
 * eight bytes of the data. */
static const volatile void *reads_of(const uint64_t *p, int thread) {
  return (const volatile char *)p + 1 + thread;
}

static void note_read(const uint64_t *p) {
  int place = place_of(reads_of(p, self), 1);
  if (locations[place].newest < UINT8_MAX) threads[self].seen.at[place] = ++locations[place].newest;
}

static void check_reads(const uint64_t *p) {
  for (int i = 0; i < thread_count; i++) {
    int place = place_known(reads_of(p, i));
    if (place >= 0 && threads[self].seen.at[place] != locations[place].newest)
      fail("plain data is written while another thread may read it");
  }
}

void explore_write(uint64_t *p, uint64_t value) {
  if (self >= 0) {
    int place = place_of(p, sizeof *p);
    if (threads[self].seen.at[place] != locations[place].newest)
      fail("two threads write plain data without order");
    check_reads(p);
    append(&threads[self], place, value, EXPLORE_RELAXED, NULL);
  }
  *p = value;
}

uint64_t explore_read(const uint64_t *p) {
  int place = place_of(p, sizeof *p);
  if (threads[self].seen.at[place] != locations[place].newest)
    fail("plain data is read while another thread writes it");
  note_read(p);
  return locations[place].message[locations[place].newest].value;
}

void explore_private(void *p, size_t bytes) {
  private_memory[private_count].p = p;
  private_memory[private_count++].bytes = bytes;
  keep(private_start, 0);
}

void explore_pause(void);
void explore_pause(void) {
  if (self < 0) return;
  thread *t = &threads[self];
  /* the thread read the newest values and still pauses, so it waits for a store */
  if (t->is_fresh && t->stores == stores) t->state = PAUSED;
  t->stores = stores;
  t->is_fresh = 1;
  turn();
}

void solo_futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns);
void solo_futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
  uint32_t value;
  (void)timeout_ns;
  turn();
  int place = place_of(word, sizeof value);
  /* the kernel reads the newest value */
  has_read(&threads[self], place, locations[place].newest, EXPLORE_RELAXED);
  memcpy(&value, (const void *)word, sizeof value);
  if (value != expected) return;
  threads[self].state = ASLEEP;
  threads[self].word = word;
  turn();
}

int solo_futex_wake(const _Atomic uint32_t *word, int most);
int solo_futex_wake(const _Atomic uint32_t *word, int most) {
  int woken = 0;
  if (self < 0) return 0;
  turn();
  for (int i = 0; i < thread_count && woken < most; i++)
    if (threads[i].state == ASLEEP && threads[i].word == word) {
      threads[i].state = READY;
      woken++;
    }
  return woken;
}

static void run(void) {
  volatile int has_begun = 0;
  self = -1;
  location_count = 0;
  stores = 0;
  steps = 0;
  choice_at = 0;
  failure = NULL;
  switches_left = is_wide && now->switches_wide ? now->switches_wide : now->switches;
  fences = sc_stores = (view){{0}};
  now->begin();
  for (int i = 0; i < thread_count; i++) {
    thread *t = &threads[i];
    t->state = READY;
    t->is_fresh = 0;
    t->seen = t->to_acquire = t->released = (view){{0}};
    memcpy(t->kept, private_start, sizeof t->kept);
    getcontext(&t->context);
    t->context.uc_stack.ss_sp = stacks[i];
    t->context.uc_stack.ss_size = STACK;
    t->context.uc_link = NULL;
    makecontext(&t->context, run_thread, 0);
  }
  getcontext(&searcher);
  if (!has_begun) {
    has_begun = 1;
    self = choose(thread_count);
    keep(threads[self].kept, 1);
    setcontext(&threads[self].context);
  }
  self = -1;
  if (now->end) now->end();
}

void explore_bounds(int count, char **arguments) {
  is_wide = count > 1 && strcmp(arguments[1], "wide") == 0;
}

int explore(const explore_scenario *scenario, const char *planted) {
  long runs = 0, most = is_wide ? RUNS_MOST_WIDE : RUNS_MOST;
  now = scenario;
  plant = planted;
  abandoned = weakened = 0;
  thread_count = 0;
  while (thread_count < EXPLORE_THREADS && scenario->thread[thread_count]) thread_count++;
  choice_count = 0;
  do {
    run();
    runs++;
  } while (!failure && runs < most && next_run());
  printf("%s%s%s: %ld runs (%ld abandoned), %s\n", scenario->name, planted ? ", weakened: " : "",
         planted ? planted : "", runs, abandoned,
         failure        ? failure
         : runs == most ? "incomplete: lower the bound"
                        : "no failure");
  if (planted && !weakened) printf("no operation of %s was weakened\n", planted);
  fflush(stdout);
  /* a search for a planted bug may end at the limit on runs */
  return !failure && (planted || runs < most);
}

int explore_all(const explore_scenario *scenario, const char *const *planted) {
  int wrong = !explore(scenario, NULL);
  for (; *planted; planted++)
    if (explore(scenario, *planted)) {
      printf("FAILED: the planted bug was not found\n");
      wrong++;
    }
  return wrong;
}
