/* How many processors' time the cgroups of this process leave it. */
#ifndef SOLO_KMPC_QUOTA_H
#define SOLO_KMPC_QUOTA_H

#include <stdint.h>

/* Rounded up; INT32_MAX: all there is. */
int32_t solo_kmp_quota(void);

#endif
