/* Description: checks places, thread binding and affinity formats.
 * Env: OMP_PLACES={0},{1} OMP_PROC_BIND=close */
#include "tests/unit/test.h"
#include <omp.h>

/* Readers that run while a thread changes the format receive the old or the new format. */
static void change_format_in_threads(void) {
  int wrong = 0;
  omp_set_affinity_format("<%n>");
#pragma omp parallel num_threads(3) reduction(+ : wrong)
  for (int i = 0; i < 2000; i++) {
    char text[20];
    if (omp_get_thread_num() == 0) {
      omp_set_affinity_format(i / 100 % 2 ? "<%n>" : "<%n %N>");
    } else {
      omp_capture_affinity(text, sizeof text, NULL);
      wrong += text[0] != '<' || text[strlen(text) - 1] != '>';
      omp_get_affinity_format(text, sizeof text);
      wrong += strcmp(text, "<%n>") != 0 && strcmp(text, "<%n %N>") != 0;
    }
  }
  CHECK_INT(wrong, 0);
}

int main(void) {
  int places = omp_get_num_places(), ids[64], bad = 0;
  CHECK(places >= 1 && places <= 2);
  for (int p = 0; p < places; p++) {
    CHECK_INT(omp_get_place_num_procs(p), 1);
    omp_get_place_proc_ids(p, ids);
    CHECK(ids[0] == 0 || ids[0] == 1);
  }
  CHECK_INT(omp_get_proc_bind(), omp_proc_bind_close);
  int at[64], size = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me == 0) size = omp_get_num_threads();
    at[me] = omp_get_place_num();
    char text[100], want[100];
    size_t n = omp_capture_affinity(text, sizeof text, "%{thread_num}/%0.4N %A");
    snprintf(want, sizeof want, "%d/%04d ", me, omp_get_num_threads());
    if (n != strlen(text) || strncmp(text, want, strlen(want)) != 0 ||
        (omp_get_num_threads() > 1 && strlen(text) != strlen(want) + 1)) {
#pragma omp critical
      printf("'%s' does not begin with '%s'\n", text, want), bad++;
    }
  }
  CHECK_INT(bad, 0);
  if (size > 1)
    for (int i = 0; i < size; i++) CHECK_INT(at[i], (size <= places ? i : i * places / size));
  omp_set_affinity_format("x%nx");
  char text[20];
  CHECK_INT(omp_get_affinity_format(text, sizeof text), 4);
  CHECK_TEXT(text, "x%nx");
  CHECK_INT(omp_capture_affinity(text, 3, NULL), 3);
  CHECK_TEXT(text, "x0");
  change_format_in_threads();
  kmp_affinity_mask_t mask;
  kmp_create_affinity_mask(&mask);
  CHECK_INT(kmp_get_affinity(&mask), 0);
  CHECK(kmp_get_affinity_mask_proc(0, &mask) == 1 || kmp_get_affinity_mask_proc(1, &mask) == 1);
  kmp_destroy_affinity_mask(&mask);
  return TEST_RESULT();
}
