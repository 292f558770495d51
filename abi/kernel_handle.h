#ifndef SOLO_ABI_KERNEL_HANDLE_H
#define SOLO_ABI_KERNEL_HANDLE_H

#include "abi/registration_list.h"

/* Invalidates all handles of the registration. Later launches with them are rejected. */
void solo_kernel_handles_end(solo_registration *registration);

#endif
