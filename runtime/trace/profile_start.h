#ifndef SOLO_PROFILE_START_H
#define SOLO_PROFILE_START_H

#include "runtime/trace/observer.h"

/* Called once. Returns NULL if LIBOMPTARGET_PROFILE is not set or a warning was printed. */
const solo_observer *solo_observe_profile(void) SOLO_COLD;

#endif
