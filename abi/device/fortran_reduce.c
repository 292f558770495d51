/* Fortran's reductions of whole arrays, such as SUM, MAXLOC and NORM2. */
#include "fortran.h"

#define WHOLE          const descriptor *x, const char *file, i32 line, i32 dim, const descriptor *mask
#define FOR_EACH(i, x) for (i64 i = 0, all_##i = elements_of(x); i < all_##i; i++)
#define AT(type, x, i) (*(const type *)(const void *)element_of(x, i))
#define UNUSED         (void)file, (void)line, (void)dim

#define REDUCTIONS(name, type, lowest, highest)                                                    \
  /* NaN is selected only if no other number exists. */                                            \
  static i64 best_##name(const descriptor *x, const descriptor *mask, i32 is_back, i32 is_max) {   \
    i64 best = -1;                                                                                 \
    FOR_EACH(i, x) {                                                                               \
      if (!is_selected(mask, i)) continue;                                                         \
      type a = AT(type, x, i), b = best < 0 ? a : AT(type, x, best);                               \
      i32 is_better = b != b ? a == a || is_back : is_max ? a > b : a < b;                         \
      if (best < 0 || is_better || (is_back && a == b)) best = i;                                  \
    }                                                                                              \
    return best;                                                                                   \
  }                                                                                                \
  FORTRAN(type, Sum##name, WHOLE) {                                                                \
    type sum = 0;                                                                                  \
    UNUSED;                                                                                        \
    FOR_EACH(i, x) if (is_selected(mask, i)) sum += AT(type, x, i);                                \
    return sum;                                                                                    \
  }                                                                                                \
  FORTRAN(type, Product##name, WHOLE) {                                                            \
    type product = 1;                                                                              \
    UNUSED;                                                                                        \
    FOR_EACH(i, x) if (is_selected(mask, i)) product *= AT(type, x, i);                            \
    return product;                                                                                \
  }                                                                                                \
  FORTRAN(type, Maxval##name, WHOLE) {                                                             \
    UNUSED;                                                                                        \
    i64 best = best_##name(x, mask, 0, 1);                                                         \
    return best < 0 ? lowest : AT(type, x, best);                                                  \
  }                                                                                                \
  FORTRAN(type, Minval##name, WHOLE) {                                                             \
    UNUSED;                                                                                        \
    i64 best = best_##name(x, mask, 0, 0);                                                         \
    return best < 0 ? highest : AT(type, x, best);                                                 \
  }                                                                                                \
  FORTRAN(type, DotProduct##name, const descriptor *x, const descriptor *y, const char *file,      \
          i32 line) {                                                                              \
    type sum = 0;                                                                                  \
    (void)file, (void)line;                                                                        \
    FOR_EACH(i, x) sum += AT(type, x, i) * AT(type, y, i);                                         \
    return sum;                                                                                    \
  }                                                                                                \
  FORTRAN(void, Maxloc##name, descriptor *to, const descriptor *x, i32 kind, const char *file,     \
          i32 line, const descriptor *mask, _Bool is_back) {                                       \
    (void)file, (void)line;                                                                        \
    store_place(to, x, kind, best_##name(x, mask, is_back, 1));                                    \
  }                                                                                                \
  FORTRAN(void, Minloc##name, descriptor *to, const descriptor *x, i32 kind, const char *file,     \
          i32 line, const descriptor *mask, _Bool is_back) {                                       \
    (void)file, (void)line;                                                                        \
    store_place(to, x, kind, best_##name(x, mask, is_back, 0));                                    \
  }

#define MOST(type) ((type)(((u64)1 << (8 * sizeof(type) - 1)) - 1))
REDUCTIONS(Integer1, i8, (i8)(-MOST(i8) - 1), MOST(i8))
REDUCTIONS(Integer2, i16, (i16)(-MOST(i16) - 1), MOST(i16))
REDUCTIONS(Integer4, i32, -MOST(i32) - 1, MOST(i32))
REDUCTIONS(Integer8, i64, -MOST(i64) - 1, MOST(i64))
REDUCTIONS(Real4, float, -__FLT_MAX__, __FLT_MAX__)
REDUCTIONS(Real8, double, -__DBL_MAX__, __DBL_MAX__)

#define COMPLEX(kind, type)                                                                        \
  typedef struct complex_##kind {                                                                  \
    type re, im;                                                                                   \
  } complex_##kind;                                                                                \
  static complex_##kind times_##kind(complex_##kind a, complex_##kind b) {                         \
    return (complex_##kind){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};                 \
  }                                                                                                \
  FORTRAN(void, CppSumComplex##kind, complex_##kind *to, WHOLE) {                                  \
    complex_##kind sum = {0, 0};                                                                   \
    UNUSED;                                                                                        \
    FOR_EACH(i, x) {                                                                               \
      if (!is_selected(mask, i)) continue;                                                         \
      sum.re += AT(complex_##kind, x, i).re;                                                       \
      sum.im += AT(complex_##kind, x, i).im;                                                       \
    }                                                                                              \
    *to = sum;                                                                                     \
  }                                                                                                \
  FORTRAN(void, CppProductComplex##kind, complex_##kind *to, WHOLE) {                              \
    complex_##kind product = {1, 0};                                                               \
    UNUSED;                                                                                        \
    FOR_EACH(i, x)                                                                                 \
    if (is_selected(mask, i)) product = times_##kind(product, AT(complex_##kind, x, i));           \
    *to = product;                                                                                 \
  }                                                                                                \
  FORTRAN(void, CppDotProductComplex##kind, complex_##kind *to, const descriptor *x,               \
          const descriptor *y, const char *file, i32 line) {                                       \
    complex_##kind sum = {0, 0};                                                                   \
    (void)file, (void)line;                                                                        \
    FOR_EACH(i, x) {                                                                               \
      complex_##kind a = AT(complex_##kind, x, i);                                                 \
      a.im = -a.im;                                                                                \
      a = times_##kind(a, AT(complex_##kind, y, i));                                               \
      sum.re += a.re;                                                                              \
      sum.im += a.im;                                                                              \
    }                                                                                              \
    *to = sum;                                                                                     \
  }
COMPLEX(4, float)
COMPLEX(8, double)

/* If the plain sum of squares overflows or its squares are subnormal, divides by the largest
 * element first. */
static inline __attribute__((always_inline)) double
root_of_squares(double (*at)(const descriptor *, i64), const descriptor *x) {
  double sum = 0, most = 0;
  FOR_EACH(i, x) {
    double size = __builtin_fabs(at(x, i));
    sum += size * size;
    if (size > most) most = size;
  }
  if (sum != sum || most == 0 || most - most != 0 || (sum > 0x1p-960 && sum - sum == 0))
    return __builtin_sqrt(sum);
  sum = 0;
  FOR_EACH(k, x) {
    double ratio = at(x, k) / most;
    sum += ratio * ratio;
  }
  return most * __builtin_sqrt(sum);
}

static inline double double_at(const descriptor *x, i64 i) {
  return AT(double, x, i);
}
static inline double float_at(const descriptor *x, i64 i) {
  return AT(float, x, i);
}

FORTRAN(double, Norm2_8, const descriptor *x, const char *file, i32 line, i32 dim) {
  UNUSED;
  return root_of_squares(double_at, x);
}
FORTRAN(float, Norm2_4, const descriptor *x, const char *file, i32 line, i32 dim) {
  UNUSED;
  return (float)root_of_squares(float_at, x);
}

FORTRAN(_Bool, Any, const descriptor *x, const char *file, i32 line, i32 dim) {
  UNUSED;
  FOR_EACH(i, x) if (is_true(x, i)) return 1;
  return 0;
}
FORTRAN(_Bool, All, const descriptor *x, const char *file, i32 line, i32 dim) {
  UNUSED;
  FOR_EACH(i, x) if (!is_true(x, i)) return 0;
  return 1;
}
FORTRAN(i64, Count, const descriptor *x, const char *file, i32 line, i32 dim) {
  i64 count = 0;
  UNUSED;
  FOR_EACH(i, x) count += is_true(x, i);
  return count;
}
