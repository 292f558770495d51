#ifndef SOLO_KMPC_QUOTA_H
#define SOLO_KMPC_QUOTA_H

#include <stddef.h>
#include <stdint.h>

/* Returns the quota in processors, rounded up; INT32_MAX: none. */
int32_t solo_kmp_quota(void);

/* Reads the beginning of a system file. Returns 0 if it is missing or empty. */
int solo_kmp_read_small(const char *path, char *text, size_t size);

#endif
