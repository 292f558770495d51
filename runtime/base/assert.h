/* Assertions on solo's own invariants, active with SOLO_CHECK (test variants). Errors of programs
 * and drivers use status.h. */
#ifndef SOLO_BASE_ASSERT_H
#define SOLO_BASE_ASSERT_H

#include "runtime/base/platform.h"

#ifdef SOLO_CHECK
SOLO_COLD _Noreturn void solo_assert_failed(const char *condition, const char *what,
                                            const char *file, int line);
#define SOLO_ASSERT(condition, what)                                                               \
  do {                                                                                             \
    if (SOLO_UNLIKELY(!(condition))) solo_assert_failed(#condition, (what), __FILE__, __LINE__);   \
  } while (0)
/* check: an expression that returns NULL, or a description of the damaged structure. */
#define SOLO_ASSERT_SOUND(check)                                                                   \
  do {                                                                                             \
    const char *unsound = (check);                                                                 \
    if (SOLO_UNLIKELY(unsound != NULL)) solo_assert_failed(#check, unsound, __FILE__, __LINE__);   \
  } while (0)
#else
#define SOLO_ASSERT(condition, what) ((void)0)
#define SOLO_ASSERT_SOUND(check)     ((void)0)
#endif

#endif
