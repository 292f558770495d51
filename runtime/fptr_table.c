/* Building of fptr_table.h. */
#include "runtime/fptr_table.h"

#include <stdlib.h>
#include <string.h>

static int by_host(const void *a, const void *b) {
  const solo_fptr_pair *x = a, *y = b;
  return ((uint64_t)x->host > (uint64_t)y->host) - ((uint64_t)x->host < (uint64_t)y->host);
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
  size_t slots = count + 1;
  solo_fptr_table *t = malloc(sizeof *t + slots * (sizeof *t->sorted + 2 * sizeof *t->keys));
  if (!t) return NULL;
  t->sorted = (solo_fptr_pair *)(t + 1);
  t->keys = (uint64_t *)(t->sorted + slots);
  t->values = t->keys + slots;
  if (count) memcpy(t->sorted, pairs, count * sizeof *pairs);
  qsort(t->sorted, count, sizeof *t->sorted, by_host);
  t->count = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || t->sorted[i].host != t->sorted[t->count - 1].host)
      t->sorted[t->count++] = t->sorted[i];
  t->keys[0] = t->values[0] = 0;
  lay_out(t, 1, 0);
  return t;
}

void solo_fptr_table_free(solo_fptr_table *table) {
  free(table);
}
