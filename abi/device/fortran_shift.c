/* Fortran's CSHIFT, EOSHIFT, and inquiries of descriptors. */
#include "fortran.h"

#define UNUSED (void)file, (void)line

/* values: a scalar, or an array without the dimension `dim` */
static const char *value_of_line(const descriptor *values, const descriptor *x, i32 dim,
                                 i64 number) {
  i64 inner = 1, along = x->dim[dim - 1].extent;
  if (!values->rank) return values->base;
  for (i32 i = 0; i < dim - 1; i++) inner *= x->dim[i].extent;
  return element_of(values, number % inner + number / (inner * along) * inner);
}

static void begin_shift(descriptor *to, const descriptor *from) {
  begin_result(to, from->type, from->length, from->rank);
  for (i32 i = 0; i < from->rank; i++) set_extent(to, i, from->dim[i].extent);
  allocate_result(to);
}

FORTRAN(void, Cshift, descriptor *to, const descriptor *from, const descriptor *shift, i32 dim,
        const char *file, i32 line) {
  UNUSED;
  begin_shift(to, from);
  i64 inner = 1, along = from->dim[dim - 1].extent;
  for (i32 i = 0; i < dim - 1; i++) inner *= from->dim[i].extent;
  for (i64 i = 0, count = elements_of(to); i < count; i++) {
    i64 place = i / inner % along;
    i64 by = integer_at(value_of_line(shift, from, dim, i), shift->length) % along;
    i64 source = (place + by + along) % along;
    __builtin_memcpy(element_of(to, i), element_of(from, i + (source - place) * inner), to->length);
  }
}

static void fill(char *at, const descriptor *d, const char *boundary) {
  if (boundary)
    __builtin_memcpy(at, boundary, d->length);
  else
    __builtin_memset(at, d->type == TYPE_CHAR ? ' ' : 0, d->length);
}

FORTRAN(void, Eoshift, descriptor *to, const descriptor *from, const descriptor *shift,
        const descriptor *boundary, i32 dim, const char *file, i32 line) {
  UNUSED;
  begin_shift(to, from);
  i64 inner = 1, along = from->dim[dim - 1].extent;
  for (i32 i = 0; i < dim - 1; i++) inner *= from->dim[i].extent;
  for (i64 i = 0, count = elements_of(to); i < count; i++) {
    i64 by = integer_at(value_of_line(shift, from, dim, i), shift->length);
    i64 source = i / inner % along + by;
    if (source >= 0 && source < along)
      __builtin_memcpy(element_of(to, i), element_of(from, i + by * inner), to->length);
    else
      fill(element_of(to, i), to,
           boundary && boundary->base ? value_of_line(boundary, from, dim, i) : 0);
  }
}

FORTRAN(void, EoshiftVector, descriptor *to, const descriptor *from, i64 shift,
        const descriptor *boundary, const char *file, i32 line) {
  UNUSED;
  begin_shift(to, from);
  for (i64 i = 0, count = elements_of(to); i < count; i++)
    if (i + shift >= 0 && i + shift < count)
      __builtin_memcpy(element_of(to, i), element_of(from, i + shift), to->length);
    else
      fill(element_of(to, i), to, boundary ? boundary->base : 0);
}

FORTRAN(i64, Size, const descriptor *d, const char *file, i32 line) {
  UNUSED;
  return elements_of(d);
}
FORTRAN(i64, SizeDim, const descriptor *d, i32 dim, const char *file, i32 line) {
  UNUSED;
  if (dim < 1 || dim > d->rank) __builtin_trap();
  return d->dim[dim - 1].extent;
}
FORTRAN(i64, LboundDim, const descriptor *d, i32 dim, const char *file, i32 line) {
  UNUSED;
  if (dim < 1 || dim > d->rank) __builtin_trap();
  return d->dim[dim - 1].extent ? d->dim[dim - 1].lower : 1;
}
FORTRAN(_Bool, IsContiguous, const descriptor *d) {
  i64 size = (i64)d->length;
  if (!elements_of(d)) return 1;
  for (i32 i = 0; i < d->rank; i++) {
    if (d->dim[i].extent != 1 && d->dim[i].stride != size) return 0;
    size *= d->dim[i].extent;
  }
  return 1;
}
FORTRAN(_Bool, PointerIsAssociatedWith, const descriptor *pointer, const descriptor *target) {
  if (!pointer->base || !target || pointer->base != target->base || !pointer->length ||
      pointer->rank != target->rank)
    return 0;
  for (i32 i = 0; i < pointer->rank; i++) {
    const dimension *a = &pointer->dim[i], *b = &target->dim[i];
    if (!a->extent || a->extent != b->extent || (a->extent != 1 && a->stride != b->stride))
      return 0;
  }
  return 1;
}
