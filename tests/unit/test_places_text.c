/* Description: checks the syntax of OMP_PLACES: words, lists, intervals, exclusion, errors, random
 * lists. */
#include "abi/kmpc/affinity/places_text.h"
#include "tests/unit/test.h"

/* Returns the places that a text describes, for example "0,1|4", or "error". */
static const char *read(const char *text) {
  static char out[4096];
  kmpc_place_list list = {0};
  size_t used = 0;
  int understood = solo_kmp_places_list(text, &list);
  *out = 0;
  for (int32_t p = 0; p < list.count; p++) {
    if (p) used += (size_t)snprintf(out + used, sizeof out - used, "|");
    const char *comma = "";
    for (int cpu = 0; cpu < KMPC_CPUS; cpu++) {
      if (!solo_kmp_mask_has(&list.place[p], cpu)) continue;
      used += (size_t)snprintf(out + used, sizeof out - used, "%s%d", comma, cpu);
      comma = ",";
    }
  }
  free(list.place);
  return understood ? out : "error";
}

static void check_lists(void) {
  static const char *const cases[][2] = {
      {"{0}", "0"},
      {" { 0 , 1 } , {2} ", "0,1|2"},
      {"{0,1,2,3},{4:4},{8:4:2}", "0,1,2,3|4,5,6,7|8,10,12,14"},
      {"{0:4}:3:4", "0,1,2,3|4,5,6,7|8,9,10,11"},
      {"{0:2}:3", "0,1|1,2|2,3"},
      {"{7:3:-2}", "3,5,7"},
      {"{3}:4:-1", "3|2|1|0"},
      {"{0}:2:0", "0|0"},
      {"{1,1,1}", "1"},
      {"5,3,4", "5|3|4"},
      {"0:4:2", "0|2|4|6"},
      {"{4095}", "4095"},
      {"{0:8,!3}", "0,1,2,4,5,6,7"},
      {"{0:8,!3,!0,!7}", "1,2,4,5,6"},
      {"{0:8, ! 3 ,3}", "0,1,2,3,4,5,6,7"},
      {"{!3,0:4}", "0,1,2,3"},
      {"{0:4,!9}", "0,1,2,3"},
      {"{0,!0}", ""},
      {"{0:4}:4:4,!{4:4}", "0,1,2,3|8,9,10,11|12,13,14,15"},
      {"{0:4}:4:4,!{4,5,6,7}", "0,1,2,3|8,9,10,11|12,13,14,15"},
      {"{0},{1},{0},!{0},{2}", "1|2"},
      {"{0},{1},!{0},{0}", "1|0"},
      {"{0:2},{2},!{0}", "0,1|2"},
      {"!{0},{0}", "0"},
      {"{0:4}:2:4,!{4:5,!8}", "0,1,2,3"},
      {"0:4,!2", "0|1|3"},
      {"{0},!{0}", ""},
      {"{0:4,!1}:2:4", "0,2,3|4,6,7"},
      {"", "error"},
      {"{", "error"},
      {"{}", "error"},
      {"{0", "error"},
      {"{0}}", "error"},
      {"{0},", "error"},
      {"{0}{1}", "error"},
      {"{0:0}", "error"},
      {"{0}:0", "error"},
      {"{0}:", "error"},
      {"{0}:2:", "error"},
      {"{0}:2:1:1", "error"},
      {"{-1}", "error"},
      {"-1", "error"},
      {"{1}:3:-1", "error"},
      {"{1:3:-1}", "error"},
      {"{4096}", "error"},
      {"{4095}:2", "error"},
      {"{0:2:99999999999999999999}", "error"},
      {"{0:99999999999999999999}", "error"},
      {"{0}:99999999999999999999", "error"},
      {"!", "error"},
      {"{!}", "error"},
      {"{0:4,!1:2}", "error"},
      {"{0}:4,!{1}:2", "error"},
      {"!!{0}", "error"},
      {"{0,!!0}", "error"},
      {"{{0}}", "error"},
      {"cores", "error"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    test_checks++;
    const char *got = read(cases[i][0]);
    if (strcmp(got, cases[i][1]) == 0) continue;
    test_failures++;
    printf("failed: \"%s\" is read as %s, expected %s\n", cases[i][0], got, cases[i][1]);
  }
}

static void word(const char *text, int unit, int most) {
  kmpc_unit found = KMPC_UNIT_THREAD;
  int32_t limit = -1;
  int understood = solo_kmp_places_word(text, &found, &limit);
  CHECK_INT(understood, unit >= 0);
  if (!understood || unit < 0) return;
  CHECK_INT(found, unit);
  CHECK_INT(limit, most);
}

static void check_words(void) {
  word("threads", KMPC_UNIT_THREAD, KMPC_CPUS);
  word(" Cores ", KMPC_UNIT_CORE, KMPC_CPUS);
  word("ll_caches", KMPC_UNIT_CACHE, KMPC_CPUS);
  word("NUMA_DOMAINS(3)", KMPC_UNIT_NUMA, 3);
  word("sockets ( 2 ) ", KMPC_UNIT_SOCKET, 2);
  word("cores(99999999)", KMPC_UNIT_CORE, KMPC_CPUS);
  static const char *const wrong[] = {"",          "core",    "coresx",    "cores(0)",
                                      "cores(-1)", "cores(2", "cores(2)x", "cores()",
                                      "{0}",       "cores 2", "cores,{0}"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) word(wrong[i], -1, 0);
}

enum { CPUS = 200, PLACES = 2000 };

static unsigned char want[PLACES][CPUS];
static int wanted;
static char text[65536];

static int below(int bound) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (int)(state % (uint64_t)bound);
}

static void report(const char *format, int a, int b, int c) {
  size_t used = strlen(text);
  snprintf(text + used, sizeof text - used, format, a, b, c);
}

/* Writes a random place of processors below 40 to `text`, and its processors to `set`. */
static void random_place(unsigned char *set) {
  memset(set, 0, CPUS);
  report("{", 0, 0, 0);
  for (int items = 1 + below(4), i = 0; i < items; i++) {
    if (i) report(",", 0, 0, 0);
    int first = below(20), count = 1 + below(5), stride = 1 + below(4);
    if (i && below(3) == 0) {
      report("!%d", first, 0, 0);
      set[first] = 0;
    } else if (below(2)) {
      report("%d:%d:%d", first, count, stride);
      for (int k = 0; k < count; k++) set[first + k * stride] = 1;
    } else {
      report("%d:%d", first, count, 0);
      for (int k = 0; k < count; k++) set[first + k] = 1;
    }
  }
  report("}", 0, 0, 0);
}

static void add_interval(const unsigned char *set, int count, int stride) {
  for (int i = 0; i < count; i++, wanted++)
    for (int cpu = 0; cpu < CPUS; cpu++)
      want[wanted][cpu] = cpu >= i * stride && set[cpu - i * stride];
}

static void take_out(const unsigned char *set) {
  for (int p = 0; p < wanted;)
    if (memcmp(want[p], set, CPUS) == 0)
      memmove(want[p], want[p + 1], (size_t)(--wanted - p) * CPUS);
    else
      p++;
}

static void random_list(void) {
  unsigned char set[CPUS];
  wanted = 0;
  *text = 0;
  for (int items = 1 + below(8), i = 0; i < items; i++) {
    if (i) report(",", 0, 0, 0);
    int kind = below(4);
    /* excludes an existing place, which is written as a list of numbers */
    if (kind == 0 && wanted) {
      memcpy(set, want[below(wanted)], CPUS);
      report("!{0,!0", 0, 0, 0);
      for (int cpu = 0; cpu < CPUS; cpu++)
        if (set[cpu]) report(",%d", cpu, 0, 0);
      report("}", 0, 0, 0);
      take_out(set);
    } else if (kind == 1) {
      report("!", 0, 0, 0);
      random_place(set);
      take_out(set);
    } else {
      int count = 1 + below(5), stride = below(9);
      random_place(set);
      report(":%d:%d", count, stride, 0);
      add_interval(set, count, stride);
    }
  }
}

static void check_random(void) {
  for (int round = 0; round < 3000; round++) {
    random_list();
    kmpc_place_list list = {0};
    int good = solo_kmp_places_list(text, &list) && list.count == wanted;
    for (int p = 0; good && p < wanted; p++)
      for (int cpu = 0; good && cpu < CPUS; cpu++)
        good = solo_kmp_mask_has(&list.place[p], cpu) == want[p][cpu];
    free(list.place);
    test_checks++;
    if (good) continue;
    test_failures++;
    printf("failed: %s is read as %s\n", text, read(text));
    return;
  }
}

/* Arbitrary texts are read without accesses outside the text (sanitizers check this). */
static void check_garbage(void) {
  static const char signs[] = "{}!:,-0 9(";
  for (int round = 0; round < 20000; round++) {
    random_list();
    for (int changes = 1 + below(3); changes && *text; changes--)
      text[below((int)strlen(text))] = signs[below((int)sizeof signs)];
    kmpc_place_list list = {0};
    int understood = solo_kmp_places_list(text, &list);
    test_checks++;
    if (understood && list.count > list.capacity) test_failures++;
    free(list.place);
    if (!*text) continue;
    kmpc_unit unit;
    int32_t most;
    CHECK(!solo_kmp_places_word(text, &unit, &most));
  }
}

int main(void) {
  check_lists();
  check_words();
  check_random();
  check_garbage();
  return TEST_RESULT();
}
