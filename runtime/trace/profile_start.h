#ifndef SOLO_PROFILE_START_H
#define SOLO_PROFILE_START_H

#include "runtime/trace/observer.h"

/* Starts the profile if the settings request it; else, or after a warning, NULL. Called once. */
const solo_observer *solo_observe_profile(void) SOLO_COLD;

#endif
