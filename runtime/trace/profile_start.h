/* LIBOMPTARGET_PROFILE as the settings ask for it (profile.h).
 *
 * Threads: called once.
 */
#ifndef SOLO_PROFILE_START_H
#define SOLO_PROFILE_START_H

#include "runtime/trace/observer.h"

/* NULL: nobody asks for it, or it cannot be had (then a warning said so). */
const solo_observer *solo_observe_profile(void) SOLO_COLD;

#endif
