/* How many processors' time the cgroups of this process leave it. Threads: any. */
#ifndef SOLO_KMPC_QUOTA_H
#define SOLO_KMPC_QUOTA_H

#include <stddef.h>
#include <stdint.h>

/* Rounded up; INT32_MAX: all there is. */
int32_t solo_kmp_quota(void);

/* The beginning of a file of the system's as a string; 0: there is none, or it is empty. */
int solo_kmp_read_small(const char *path, char *text, size_t room);

#endif
