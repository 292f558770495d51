#ifndef SOLO_ABI_KERNEL_HANDLE_H
#define SOLO_ABI_KERNEL_HANDLE_H

#include "abi/registration_list.h"

/* Invalidates the handles of the registration, so that later launches are rejected. */
void solo_kernel_handles_end(solo_registration *registration);

#endif
