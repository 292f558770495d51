#define _GNU_SOURCE
#include "runtime/device/registry.h"

#include "runtime/base/fork.h"
#include "runtime/base/lock.h"
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { STATIC_NODES = 2, CHUNK_BYTES = 1 << 16, LINEAR_ENTRIES = 16 };

/* One structure, so that registration touches one page. */
static struct {
  SOLO_ALIGNED(SOLO_CACHE_LINE)
  solo_lock lock;      /* guards this structure, and in_flight and leaving of all libraries */
  solo_lock scan_lock; /* guards scans of libraries */
  solo_library *first, *last;
  solo_library *free_nodes;
  size_t static_used;
  solo_library static_nodes[STATIC_NODES];
} registry = {.lock = SOLO_LOCK_INIT(SOLO_RANK_REGISTRY),
              .scan_lock = SOLO_LOCK_INIT(SOLO_RANK_SCAN)};

/* Allocates no heap memory: the function runs before main, possibly before the program's allocator
 * works. */
static solo_library *allocate_node(void) {
  if (registry.free_nodes) {
    solo_library *node = registry.free_nodes;
    registry.free_nodes = node->next;
    return node;
  }
  if (registry.static_used < STATIC_NODES) return &registry.static_nodes[registry.static_used++];
  void *chunk = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (chunk == MAP_FAILED) return NULL;
  solo_library *nodes = chunk;
  for (size_t i = 1; i < CHUNK_BYTES / sizeof *nodes; i++) {
    nodes[i].next = registry.free_nodes;
    registry.free_nodes = &nodes[i];
  }
  return nodes;
}

static solo_library *find_key(const void *key) {
  for (solo_library *l = registry.first; l; l = l->next)
    if (l->source.key == key && !l->leaving) return l;
  return NULL;
}

/* The forking thread holds the lock, so the list is consistent in the child. */
static void fork_prepare(void) {
  solo_lock_acquire(&registry.lock);
}

static void fork_parent(void) {
  solo_lock_release(&registry.lock);
}

static void fork_orphan(void) {
  for (solo_library *l = registry.first; l; l = l->next) l->in_flight = 0;
}

static void fork_child(void) {
  fork_orphan();
  solo_lock_release(&registry.lock);
}

solo_status solo_registry_add(const solo_library_source *source) {
  if (!source->key || (source->entry_count && !source->entries) ||
      (source->image_count && !source->images))
    return solo_fail(SOLO_INVALID, "descriptor %p is malformed: entries %p (%zu), images %p (%zu)",
                     source->key, source->entries, source->entry_count, source->images,
                     source->image_count);
  static const solo_fork_member member = {fork_prepare, fork_parent, fork_child, fork_orphan};
  solo_fork_register(SOLO_FORK_REGISTRY, &member);
  solo_fork_begin_thread();
  solo_lock_acquire(&registry.lock);
  if (find_key(source->key)) {
    solo_lock_release(&registry.lock);
    return SOLO_OK;
  }
  solo_library *node = allocate_node();
  if (!node) {
    solo_lock_release(&registry.lock);
    return solo_fail(SOLO_NOMEM, "no memory to register descriptor %p", source->key);
  }
  *node = (solo_library){.source = *source};
  if (registry.last)
    registry.last->next = node;
  else
    registry.first = node;
  registry.last = node;
  /* Invariant: the generation changes after the list.
   * Ordering:  pairs with the acquire load in solo_device_ready().
   * Otherwise: a device could appear ready without this library.
   */
  solo_add_acq_rel(&solo_registry_generation, 1);
  solo_lock_release(&registry.lock);
  return SOLO_OK;
}

static void unlink_node(solo_library *node) {
  solo_library **link = &registry.first;
  solo_library *previous = NULL;
  while (*link != node) {
    previous = *link;
    link = &previous->next;
  }
  *link = node->next;
  if (registry.last == node) registry.last = previous;
}

solo_library *solo_registry_remove(const void *key) {
  solo_lock_acquire(&registry.lock);
  solo_library *node = find_key(key);
  if (!node) {
    solo_lock_release(&registry.lock);
    return NULL;
  }
  node->leaving = 1;
  solo_add_acq_rel(&solo_registry_generation, 1); /* pairs with solo_device_ready */
  /* other threads may be loading the library; each releases it after a bounded time */
  while (node->in_flight) {
    solo_lock_release(&registry.lock);
    sched_yield();
    solo_lock_acquire(&registry.lock);
  }
  unlink_node(node);
  solo_lock_release(&registry.lock);
  return node;
}

void solo_registry_dispose(solo_library *library) {
  free(library->buckets);
  solo_lock_acquire(&registry.lock);
  library->next = registry.free_nodes;
  registry.free_nodes = library;
  solo_lock_release(&registry.lock);
}

solo_library *solo_registry_next(solo_library *previous) {
  solo_lock_acquire(&registry.lock);
  solo_library *next = previous ? previous->next : registry.first;
  if (previous) previous->in_flight--;
  while (next && next->leaving) next = next->next;
  if (next) next->in_flight++;
  solo_lock_release(&registry.lock);
  return next;
}

void solo_registry_release(solo_library *library) {
  if (!library) return;
  solo_lock_acquire(&registry.lock);
  library->in_flight--;
  solo_lock_release(&registry.lock);
}

solo_status solo_registry_requirements(uint64_t *out_requirements) {
  static const char *const clauses[] = {"reverse_offload", "unified_address",
                                        "unified_shared_memory", "dynamic_allocators"};
  uint64_t all = 0, missing = 0;
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l)) {
    solo_library_scan(l);
    all |= l->requirements;
    missing |= l->missing;
  }
  *out_requirements = all;
  for (int i = 0; i < 4; i++)
    if (all & missing & (uint64_t)SOLO_REQUIRES_REVERSE_OFFLOAD << i)
      return solo_fail(SOLO_INVALID,
                       "'#pragma omp requires %s' not used consistently!: all files with target "
                       "constructs must have it, or none",
                       clauses[i]);
  return SOLO_OK;
}

static int is_kernel(const solo_entry *entry) {
  return entry->address && entry->size == 0 &&
         !(entry->flags & (SOLO_ENTRY_REQUIRES | SOLO_ENTRY_INDIRECT | SOLO_ENTRY_VTABLE |
                           SOLO_ENTRY_CTOR | SOLO_ENTRY_DTOR));
}

static size_t bucket_of(const solo_library *library, const void *key) {
  return (size_t)(((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & library->bucket_mask;
}

/* Without memory, library->buckets stays NULL, and searches are linear. */
static void build_buckets(solo_library *library) {
  size_t slots = 64;
  while (slots < library->source.entry_count * 2) slots *= 2;
  uint32_t *buckets = calloc(slots, sizeof *buckets);
  if (!buckets) return;
  library->bucket_mask = slots - 1;
  for (size_t i = 0; i < library->source.entry_count; i++) {
    solo_entry entry;
    library->source.read_entry(library->source.entries, i, &entry);
    if (!is_kernel(&entry)) continue;
    size_t slot = bucket_of(library, entry.address);
    while (buckets[slot]) slot = (slot + 1) & library->bucket_mask;
    buckets[slot] = (uint32_t)i + 1;
  }
  /* stored last, so that a child of fork(2) sees NULL or a complete table */
  library->buckets = buckets;
}

static void scan_entries(solo_library *library) {
  library->lowest = UINTPTR_MAX;
  library->highest = 0;
  for (size_t i = 0; i < library->source.entry_count; i++) {
    solo_entry entry;
    library->source.read_entry(library->source.entries, i, &entry);
    if (entry.flags & SOLO_ENTRY_REQUIRES) {
      library->requirements |= entry.data;
      library->missing |= ~entry.data;
    } else if (is_kernel(&entry)) {
      uintptr_t key = (uintptr_t)entry.address;
      if (key < library->lowest) library->lowest = key;
      if (key > library->highest) library->highest = key;
    } else if (entry.name) {
      library->has_data = 1;
    }
  }
}

void solo_library_scan(solo_library *library) {
  if (solo_load_acquire(&library->scanned)) return; /* pairs with the release below */
  solo_lock_acquire(&registry.scan_lock);
  if (!solo_load_relaxed(&library->scanned)) { /* relaxed: lock held */
    scan_entries(library);
    /* Invariant: once `scanned` is 1, the results of the scan are complete and constant.
     * Ordering:  pairs with the acquire load above.
     * Otherwise: a reader could miss requirements or kernels.
     */
    solo_store_release(&library->scanned, 1);
  }
  solo_lock_release(&registry.scan_lock);
}

int solo_library_find_kernel(solo_library *library, const void *key, solo_entry *out_entry) {
  solo_library_scan(library);
  if ((uintptr_t)key < library->lowest || (uintptr_t)key > library->highest) return 0;
  if (library->source.entry_count > LINEAR_ENTRIES) {
    solo_lock_acquire(&registry.scan_lock);
    if (!library->buckets) build_buckets(library);
    solo_lock_release(&registry.scan_lock);
  }
  if (library->buckets) {
    size_t slot = bucket_of(library, key);
    for (; library->buckets[slot]; slot = (slot + 1) & library->bucket_mask) {
      library->source.read_entry(library->source.entries, library->buckets[slot] - 1, out_entry);
      if (out_entry->address == key) return 1;
    }
    return 0;
  }
  for (size_t i = 0; i < library->source.entry_count; i++) {
    library->source.read_entry(library->source.entries, i, out_entry);
    if (out_entry->address == key && is_kernel(out_entry)) return 1;
  }
  return 0;
}
