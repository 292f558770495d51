#include "runtime/device/fptr_table.h"

#include <stdlib.h>

static int is_before(const solo_fptr_pair *x, const solo_fptr_pair *y) {
  return x->host != y->host ? (uint64_t)x->host < (uint64_t)y->host : x < y;
}

static void put_in_order(const solo_fptr_pair **order, size_t count) {
  for (size_t gap = count; gap > 1;) {
    gap = gap * 4 / 9 + (gap < 3);
    for (size_t i = gap; i < count; i++) {
      const solo_fptr_pair *one = order[i];
      size_t at = i;
      for (; at >= gap && is_before(one, order[at - gap]); at -= gap) order[at] = order[at - gap];
      order[at] = one;
    }
  }
}

static void sort(solo_fptr_table *t, const solo_fptr_pair **order, size_t count) {
  put_in_order(order, count);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || order[i]->host != order[i - 1]->host) t->sorted[t->count++] = *order[i];
  t->sorted[-1] = (solo_fptr_pair){(int64_t)t->count, 0};
}

static void fill_slots(solo_fptr_table *t) {
  for (size_t i = 0; i < t->count; i++) {
    uint64_t at = solo_fptr_table_slot(t, (uint64_t)t->sorted[i].host);
    while (t->slots[at].host) at = (at + 1) & t->mask;
    t->slots[at] = t->sorted[i];
  }
}

solo_fptr_table *solo_fptr_table_new(const solo_fptr_pair *pairs, size_t count) {
  size_t slots = 2;
  while (slots < 2 * count) slots *= 2;
  solo_fptr_table *t = calloc(1, sizeof *t + (slots + 1 + count) * sizeof *t->slots);
  const solo_fptr_pair **order = malloc((count + 1) * sizeof(const solo_fptr_pair *));
  if (t && order) {
    t->mask = slots - 1;
    t->sorted = &t->slots[slots + 1]; /* after the hash slots and sorted[-1] */
    for (size_t i = 0; i < count; i++) order[i] = &pairs[i];
    sort(t, order, count);
    fill_slots(t);
    if (t->count) {
      t->first_host = (uint64_t)t->sorted[0].host;
      t->first_device = (uint64_t)t->sorted[0].device;
    }
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
