/* What happens to kernels that were looked up by name when their registration (solo.h) ends.
 *
 * Threads: any.
 */
#ifndef SOLO_ABI_KERNEL_HANDLE_H
#define SOLO_ABI_KERNEL_HANDLE_H

#include "abi/registration_list.h"

/* Invalidates the handles of a registration that ends: launches of them are refused from now on. */
void solo_kernel_handles_end(solo_registration *registration);

#endif
