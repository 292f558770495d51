/* MD5 (RFC 1321) for checksums. */
#ifndef SOLO_IMAGE_MD5_H
#define SOLO_IMAGE_MD5_H

#include "runtime/image/span.h"

void solo_md5(solo_span bytes, uint8_t out[16]);

#endif
