#ifndef SOLO_PROFILE_START_H
#define SOLO_PROFILE_START_H

#include "runtime/trace/observer.h"

/* Starts the profile if LIBOMPTARGET_PROFILE is set. Returns NULL if it is not set or a warning was
 * printed. Called once. */
const solo_observer *solo_observe_profile(void) SOLO_COLD;

#endif
