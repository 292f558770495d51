/* Calls a function with 8-byte integer arguments. Their number is known only at run time. */
#ifndef SOLO_HOST_CALL_H
#define SOLO_HOST_CALL_H

#include "runtime/base/platform.h"

/* Requires count > 8. */
SOLO_HIDDEN void solo_host_call_many(const void *code, const uint64_t *arguments, uint64_t count);

#define SOLO_CALL_A1 a[0]
#define SOLO_CALL_A2 SOLO_CALL_A1, a[1]
#define SOLO_CALL_A3 SOLO_CALL_A2, a[2]
#define SOLO_CALL_A4 SOLO_CALL_A3, a[3]
#define SOLO_CALL_A5 SOLO_CALL_A4, a[4]
#define SOLO_CALL_A6 SOLO_CALL_A5, a[5]
#define SOLO_CALL_A7 SOLO_CALL_A6, a[6]
#define SOLO_CALL_A8 SOLO_CALL_A7, a[7]
#define SOLO_CALL_T1 uint64_t
#define SOLO_CALL_T2 SOLO_CALL_T1, uint64_t
#define SOLO_CALL_T3 SOLO_CALL_T2, uint64_t
#define SOLO_CALL_T4 SOLO_CALL_T3, uint64_t
#define SOLO_CALL_T5 SOLO_CALL_T4, uint64_t
#define SOLO_CALL_T6 SOLO_CALL_T5, uint64_t
#define SOLO_CALL_T7 SOLO_CALL_T6, uint64_t
#define SOLO_CALL_T8 SOLO_CALL_T7, uint64_t

/* disables UBSan's function check, because the type of a kernel is unknown here */
#if defined(__clang__)
#define SOLO_CALL_ANY __attribute__((no_sanitize("function")))
#else
#define SOLO_CALL_ANY
#endif

/* One case for each count, so that the compiler emits the loads of argument registers. */
SOLO_CALL_ANY SOLO_INLINE void solo_host_call(const void *code, const uint64_t *a, uint64_t count) {
  uintptr_t c = (uintptr_t)code;
  switch (count) {
  case 0:
    ((void (*)(void))c)();
    break;
  case 1:
    ((void (*)(SOLO_CALL_T1))c)(SOLO_CALL_A1);
    break;
  case 2:
    ((void (*)(SOLO_CALL_T2))c)(SOLO_CALL_A2);
    break;
  case 3:
    ((void (*)(SOLO_CALL_T3))c)(SOLO_CALL_A3);
    break;
  case 4:
    ((void (*)(SOLO_CALL_T4))c)(SOLO_CALL_A4);
    break;
  case 5:
    ((void (*)(SOLO_CALL_T5))c)(SOLO_CALL_A5);
    break;
  case 6:
    ((void (*)(SOLO_CALL_T6))c)(SOLO_CALL_A6);
    break;
  case 7:
    ((void (*)(SOLO_CALL_T7))c)(SOLO_CALL_A7);
    break;
  case 8:
    ((void (*)(SOLO_CALL_T8))c)(SOLO_CALL_A8);
    break;
  default:
    solo_host_call_many(code, a, count);
  }
}

#endif
