#include "runtime/map/map.h"

#include <stdio.h>
#include <string.h>

solo_status solo_map_list_error(const solo_map_list *list, const char *caller) {
  static const char remedy[] =
      "this call was not made by Clang 15 to 22, or its arguments were overwritten";
  if (list->count < 0)
    return solo_fail(SOLO_INVALID, "%s: %u map entries, more than %d: %s", caller,
                     (uint32_t)list->count, INT32_MAX, remedy);
  return solo_fail(SOLO_INVALID, "%s: %d map entries, but the array of their %s is NULL: %s",
                   caller, list->count,
                   !list->bases    ? "base addresses"
                   : !list->begins ? "addresses"
                   : !list->sizes  ? "sizes"
                                   : "types",
                   remedy);
}

solo_status solo_map_range_error(const solo_construct *c, const solo_map_list *list, int32_t i) {
  solo_map_description description;
  solo_fail(SOLO_INVALID, "%s, %p: its %s (%lld bytes)%s",
            solo_map_describe(c, solo_map_name(list, i), &description), list->begins[i],
            list->sizes[i] < 0                             ? "size is negative"
            : solo_map_is_null((uintptr_t)list->begins[i]) ? "pointer is NULL"
                                                           : "size is beyond the end of memory",
            (long long)list->sizes[i],
            list->sizes[i] >= 0 && solo_map_is_null((uintptr_t)list->begins[i])
                ? "\n  hint: allocate it before the construct, or map no elements of it"
                : "");
  return solo_error_set_device(c->device->number);
}

solo_status solo_map_absent_error(const solo_construct *c, uintptr_t begin, uint64_t bytes,
                                  const char *name, solo_map_moment moment) {
  static const char *const remedy[] = {[SOLO_MAP_MOMENT_BEGIN] =
                                           ": map it before (target enter data or target data)",
                                       [SOLO_MAP_MOMENT_END] = " when it is to be unmapped",
                                       [SOLO_MAP_MOMENT_UPDATE] = ": map it before it is updated"};
  solo_map_description description;
  solo_fail(SOLO_NOT_PRESENT, SOLO_MAP_ABSENT_TEXT,
            moment == SOLO_MAP_MOMENT_UPDATE ? "motion" : "map type", (unsigned long)begin,
            (unsigned long long)bytes);
  solo_error_note(": %s has the present modifier but is not present on device %d%s",
                  solo_map_describe(c, name, &description), c->device->number, remedy[moment]);
  return solo_error_set_device(c->device->number);
}

solo_status solo_map_overlap_error(const solo_construct *c, const solo_map_range *r,
                                   const solo_index_range *old, const char *name) {
  solo_map_description new, holder;
  solo_status status = (r->type & SOLO_MAP_PRESENT) ? SOLO_NOT_PRESENT : SOLO_OVERLAP;
  solo_fail(status,
            "explicit extension not allowed: host address specified is 0x%016lx (%llu bytes), but "
            "device allocation maps to host at 0x%016lx (%zu bytes): mapping %s would extend the "
            "mapping of %s on device %d: map the larger range first, or unmap the smaller one",
            (unsigned long)r->begin, (unsigned long long)r->size, (unsigned long)old->begin,
            (size_t)(old->end - old->begin), solo_map_describe(c, r->name, &new),
            name ? solo_map_describe(c, name, &holder) : "a variable", c->device->number);
  if (status == SOLO_NOT_PRESENT) solo_error_note("\n");
  solo_error_note(SOLO_MAP_ABSENT_TEXT, "map type", (unsigned long)r->begin,
                  (unsigned long long)r->size);
  return solo_error_set_device(c->device->number);
}

solo_status solo_map_full_error(const solo_construct *c, const solo_map_range *r) {
  solo_map_description description;
  solo_fail(SOLO_NOMEM, "no host memory for the reference count of %s, %p, on device %d",
            solo_map_describe(c, r->name, &description), (void *)r->begin, c->device->number);
  return solo_error_set_device(c->device->number);
}

const char *solo_map_describe(const solo_construct *c, const char *name,
                              solo_map_description *out) {
  char *text = out->text;
  int a, b, d;
  if (name) {
    int variable = solo_info_variable_field(name);
    const char *what = solo_info_field(name, variable, &a),
               *file = solo_info_field(name, 3 - variable, &b),
               *line = solo_info_field(name, 3, &d);
    if (!a)
      snprintf(text, sizeof out->text, "'%s'", name);
    else
      snprintf(text, sizeof out->text, "'%.*s' (%.*s:%.*s)", a, what, b, file, d, line);
    return text;
  }
  const char *file = solo_info_field(c->where, 1, &a), *line = solo_info_field(c->where, 3, &d);
  if (a && strncmp(file, "unknown", 7) != 0)
    snprintf(text, sizeof out->text, "a variable of the construct at %.*s:%.*s", a, file, d, line);
  else
    snprintf(text, sizeof out->text, "a variable (compile with -g for its name and line)");
  return text;
}

/* Replaces strstr(3), because strstr adds 1.5 KiB to static programs with musl. */
static int has(const char *text, const char *part) {
  size_t length = strlen(part);
  while (*text && strncmp(text, part, length) != 0) text++;
  return *text != 0;
}

void solo_map_note_variable(const solo_construct *c, const char *name) {
  solo_map_description description;
  solo_map_describe(c, name, &description);
  if (!has(solo_error_last()->text, description.text))
    solo_error_note(" (mapping %s)", description.text);
}
