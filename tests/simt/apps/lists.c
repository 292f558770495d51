/* Linked lists on the device's heap. */
#include "app.h"

typedef struct item {
  struct item *next;
  int value;
} item;

APP(lists) {
  int sums[32] = {0}, wrong = 0;
#pragma omp target teams distribute parallel for map(from : sums) thread_limit(32)
  for (int i = 0; i < 32; i++) {
    item *list = NULL;
    int sum = 0;
    for (int k = 0; k <= i; k++) {
      item *more = malloc(sizeof *more);
      if (!more) break;
      more->next = list;
      more->value = k;
      list = more;
    }
    for (item *next; list; list = next) {
      next = list->next;
      sum += list->value;
      free(list);
    }
    sums[i] = sum;
  }
  for (int i = 0; i < 32; i++) wrong += sums[i] != i * (i + 1) / 2;
  return wrong;
}
