/* Fortran's reductions along one dimension (DIM), and FINDLOC. */
#include "fortran.h"

enum { TYPE_QUAD = 31, LAST_COMPLEX = 38 };

typedef struct line_of {
  const descriptor *x, *mask;
  i64 first, step, count; /* numbers of elements */
} line_of;

#define WITH_DIM             descriptor *to, const descriptor *x, i32 dim, const char *file, i32 line
#define UNUSED               (void)file, (void)line
#define PLACE(l, k)          ((l).first + (k) * (l).step)
#define FOR_EACH_LINE(i, to) for (i64 i = 0, all_##i = elements_of(to); i < all_##i; i++)
#define FOR_EACH_ON(k, l)                                                                          \
  for (i64 k = 0; k < (l).count; k++)                                                              \
    if (is_selected((l).mask, PLACE(l, k)))

/* Returns the elements that become element `number` of the result. */
static line_of line_at(const descriptor *x, const descriptor *mask, i32 dim, i64 number) {
  i64 inner = 1, along = x->dim[dim - 1].extent;
  for (i32 i = 0; i < dim - 1; i++) inner *= x->dim[i].extent;
  return (line_of){x, mask, number % inner + number / inner * inner * along, inner, along};
}

static void begin_lines(descriptor *to, const descriptor *x, i32 dim, i8 type, u64 length) {
  begin_result(to, type, length, x->rank - 1);
  for (i32 i = 0; i < x->rank; i++)
    if (i != dim - 1) set_extent(to, i - (i >= dim), x->dim[i].extent);
  allocate_result(to);
}

static i32 is_real(i8 type) {
  return type == TYPE_FLOAT || type == TYPE_DOUBLE;
}

static double real_at(const char *at, i8 type) {
  return type == TYPE_FLOAT ? *(const float *)(const void *)at : *(const double *)(const void *)at;
}

static void real_store(char *at, i8 type, double value) {
  if (type == TYPE_FLOAT)
    *(float *)(void *)at = (float)value;
  else
    *(double *)(void *)at = value;
}

static void need_number(i8 type) {
  if (type >= TYPE_FLOAT - 2 && !is_real(type)) __builtin_trap();
}

static double number_at(const char *at, i8 type, u64 length) {
  return is_real(type) ? real_at(at, type) : (double)integer_at(at, length);
}

static i32 compare_texts(const char *a, u64 a_length, const char *b, u64 b_length) {
  return _FortranACharacterCompareScalar1((const u8 *)a, (const u8 *)b, (i64)a_length,
                                          (i64)b_length);
}

static i32 compare(const char *a, const char *b, i8 type, u64 length) {
  if (type == TYPE_CHAR) return compare_texts(a, length, b, length);
  if (is_real(type)) {
    double x = real_at(a, type), y = real_at(b, type);
    return (x > y) - (x < y);
  }
  need_number(type);
  i64 x = integer_at(a, length), y = integer_at(b, length);
  return (x > y) - (x < y);
}

static i32 is_nan(const char *at, i8 type) {
  return is_real(type) && real_at(at, type) != real_at(at, type);
}

/* Returns -1 if no element is selected. NaN is selected only if no number exists. */
static i64 best_on(line_of l, i32 is_max, i32 is_back) {
  i64 best = -1;
  i8 type = l.x->type;
  FOR_EACH_ON(k, l) {
    const char *a = element_of(l.x, PLACE(l, k)),
               *b = best < 0 ? a : element_of(l.x, PLACE(l, best));
    i32 order = is_max ? compare(a, b, type, l.x->length) : compare(b, a, type, l.x->length);
    i32 is_better = is_nan(b, type)   ? !is_nan(a, type) || is_back
                    : is_nan(a, type) ? 0
                                      : order > 0 || (is_back && order == 0);
    if (best < 0 || is_better) best = k;
  }
  return best;
}

static void store_extreme(char *at, i8 type, u64 length, i32 is_max) {
  i64 most = (i64)(((u64)1 << (8 * (length < 8 ? length : 8) - 1)) - 1);
  if (type == TYPE_CHAR)
    __builtin_memset(at, is_max ? 0 : 255, length);
  else if (type == TYPE_FLOAT)
    real_store(at, type, is_max ? -__FLT_MAX__ : __FLT_MAX__);
  else if (type == TYPE_DOUBLE)
    real_store(at, type, is_max ? -__DBL_MAX__ : __DBL_MAX__);
  else
    integer_store(at, length, is_max ? -most - 1 : most);
}

static void extremes(descriptor *to, const descriptor *x, i32 dim, const descriptor *mask,
                     i32 is_max) {
  begin_lines(to, x, dim, x->type, x->length);
  FOR_EACH_LINE(i, to) {
    line_of l = line_at(x, mask, dim, i);
    i64 best = best_on(l, is_max, 0);
    if (best < 0)
      store_extreme(element_of(to, i), x->type, x->length, is_max);
    else
      __builtin_memcpy(element_of(to, i), element_of(x, PLACE(l, best)), x->length);
  }
}
FORTRAN(void, MaxvalDim, WITH_DIM, const descriptor *mask) {
  UNUSED;
  extremes(to, x, dim, mask, 1);
}
FORTRAN(void, MinvalDim, WITH_DIM, const descriptor *mask) {
  UNUSED;
  extremes(to, x, dim, mask, 0);
}

static void places(descriptor *to, const descriptor *x, i32 kind, i32 dim, const descriptor *mask,
                   i32 is_max, i32 is_back) {
  begin_lines(to, x, dim, integer_type(kind), (u64)kind);
  FOR_EACH_LINE(i, to) {
    integer_store(element_of(to, i), (u64)kind,
                  best_on(line_at(x, mask, dim, i), is_max, is_back) + 1);
  }
}
FORTRAN(void, MaxlocDim, descriptor *to, const descriptor *x, i32 kind, i32 dim, const char *file,
        i32 line, const descriptor *mask, _Bool is_back) {
  UNUSED;
  places(to, x, kind, dim, mask, 1, is_back);
}
FORTRAN(void, MinlocDim, descriptor *to, const descriptor *x, i32 kind, i32 dim, const char *file,
        i32 line, const descriptor *mask, _Bool is_back) {
  UNUSED;
  places(to, x, kind, dim, mask, 0, is_back);
}

enum operation { ADD, MULTIPLY, AND, OR, XOR };

static i64 combine(i64 a, i64 b, enum operation operation) {
  return operation == ADD        ? a + b
         : operation == MULTIPLY ? a * b
         : operation == AND      ? a & b
         : operation == OR       ? a | b
                                 : a ^ b;
}

static void store_combined(char *at, line_of l, enum operation operation) {
  i8 type = l.x->type;
  i64 whole = operation == MULTIPLY ? 1 : operation == AND ? -1 : 0;
  double real = (double)whole;
  need_number(type);
  FOR_EACH_ON(k, l) {
    const char *from = element_of(l.x, PLACE(l, k));
    if (!is_real(type))
      whole = combine(whole, integer_at(from, l.x->length), operation);
    else if (type == TYPE_FLOAT)
      real = operation == ADD ? (float)real + (float)real_at(from, type)
                              : (float)real * (float)real_at(from, type);
    else
      real = operation == ADD ? real + real_at(from, type) : real * real_at(from, type);
  }
  if (is_real(type))
    real_store(at, type, real);
  else
    integer_store(at, l.x->length, whole);
}

#define REDUCTION(name, operation)                                                                 \
  FORTRAN(void, name##Dim, WITH_DIM, const descriptor *mask) {                                     \
    UNUSED;                                                                                        \
    begin_lines(to, x, dim, x->type, x->length);                                                   \
    FOR_EACH_LINE(i, to) store_combined(element_of(to, i), line_at(x, mask, dim, i), operation);   \
  }
REDUCTION(Sum, ADD)
REDUCTION(Product, MULTIPLY)
REDUCTION(IAll, AND)
REDUCTION(IAny, OR)
REDUCTION(IParity, XOR)

#define BITS(name, kind, type, operation)                                                          \
  FORTRAN(type, name##kind, const descriptor *x, const char *file, i32 line, i32 dim,              \
          const descriptor *mask) {                                                                \
    i64 value = operation == AND ? -1 : 0;                                                         \
    UNUSED, (void)dim;                                                                             \
    for (i64 i = 0, count = elements_of(x); i < count; i++)                                        \
      if (is_selected(mask, i))                                                                    \
        value = combine(value, integer_at(element_of(x, i), kind), operation);                     \
    return (type)value;                                                                            \
  }
#define BITS_OF(kind, type)                                                                        \
  BITS(IAll, kind, type, AND) BITS(IAny, kind, type, OR) BITS(IParity, kind, type, XOR)
BITS_OF(1, i8)
BITS_OF(2, i16)
BITS_OF(4, i32)
BITS_OF(8, i64)

static i64 true_on(line_of l) {
  i64 count = 0;
  FOR_EACH_ON(k, l) count += is_true(l.x, PLACE(l, k));
  return count;
}

#define LOGICAL(name, value)                                                                       \
  FORTRAN(void, name##Dim, WITH_DIM) {                                                             \
    UNUSED;                                                                                        \
    begin_lines(to, x, dim, x->type, x->length);                                                   \
    FOR_EACH_LINE(i, to) {                                                                         \
      line_of l = line_at(x, 0, dim, i);                                                           \
      integer_store(element_of(to, i), to->length, value);                                         \
    }                                                                                              \
  }
LOGICAL(Any, true_on(l) > 0)
LOGICAL(All, true_on(l) == l.count)
LOGICAL(Parity, true_on(l) & 1)

FORTRAN(void, CountDim, descriptor *to, const descriptor *x, i32 dim, i32 kind, const char *file,
        i32 line) {
  UNUSED;
  begin_lines(to, x, dim, integer_type(kind), (u64)kind);
  FOR_EACH_LINE(i, to) integer_store(element_of(to, i), (u64)kind, true_on(line_at(x, 0, dim, i)));
}

FORTRAN(_Bool, Parity, const descriptor *x, const char *file, i32 line, i32 dim) {
  i64 count = 0;
  UNUSED, (void)dim;
  for (i64 i = 0, all = elements_of(x); i < all; i++) count += is_true(x, i);
  return count & 1;
}

/* Scales, so that no square overflows. */
FORTRAN(void, Norm2Dim, WITH_DIM) {
  UNUSED;
  begin_lines(to, x, dim, x->type, x->length);
  FOR_EACH_LINE(i, to) {
    line_of l = line_at(x, 0, dim, i);
    double most = 0, sum = 0;
    FOR_EACH_ON(k, l) {
      double size = __builtin_fabs(real_at(element_of(x, PLACE(l, k)), x->type));
      most = size > most || size != size ? size : most;
    }
    double scale = most > 0x1p500 || most < 0x1p-500 ? most : 1;
    if (most == 0 || most - most != 0) scale = 1;
    FOR_EACH_ON(k, l) {
      double ratio = real_at(element_of(x, PLACE(l, k)), x->type) / scale;
      sum += ratio * ratio;
    }
    real_store(element_of(to, i), x->type, scale * __builtin_sqrt(sum));
  }
}

static i32 is_complex(i8 type) {
  return type > TYPE_QUAD && type <= LAST_COMPLEX;
}

static i32 is_equal(const descriptor *x, i64 number, const descriptor *value) {
  const char *at = element_of(x, number);
  if (is_complex(x->type) || is_complex(value->type)) __builtin_trap();
  if (x->type == TYPE_CHAR) return !compare_texts(at, x->length, value->base, value->length);
  if (is_real(x->type) || is_real(value->type))
    return number_at(at, x->type, x->length) == number_at(value->base, value->type, value->length);
  return integer_at(at, x->length) == integer_at(value->base, value->length);
}

FORTRAN(void, FindlocDim, descriptor *to, const descriptor *x, const descriptor *value, i32 kind,
        i32 dim, const char *file, i32 line, const descriptor *mask, _Bool is_back) {
  UNUSED;
  begin_lines(to, x, dim, integer_type(kind), (u64)kind);
  FOR_EACH_LINE(i, to) {
    line_of l = line_at(x, mask, dim, i);
    i64 place = 0;
    FOR_EACH_ON(k, l) if ((is_back || !place) && is_equal(x, PLACE(l, k), value)) place = k + 1;
    integer_store(element_of(to, i), (u64)kind, place);
  }
}

FORTRAN(void, Findloc, descriptor *to, const descriptor *x, const descriptor *value, i32 kind,
        const char *file, i32 line, const descriptor *mask, _Bool is_back) {
  i64 place = -1;
  UNUSED;
  for (i64 i = 0, count = elements_of(x); i < count; i++)
    if ((is_back || place < 0) && is_selected(mask, i) && is_equal(x, i, value)) place = i;
  store_place(to, x, kind, place);
}
