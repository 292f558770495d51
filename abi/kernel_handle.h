/* What the end of a registration (solo.h) means to kernels that were found by hand.
 *
 * Threads: any.
 */
#ifndef SOLO_ABI_KERNEL_HANDLE_H
#define SOLO_ABI_KERNEL_HANDLE_H

#include "abi/registration_list.h"

/* Ends the handles of a registration that goes: launches of them are refused from now on. */
void solo_kernel_handles_end(solo_registration *registration);

#endif
