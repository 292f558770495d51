/* Non-contiguous target update (abi-facts 5.6). sizes[i] is the number of descriptors {offset,
 * count, stride}; begins[i] points to them, bases[i] to the array. The last descriptor describes
 * one element.
 *
 * The offset counts index steps; the stride is the section's step times the bytes of an index step.
 * The section's step is known for the innermost subscript. For other subscripts it is read from the
 * variable's text (-g). If it is missing and the offset is not 0, the code assumes 1, as LLVM's
 * libomptarget does, and warns. */
#include "runtime/map/map.h"

#include "runtime/base/log.h"
#include "runtime/construct/in_flight.h"
#include "runtime/map/section_step.h"

typedef struct dimension {
  uint64_t offset, count, stride;
} dimension;

enum { MAX_DIMENSIONS = 16 };

typedef struct walk {
  solo_construct *c;
  solo_mapping *mapping;
  uint64_t type;
  dimension dims[MAX_DIMENSIONS]; /* outermost first; offsets in bytes */
  int depth;
  uint64_t run; /* contiguous bytes at the innermost level */
} walk;

static solo_status move(const walk *w, uintptr_t at) {
  if (w->type & SOLO_MAP_TO) SOLO_TRY(solo_map_send(w->c, w->mapping, at, w->run));
  if (w->type & SOLO_MAP_FROM) SOLO_TRY(solo_map_copy_back(w->c, w->mapping, at, w->run));
  return SOLO_OK;
}

static solo_status step(const walk *w, int level, uintptr_t at) {
  if (level == w->depth) return move(w, at);
  for (uint64_t k = 0; k < w->dims[level].count; k++)
    SOLO_TRY(step(w, level + 1, at + w->dims[level].offset + k * w->dims[level].stride));
  return SOLO_OK;
}

/* Merges adjacent innermost dimensions into one run. */
static void merge(walk *w) {
  while (w->depth > 0) {
    dimension *d = &w->dims[w->depth - 1];
    if (d->stride != w->run || d->count == 0) break;
    /* adds the offset to the next outer dimension; without one, keeps a dimension of count 1 */
    w->run *= d->count;
    if (d->offset) {
      d->count = 1;
      d->stride = w->run;
      if (w->depth == 1) break;
      w->dims[w->depth - 2].offset += d->offset;
      d->offset = 0;
    }
    w->depth--;
  }
}

static SOLO_COLD solo_status bad_dimensions(const solo_construct *c, const solo_map_list *list,
                                            int32_t i) {
  solo_map_description description;
  return solo_fail(
      SOLO_INVALID,
      "non-contiguous update of %s: %lld descriptors (permitted: 1 to %d), or the array is NULL",
      solo_map_describe(c, solo_map_name(list, i), &description), (long long)list->sizes[i],
      MAX_DIMENSIONS);
}

static SOLO_COLD solo_status not_there(const solo_construct *c, const char *name,
                                       solo_presence presence) {
  solo_map_description description;
  solo_map_describe(c, name, &description);
  int device = c->device->number;
  if (presence == SOLO_ABSENT)
    return solo_fail(SOLO_NOT_PRESENT, "%s is not present on device %d", description.text, device);
  return solo_fail(SOLO_OVERLAP,
                   "update of %s: only a part of it is on device %d: nothing of it is updated",
                   description.text, device);
}

/* Warns about an unknown step; without a name only once. */
static SOLO_COLD void warn_of_step(const solo_construct *c, const char *name, int subscript) {
  static _Atomic int warned;
  solo_map_description description;
  /* relaxed: only counts messages */
  if (!name && solo_add_relaxed(&warned, 1) != 0) return;
  solo_map_describe(c, name, &description);
  if (name)
    solo_warn("update of %s: the step of subscript %d is not known; the elements that a step of 1 "
              "selects are copied\n  hint: use a constant step, or update the whole array",
              description.text, subscript + 1);
  else
    solo_warn(
        "non-contiguous update of %s: wrong elements are copied if subscript %d has a step other "
        "than 1, because the compiler does not pass the step\n"
        "  hint: compile with -gline-tables-only",
        description.text, subscript + 1);
}

/* Returns the bytes of an index step. inside: bytes that the inner subscripts span. */
static uint64_t index_step_of(const solo_construct *c, const char *name, const dimension *given,
                              int subscript, int last, uint64_t inside) {
  uint64_t stride = given[subscript].stride;
  /* a step of 2 or more would make the index step smaller than the inner subscripts */
  if (!given[subscript].offset || stride / 2 < inside) return stride;
  uint64_t section_step = solo_section_step(name, last - subscript);
  if (section_step && stride % section_step == 0) return stride / section_step;
  warn_of_step(c, name, subscript);
  return stride;
}

solo_status solo_map_update_strided(solo_construct *c, const solo_map_list *list, int32_t i) {
  int64_t count = list->sizes[i];
  const dimension *given = list->begins[i];
  uintptr_t base = (uintptr_t)list->bases[i];
  if (count < 1 || count > MAX_DIMENSIONS || !given) return bad_dimensions(c, list, i);
  walk w = {.c = c, .type = (uint64_t)list->types[i], .depth = (int)count - 1};
  uint64_t first = 0, span = 0, inside = given[count - 1].stride * given[count - 1].count;
  const char *name = solo_map_name(list, i);
  int last = (int)count - 2;
  for (int k = (int)count - 1; k >= 0; k--) {
    w.dims[k] = given[k];
    uint64_t index_step = k > last    ? given[k].stride
                          : k == last ? given[k + 1].stride
                                      : index_step_of(c, name, given, k, last, inside);
    w.dims[k].offset = given[k].offset * index_step;
    first += w.dims[k].offset;
    if (!given[k].count) return SOLO_OK; /* empty section */
    span += (given[k].count - 1) * given[k].stride;
    if (k <= last) inside += w.dims[k].offset + (given[k].count - 1) * given[k].stride;
  }
  w.run = given[count - 1].stride * given[count - 1].count;
  w.dims[w.depth].count = 1;
  solo_request request = {base + first, span + given[count - 1].stride, SOLO_REF_IN_FLIGHT, c->id};
  solo_presence presence = solo_construct_acquire_in_flight(c, &request, &w.mapping);
  if (presence == SOLO_ABSENT) {
    if (!(w.type & SOLO_MAP_PRESENT) || c->device->unified) return SOLO_OK;
    return not_there(c, solo_map_name(list, i), presence);
  }
  solo_status status;
  if (presence == SOLO_PARTIAL) {
    status = not_there(c, solo_map_name(list, i),
                       (w.type & SOLO_MAP_PRESENT) ? SOLO_ABSENT : SOLO_PARTIAL);
  } else {
    merge(&w);
    status = step(&w, 0, base);
  }
  solo_construct_note_in_flight(c, w.mapping);
  return status;
}
