/* Invariants that the check, tsan and asan variants verify while they run.
 *
 * SOLO_ASSERT(condition, "what is broken") ends the program with the text, the file and the line when
 * the condition is false. It is active where SOLO_CHECK is defined (configure.sh: every variant that
 * only tests use) and compiles to nothing elsewhere, so it may stand on a hot path. It is for what
 * solo's own code promises itself; what a program or a driver does wrong is an error (status.h).
 */
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
/* For a whole-structure check: check is NULL or says what is wrong. */
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
