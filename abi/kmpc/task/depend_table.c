#include "abi/kmpc/task/depend_table.h"
#include <string.h>

typedef struct node_set {
  kmpc_depend_link *first;
  uint32_t count, prune_at;
} node_set;

typedef struct entry {
  uint64_t address;
  kmpc_depend_node *last;
  node_set set;
  kmpc_depend_link *earlier;
  kmpc_exclusion *exclusion;
  uint8_t kind;
  uint8_t used;
} entry;

struct kmpc_depend_table {
  entry *entries;
  uint32_t size, used; /* a power of two, at least 2 * used */
  /* the last node with omp_all_memory; it is `last` of each address without an entry */
  kmpc_depend_node *all;
};

enum { FIRST_SIZE = 8, FIRST_PRUNE = 16 };

static kmpc_depend_node *hold(kmpc_depend_node *node) {
  if (node) solo_add_relaxed(&node->references, 1); /* relaxed: the caller holds a reference */
  return node;
}

static void release_list(kmpc_cache *cache, kmpc_depend_node *node) {
  if (node) solo_kmp_depend_drop(cache, node);
}

static kmpc_depend_link *link_to(kmpc_cache *cache, kmpc_depend_node *node,
                                 kmpc_depend_link *next) {
  kmpc_depend_link *link = solo_kmp_cache_allocate(cache, sizeof *link);
  link->node = hold(node);
  link->next = next;
  return link;
}

static void free_links(kmpc_cache *cache, kmpc_depend_link **list) {
  for (kmpc_depend_link *link = *list, *next; link; link = next) {
    next = link->next;
    release_list(cache, link->node);
    solo_kmp_cache_free(cache, link);
  }
  *list = NULL;
}

static void empty_set(kmpc_cache *cache, entry *e) {
  free_links(cache, &e->set.first);
  e->set.count = 0;
  e->set.prune_at = FIRST_PRUNE;
  if (e->exclusion) solo_kmp_depend_release_exclusion(cache, e->exclusion);
  e->exclusion = NULL;
}

static void empty_entry(kmpc_cache *cache, entry *e) {
  empty_set(cache, e);
  free_links(cache, &e->earlier);
  release_list(cache, e->last);
  e->last = NULL;
  e->used = 0;
}

/* Limits the size of the set. */
static void prune(kmpc_cache *cache, node_set *set) {
  for (kmpc_depend_link **at = &set->first; *at;) {
    kmpc_depend_link *link = *at;
    /* pairs with solo_kmp_depend_done */
    if (!solo_load_acquire(&link->node->done)) {
      at = &link->next;
      continue;
    }
    *at = link->next;
    release_list(cache, link->node);
    solo_kmp_cache_free(cache, link);
    set->count--;
  }
  set->prune_at = set->count * 2 > FIRST_PRUNE ? set->count * 2 : FIRST_PRUNE;
}

static uint32_t slot_of(const kmpc_depend_table *table, uint64_t address) {
  return (uint32_t)((address * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (table->size - 1);
}

static entry *find(const kmpc_depend_table *table, uint64_t address) {
  uint32_t at = slot_of(table, address);
  while (table->entries[at].used && table->entries[at].address != address)
    at = (at + 1) & (table->size - 1);
  return &table->entries[at];
}

static int is_done(kmpc_depend_node *node) {
  return !node || solo_load_acquire(&node->done); /* pairs with solo_kmp_depend_done */
}

static int is_over(entry *e) {
  if (!is_done(e->last)) return 0;
  for (kmpc_depend_link *link = e->set.first; link; link = link->next)
    if (!is_done(link->node)) return 0;
  for (kmpc_depend_link *link = e->earlier; link; link = link->next)
    if (!is_done(link->node)) return 0;
  return 1;
}

static entry *new_entries(kmpc_cache *cache, uint32_t size) {
  entry *entries = solo_kmp_cache_allocate(cache, size * sizeof *entries);
  memset(entries, 0, size * sizeof *entries);
  return entries;
}

/* Removes addresses without unfinished nodes. If many addresses remain, doubles the table. */
static void make_space(kmpc_depend_table *table, kmpc_cache *cache) {
  entry *old = table->entries;
  uint32_t old_size = table->size, living = 0;
  for (uint32_t i = 0; i < old_size; i++) {
    if (!old[i].used) continue;
    if (is_over(&old[i])) empty_entry(cache, &old[i]);
    living += old[i].used;
  }
  if (living * 4 > old_size) table->size = old_size * 2;
  table->entries = new_entries(cache, table->size);
  table->used = living;
  for (uint32_t i = 0; i < old_size; i++)
    if (old[i].used) *find(table, old[i].address) = old[i];
  solo_kmp_cache_free(cache, old);
}

static entry *find_or_make(kmpc_depend_table *table, kmpc_cache *cache, uint64_t address) {
  entry *e = find(table, address);
  if (e->used) return e;
  if ((table->used + 1) * 2 > table->size) {
    make_space(table, cache);
    e = find(table, address);
  }
  table->used++;
  e->used = 1;
  e->address = address;
  e->kind = KMPC_DEPEND_IN;
  e->set.prune_at = FIRST_PRUNE;
  e->last = hold(table->all);
  return e;
}

static void wait_for_links(kmpc_cache *cache, const kmpc_depend_link *link,
                           kmpc_depend_node *node) {
  for (; link; link = link->next) solo_kmp_depend_edge(cache, link->node, node);
}

static void wait_for_entry(kmpc_cache *cache, const entry *e, kmpc_depend_node *node) {
  if (e->set.first)
    wait_for_links(cache, e->set.first, node);
  else
    solo_kmp_depend_edge(cache, e->last, node);
}

static void join_exclusion(kmpc_cache *cache, entry *e, kmpc_depend_node *node) {
  if (!e->exclusion) {
    kmpc_exclusion *made = solo_kmp_cache_allocate(cache, sizeof *made);
    memset(made, 0, sizeof *made);
    solo_store_relaxed(&made->references, 1); /* relaxed: not shared yet */
    e->exclusion = made;
  }
  for (int32_t i = 0; i < node->exclusion_count; i++)
    if (node->exclusion[i] == e->exclusion) return;
  solo_add_relaxed(&e->exclusion->references, 1); /* relaxed: the entry holds a reference */
  int32_t at = node->exclusion_count++;
  for (; at > 0 && (uintptr_t)node->exclusion[at - 1] > (uintptr_t)e->exclusion; at--)
    node->exclusion[at] = node->exclusion[at - 1];
  node->exclusion[at] = e->exclusion;
}

static void add_reader(kmpc_cache *cache, entry *e, kmpc_depend_node *node, uint8_t kind,
                       kmpc_depend_mode mode) {
  if (e->set.first && e->kind != kind) {
    if (mode == KMPC_DEPEND_WAIT_ONLY) {
      wait_for_links(cache, e->set.first, node);
      return;
    }
    free_links(cache, &e->earlier);
    e->earlier = e->set.first;
    e->set.first = NULL;
    empty_set(cache, e);
  }
  if (e->earlier)
    wait_for_links(cache, e->earlier, node);
  else
    solo_kmp_depend_edge(cache, e->last, node);
  if (mode == KMPC_DEPEND_WAIT_ONLY) return;
  if (e->set.count >= e->set.prune_at) prune(cache, &e->set);
  e->kind = kind;
  e->set.first = link_to(cache, node, e->set.first);
  e->set.count++;
  if (kind == KMPC_DEPEND_MUTEX) join_exclusion(cache, e, node);
}

static void add_writer(kmpc_cache *cache, entry *e, kmpc_depend_node *node, kmpc_depend_mode mode) {
  wait_for_entry(cache, e, node);
  if (mode == KMPC_DEPEND_WAIT_ONLY) return;
  hold(node);
  uint64_t address = e->address;
  empty_entry(cache, e);
  e->address = address;
  e->used = 1;
  e->last = node;
}

static void add_all_memory(kmpc_depend_table *table, kmpc_cache *cache, kmpc_depend_node *node,
                           kmpc_depend_mode mode) {
  solo_kmp_depend_edge(cache, table->all, node);
  for (uint32_t i = 0; i < table->size; i++) {
    entry *e = &table->entries[i];
    if (!e->used) continue;
    wait_for_entry(cache, e, node);
    if (mode == KMPC_DEPEND_RECORD) empty_entry(cache, e);
  }
  if (mode == KMPC_DEPEND_WAIT_ONLY) return;
  table->used = 0;
  hold(node);
  release_list(cache, table->all);
  table->all = node;
}

static void add_one(kmpc_depend_table *table, kmpc_cache *cache, kmpc_depend_node *node,
                    const kmpc_depend *clause, kmpc_depend_mode mode) {
  entry *e = find_or_make(table, cache, clause->address);
  uint8_t kind = clause->kind;
  /* A node that is not recorded cannot own the lock, so it waits for all nodes of the set. */
  if (mode == KMPC_DEPEND_WAIT_ONLY && kind == KMPC_DEPEND_MUTEX) kind = KMPC_DEPEND_OUT;
  switch (kind) {
  case KMPC_DEPEND_IN:
  case KMPC_DEPEND_MUTEX:
  case KMPC_DEPEND_SET:
    add_reader(cache, e, node, kind, mode);
    break;
  default:
    add_writer(cache, e, node, mode);
    break;
  }
}

/* Both encodings of omp_all_memory occur, as in libomp. */
static int is_all_memory(const kmpc_depend *clause) {
  return (clause->kind & KMPC_DEPEND_ALL) || clause->address == UINT64_MAX;
}

int solo_kmp_depend_add(kmpc_depend_table **table, kmpc_cache *cache, kmpc_depend_node *node,
                        const kmpc_depend_list lists[2], kmpc_depend_mode mode) {
  if (!*table) {
    *table = solo_kmp_cache_allocate(cache, sizeof **table);
    (*table)->size = FIRST_SIZE;
    (*table)->used = 0;
    (*table)->all = NULL;
    (*table)->entries = new_entries(cache, FIRST_SIZE);
  }
  int all_memory = 0, mutexes = 0;
  for (int l = 0; l < 2; l++) {
    for (int32_t i = 0; i < lists[l].count; i++) {
      all_memory |= is_all_memory(&lists[l].clause[i]);
      mutexes += lists[l].clause[i].kind == KMPC_DEPEND_MUTEX;
    }
  }
  if (mutexes && mode == KMPC_DEPEND_RECORD)
    node->exclusion = solo_kmp_cache_allocate(cache, (size_t)mutexes * sizeof *node->exclusion);
  if (all_memory) {
    add_all_memory(*table, cache, node, mode);
  } else {
    for (int l = 0; l < 2; l++)
      for (int32_t i = 0; i < lists[l].count; i++)
        add_one(*table, cache, node, &lists[l].clause[i], mode);
  }
  return solo_kmp_depend_arrive(node);
}

void solo_kmp_depend_close(kmpc_depend_table *table, kmpc_cache *cache) {
  for (uint32_t i = 0; i < table->size; i++)
    if (table->entries[i].used) empty_entry(cache, &table->entries[i]);
  release_list(cache, table->all);
  solo_kmp_cache_free(cache, table->entries);
  solo_kmp_cache_free(cache, table);
}
