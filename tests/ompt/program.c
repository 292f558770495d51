/* Description: executes each construct and function that causes events, in separate functions with
 * distinct return addresses. */
#include "tests/ompt/tool.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACE __attribute__((noinline, section("solo_places")))

PLACE void region(int *a) {
#pragma omp target map(tofrom : a[:100])
  a[1]++;
}
PLACE void teams(int *a) {
#pragma omp target teams num_teams(2) map(to : a[:100])
  (void)a[1];
}
PLACE void enter(int *a){
#pragma omp target enter data map(to : a[:100])
} PLACE void enter_alloc(int *a){
#pragma omp target enter data map(alloc : a[:100])
} PLACE void update(int *a){
#pragma omp target update from(a [50:50])
} PLACE void leave(int *a){
#pragma omp target exit data map(from : a[:100])
} PLACE void drop(int *a){
#pragma omp target exit data map(delete : a[:100])
} PLACE void data(int *a) {
#pragma omp target data map(tofrom : a[:100])
  a[2]++;
}
PLACE void nowait(int *a) {
#pragma omp target map(tofrom : a[:100]) nowait
  a[1]++;
#pragma omp taskwait
}
PLACE void *take(void) {
  return omp_target_alloc(128, 0);
}
PLACE void give(void *d) {
  omp_target_free(d, 0);
}
PLACE int copy(void *to, void *from, int to_device, int from_device) {
  return omp_target_memcpy(to, from, 64, 0, 0, to_device, from_device);
}
PLACE int associate(void *a, void *d) {
  return omp_target_associate_ptr(a, d, 128, 0, 0);
}
PLACE int disassociate(void *a) {
  return omp_target_disassociate_ptr(a, 0);
}

static const struct {
  const char *name;
  void *address;
} places[] = {{"region", region},       {"teams", teams},
              {"enter", enter},         {"enter_alloc", enter_alloc},
              {"update", update},       {"leave", leave},
              {"drop", drop},           {"data", data},
              {"nowait", nowait},       {"take", take},
              {"give", give},           {"copy", copy},
              {"associate", associate}, {"disassociate", disassociate}};

extern char __start_solo_places[], __stop_solo_places[];

const char *tool_place(const void *code) {
  const char *best = "elsewhere", *at = 0, *c = code;
  if (!code) return "NULL";
  if (c < __start_solo_places || c >= __stop_solo_places) return best;
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    if ((char *)places[i].address < c && (char *)places[i].address >= at)
      best = places[i].name, at = places[i].address;
  return best;
}

static void title(const char *text) {
  printf("-- %s\n", text);
}

int main(int argc, char **argv) {
  static int a[100];
  int host = omp_get_initial_device();
  (void)argv;
  if (getenv("HOST_FIRST")) { /* start host threads before the first target construct */
#pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
  }
  tool_name(a, "a"), tool_name(a + 50, "a+50");
  title("region"), region(a);
  title("teams"), teams(a);
  title("enter"), enter(a);
  title("region, present"), region(a);
  title("enter, present"), enter(a);
  title("leave, still there"), leave(a);
  title("update"), update(a);
  title("leave"), leave(a);
  title("alloc, delete"), enter_alloc(a), drop(a);
  title("data"), data(a);
  if (argc > 1) title("nowait"), nowait(a);
  title("take");
  void *d = take(), *e = take();
  title("copies");
  int bad = copy(d, a, 0, host) | copy(e, d, 0, 0) | copy(a, e, host, 0);
  title("associate"), bad |= associate(a, d);
  title("region, associated"), bad |= 0;
  title("disassociate"), bad |= disassociate(a);
  title("give"), give(d), give(e);
  title("end");
  return bad;
}
