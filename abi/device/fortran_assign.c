/* Assignment, copies and destruction of Fortran's objects with their allocatable components.
 * flang's tables of derived types (module __fortran_type_info) describe components. */
#include "fortran.h"

enum { GENRE_DATA = 1, GENRE_ALLOCATABLE = 3 };

typedef struct value {
  u8 genre;
  i64 value;
} value;

typedef struct component component;

/* Layouts of flang 22. Padding replaces unused members. */
typedef struct derived_type {
  char before_size[88];
  u64 size;
  char before_components[232 - 96];
  const component *components;
  char before_count[24];
  i64 count;
  char before_parent[428 - 272];
  u8 has_parent; /* first component */
} derived_type;

struct component {
  char name[24];
  u8 genre, category, kind, rank;
  u64 offset;
  value length;
  const derived_type *type;
  char before_bounds[160 - 64];
  const value *bounds;
  char rest[256 - 168];
};

static const derived_type *type_of(const descriptor *d) {
  if (!(d->extra & HAS_ADDENDUM)) return 0;
  return *(const derived_type *const *)(const void *)&d->dim[d->rank];
}

FORTRAN(_Bool, ClassIs, const descriptor *d, const derived_type *wanted) {
  const derived_type *type = type_of(d);
  while (type && type != wanted) type = type->has_parent ? type->components[0].type : 0;
  return type != 0;
}

static i64 count_of(const component *c) {
  i64 count = 1;
  for (i32 i = 0; i < c->rank; i++) {
    i64 extent = c->bounds[2 * i + 1].value - c->bounds[2 * i].value + 1;
    count *= extent > 0 ? extent : 0;
  }
  return count;
}

static void copy_components(char *to, const derived_type *type);

static void copy_all(char *to, const derived_type *type, i64 count) {
  for (i64 i = 0; i < count; i++) copy_components(to + (u64)i * type->size, type);
}

static void copy_components(char *to, const derived_type *type) {
  for (i64 i = 0; i < type->count; i++) {
    const component *c = &type->components[i];
    if (c->genre == GENRE_DATA && c->type) copy_all(to + c->offset, c->type, count_of(c));
    if (c->genre != GENRE_ALLOCATABLE) continue;
    descriptor *d = (descriptor *)(void *)(to + c->offset);
    if (!d->base) continue;
    const char *from = d->base;
    u64 size = (u64)elements_of(d) * d->length;
    allocate_result(d);
    __builtin_memcpy(d->base, from, size);
    if (c->type) copy_all(d->base, c->type, elements_of(d));
  }
}

static void destroy_components(char *at, const derived_type *type) {
  for (i64 i = 0; i < type->count; i++) {
    const component *c = &type->components[i];
    if (c->genre == GENRE_DATA && c->type)
      for (i64 k = 0, count = count_of(c); k < count; k++)
        destroy_components(at + c->offset + (u64)k * c->type->size, c->type);
    if (c->genre != GENRE_ALLOCATABLE) continue;
    descriptor *d = (descriptor *)(void *)(at + c->offset);
    if (!d->base) continue;
    if (c->type)
      for (i64 k = 0, count = elements_of(d); k < count; k++)
        destroy_components(d->base + (u64)k * c->type->size, c->type);
    free(d->base);
    d->base = 0;
  }
}

static void destroy(const descriptor *d) {
  const derived_type *type = type_of(d);
  if (!type || !d->base) return;
  for (i64 i = 0, count = elements_of(d); i < count; i++)
    destroy_components(element_of(d, i), type);
}

FORTRAN(void, Destroy, const descriptor *d) {
  destroy(d);
}
FORTRAN(void, DestroyWithoutFinalization, const descriptor *d) {
  destroy(d);
}

/* Marks the allocatable components as not allocated. flang's code stores default values. */
FORTRAN(void, Initialize, const descriptor *d, const char *file, i32 line) {
  const derived_type *type = type_of(d);
  (void)file, (void)line;
  if (!type) return;
  for (i64 i = 0, count = elements_of(d); i < count; i++)
    for (i64 k = 0; k < type->count; k++)
      if (type->components[k].genre == GENRE_ALLOCATABLE)
        ((descriptor *)(void *)(element_of(d, i) + type->components[k].offset))->base = 0;
}

static void copy_element(char *to, u64 to_length, const char *from, u64 length, i8 type) {
  u64 common = to_length < length ? to_length : length;
  __builtin_memmove(to, from, common);
  if (type == TYPE_CHAR && to_length > common)
    __builtin_memset(to + common, ' ', to_length - common);
}

static i32 has_shape_of(const descriptor *to, const descriptor *from) {
  for (i32 i = 0; i < from->rank; i++)
    if (to->dim[i].extent != from->dim[i].extent) return 0;
  return 1;
}

/* If `to` is allocatable and lacks the shape of `from`, allocates `to` with this shape and returns 1. */
static i32 reallocate(descriptor *to, const descriptor *from) {
  if (to->attribute != ATTRIBUTE_ALLOCATABLE) return 0;
  if (to->base && (!from->rank || has_shape_of(to, from)) &&
      (to->type != TYPE_CHAR || to->length == from->length))
    return 0;
  if (!to->length || to->type == TYPE_CHAR) to->length = from->length;
  if (from->rank == to->rank)
    for (i32 i = 0; i < to->rank; i++) {
      set_extent(to, i, from->dim[i].extent);
      to->dim[i].lower = from->rank && from->dim[i].extent ? from->dim[i].lower : 1;
    }
  allocate_result(to);
  return 1;
}

static descriptor *copy_descriptor(any_descriptor *storage, const descriptor *from) {
  u64 words = 3 + 3 * (u64)from->rank + (from->extra & HAS_ADDENDUM ? 1 : 0);
  __builtin_memcpy(storage, from, words * sizeof storage->words[0]);
  return (descriptor *)(void *)storage;
}

static void copy_elements(const descriptor *to, const descriptor *from, const derived_type *type) {
  for (i64 i = 0, count = elements_of(to); i < count; i++) {
    char *at = element_of(to, i);
    copy_element(at, to->length, from->rank ? element_of(from, i) : from->base, from->length,
                 to->type);
    if (type) copy_components(at, type);
  }
}

void solo_fortran_copy(const descriptor *to, const descriptor *from) {
  copy_elements(to, from, type_of(to));
}

static i32 assign_new(descriptor *to, const descriptor *from) {
  any_descriptor storage;
  descriptor *old = copy_descriptor(&storage, to);
  if (!reallocate(to, from)) return 0;
  copy_elements(to, from, type_of(to));
  if (!old->base) return 1;
  destroy(old); /* after the copy, because `from` can be a part of `old` */
  free(old->base);
  return 1;
}

static const char *end_of(const descriptor *d, const char **first) {
  const char *end = d->base;
  *first = d->base;
  for (i32 i = 0; i < d->rank; i++) {
    i64 size = (d->dim[i].extent - 1) * d->dim[i].stride;
    if (size < 0)
      *first += size;
    else
      end += size;
  }
  return end + d->length;
}

static i32 overlaps(const descriptor *to, const descriptor *from) {
  const char *first, *second, *end = end_of(to, &first), *second_end = end_of(from, &second);
  return first < second_end && second < end;
}

static void assign(descriptor *to, const descriptor *from) {
  any_descriptor storage;
  const derived_type *type = type_of(to);
  if (assign_new(to, from) || !elements_of(to)) return;
  if (!type && !overlaps(to, from)) {
    copy_elements(to, from, 0);
    return;
  }
  /* `to` and `from` can overlap, as in a(2:9) = a(1:8) */
  descriptor *copy = copy_descriptor(&storage, from);
  for (i32 i = 0; i < from->rank; i++) set_extent(copy, i, from->dim[i].extent);
  allocate_result(copy);
  copy_elements(copy, from, type);
  destroy(to);
  copy_elements(to, copy, type);
  destroy(copy);
  free(copy->base);
}

FORTRAN(void, Assign, descriptor *to, const descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  assign(to, from);
}

FORTRAN(void, AssignExplicitLengthCharacter, descriptor *to, const descriptor *from,
        const char *file, i32 line) {
  (void)file, (void)line;
  assign(to, from);
}

FORTRAN(void, AssignTemporary, descriptor *to, const descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  if (!assign_new(to, from)) copy_elements(to, from, type_of(to));
}

FORTRAN(void, CopyInAssign, descriptor *to, const descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  begin_result(to, from->type, from->length, from->rank);
  for (i32 i = 0; i < from->rank; i++) set_extent(to, i, from->dim[i].extent);
  allocate_result(to);
  copy_elements(to, from, 0);
}

FORTRAN(void, CopyOutAssign, descriptor *to, descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  for (i64 i = 0, count = elements_of(from); to && i < count; i++)
    __builtin_memcpy(element_of(to, i), element_of(from, i), from->length);
  free(from->base);
  from->base = 0;
}
