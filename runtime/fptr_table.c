/* Building of fptr_table.h. */
#include "runtime/fptr_table.h"

#include <stdlib.h>

/* Pointers into the caller's pairs: of equal host addresses the earlier one first. */
static int by_host(const void *a, const void *b) {
  const solo_fptr_pair *x = *(const solo_fptr_pair *const *)a,
                       *y = *(const solo_fptr_pair *const *)b;
  uint64_t i = (uint64_t)x->host, j = (uint64_t)y->host;
  return i != j ? (i > j) - (i < j) : (x > y) - (x < y);
}

/* Fills sorted and count. */
static void sort(solo_fptr_table *t, const solo_fptr_pair **order, size_t count) {
  qsort(order, count, sizeof(const solo_fptr_pair *), by_host);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || order[i]->host != order[i - 1]->host) t->sorted[t->count++] = *order[i];
  t->sorted[-1] = (solo_fptr_pair){(int64_t)t->count, 0};
}

/* In-order walk of the implicit tree hands out the sorted pairs; at: the next one. */
static size_t lay_out(solo_fptr_table *t, size_t node, size_t at) {
  if (node > t->count) return at;
  at = lay_out(t, 2 * node, at);
  t->keys[node] = (uint64_t)t->sorted[at].host;
  t->values[node] = (uint64_t)t->sorted[at].device;
  return lay_out(t, 2 * node + 1, at + 1);
}

solo_fptr_table *solo_fptr_table_new(const solo_fptr_pair *pairs, size_t count) {
  size_t slots = count + 1; /* of sorted: the head; of keys and values: [0] */
  solo_fptr_table *t = malloc(sizeof *t + slots * (sizeof *t->sorted + 2 * sizeof *t->keys));
  const solo_fptr_pair **order = malloc(slots * sizeof(const solo_fptr_pair *));
  if (t && order) {
    t->count = 0;
    t->sorted = (solo_fptr_pair *)(t + 1) + 1;
    t->keys = (uint64_t *)(t->sorted + count);
    t->values = t->keys + slots;
    for (size_t i = 0; i < count; i++) order[i] = &pairs[i];
    sort(t, order, count);
    t->keys[0] = t->values[0] = 0;
    lay_out(t, 1, 0);
  } else {
    free(t);
    t = NULL;
  }
  free(order);
  return t;
}

int solo_fptr_list_add(solo_fptr_list *list, uint64_t host, uint64_t device) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 32;
    solo_fptr_pair *pairs = realloc(list->pairs, capacity * sizeof *pairs);
    if (!pairs) return 0;
    list->pairs = pairs;
    list->capacity = capacity;
  }
  list->pairs[list->count++] = (solo_fptr_pair){(int64_t)host, (int64_t)device};
  return 1;
}

void solo_fptr_list_free(solo_fptr_list *list) {
  free(list->pairs);
  *list = (solo_fptr_list){NULL, 0, 0};
}

void solo_fptr_table_free(solo_fptr_table *table) {
  free(table);
}
