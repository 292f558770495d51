/* Fortran's array functions, from MATMUL to UNPACK. The functions allocate their results. */
#include "fortran.h"

#define REAL(type, at) (*(type *)(void *)(at))

static char *element_2(const descriptor *d, i64 row, i64 column) {
  return d->base + row * d->dim[0].stride + (d->rank > 1 ? column * d->dim[1].stride : 0);
}

/* `typed`: a or b, with the type of the result. A vector on the left side is a row, on the right side a column. */
static void begin_product(descriptor *to, const descriptor *a, const descriptor *b,
                          const descriptor *typed) {
  begin_result(to, typed->type, typed->length, a->rank + b->rank - 2);
  i32 rank = 0;
  if (a->rank == 2) set_extent(to, rank++, a->dim[0].extent);
  if (b->rank == 2) set_extent(to, rank, b->dim[1].extent);
  allocate_result(to);
}

#define PRODUCT(a_name, a_type, b_name, b_type, type, typed)                                       \
  static void multiply_##a_name##_##b_name(descriptor *to, const descriptor *a,                    \
                                           const descriptor *b) {                                  \
    i64 rows = a->rank == 2 ? a->dim[0].extent : 1, columns = b->rank == 2 ? b->dim[1].extent : 1; \
    i64 inner = b->dim[0].extent;                                                                  \
    for (i64 j = 0; j < columns; j++)                                                              \
      for (i64 i = 0; i < rows; i++) {                                                             \
        type sum = 0;                                                                              \
        for (i64 k = 0; k < inner; k++)                                                            \
          sum += (type)REAL(a_type, a->rank == 2 ? element_2(a, i, k) : element_2(a, k, 0)) *      \
                 (type)REAL(b_type, element_2(b, k, j));                                           \
        REAL(type, element_of(to, j *rows + i)) = sum;                                             \
      }                                                                                            \
  }                                                                                                \
  FORTRAN(void, Matmul##a_name##b_name, descriptor *to, const descriptor *a, const descriptor *b,  \
          const char *file, i32 line) {                                                            \
    (void)file, (void)line;                                                                        \
    begin_product(to, a, b, typed);                                                                \
    multiply_##a_name##_##b_name(to, a, b);                                                        \
  }                                                                                                \
  FORTRAN(void, MatmulDirect##a_name##b_name, descriptor *to, const descriptor *a,                 \
          const descriptor *b, const char *file, i32 line) {                                       \
    (void)file, (void)line;                                                                        \
    multiply_##a_name##_##b_name(to, a, b);                                                        \
  }
#define PRODUCTS(low, low_type, high, high_type)                                                   \
  PRODUCT(low, low_type, high, high_type, high_type, b)                                            \
  PRODUCT(high, high_type, low, low_type, high_type, a)
PRODUCT(Integer4, i32, Integer4, i32, i32, a)
PRODUCT(Integer8, i64, Integer8, i64, i64, a)
PRODUCT(Real4, float, Real4, float, float, a)
PRODUCT(Real8, double, Real8, double, double, a)
PRODUCTS(Integer4, i32, Integer8, i64)
PRODUCTS(Integer4, i32, Real4, float)
PRODUCTS(Integer4, i32, Real8, double)
PRODUCTS(Integer8, i64, Real4, float)
PRODUCTS(Integer8, i64, Real8, double)
PRODUCTS(Real4, float, Real8, double)

FORTRAN(void, MatmulLogical4Logical4, descriptor *to, const descriptor *a, const descriptor *b,
        const char *file, i32 line) {
  (void)file, (void)line;
  begin_product(to, a, b, a);
  i64 rows = a->rank == 2 ? a->dim[0].extent : 1, inner = b->dim[0].extent;
  for (i64 i = 0, count = elements_of(to); i < count; i++) {
    i32 found = 0;
    for (i64 k = 0; k < inner; k++)
      found |=
          is_true(a, a->rank == 2 ? i % rows + k * rows : k) && is_true(b, k + i / rows * inner);
    integer_store(element_of(to, i), to->length, found);
  }
}

FORTRAN(void, Transpose, descriptor *to, const descriptor *from, const char *file, i32 line) {
  (void)file, (void)line;
  begin_result(to, from->type, from->length, 2);
  set_extent(to, 0, from->dim[1].extent);
  set_extent(to, 1, from->dim[0].extent);
  allocate_result(to);
  for (i64 j = 0; j < to->dim[1].extent; j++)
    for (i64 i = 0; i < to->dim[0].extent; i++)
      __builtin_memcpy(element_2(to, i, j), element_2(from, j, i), to->length);
}

/* Returns the position, in array element order, to which ORDER moves element `number`. */
static i64 place_in_order(const descriptor *to, const descriptor *order, i64 number) {
  i64 place = 0;
  if (!order || !order->base) return number;
  for (i32 i = 0; i < to->rank; i++) {
    i32 dim = (i32)integer_at(element_of(order, i), order->length) - 1;
    i64 factor = 1;
    for (i32 k = 0; k < dim; k++) factor *= to->dim[k].extent;
    place += number % to->dim[dim].extent * factor;
    number /= to->dim[dim].extent;
  }
  return place;
}

FORTRAN(void, Reshape, descriptor *to, const descriptor *from, const descriptor *shape,
        const descriptor *pad, const descriptor *order, const char *file, i32 line) {
  (void)file, (void)line;
  begin_result(to, from->type, from->length, (i32)elements_of(shape));
  for (i32 i = 0; i < to->rank; i++)
    set_extent(to, i, integer_at(element_of(shape, i), shape->length));
  allocate_result(to);
  i64 count = elements_of(to), given = elements_of(from);
  for (i64 i = 0; i < count; i++) {
    if (i >= given && (!pad || !pad->base)) __builtin_trap();
    __builtin_memcpy(element_of(to, place_in_order(to, order, i)),
                     i < given ? element_of(from, i)
                               : element_of(pad, (i - given) % elements_of(pad)),
                     to->length);
  }
}

FORTRAN(void, CshiftVector, descriptor *to, const descriptor *from, i64 shift, const char *file,
        i32 line) {
  (void)file, (void)line;
  i64 count = elements_of(from);
  begin_result(to, from->type, from->length, 1);
  set_extent(to, 0, count);
  allocate_result(to);
  for (i64 i = 0; i < count; i++)
    __builtin_memcpy(element_of(to, i), element_of(from, ((i + shift) % count + count) % count),
                     to->length);
}

FORTRAN(void, Spread, descriptor *to, const descriptor *from, i32 dim, i64 copies, const char *file,
        i32 line) {
  (void)file, (void)line;
  begin_result(to, from->type, from->length, from->rank + 1);
  for (i32 i = 0; i < to->rank; i++)
    set_extent(to, i, i == dim - 1 ? (copies > 0 ? copies : 0) : from->dim[i - (i >= dim)].extent);
  allocate_result(to);
  i64 inner = 1;
  for (i32 i = 0; i < dim - 1; i++) inner *= to->dim[i].extent;
  for (i64 i = 0, count = elements_of(to); i < count; i++)
    __builtin_memcpy(element_of(to, i), element_of(from, i % inner + i / (inner * copies) * inner),
                     to->length);
}

FORTRAN(void, Pack, descriptor *to, const descriptor *from, const descriptor *mask,
        const descriptor *vector, const char *file, i32 line) {
  (void)file, (void)line;
  i64 all = elements_of(from), count = 0, next = 0;
  for (i64 i = 0; i < all; i++) count += is_selected(mask, i);
  begin_result(to, from->type, from->length, 1);
  set_extent(to, 0, vector && vector->base ? elements_of(vector) : count);
  allocate_result(to);
  for (i64 i = 0; i < all; i++)
    if (is_selected(mask, i))
      __builtin_memcpy(element_of(to, next++), element_of(from, i), to->length);
  for (i64 size = elements_of(to); next < size; next++)
    __builtin_memcpy(element_of(to, next), element_of(vector, next), to->length);
}

FORTRAN(void, Unpack, descriptor *to, const descriptor *vector, const descriptor *mask,
        const descriptor *field, const char *file, i32 line) {
  (void)file, (void)line;
  i64 next = 0;
  begin_result(to, vector->type, vector->length, mask->rank);
  for (i32 i = 0; i < mask->rank; i++) set_extent(to, i, mask->dim[i].extent);
  allocate_result(to);
  for (i64 i = 0, count = elements_of(to); i < count; i++)
    __builtin_memcpy(element_of(to, i),
                     is_true(mask, i) ? element_of(vector, next++)
                                      : element_of(field, field->rank ? i : 0),
                     to->length);
}
