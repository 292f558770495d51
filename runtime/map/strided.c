/* Strided target update. Two forms (abi-facts 5.6): descriptors {offset, count, stride}; or a
 * contiguous entry, if the compiler has omitted the step, but the variable's text (-g) contains it.
 * docs/design/map-rules.md lists the facts that each compiler omits. */
#include "runtime/map/map.h"

#include "runtime/base/log.h"
#include "runtime/construct/in_flight.h"
#include "runtime/map/section_text.h"

typedef struct dimension {
  uint64_t offset, count, stride;
} dimension;

enum { MAX_DIMENSIONS = 16 };

typedef struct walk {
  solo_construct *c;
  solo_mapping *mapping;
  uint64_t type;
  dimension dims[MAX_DIMENSIONS]; /* outermost first; offsets are 0 */
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
    SOLO_TRY(step(w, level + 1, at + k * w->dims[level].stride));
  return SOLO_OK;
}

static void merge(walk *w) {
  while (w->depth > 0 && w->dims[w->depth - 1].stride == w->run)
    w->run *= w->dims[--w->depth].count;
}

static SOLO_COLD solo_status refuse(const solo_construct *c, const solo_map_list *list, int32_t i,
                                    const char *reason, const char *hint) {
  solo_map_description description;
  solo_fail(SOLO_UNSUPPORTED, "update of %s: %s: nothing of it is updated\n  hint: %s",
            solo_map_describe(c, solo_map_name(list, i), &description), reason, hint);
  return solo_error_set_device(c->device->number);
}

static SOLO_COLD solo_status bad_dimensions(const solo_construct *c, const solo_map_list *list,
                                            int32_t i) {
  solo_map_description description;
  solo_fail(SOLO_INVALID,
            "non-contiguous update of %s: the compiler passes %lld descriptors of dimensions "
            "(permitted: 2 to %d), or descriptors that do not fit the section\n"
            "  hint: update the variable with a separate directive",
            solo_map_describe(c, solo_map_name(list, i), &description), (long long)list->sizes[i],
            MAX_DIMENSIONS);
  return solo_error_set_device(c->device->number);
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

static SOLO_COLD void warn_of_step(const solo_construct *c, int subscript) {
  static _Atomic int warned;
  solo_map_description description;
  /* relaxed: only counts messages */
  if (solo_add_relaxed(&warned, 1) != 0) return;
  solo_map_describe(c, NULL, &description);
  solo_warn(
      "non-contiguous update of %s: wrong elements are copied if subscript %d has a step other "
      "than 1, because the compiler does not pass the step\n"
      "  hint: compile with -gline-tables-only",
      description.text, subscript + 1);
}

typedef struct section {
  solo_construct *c;
  const solo_map_list *list;
  int32_t i;
  const dimension *given; /* descriptors */
  int last;               /* number of the innermost subscript */
  int leading;            /* subscripts of the text that have no descriptor */
  solo_section_text text;
} section;

static const char constants[] = "use constants for the length and the step of the section";

static int text_fits(const section *s) {
  if (s->leading < 0) return 0;
  for (int k = 0; k < s->leading; k++)
    if (s->text.at[k].is_section) return 0;
  for (int k = 0; k <= s->last; k++) {
    const solo_subscript *t = &s->text.at[s->leading + k];
    const dimension *d = &s->given[k];
    uint64_t lower = (uint64_t)t->lower.value;
    /* Clang extends a negative int with zeros */
    if (t->lower.known && d->offset != lower && d->offset != (uint32_t)lower) return 0;
    if (t->length.known && d->count != (uint64_t)t->length.value) return 0;
    if (t->step.known && (t->step.value < 1 || d->stride % (uint64_t)t->step.value)) return 0;
  }
  return 1;
}

/* Returns the address of the first element of member i, or 0 if it is unknown. Clang 22 passes the
 * address of the struct instead. The struct's entry begins at the first element of the lowest mapped
 * member and ends after that of the highest. Thus the addresses of these two members are known. */
static uintptr_t first_in_parent(const solo_map_list *list, int32_t i, uint64_t unit) {
  uint64_t parent = (uint64_t)list->types[i] >> SOLO_MAP_MEMBER_SHIFT;
  if (parent > (uint64_t)list->count || parent - 1 == (uint64_t)i) return 0;
  uintptr_t begin = (uintptr_t)list->begins[parent - 1];
  uintptr_t end = begin + (uint64_t)list->sizes[parent - 1];
  int siblings = 0, may_begin = 1, may_end = 1;
  for (int32_t k = 0; k < list->count; k++) {
    uint64_t type = (uint64_t)list->types[k];
    if (k == i || type >> SOLO_MAP_MEMBER_SHIFT != parent) continue;
    if (type & SOLO_MAP_NON_CONTIGUOUS) return 0;
    int is_pointer = (type & SOLO_MAP_PTR_AND_OBJ) != 0;
    uintptr_t at = (uintptr_t)(is_pointer ? list->bases[k] : list->begins[k]);
    if (at == begin) may_begin = 0;
    if (at + (is_pointer ? sizeof(void *) : (uint64_t)list->sizes[k]) == end) may_end = 0;
    siblings = 1;
  }
  if (may_begin && !(siblings && may_end)) return begin;
  return may_end && !may_begin ? end - unit : 0;
}

/* Returns the bytes by which an increment of the subscript moves the address; 0: unknown. inside:
 * bytes that the inner subscripts span. */
static uint64_t index_step_of(const section *s, int subscript, uint64_t inside) {
  uint64_t stride = s->given[subscript].stride;
  if (subscript == s->last) return s->given[subscript + 1].stride;
  /* the step is 1: with 2 or more, the index step would be smaller than `inside` */
  if (!s->given[subscript].offset || stride / 2 < inside) return stride;
  if (!s->text.count) {
    warn_of_step(s->c, subscript);
    return stride;
  }
  const solo_subscript *t = &s->text.at[s->leading + subscript];
  return t->step.known ? stride / (uint64_t)t->step.value : 0;
}

/* Returns whether the offset of the outermost subscript is a negative int, which Clang extends with
 * zeros. Without a constant in the text, the mapped range decides. */
static int is_negative(const section *s, uint64_t index_step) {
  uint64_t offset = s->given[0].offset;
  if (offset <= INT32_MAX || offset > UINT32_MAX) return 0;
  if (s->text.count && s->text.at[s->leading].lower.known)
    return s->text.at[s->leading].lower.value < 0;
  uintptr_t base = (uintptr_t)s->list->bases[s->i];
  solo_mapping *m;
  return !solo_map_present(s->c, base + offset * index_step, 1, &m) &&
         solo_map_present(s->c, base + (uint64_t)(int32_t)offset * index_step, 1, &m);
}

static solo_status copy_section(walk *w, const solo_map_list *list, int32_t i, uintptr_t first,
                                uint64_t bytes) {
  solo_construct *c = w->c;
  solo_request request = {first, bytes, SOLO_REF_IN_FLIGHT, c->id};
  solo_presence presence = solo_construct_acquire_in_flight(c, &request, &w->mapping);
  if (presence == SOLO_ABSENT) {
    if (!(w->type & SOLO_MAP_PRESENT) || c->device->unified) return SOLO_OK;
    return not_there(c, solo_map_name(list, i), presence);
  }
  solo_status status;
  if (presence == SOLO_PARTIAL) {
    status = not_there(c, solo_map_name(list, i),
                       (w->type & SOLO_MAP_PRESENT) ? SOLO_ABSENT : SOLO_PARTIAL);
  } else {
    merge(w);
    status = step(w, 0, first);
  }
  solo_construct_note_in_flight(c, w->mapping);
  return status;
}

static solo_status find_first(const section *s, uintptr_t *out_first) {
  const dimension *unit = &s->given[s->last + 1];
  if ((uint64_t)s->list->types[s->i] & SOLO_MAP_MEMBER_OF) {
    *out_first = first_in_parent(s->list, s->i, unit->stride);
    if (*out_first) return SOLO_OK;
    return refuse(s->c, s->list, s->i, "the compiler does not pass the address of the member",
                  "update the member with a separate directive");
  }
  for (int k = 0; k < s->leading; k++)
    if (!s->text.at[k].lower.known || s->text.at[k].lower.value)
      return refuse(
          s->c, s->list, s->i, "the compiler does not pass the subscripts before a section",
          "assign the address of the row to a pointer, and update a section of the pointer");
  uint64_t first = 0, inside = unit->stride;
  for (int k = s->last; k >= 0; k--) {
    uint64_t index_step = index_step_of(s, k, inside), offset = s->given[k].offset;
    if (!index_step)
      return refuse(s->c, s->list, s->i, "the step of a subscript is not a constant", constants);
    if (k == 0 && is_negative(s, index_step)) offset = (uint64_t)(int32_t)offset;
    first += offset * index_step;
    inside += offset * index_step + (s->given[k].count - 1) * s->given[k].stride;
  }
  *out_first = (uintptr_t)s->list->bases[s->i] + first;
  return SOLO_OK;
}

solo_status solo_map_update_strided(solo_construct *c, const solo_map_list *list, int32_t i) {
  int64_t count = list->sizes[i];
  const dimension *given = list->begins[i];
  if (count < 2 || count > MAX_DIMENSIONS || !given) return bad_dimensions(c, list, i);
  const dimension *unit = &given[count - 1];
  if (unit->offset || unit->count != 1 || !unit->stride) return bad_dimensions(c, list, i);
  section s = {.c = c, .list = list, .i = i, .given = given, .last = (int)count - 2};
  solo_section_parse(solo_map_name(list, i), &s.text);
  s.leading = s.text.count ? s.text.count - (int)count + 1 : 0;
  if (s.text.count && !text_fits(&s)) return bad_dimensions(c, list, i);
  walk w = {.c = c, .type = (uint64_t)list->types[i], .depth = (int)count - 1, .run = unit->stride};
  uint64_t bytes = unit->stride;
  for (int k = 0; k < w.depth; k++) {
    if (!given[k].count) return SOLO_OK; /* empty section */
    w.dims[k] = (dimension){0, given[k].count, given[k].stride};
    bytes += (given[k].count - 1) * given[k].stride;
  }
  uintptr_t first;
  SOLO_TRY(find_first(&s, &first));
  return copy_section(&w, list, i, first, bytes);
}

/* Number of the first subscript that can have several elements and a step other than 1; -1: none. */
static int stepped_subscript(const solo_section_text *text) {
  for (int k = 0; k < text->count; k++) {
    const solo_subscript *t = &text->at[k];
    int one_element = t->length.known && t->length.value <= 1;
    if (!one_element && !(t->step.known && t->step.value == 1)) return k;
  }
  return -1;
}

/* Returns why the section's layout is unknown, or NULL. */
static const char *unknown_layout(const solo_section_text *text, int k, uint64_t size) {
  const solo_subscript *t = &text->at[k];
  if (!t->step.known) return "the step of a subscript is not a constant";
  if (!t->length.known) return "the length of a subscript with a step is not a constant";
  uint64_t length = (uint64_t)t->length.value, all, step_bytes;
  for (int other = 0; other < k; other++)
    if (!text->at[other].length.known || text->at[other].length.value > 1)
      return "the compiler does not pass the layout of the section";
  solo_section_text inner = {.count = text->count - k - 1};
  for (int other = 0; other < inner.count; other++) inner.at[other] = text->at[k + 1 + other];
  if (t->step.value < 1 || size % length || stepped_subscript(&inner) >= 0 ||
      __builtin_mul_overflow(size / length, (uint64_t)t->step.value, &step_bytes) ||
      __builtin_mul_overflow(step_bytes, length, &all))
    return "the compiler does not pass the layout of the section";
  return NULL;
}

int solo_map_is_stepped(const solo_map_list *list, int32_t i) {
  solo_section_text text;
  solo_section_parse(solo_map_name(list, i), &text);
  return stepped_subscript(&text) >= 0;
}

solo_status solo_map_update_stepped(solo_construct *c, const solo_map_list *list, int32_t i) {
  uintptr_t begin = (uintptr_t)list->begins[i];
  uint64_t size = (uint64_t)list->sizes[i];
  solo_section_text text;
  solo_section_parse(solo_map_name(list, i), &text);
  int k = stepped_subscript(&text);
  const char *reason = unknown_layout(&text, k, size);
  uint64_t type = (uint64_t)list->types[i];
  solo_mapping *m;
  if (reason && solo_map_present(c, begin, 1, &m)) return refuse(c, list, i, reason, constants);
  if (reason && (!(type & SOLO_MAP_PRESENT) || c->device->unified)) return SOLO_OK;
  if (reason) return not_there(c, solo_map_name(list, i), SOLO_ABSENT);
  uint64_t count = (uint64_t)text.at[k].length.value;
  walk w = {.c = c, .type = type, .depth = 1, .run = size / count};
  w.dims[0] = (dimension){0, count, w.run * (uint64_t)text.at[k].step.value};
  return copy_section(&w, list, i, begin, (count - 1) * w.dims[0].stride + w.run);
}

solo_status solo_map_refuse_stepped_mapper(solo_construct *c, const solo_map_list *list,
                                           int32_t i) {
  return refuse(c, list, i, "a mapper does not support an array section with a step",
                "update the elements one by one");
}
