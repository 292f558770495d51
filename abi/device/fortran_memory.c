/* ALLOCATE, DEALLOCATE and array constructors of Fortran. The STAT variable becomes 0 or flang's
 * error code. */
#include "fortran.h"

enum { STAT_ALLOCATED = 105, STAT_NOT_ALLOCATED = 106, STAT_NO_MEMORY = 101 };

static i32 fail(i32 status, i32 has_stat) {
  if (!has_stat) __builtin_trap();
  return status;
}

static void set_bounds(descriptor *d, i32 index, i64 lower, i64 upper) {
  set_extent(d, index, upper >= lower ? upper - lower + 1 : 0);
  d->dim[index].lower = upper >= lower ? lower : 1;
}

static i32 allocate(descriptor *d, i32 has_stat) {
  u64 size = (u64)elements_of(d) * d->length;
  char *block = malloc(size ? size : 1);
  if (!block) return fail(STAT_NO_MEMORY, has_stat);
  if (d->type == TYPE_DERIVED) __builtin_memset(block, 0, size); /* no component is allocated */
  d->base = block;
  return 0;
}

CALLED void _FortranADestroyWithoutFinalization(const descriptor *d);

static i32 deallocate(descriptor *d, i32 has_stat) {
  if (!d->base) return fail(STAT_NOT_ALLOCATED, has_stat);
  if (d->attribute == ATTRIBUTE_ALLOCATABLE && d->type == TYPE_DERIVED)
    _FortranADestroyWithoutFinalization(d);
  free(d->base);
  d->base = 0;
  return 0;
}

FORTRAN(void, AllocatableSetBounds, descriptor *d, i32 index, i64 lower, i64 upper) {
  set_bounds(d, index, lower, upper);
}
FORTRAN(void, PointerSetBounds, descriptor *d, i32 index, i64 lower, i64 upper) {
  set_bounds(d, index, lower, upper);
}
FORTRAN(i32, AllocatableAllocate, descriptor *d, i64 *queue, _Bool has_stat,
        const descriptor *message, const char *file, i32 line) {
  (void)queue, (void)message, (void)file, (void)line;
  return d->base ? fail(STAT_ALLOCATED, has_stat) : allocate(d, has_stat);
}
FORTRAN(i32, PointerAllocate, descriptor *d, _Bool has_stat, const descriptor *message,
        const char *file, i32 line) {
  (void)message, (void)file, (void)line;
  return allocate(d, has_stat);
}
FORTRAN(i32, AllocatableDeallocate, descriptor *d, _Bool has_stat, const descriptor *message,
        const char *file, i32 line) {
  (void)message, (void)file, (void)line;
  return deallocate(d, has_stat);
}
FORTRAN(i32, PointerDeallocate, descriptor *d, _Bool has_stat, const descriptor *message,
        const char *file, i32 line) {
  (void)message, (void)file, (void)line;
  return deallocate(d, has_stat);
}

static i32 allocate_copy(descriptor *d, const descriptor *source, i32 has_stat) {
  i32 status = allocate(d, has_stat);
  if (status == 0) solo_fortran_copy(d, source);
  return status;
}
FORTRAN(i32, AllocatableAllocateSource, descriptor *d, const descriptor *source, _Bool has_stat,
        const descriptor *message, const char *file, i32 line) {
  (void)message, (void)file, (void)line;
  return d->base ? fail(STAT_ALLOCATED, has_stat) : allocate_copy(d, source, has_stat);
}
FORTRAN(i32, PointerAllocateSource, descriptor *d, const descriptor *source, _Bool has_stat,
        const descriptor *message, const char *file, i32 line) {
  (void)message, (void)file, (void)line;
  return allocate_copy(d, source, has_stat);
}

/* Copies the type, and the bounds if the ranks are equal. */
static void apply_mold(descriptor *d, const descriptor *mold, i32 rank) {
  d->length = mold->length;
  d->type = mold->type;
  d->rank = (u8)rank;
  for (i32 i = 0; i < rank && mold->rank == rank; i++) {
    set_extent(d, i, mold->dim[i].extent);
    d->dim[i].lower = mold->dim[i].lower;
  }
  if (!(mold->extra & HAS_ADDENDUM) || !(d->extra & HAS_ADDENDUM)) return;
  __builtin_memcpy(&d->dim[rank], &mold->dim[mold->rank], sizeof(void *));
}
FORTRAN(void, AllocatableApplyMold, descriptor *d, const descriptor *mold, i32 rank) {
  if (!d->base) apply_mold(d, mold, rank);
}
FORTRAN(void, PointerApplyMold, descriptor *d, const descriptor *mold, i32 rank) {
  apply_mold(d, mold, rank);
}

FORTRAN(i32, MoveAlloc, descriptor *to, descriptor *from, const void *type, _Bool has_stat,
        const descriptor *message, const char *file, i32 line) {
  (void)type, (void)message, (void)file, (void)line;
  i32 status = to->base && to != from ? deallocate(to, has_stat) : 0;
  if (status != 0 || to == from) return status;
  u64 words = 3 + 3 * (u64)from->rank + (from->extra & HAS_ADDENDUM ? 2 : 0);
  __builtin_memcpy(to, from, words * sizeof(u64));
  from->base = 0;
  return 0;
}

typedef struct vector {
  descriptor *to;
  i64 next, capacity;
  i32 takes_length;
} vector;

FORTRAN(void, InitArrayConstructorVector, vector *v, descriptor *to, _Bool takes_length,
        const char *file, i32 line) {
  (void)file, (void)line;
  *v = (vector){to, 0, to->base ? to->dim[0].extent : 0, takes_length};
}

static char *push(vector *v, u64 length) {
  descriptor *d = v->to;
  if (!d->base && v->takes_length) d->length = length;
  if (v->next == v->capacity) {
    i64 capacity = v->capacity ? 2 * v->capacity : d->dim[0].extent > 8 ? d->dim[0].extent : 8;
    char *block = malloc((u64)capacity * d->length);
    if (!block) __builtin_trap();
    if (d->base) {
      __builtin_memcpy(block, d->base, (u64)v->next * d->length);
      free(d->base);
    }
    d->base = block;
    d->dim[0].stride = (i64)d->length;
    v->capacity = capacity;
  }
  char *at = d->base + v->next++ * d->dim[0].stride;
  if (d->dim[0].extent < v->next) d->dim[0].extent = v->next;
  return at;
}

FORTRAN(void, PushArrayConstructorSimpleScalar, vector *v, const void *from) {
  __builtin_memcpy(push(v, v->to->length), from, v->to->length);
}

FORTRAN(void, PushArrayConstructorValue, vector *v, const descriptor *from) {
  for (i64 i = 0, count = elements_of(from); i < count; i++) {
    char *at = push(v, from->length);
    u64 length = v->to->length, common = length < from->length ? length : from->length;
    __builtin_memcpy(at, element_of(from, i), common);
    if (length > common) __builtin_memset(at + common, ' ', length - common);
  }
}
