/* flang 22's descriptors of Fortran arrays (CFI_cdesc_t, with an addendum for derived types), and
 * access to array elements. */
#ifndef SOLO_DEVICE_FORTRAN_H
#define SOLO_DEVICE_FORTRAN_H

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned u32;
typedef unsigned long long u64;

#define CALLED __attribute__((weak, visibility("hidden")))
#define FORTRAN(type, name, ...)                                                                   \
  CALLED type _FortranA##name(__VA_ARGS__);                                                        \
  type _FortranA##name(__VA_ARGS__)

enum { MOST_RANKS = 15 };
enum { TYPE_INT8 = 7, TYPE_FLOAT = 27, TYPE_DOUBLE = 28, TYPE_CHAR = 40, TYPE_DERIVED = 42 };
enum { ATTRIBUTE_POINTER = 1, ATTRIBUTE_ALLOCATABLE = 2 };
enum { HAS_ADDENDUM = 1 };

typedef struct dimension {
  i64 lower, extent, stride; /* stride: bytes */
} dimension;

typedef struct descriptor {
  char *base;
  u64 length; /* bytes of an element */
  i32 version;
  u8 rank;
  i8 type;
  u8 attribute, extra;
  dimension dim[];
} descriptor;

typedef struct any_descriptor {
  u64 words[3 + 3 * MOST_RANKS + 2];
} any_descriptor;

void *malloc(u64 size);
void free(void *block);

/* Initialises `to` with `from`, a scalar or an array of equal shape. */
CALLED void solo_fortran_copy(const descriptor *to, const descriptor *from);

CALLED i32 _FortranACharacterCompareScalar1(const u8 *a, const u8 *b, i64 size_a, i64 size_b);

static inline i64 elements_of(const descriptor *d) {
  i64 count = 1;
  for (i32 i = 0; i < d->rank; i++) count *= d->dim[i].extent > 0 ? d->dim[i].extent : 0;
  return count;
}

/* Returns the address of element `number` in array element order. */
static inline char *element_of(const descriptor *d, i64 number) {
  char *at = d->base;
  for (i32 i = 0; i < d->rank; i++) {
    i64 extent = d->dim[i].extent > 0 ? d->dim[i].extent : 1;
    at += number % extent * d->dim[i].stride;
    number /= extent;
  }
  return at;
}

static inline i32 is_true(const descriptor *logical, i64 number) {
  const char *at = element_of(logical, number);
  return logical->length == 1   ? *(const i8 *)at != 0
         : logical->length == 2 ? *(const i16 *)at != 0
         : logical->length == 4 ? *(const i32 *)at != 0
                                : *(const i64 *)at != 0;
}

/* Returns whether no mask exists, or the mask selects the element. A mask can be scalar. */
static inline i32 is_selected(const descriptor *mask, i64 number) {
  return !mask || !mask->base || is_true(mask, mask->rank ? number : 0);
}

static inline i64 integer_at(const char *at, u64 length) {
  return length == 1   ? *(const i8 *)at
         : length == 2 ? *(const i16 *)at
         : length == 4 ? *(const i32 *)at
                       : *(const i64 *)at;
}

static inline void integer_store(char *at, u64 length, i64 value) {
  if (length == 1)
    *(i8 *)at = (i8)value;
  else if (length == 2)
    *(i16 *)at = (i16)value;
  else if (length == 4)
    *(i32 *)at = (i32)value;
  else
    *(i64 *)at = value;
}

static inline i8 integer_type(i32 kind) {
  return (i8)(TYPE_INT8 + (kind == 1 ? 0 : kind == 2 ? 1 : kind == 4 ? 2 : 3));
}

static inline void set_extent(descriptor *d, i32 index, i64 extent) {
  d->dim[index] = (dimension){
      1, extent, index ? d->dim[index - 1].stride * d->dim[index - 1].extent : (i64)d->length};
}

/* Allocates a result with the extents in the descriptor. The kernel frees the result. */
static inline void allocate_result(descriptor *d) {
  u64 size = (u64)elements_of(d) * d->length;
  d->attribute = ATTRIBUTE_ALLOCATABLE;
  d->base = malloc(size ? size : 1);
  if (!d->base) __builtin_trap();
}

static inline void begin_result(descriptor *d, i8 type, u64 length, i32 rank) {
  d->type = type;
  d->length = length;
  d->rank = (u8)rank;
}

/* Allocates and stores the subscripts of element `number`; all are 0 if `number` is negative. */
static inline void store_place(descriptor *to, const descriptor *x, i32 kind, i64 number) {
  begin_result(to, integer_type(kind), (u64)kind, 1);
  set_extent(to, 0, x->rank);
  allocate_result(to);
  for (i32 i = 0; i < x->rank; i++) {
    i64 extent = x->dim[i].extent > 0 ? x->dim[i].extent : 1;
    integer_store(to->base + i * kind, (u64)kind, number < 0 ? 0 : number % extent + 1);
    number = number < 0 ? number : number / extent;
  }
}

#endif
