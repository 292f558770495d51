/* The list of places: OMP_PLACES, restricted to the processors that the process may use. */
#define _GNU_SOURCE
#include "abi/kmpc/affinity/places.h"

#include "abi/kmpc/affinity/places_text.h"
#include "abi/kmpc/affinity/topology.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kmpc_places places;
static _Atomic int32_t places_ready;
static solo_lock places_lock = SOLO_LOCK_INIT(SOLO_RANK_PLACES);

static int usable_part(const kmpc_mask *place, kmpc_mask *out_part) {
  for (size_t i = 0; i < KMPC_CPUS / 64; i++)
    out_part->bits[i] = place->bits[i] & places.all.bits[i];
  return solo_kmp_mask_count(out_part) > 0;
}

static int append(const kmpc_mask *place) {
  kmpc_mask *longer = realloc(places.place, (size_t)(places.count + 1) * sizeof *longer);
  if (!longer) return 0;
  places.place = longer;
  places.place[places.count++] = *place;
  return 1;
}

static void group(kmpc_unit unit, int32_t most) {
  int32_t *key = malloc(KMPC_CPUS * sizeof *key);
  if (!key) return;
  solo_kmp_topology("/sys/devices/system/cpu", unit, &places.all, key);
  kmpc_mask left = places.all;
  for (int cpu = 0; cpu < KMPC_CPUS && places.count < most; cpu++) {
    if (!solo_kmp_mask_has(&left, cpu)) continue;
    kmpc_mask mask = {0};
    for (int other = cpu; other < KMPC_CPUS; other++) {
      if (!solo_kmp_mask_has(&left, other) || key[other] != key[cpu]) continue;
      solo_kmp_mask_add(&mask, other);
      solo_kmp_mask_remove(&left, other);
    }
    if (!append(&mask)) break;
  }
  free(key);
}

static void warn_of_missing(const char *text, const kmpc_mask *missing, const char *names) {
  char cpus[200];
  solo_kmp_mask_text(missing, cpus, sizeof cpus);
  solo_kmp_warn("OMP_PLACES=\"%s\": processors that this process may not use: %s; places left out: "
                "%s%s",
                text, *cpus ? cpus : "none", *names ? names : "none",
                places.count ? "" : "; no place is left, cores are used");
}

static void add_name(char *names, size_t size, const kmpc_mask *place) {
  char cpus[64], name[72];
  size_t used = strlen(names), length = solo_kmp_mask_text(place, cpus, sizeof cpus);
  int n = snprintf(name, sizeof name, "%s{%s%s}", used ? " " : "", cpus,
                   length < sizeof cpus ? "" : "...");
  if (used + (size_t)n + 5 <= size)
    memcpy(names + used, name, (size_t)n + 1);
  else if (used && names[used - 1] != '.')
    memcpy(names + used, " ...", 5);
}

static int read_list(const char *text) {
  kmpc_place_list stated = {0};
  kmpc_mask missing = {0}, part;
  char names[200] = "";
  int understood = solo_kmp_places_list(text, &stated);
  for (int32_t p = 0; understood && p < stated.count; p++) {
    const kmpc_mask *place = &stated.place[p];
    if (!usable_part(place, &part))
      add_name(names, sizeof names, place);
    else if (!append(&part))
      understood = 0;
    for (size_t i = 0; i < KMPC_CPUS / 64; i++)
      missing.bits[i] |= place->bits[i] & ~places.all.bits[i];
  }
  if (understood && (*names || solo_kmp_mask_count(&missing)))
    warn_of_missing(text, &missing, names);
  free(stated.place);
  return understood;
}

static void read_places(void) {
  const char *text = solo_kmp_config()->places;
  kmpc_unit unit;
  int32_t most;
  if (solo_kmp_mask_get(&places.all) < 0) solo_kmp_mask_add(&places.all, 0);
  if (text && solo_kmp_places_word(text, &unit, &most)) {
    group(unit, most);
  } else if (text && !read_list(text)) {
    solo_kmp_warn("OMP_PLACES=\"%s\" is not understood (threads, cores, ll_caches, numa_domains, "
                  "sockets, or {..},.. of processors below %d); cores are used",
                  text, KMPC_CPUS);
    places.count = 0;
  }
  if (places.count == 0) group(KMPC_UNIT_CORE, KMPC_CPUS);
}

const kmpc_places *solo_kmp_places(void) {
  if (SOLO_UNLIKELY(!solo_load_acquire(&places_ready))) { /* pairs with solo_kmp_places */
    solo_lock_acquire(&places_lock);
    if (!solo_load_relaxed(&places_ready)) {
      read_places();
      /* Invariant: the list is complete and constant when places_ready is 1.
       * Ordering:  this release store pairs with the acquire load in solo_kmp_places().
       * Otherwise: a thread could bind to an uninitialised mask.
       */
      solo_store_release(&places_ready, 1);
    }
    solo_lock_release(&places_lock);
  }
  return &places;
}
